package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Requests as terms: {@code {Repository, Branch, Commit, Script, Runner, Label, [{Name, Value}], [Secret], Noop, Durable, Output,
 * TimeoutMillis, QueueTimeoutMillis, MaxLogBytes}}; the commit is {@code undefined} for the newest.
 */
final class RequestTerms {
    private static final int ELEMENTS = 14;
    private static final int MAX_NAME = 256;
    private static final OutputMode[] OUTPUTS = OutputMode.values();

    private RequestTerms() {}

    /** The request as a term. */
    public static Term toTerm(BuildRequest request) {
        return Tuple.wrap(new Term[] {
            Words.text(request.repository()),
            Words.text(request.branch()),
            request.commit().<Term>map(Words::text).orElse(Atom.UNDEFINED),
            Words.text(request.script()),
            Words.text(request.runner()),
            Words.text(request.label()),
            environment(request.environment()),
            Words.texts(request.secretNames()),
            Words.flag(request.noop()),
            Words.flag(request.durable()),
            Words.number(Arrays.asList(OUTPUTS).indexOf(request.output())),
            Words.number(request.timeout().toMillis()),
            Words.number(request.queueTimeout().toMillis()),
            Words.number(request.maxLogBytes())
        });
    }

    private static ErlList environment(Map<String, String> variables) {
        Term[] pairs = variables.entrySet().stream()
                .map(entry -> Tuple.of(Words.text(entry.getKey()), Words.text(entry.getValue())))
                .toArray(Term[]::new);
        return ErlList.wrap(pairs, ErlList.EMPTY);
    }

    /**
     * The request that a term is.
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
                    fields.natural());
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

    /** Several requests as a list of terms. */
    public static ErlList toTerms(List<BuildRequest> requests) {
        return ErlList.wrap(requests.stream().map(RequestTerms::toTerm).toArray(Term[]::new), ErlList.EMPTY);
    }

    /** The requests that a list's elements are. */
    public static List<BuildRequest> fromTerms(ErlList terms) {
        List<BuildRequest> requests = new ArrayList<>(terms.size());
        for (int i = 0; i < terms.size(); i++) {
            requests.add(fromTerm(terms.get(i)));
        }
        return requests;
    }
}
