package dev.touchstone.builds.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.StarvedLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisorTest {
    private static final Logger LOG = Logger.getLogger(Supervisor.class.getName());

    @Test
    void thread_thatEndsWithoutMemoryEvenForTheLog_endsTheMaster() throws Exception {
        LOG.setUseParentHandlers(false);
        try (StarvedLog starved = StarvedLog.ofFirst(LOG, 2)) {
            CountDownLatch closed = new CountDownLatch(1);
            Supervisor supervisor = new Supervisor(closed::countDown);
            Thread thread = supervisor.thread("doomed", () -> {
                throw new OutOfMemoryError("for a test");
            });
            thread.start();
            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
            thread.join();
            assertThat(starved.records()).isPositive();
        } finally {
            LOG.setUseParentHandlers(true);
        }
    }
}
