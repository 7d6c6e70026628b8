package dev.touchstone.builds.origin;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a method that builds. Immutable; the environment may hold secrets, and is never printed.
 *
 * @param repository URL, with the branch behind a {@code #}; {@code master} without one
 * @param script path in the repository
 * @param environment variables for the script
 * @param noop whether nothing is done at all
 */
record BuildArguments(String repository, String script, Map<String, String> environment, boolean noop) {
    static final String DEFAULT_BRANCH = "master";

    private static final int MAX_VARIABLES = 65_535;

    /** Copies the environment. */
    BuildArguments {
        environment = Map.copyOf(environment);
    }

    /**
     * Reads arguments. Other keys than theirs are passed over.
     *
     * @throws MalformedMessageException if these are none; the message has none of the values
     */
    static BuildArguments decode(ByteBuffer bytes) throws MalformedMessageException {
        Map<?, ?> map = PackReader.map(bytes);
        Map<String, String> environment = new LinkedHashMap<>();
        Object variables = map.get("env");
        if (variables instanceof List<?> list) {
            for (Object variable : list) {
                add(environment, variable);
            }
        } else if (variables != null) {
            throw new MalformedMessageException("argument is not a list: argument=env");
        }
        return new BuildArguments(
                text(map, "repository"), text(map, "script"), environment, Boolean.TRUE.equals(map.get("noop")));
    }

    private static void add(Map<String, String> environment, @Nullable Object variable)
            throws MalformedMessageException {
        int equals = variable instanceof String text ? text.indexOf('=') : -1;
        if (equals < 1) {
            throw new MalformedMessageException("variable is not KEY=VALUE: argument=env");
        }
        String assignment = String.valueOf(variable);
        environment.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    private static String text(Map<?, ?> map, String key) throws MalformedMessageException {
        Object value = map.get(key);
        if (value == null) {
            return "";
        }
        if (!(value instanceof String text)) {
            throw new MalformedMessageException("argument is not a text: argument=" + key);
        }
        return text;
    }

    /** Returns the bytes, as {@link #decode} reads them. */
    ByteBuffer encode() {
        if (environment.size() > MAX_VARIABLES) {
            throw new IllegalArgumentException("too many variables: count=" + environment.size());
        }
        PackWriter out = new PackWriter().map(2 + (environment.isEmpty() ? 0 : 1) + (noop ? 1 : 0));
        out.text("repository").text(repository).text("script").text(script);
        if (!environment.isEmpty()) {
            List<String> names = new ArrayList<>(environment.keySet());
            names.sort(null);
            out.text("env").array(names.size());
            names.forEach(name -> out.text(name + '=' + environment.get(name)));
        }
        if (noop) {
            out.text("noop").bool(true);
        }
        return out.done();
    }

    /** Returns the URL without the branch. */
    String url() {
        int hash = repository.indexOf('#');
        return hash < 0 ? repository : repository.substring(0, hash);
    }

    /** Returns the branch. */
    String branch() {
        int hash = repository.indexOf('#');
        return hash < 0 || hash == repository.length() - 1 ? DEFAULT_BRANCH : repository.substring(hash + 1);
    }

    /** Returns the repository and the script. */
    @Override
    public String toString() {
        return "repository=" + repository + " script=" + script;
    }
}
