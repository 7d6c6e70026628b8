package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads of many megabytes in turn, whose windows another thread fills ahead. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongReadTest {
    private static final int COUNT = 4000;

    @TempDir
    Path folder;

    private static byte[] element(long seed, int number) {
        SplittableRandom random = new SplittableRandom(seed + number);
        int bytes = random.nextInt(20) == 0 ? random.nextInt(300_000) : random.nextInt(20_000);
        byte[] element = new byte[Integer.BYTES + bytes];
        Arrays.fill(element, (byte) random.nextInt());
        ByteBuffer.wrap(element).putInt(number);
        return element;
    }

    private DiskQueue<byte[]> open(boolean compressed, Durability durability) {
        DiskQueueBuilder<byte[]> builder =
                DiskQueueBuilder.of(durability).folder(folder).segmentBytes(16 << 20);
        return (compressed ? builder.compression(Compression.deflate()) : builder).open();
    }

    @ParameterizedTest
    @CsvSource({"false, BATCHED", "false, WRITTEN", "true, BATCHED"})
    void longQueue_iteratedAndPolledWhileItGrows_givesEachElementAsItWas(boolean compressed, Durability durability)
            throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        try (DiskQueue<byte[]> queue = open(compressed, durability)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (int number = 0; number < COUNT; number++) {
                    assertThat(queue.offer(element(seed, number))).isTrue();
                }
            });
            for (int number = 0; number < COUNT / 4; number++) {
                assertThat(queue.poll(Duration.ofSeconds(60)))
                        .as("seed=%d number=%d", seed, number)
                        .isEqualTo(element(seed, number));
            }
            writer.get(60, TimeUnit.SECONDS);
            Iterator<byte[]> all = queue.iterator();
            for (int number = COUNT / 4; number < COUNT; number++) {
                assertThat(all.next()).as("seed=%d number=%d", seed, number).isEqualTo(element(seed, number));
                if (number % 2 == 0) { // takes back the files that the iterator has read
                    Objects.requireNonNull(queue.poll());
                }
            }
            assertThat(all.hasNext()).isFalse();
            int polled = COUNT / 4 + COUNT * 3 / 8;
            for (byte[] element = queue.poll(); element != null; element = queue.poll()) {
                assertThat(element).as("seed=%d number=%d", seed, polled).isEqualTo(element(seed, polled));
                polled++;
            }
            assertThat(polled).isEqualTo(COUNT);
        }
    }
}
