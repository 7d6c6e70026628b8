package dev.touchstone.builds.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink whose code fails otherwise than with an IOException. */
@Timeout(60)
class SinkPumpTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final AtomicInteger appends = new AtomicInteger();

    private Sink sink(Runnable firstAppend) {
        return new IdleSink() {
            @Override
            public void append(String jobId, long offset, ByteBuffer bytes) {
                if (appends.getAndIncrement() == 0) {
                    firstAppend.run();
                }
            }
        };
    }

    private SinkPump pump(Sink sink) {
        return new SinkPump(
                sink,
                (job, offset, into) -> {
                    into.put((byte) 1);
                    return 1;
                },
                (job, problem) -> told.add("done " + job + " " + problem),
                HOUR,
                (thread, cause) -> told.add(thread + " " + cause.getMessage()));
    }

    @Test
    void append_thatThrowsARuntimeException_isTriedAgain() throws Exception {
        Sink sink = sink(() -> {
            throw new IllegalStateException("on purpose");
        });
        try (SinkPump pump = pump(sink)) {
            pump.start();
            pump.end(5, "j-5", 1);
            assertThat(told.take()).isEqualTo("done 5 null");
            assertThat(appends).hasValue(2);
        }
    }

    @Test
    void append_thatThrowsAnError_isToldWithTheNameOfTheThread() throws Exception {
        Sink sink = sink(() -> {
            throw new StackOverflowError("on purpose");
        });
        try (SinkPump pump = pump(sink)) {
            pump.start();
            pump.end(5, "j-5", 1);
            assertThat(told.take()).isEqualTo("builds-sink-FILES on purpose");
        }
    }
}
