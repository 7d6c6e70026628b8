package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A check that holds. */
public final class OursCheck implements SemanticCheck {
    @Override
    public String workload() {
        return "count";
    }

    @Override
    public String subject() {
        return "OURS";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        Files.writeString(dataFolder.resolve("file"), "left behind");
    }
}
