package dev.touchstone.queue.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples do what they say. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SamplesTest {
    @TempDir
    Path folder;

    @Test
    void workQueue_withAJobThatFailsOnce_deliversItTwice() throws InterruptedException {
        assertThat(WorkQueue.run(folder)).isEqualTo(4);
    }

    @Test
    void fanOut_withASlowReader_keepsWhatItHasNotRead() {
        assertThat(FanOut.run(folder)).containsExactly("paid", "shipped");
    }

    @Test
    void boundedBuffer_ofAHundredNumbers_givesThemAll() throws InterruptedException {
        assertThat(BoundedBuffer.run(folder)).isEqualTo(5050);
    }

    @Test
    void asyncIngest_ofManyRecords_sharesForces() {
        assertThat(AsyncIngest.run(folder)).isGreaterThan(1);
    }

    @Test
    void replay_ofConsumedElements_givesThemAgain() {
        assertThat(Replay.run(folder)).isEqualTo(50_005_000);
    }
}
