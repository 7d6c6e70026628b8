package dev.touchstone.buildsupport;

/** A place where a rule is broken. */
record Offence(String rule, String file, long line, String message) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + message + " [" + rule + "]";
    }
}
