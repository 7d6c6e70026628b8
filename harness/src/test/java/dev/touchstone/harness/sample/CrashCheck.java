package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;

/** A check that takes its JVM with it. */
public final class CrashCheck implements SemanticCheck {
    @Override
    public String workload() {
        return "count";
    }

    @Override
    public String subject() {
        return "BROKEN";
    }

    @Override
    public void run(Path dataFolder) {
        Runtime.getRuntime().halt(7);
    }
}
