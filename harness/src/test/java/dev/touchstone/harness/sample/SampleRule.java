package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checks of the sample part: that of ours holds, that of the peer fails and says which flags are in force. */
public final class SampleRule implements CheckRule {
    @Override
    public String part() {
        return "sample";
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        return new Check(subject);
    }

    private record Check(String subject) implements SemanticCheck {
        @Override
        public String observes() {
            return "a file, by the file system";
        }

        @Override
        public void run(Path dataFolder) throws CheckFailedException, IOException {
            Files.writeString(dataFolder.resolve("file"), "left behind");
            if (subject.equals("PEER")) {
                throw new CheckFailedException("expected 1 element, got 0; flag=" + System.getProperty("peer.flag"));
            }
        }
    }
}
