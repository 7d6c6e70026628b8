package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.squareup.tape2.QueueFile;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on a queue, ended anywhere, compared with a model. A failure names its seed: {@code -Dseed=} repeats the run. */
@Timeout(120)
class MigrationPropertyTest {
    private static final int ROUNDS = 25;
    private static final int STEPS = 80;

    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private DiskQueue<byte[]> target;

    @BeforeEach
    void open() {
        target = Migrated.target(temp);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @ParameterizedTest
    @CsvSource({"false, PLAIN", "true, PLAIN", "false, LENGTH_PREFIXED", "true, LENGTH_PREFIXED"})
    void popout_anyUse_asTheModel(boolean batched, PayloadLayout layout) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round + " batched=" + batched + " layout=" + layout;
            SplittableRandom random = new SplittableRandom(seed + round);
            Path folder = Files.createDirectory(temp.resolve("popout-" + round));
            PopoutWriter queue = new PopoutWriter(folder, "queue");
            Deque<List<String>> model = new ArrayDeque<>();
            for (int step = 0; step < STEPS; step++) {
                step(queue, model, random, batched, layout);
            }
            end(queue, random);
            if (!queue.isEmpty()) {
                Migrated migrated = Migrated.from(folder, target);
                assertThat(migrated.damage()).as(what).isNull();
                assertThat(migrated.records())
                        .as(what)
                        .isEqualTo(model.stream().flatMap(List::stream).toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_anyUse_asTheModel(boolean legacy) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(seed + round);
            Path file = temp.resolve("tape-" + round);
            Deque<String> model = new ArrayDeque<>();
            int bound = 1 + random.nextInt(700);
            try (QueueFile queue = new QueueFile.Builder(file.toFile())
                    .forceLegacy(legacy)
                    .zero(random.nextBoolean())
                    .build()) {
                for (int step = 0; step < STEPS; step++) {
                    if (random.nextInt(9) < 5) {
                        String payload = payload(random, bound);
                        queue.add(payload.getBytes(StandardCharsets.UTF_8));
                        model.add(payload);
                    } else if (!model.isEmpty()) {
                        queue.remove();
                        model.remove();
                    }
                }
            }
            assertThat(Migrated.from(file, target).records())
                    .as("seed=%d round=%d legacy=%s", seed, round, legacy)
                    .isEqualTo(List.copyOf(model));
        }
    }

    private static void step(
            PopoutWriter queue,
            Deque<List<String>> model,
            SplittableRandom random,
            boolean batched,
            PayloadLayout layout)
            throws IOException {
        switch (random.nextInt(12)) {
            case 0 -> {
                if (queue.wals() > 0) {
                    queue.compress(0);
                }
            }
            case 1, 2, 3 -> {
                if (!queue.isEmpty()) {
                    queue.poll();
                    model.remove();
                }
            }
            default -> {
                List<String> left = new ArrayList<>();
                queue.append(batched ? batch(left, random, layout) : record(left, random, layout));
                model.add(left);
            }
        }
    }

    /** Ends popout's process, at rest or anywhere in a compression. */
    private static void end(PopoutWriter queue, SplittableRandom random) throws IOException {
        int wals = queue.wals();
        switch (wals == 0 ? 0 : random.nextInt(3)) {
            case 1 -> queue.compress(random.nextInt(wals + 1));
            case 2 -> queue.compressUntil(random.nextInt(wals * 13));
            default -> {}
        }
    }

    private static byte[] record(List<String> left, SplittableRandom random, PayloadLayout layout) {
        String payload = payload(random, 50);
        left.add(payload);
        return PopoutWriter.record(serialized(payload, layout));
    }

    private static byte[] batch(List<String> left, SplittableRandom random, PayloadLayout layout) {
        List<byte[]> payloads = new ArrayList<>();
        List<Integer> removed = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            String payload = payload(random, 20);
            payloads.add(serialized(payload, layout));
            if (random.nextInt(4) == 0) {
                removed.add(i);
            } else {
                left.add(payload);
            }
        }
        return PopoutWriter.batch(payloads, removed);
    }

    private static byte[] serialized(String payload, PayloadLayout layout) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return layout == PayloadLayout.PLAIN ? bytes : PopoutWriter.prefixed(bytes);
    }

    /** Returns a payload that differs from all others but for a chance of 2^-64. */
    private static String payload(SplittableRandom random, int bound) {
        return Long.toHexString(random.nextLong()) + "x".repeat(random.nextInt(bound));
    }
}
