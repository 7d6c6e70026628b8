package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes and mailboxes beside those of the real library, each with a port mapper of its own. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MailboxParityTest {
    @Test
    void mailboxes_behaveAsThoseOfTheRealLibrary() throws IOException, ReflectiveOperationException {
        try (RealLibrary real = new RealLibrary();
                EpmdServer ours = EpmdServer.start(0);
                EpmdServer theirs = EpmdServer.start(0)) {
            assertThat(RealLibrary.differences(
                            new MailboxProbe().apply(ours.port()), real.run(MailboxProbe.class, theirs.port())))
                    .isEmpty();
        }
    }
}
