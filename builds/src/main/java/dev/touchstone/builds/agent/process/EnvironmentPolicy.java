package dev.touchstone.builds.agent.process;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The choice of the variables that a script gets: few of the agent's own, and those of the request that cannot take over a program before the script. Immutable. */
public final class EnvironmentPolicy {
    /** The names of the agent's own variables that scripts get unless told otherwise; a star stands for the rest of a name. */
    public static final Set<String> DEFAULT_ALLOWED = Set.of(
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "SSH_AUTH_SOCK");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
    private static final Pattern REFUSED = Pattern.compile(
            "LD_.*|DYLD_.*|GIT_.*|BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PS4|IFS"
                    + "|NODE_OPTIONS|NODE_PATH|GCONV_PATH|LOCPATH|WORKSPACE|SRCDIR|BUILDS_JOB_.*|BUILDS_BRANCH|BUILDS_COMMIT");
    /** Linux takes no longer string in an environment. */
    private static final int MAX_CHARS = 128 * 1024 - 300;

    private static final int MAX_TOTAL_CHARS = 1 << 20;

    private final Map<String, String> own;

    /**
     * Creates a policy.
     *
     * @param agents the agent's own environment
     * @param allowed which of it scripts get
     */
    public EnvironmentPolicy(Map<String, String> agents, Set<String> allowed) {
        Map<String, String> kept = new HashMap<>();
        agents.forEach((name, value) -> {
            if (isAllowed(name, allowed)) {
                kept.put(name, value);
            }
        });
        own = Map.copyOf(kept);
    }

    /** Returns the variables that every script of this agent gets. */
    public Map<String, String> own() {
        return own;
    }

    /**
     * Checks what a request says.
     *
     * @throws EnvironmentRefusedException if a script may not get it
     */
    public void check(Map<String, String> request) {
        int total = 0;
        for (Map.Entry<String, String> entry : request.entrySet()) {
            String name = entry.getKey();
            String value = entry.getValue();
            if (!NAME.matcher(name).matches()) {
                throw new EnvironmentRefusedException(
                        "environment name=" + quoted(name) + " is not letters, digits and _");
            }
            if (REFUSED.matcher(name).matches()) {
                throw new EnvironmentRefusedException("environment name=" + name + " is not a request's to set");
            }
            if (value.indexOf(0) >= 0) {
                throw new EnvironmentRefusedException("environment name=" + name + " has a value with a NUL");
            }
            total += name.length() + value.length();
            if (value.length() > MAX_CHARS || total > MAX_TOTAL_CHARS) {
                throw new EnvironmentRefusedException("environment name=" + name + " goes over " + MAX_CHARS
                        + " chars, or all of it over " + MAX_TOTAL_CHARS);
            }
        }
    }

    /** Returns the whole environment of a script: the agent's part, over it the request's, over that the {@code build}'s. */
    public Map<String, String> compose(Map<String, String> request, Map<String, String> build) {
        Map<String, String> composed = new HashMap<>(own);
        composed.putAll(request);
        composed.putAll(build);
        return composed;
    }

    private static boolean isAllowed(String name, Set<String> allowed) {
        return allowed.contains(name)
                || allowed.stream()
                        .anyMatch(pattern ->
                                pattern.endsWith("*") && name.startsWith(pattern.substring(0, pattern.length() - 1)));
    }

    private static String quoted(String text) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return '"' + shown.replaceAll("[^\\x20-\\x7e]", "?") + '"';
    }
}
