package dev.touchstone.builds.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Site;
import dev.touchstone.builds.link.FakeAgent;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands say in one sentence why they cannot print a log: the disk is full, or the pipe's reader is gone. */
@Timeout(120)
class FailedOutputTest {
    private static final String WHY = "No space left on device";

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            throw new IOException(WHY);
        }
    }

    @Test
    void build_ofWhichTheLogCannotBePrinted_saysWhy() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("a line\n");
                return 0;
            })));
            Map<String, String> environment = Map.of(
                    "BUILDS_MASTER_TOKEN", Site.TOKEN.text(), "BUILDS_MASTER_URL", "builds://127.0.0.1:" + site.port());
            ProcessContext around = new ProcessContext(environment, folder, new FullDisk(), new PrintWriter(err, true));
            int code = Commands.execute(around, "build", "-repository", "git+file:///r", "-script", "s");
            assertThat(code).isEqualTo(BuildsExitCode.FAILED);
            assertThat(err.toString()).contains("Error: " + WHY + "\n").doesNotContain("defect");
        }
    }
}
