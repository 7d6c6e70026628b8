package dev.touchstone.builds;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A request for a build. Immutable; its parts are checked for their form and length only, the agent checks the rest.
 *
 * @param repository URL of the repository, without a fragment
 * @param branch branch to build
 * @param commit commit of it, instead of the newest
 * @param script path of the script, relative to the repository
 * @param runner interpreter of the script: {@code bash}, {@code node}, {@code powershell} or {@code cmd}
 * @param label that the agent must have; {@code any} is every agent's
 * @param environment variables for the script
 * @param secretNames those of them whose values are masked in the log
 * @param noop whether nothing is to be fetched or run
 * @param durable whether the job survives the master's death once it is accepted; only a noop may do without
 * @param output where the output goes
 * @param timeout most that it may run
 * @param queueTimeout most that it may wait for an executor
 * @param maxLogBytes where the log is cut off
 * @param files what the build hands on; none for a noop
 */
public record BuildRequest(
        String repository,
        String branch,
        Optional<String> commit,
        String script,
        String runner,
        String label,
        Map<String, String> environment,
        Set<String> secretNames,
        boolean noop,
        boolean durable,
        OutputMode output,
        Duration timeout,
        Duration queueTimeout,
        long maxLogBytes,
        BuildFiles files) {
    /** The label that every agent has. */
    public static final String ANY = "any";

    /** Bytes of UTF-8 that a URL, branch, commit or path has at most. */
    public static final int MAX_TEXT_BYTES = 4096;

    /** Variables that the environment has at most. */
    public static final int MAX_VARIABLES = 1000;

    /** Bytes of UTF-8 that the environment has at most, names and values together. */
    public static final int MAX_ENVIRONMENT_BYTES = 256 << 10;

    private static final int MAX_NAME = 64;
    private static final int MAX_VARIABLE_NAME = 256;
    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * Checks what it is given.
     *
     * @throws IllegalArgumentException if a part has not the form it must have; values of the environment are not in the message
     */
    public BuildRequest {
        text("repository", repository);
        text("branch", branch);
        commit.ifPresent(name -> text("commit", name));
        text("script", script);
        name("runner", runner);
        name("label", label);
        environment = Map.copyOf(environment);
        secretNames = Set.copyOf(secretNames);
        checkEnvironment(environment);
        for (String secret : secretNames) {
            if (!environment.containsKey(secret)) {
                throw new IllegalArgumentException(
                        "secret is no variable of the environment: name=" + printable(secret));
            }
        }
        if (noop && !files.isEmpty()) {
            throw new IllegalArgumentException("noop=true hands on no files");
        }
        if (!noop && !durable) {
            throw new IllegalArgumentException("durable=false is for noop only");
        }
        positive("timeout", timeout);
        positive("queueTimeout", queueTimeout);
        if (maxLogBytes < 0) {
            throw new IllegalArgumentException("maxLogBytes=" + maxLogBytes + " expected at least 0");
        }
    }

    /**
     * Returns a builder with the defaults: runner {@code bash}, label {@code any}, durable, streamed, 1 hour to run, 1 day to wait, 1 GiB of log.
     *
     * @param repository URL of the repository, without a fragment; not null
     * @param branch branch to build; not null
     * @param script path of the script, relative to the repository; not null
     * @return a new builder
     */
    public static Builder of(String repository, String branch, String script) {
        return new Builder(repository, branch, script);
    }

    private static void checkEnvironment(Map<String, String> environment) {
        if (environment.size() > MAX_VARIABLES) {
            throw new IllegalArgumentException(
                    "too many variables: count=" + environment.size() + " most=" + MAX_VARIABLES);
        }
        long bytes = 0;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (!isVariableName(variable.getKey())) {
                throw new IllegalArgumentException("not the name of a variable: name=" + printable(variable.getKey()));
            }
            if (variable.getValue().indexOf('\0') >= 0 || hasHalfCharacters(variable.getValue())) {
                throw new IllegalArgumentException("variable has a NUL or half a character: name=" + variable.getKey());
            }
            bytes += variable.getKey().length() + (long) utf8(variable.getValue());
        }
        if (bytes > MAX_ENVIRONMENT_BYTES) {
            throw new IllegalArgumentException(
                    "environment is too large: bytes=" + bytes + " most=" + MAX_ENVIRONMENT_BYTES);
        }
    }

    static void text(String what, String value) {
        boolean mayBeLong = value.length() > MAX_TEXT_BYTES / 3; // a character is 3 bytes at most
        if (value.isEmpty() || (mayBeLong && utf8(value) > MAX_TEXT_BYTES)) {
            throw new IllegalArgumentException(
                    what + " is empty or too long: bytes=" + utf8(value) + " most=" + MAX_TEXT_BYTES);
        }
        if (hasHalfCharacters(value)) {
            throw new IllegalArgumentException(what + " has half a character: " + what + "=" + printable(value));
        }
        if (hasControls(value)) {
            throw new IllegalArgumentException(what + " has control characters: " + what + "=" + printable(value));
        }
    }

    // Loops and no patterns: a master checks a request for each job, and an agent too.

    /** Returns whether a text has a surrogate without the other one, which no UTF-8 has: it would arrive as a question mark. */
    private static boolean hasHalfCharacters(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < value.length()
                        && Character.isLowSurrogate(value.charAt(i + 1));
                if (!isPair) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static boolean hasControls(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == 0x7f) {
                return true;
            }
        }
        return false;
    }

    private static boolean isVariableName(String name) {
        boolean isGood = !name.isEmpty() && name.length() <= MAX_VARIABLE_NAME && !isDigit(name.charAt(0));
        for (int i = 0; isGood && i < name.length(); i++) {
            char c = name.charAt(i);
            isGood = isLetter(c) || isDigit(c) || c == '_';
        }
        return isGood;
    }

    private static boolean isName(String name) {
        boolean isGood = !name.isEmpty() && name.length() <= MAX_NAME;
        for (int i = 0; isGood && i < name.length(); i++) {
            char c = name.charAt(i);
            isGood = isLetter(c) || isDigit(c) || (i > 0 && (c == '.' || c == '_' || c == '-'));
        }
        return isGood;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int utf8(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    static void name(String what, String value) {
        if (!isName(value)) {
            throw new IllegalArgumentException(
                    what + "=" + printable(value) + " expected 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
        }
    }

    private static void positive(String what, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + "=" + value + " expected more than 0 and at most " + LONGEST);
        }
    }

    static String printable(String value) {
        String head = value.length() > 80 ? value.substring(0, 80) + "..." : value;
        return head.replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns a text that has the names of the variables only: values may be secret. */
    @Override
    public String toString() {
        return "BuildRequest[repository=" + repository + " branch=" + branch + " commit=" + commit.orElse("newest")
                + " script=" + script + " runner=" + runner + " label=" + label + " variables="
                + environment.keySet() + " files=" + files + " noop=" + noop + " durable=" + durable + " output="
                + output + "]";
    }

    /** A builder of requests, which is told what differs from the defaults. For one thread. */
    public static final class Builder {
        private final String repository;
        private final String branch;
        private final String script;
        private Optional<String> commit = Optional.empty();
        private String runner = "bash";
        private String label = ANY;
        private final Map<String, String> environment = new TreeMap<>();
        private final Set<String> secretNames = new TreeSet<>();
        private boolean noop;
        private boolean durable = true;
        private OutputMode output = OutputMode.STREAM;
        private Duration timeout = Duration.ofHours(1);
        private Duration queueTimeout = Duration.ofDays(1);
        private long maxLogBytes = 1L << 30;
        private BuildFiles files = BuildFiles.NONE;

        private Builder(String repository, String branch, String script) {
            this.repository = repository;
            this.branch = branch;
            this.script = script;
        }

        /**
         * Sets the commit of the branch; the newest unless told otherwise.
         *
         * @param value name of the commit; not null
         * @return this
         */
        public Builder commit(String value) {
            commit = Optional.of(value);
            return this;
        }

        /**
         * Sets the interpreter of the script; {@code bash} unless told otherwise.
         *
         * @param value name of the runner; not null
         * @return this
         */
        public Builder runner(String value) {
            runner = value;
            return this;
        }

        /**
         * Sets the label that the agent must have; {@link #ANY} unless told otherwise.
         *
         * @param value the label; not null
         * @return this
         */
        public Builder label(String value) {
            label = value;
            return this;
        }

        /**
         * Adds variables for the script; none unless told otherwise.
         *
         * @param values the variables by name; not null
         * @return this
         */
        public Builder environment(Map<String, String> values) {
            environment.putAll(values);
            return this;
        }

        /**
         * Adds a variable whose value is masked in the log.
         *
         * @param name of the variable; not null
         * @param value of the variable; not null
         * @return this
         */
        public Builder secret(String name, String value) {
            environment.put(name, value);
            secretNames.add(name);
            return this;
        }

        /**
         * Sets whether nothing is to be fetched or run; false unless told otherwise.
         *
         * @param value true for a noop
         * @return this
         */
        public Builder noop(boolean value) {
            noop = value;
            return this;
        }

        /**
         * Sets whether the job survives the master's death once it is accepted; true unless told otherwise.
         *
         * @param value false is for a noop only
         * @return this
         */
        public Builder durable(boolean value) {
            durable = value;
            return this;
        }

        /**
         * Sets where the output goes; {@link OutputMode#STREAM} unless told otherwise.
         *
         * @param value the place; not null
         * @return this
         */
        public Builder output(OutputMode value) {
            output = value;
            return this;
        }

        /**
         * Sets the time that the build may run; 1 hour unless told otherwise.
         *
         * @param value more than 0, at most 365 days; not null
         * @return this
         */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /**
         * Sets the time that the job may wait for an executor; 1 day unless told otherwise.
         *
         * @param value more than 0, at most 365 days; not null
         * @return this
         */
        public Builder queueTimeout(Duration value) {
            queueTimeout = value;
            return this;
        }

        /**
         * Sets where the log is cut off; 1 GiB unless told otherwise.
         *
         * @param value in bytes, at least 0
         * @return this
         */
        public Builder maxLogBytes(long value) {
            maxLogBytes = value;
            return this;
        }

        /**
         * Sets the files that the build hands on; none unless told otherwise.
         *
         * @param value the files; not null
         * @return this
         */
        public Builder files(BuildFiles value) {
            files = value;
            return this;
        }

        /**
         * Returns the request.
         *
         * @return a new request
         * @throws IllegalArgumentException if a part has not the form it must have
         */
        public BuildRequest build() {
            return new BuildRequest(
                    repository,
                    branch,
                    commit,
                    script,
                    runner,
                    label,
                    environment,
                    secretNames,
                    noop,
                    durable,
                    output,
                    timeout,
                    queueTimeout,
                    maxLogBytes,
                    files);
        }
    }
}
