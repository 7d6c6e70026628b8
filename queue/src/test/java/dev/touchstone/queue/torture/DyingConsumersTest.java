package dev.touchstone.queue.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The soak with dying consumers in its short form; {@code scripts/queue-torture dying} runs it for longer. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DyingConsumersTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long CALL_NANOS = TimeUnit.MINUTES.toNanos(5); // others may use the machine

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void leases_ofWorkersThatDie_areDeliveredAgainUntilAcknowledged(Durability durability)
            throws IOException, InterruptedException {
        long seed = Long.getLong("seed", System.nanoTime());
        assertThat(DyingConsumers.run(folder.resolve("queue"), durability, NANOS, CALL_NANOS, seed))
                .as("seed=%d", seed)
                .isTrue();
    }
}
