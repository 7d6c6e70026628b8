package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildFiles;
import dev.touchstone.cli.UsageException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values that are not on the command line: from the environment, ours before the original's, and from {@code cider.yml} behind both. */
final class Settings {
    static final String OURS = "BUILDS_";
    static final String ORIGINALS = "CIDER_";

    private static final String SCRIPT_VARIABLE = "SCRIPT_ENV_";

    private final Map<String, String> environment;
    private final ConfigFile file;

    Settings(Map<String, String> environment, ConfigFile file) {
        this.environment = environment;
        this.file = file;
    }

    /** Returns the value of {@code MASTER_URL}, say: of {@code BUILDS_MASTER_URL}, {@code CIDER_MASTER_URL}, or the file's {@code master.url}. */
    Optional<String> find(String name) {
        for (String value :
                new @Nullable String[] {environment.get(OURS + name), circle(name), environment.get(ORIGINALS + name)
                }) {
            if (value != null && !value.isEmpty()) {
                return Optional.of(value);
            }
        }
        return file.find(name.toLowerCase(Locale.ROOT).replace('_', '.'));
    }

    /** Returns the repository that CircleCI builds, as the original found it there; null for other values and places. */
    private @Nullable String circle(String name) {
        if (!name.equals("REPOSITORY_URL")
                || environment.getOrDefault("CIRCLECI", "").isEmpty()) {
            return null;
        }
        return "git+ssh://git@github.com/" + environment.getOrDefault("CIRCLE_PROJECT_USERNAME", "") + '/'
                + environment.getOrDefault("CIRCLE_PROJECT_REPONAME", "") + '#'
                + environment.getOrDefault("CIRCLE_BRANCH", "");
    }

    /** Returns the flag, or else what is found elsewhere. */
    Optional<String> find(Optional<String> flag, String name) {
        return flag.isPresent() ? flag : find(name);
    }

    /**
     * Returns a setting, as {@link #find(Optional, String)} does, that must be there.
     *
     * @param what as {@code cider.yml} and the flags call it
     */
    String require(Optional<String> flag, String name, String what) {
        return find(flag, name)
                .orElseThrow(() -> new UsageException(what + " is not set: give the option, " + OURS + name + ", "
                        + ORIGINALS + name + ", or the key in cider.yml"));
    }

    /** Returns variables for the script: the file's, over these the environment's. */
    Map<String, String> scriptVariables() {
        Map<String, String> variables = new LinkedHashMap<>(file.variables());
        for (String prefix : new String[] {ORIGINALS + SCRIPT_VARIABLE, OURS + SCRIPT_VARIABLE}) {
            environment.forEach((name, value) -> {
                if (name.startsWith(prefix) && name.length() > prefix.length()) {
                    variables.put(name.substring(prefix.length()), value);
                }
            });
        }
        return variables;
    }

    /** Returns the files that the configuration file has builds hand on. */
    BuildFiles files() {
        return file.files();
    }

    /** Adds the variable of a text {@code KEY=VALUE} to the map. */
    static void addVariable(Map<String, String> variables, String assignment, String where) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            throw new UsageException(
                    where + ": expected KEY=VALUE, got a text without it: characters=" + assignment.length());
        }
        variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }
}
