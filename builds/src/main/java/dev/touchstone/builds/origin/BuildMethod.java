package dev.touchstone.builds.origin;

import java.util.Optional;

/**
 * The name of a method that builds: {@code cider.LABEL.RUNNER}.
 *
 * @param label that the slave has
 * @param runner that the slave has
 */
record BuildMethod(String label, String runner) {
    private static final String PREFIX = "cider.";

    /** Returns the method of a name; empty if the name is none of a build. A label may have dots, a runner has none. */
    static Optional<BuildMethod> of(String name) {
        int dot = name.lastIndexOf('.');
        boolean isBuild = name.startsWith(PREFIX) && dot > PREFIX.length() && dot < name.length() - 1;
        return isBuild
                ? Optional.of(new BuildMethod(name.substring(PREFIX.length(), dot), name.substring(dot + 1)))
                : Optional.empty();
    }

    /** Returns the name. */
    @Override
    public String toString() {
        return PREFIX + label + '.' + runner;
    }
}
