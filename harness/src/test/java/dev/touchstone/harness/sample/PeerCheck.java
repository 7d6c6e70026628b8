package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;

/** A check that fails unless its subject's flags are in force, which it proves by saying so. */
public final class PeerCheck implements SemanticCheck {
    @Override
    public String workload() {
        return "count";
    }

    @Override
    public String subject() {
        return "PEER";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException {
        throw new CheckFailedException("expected 1 element, got 0; flag=" + System.getProperty("peer.flag"));
    }
}
