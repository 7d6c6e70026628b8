package dev.touchstone.builds.master.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle takes bytes of its own lease only. */
class IncomingTest {
    private static final long WINDOW = 4;

    @TempDir
    Path folder;

    @Test
    void append_ofAnotherLease_isStale() throws Exception {
        Incoming incoming = new Incoming("agent", 1, 7, folder.resolve("bundle"), 100);
        assertThat(append(incoming, "other", 1, 7)).isEqualTo(Incoming.STALE);
        assertThat(append(incoming, "agent", 2, 7)).isEqualTo(Incoming.STALE);
        assertThat(append(incoming, "agent", 1, 6))
                .as("an attempt that was taken back uncounted has the number of the next")
                .isEqualTo(Incoming.STALE);
        assertThat(incoming.length()).isZero();
        assertThat(append(incoming, "agent", 1, 7)).isEqualTo(2 + WINDOW);
        incoming.fence();
        assertThat(append(incoming, "agent", 1, 7)).isEqualTo(Incoming.STALE);
        incoming.close();
    }

    private static long append(Incoming to, String agent, int attempt, long epoch) {
        return to.append(agent, attempt, epoch, to.length(), ByteBuffer.wrap(new byte[2]), WINDOW);
    }
}
