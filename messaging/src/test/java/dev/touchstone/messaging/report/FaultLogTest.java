package dev.touchstone.messaging.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.engine.FaultRecorder;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    /** A subject for whose text there is no memory. */
    private static final class Unspeakable {
        @Override
        public String toString() {
            throw new OutOfMemoryError("of a test");
        }
    }

    @Test
    void report_withoutMemoryForItsText_returns() {
        try (FaultRecorder log = new FaultRecorder()) {
            FaultLog.report("lost: thread=", new Unspeakable(), new StackOverflowError("of a test"));
            FaultLog.report("told: thread=", "one", new StackOverflowError("of a test"));
            assertThat(log.errors()).hasSize(1);
        }
    }
}
