package dev.touchstone.builds.hook;

import java.util.regex.Pattern;

/**
 * A branch that somebody has pushed to a forge. Immutable.
 *
 * @param project path of the project at the forge, for example {@code owner/name}
 * @param branch name of the branch
 * @param commit its newest commit, in hexadecimal digits
 */
record Push(String project, String branch, String commit) {
    private static final Pattern PROJECT = Pattern.compile("[A-Za-z0-9_~.-]+(/[A-Za-z0-9_~.-]+){1,20}");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
    private static final int MAX_PROJECT = 1_024;

    /**
     * Checks what becomes part of addresses and commands.
     *
     * @throws IllegalArgumentException if project or commit are none
     */
    Push {
        boolean isPath = project.length() <= MAX_PROJECT
                && PROJECT.matcher(project).matches()
                && !("/" + project + "/").contains("/../")
                && !("/" + project + "/").contains("/./");
        if (!isPath) {
            throw new IllegalArgumentException("project is no path of names: characters=" + project.length());
        }
        if (!COMMIT.matcher(commit).matches()) {
            throw new IllegalArgumentException(
                    "commit is not 40 or 64 hexadecimal digits: characters=" + commit.length());
        }
    }
}
