package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads requests of journals of before 0.1.0, where they were terms: {@code {Repository, Branch, Commit, Script, Runner, Label, [{Name, Value}], [Secret], Noop, Durable, Output,
 * TimeoutMillis, QueueTimeoutMillis, MaxLogBytes}}; the commit is {@code undefined} for the newest.
 */
final class RequestTerms {
    private static final int ELEMENTS = 14;
    private static final int MAX_NAME = 256;
    private static final OutputMode[] OUTPUTS = OutputMode.values();

    private RequestTerms() {}

    /**
     * Returns the request that a term is.
     *
     * @throws WireException if it is none, or one with values that it may not have
     */
    public static BuildRequest fromTerm(Term term) {
        Fields fields = Fields.untagged("request", term, ELEMENTS);
        try {
            return new BuildRequest(
                    fields.text(),
                    fields.text(),
                    fields.optionalText(),
                    fields.text(),
                    fields.text(MAX_NAME),
                    fields.text(MAX_NAME),
                    environment(fields.list(BuildRequest.MAX_VARIABLES)),
                    names(fields.texts(BuildRequest.MAX_VARIABLES, MAX_NAME)),
                    fields.flag(),
                    fields.flag(),
                    OUTPUTS[fields.count(OUTPUTS.length - 1)],
                    Duration.ofMillis(fields.natural()),
                    Duration.ofMillis(fields.natural()),
                    fields.natural(),
                    BuildFiles.NONE);
        } catch (IllegalArgumentException e) {
            throw new WireException("request: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> environment(ErlList pairs) {
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < pairs.size(); i++) {
            Fields pair = Fields.untagged("variable", pairs.get(i), 2);
            String name = pair.text(MAX_NAME);
            if (variables.put(name, pair.text(BuildRequest.MAX_ENVIRONMENT_BYTES)) != null) {
                throw new WireException("request: variable is there twice: name=" + name);
            }
        }
        return variables;
    }

    private static Set<String> names(String[] texts) {
        return new HashSet<>(Arrays.asList(texts));
    }

    /** Returns the requests that a list's elements are. */
    public static List<BuildRequest> fromTerms(ErlList terms) {
        List<BuildRequest> requests = new ArrayList<>(terms.size());
        for (int i = 0; i < terms.size(); i++) {
            requests.add(fromTerm(terms.get(i)));
        }
        return requests;
    }
}
