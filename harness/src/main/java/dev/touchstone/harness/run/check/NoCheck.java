package dev.touchstone.harness.run.check;

import java.nio.file.Path;

/** Stands for a check that nobody wrote, and fails. */
record NoCheck(String part) implements SemanticCheck {
    @Override
    public String observes() {
        return "nothing";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException {
        throw new CheckFailedException(
                "no check: part=" + part + " has no " + CheckRule.class.getName() + " on the class path");
    }
}
