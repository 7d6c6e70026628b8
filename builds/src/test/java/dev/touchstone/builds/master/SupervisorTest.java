package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisorTest {
    private static final Logger LOG = Logger.getLogger(Master.class.getName());

    /** A handler that finds no memory the first times. */
    private static final class Starved extends Handler {
        final AtomicInteger records = new AtomicInteger();

        @Override
        public void publish(LogRecord record) {
            if (records.incrementAndGet() < 3) {
                throw new OutOfMemoryError("for a test");
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void thread_thatEndsWithoutMemoryEvenForTheLog_endsTheMaster() throws Exception {
        Starved starved = new Starved();
        LOG.addHandler(starved);
        LOG.setUseParentHandlers(false);
        try {
            CountDownLatch closed = new CountDownLatch(1);
            Master.Supervisor supervisor = new Master.Supervisor(closed::countDown);
            Thread thread = supervisor.thread("doomed", () -> {
                throw new OutOfMemoryError("for a test");
            });
            thread.start();
            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
            thread.join();
            assertThat(starved.records.get()).isPositive();
        } finally {
            LOG.setUseParentHandlers(true);
            LOG.removeHandler(starved);
        }
    }
}
