package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class InFlightTest {

    private static final int MOST = 8;
    private static final int RECORDS = 20_000;

    @Test
    void begin_slowEnds_neverMoreThanTheLimitUnderWay() throws Exception {
        InFlight inFlight = new InFlight(MOST);
        BlockingQueue<Integer> begun = new LinkedBlockingQueue<>();
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Callable<Void> writer = () -> {
            for (int i = 0; i < RECORDS; i++) {
                inFlight.begin();
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                begun.add(i);
            }
            inFlight.awaitAll();
            assertThat(underWay).hasValue(0);
            return null;
        };
        Callable<Void> committer = () -> {
            for (int i = 0; i < RECORDS; i++) {
                begun.take();
                underWay.decrementAndGet();
                inFlight.end(null);
            }
            return null;
        };
        QueueChecks.together(List.of(writer, committer));
        assertThat(most.get()).isBetween(1, MOST);
    }

    @Test
    void awaitAll_oneFailed_tellsWhy() throws Exception {
        InFlight inFlight = new InFlight(MOST);
        inFlight.begin();
        inFlight.begin();
        inFlight.end(new IOException("disk gone"));
        inFlight.end(null);
        assertThatThrownBy(inFlight::awaitAll)
                .hasMessage("a record could not be stored")
                .hasRootCauseMessage("disk gone");
    }

    @Test
    void awaitAll_nothingBegun_returns() throws Exception {
        new InFlight(MOST).awaitAll();
    }
}
