package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed while threads update its store and snapshots are made: each update that was acknowledged is there, and each is applied
 * once.
 */
@Timeout(value = 3000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreKillTest {
    private static final int THREADS = 3;
    private static final StoreOptions OPTIONS = new StoreOptions(3_000, false);

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** Updates with several threads, and prints thread and number of each update that was acknowledged. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws IOException {
            PriceStore store = PriceStore.open(Path.of(args[0]), OPTIONS, StoreProgress.NONE);
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                new Thread(() -> run(store, thread)).start();
            }
            PriceQuery query = store.index().query();
            while (true) {
                String wrong = NumberedUpdates.wrong(NumberedUpdates.all(store.index(), query));
                if (!wrong.isEmpty()) {
                    System.out.println("wrong " + wrong);
                }
            }
        }

        private static void run(PriceStore store, int thread) {
            try {
                for (long n = NumberedUpdates.number(store.index(), thread) + 1; ; n++) {
                    long version = store.update(NumberedUpdates.batch(thread, n));
                    System.out.println(thread + " " + n + " " + version);
                }
            } catch (IOException e) {
                System.out.println("wrong " + e);
            }
        }
    }

    @Test
    void open_afterAKill_hasEveryAcknowledgedUpdateOnce() throws IOException, InterruptedException {
        System.out.println(run(10));
    }

    @Test
    @Tag("slow")
    void open_afterManyKills_hasEveryAcknowledgedUpdateOnce() throws IOException, InterruptedException {
        System.out.println(run(Integer.getInteger("kills", 300)));
    }

    private String run(int kills) throws IOException, InterruptedException {
        Path store = folder.resolve("store");
        PriceStore.create(store, NumberedUpdates.empty(), OPTIONS).close();
        long[] told = new long[THREADS];
        long snapshot = 1;
        int snapshots = 0;
        int replayed = 0;
        int unacknowledged = 0;
        for (int kill = 0; kill < kills; kill++) {
            String what = "seed=" + seed + " kill=" + kill;
            updateAndKill(store, told, what);
            StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);
            assertThat(report.opens()).as(what + " " + report).isTrue();
            try (PriceStore open = PriceStore.open(store, OPTIONS, StoreProgress.NONE)) {
                snapshots += report.snapshotVersion() == snapshot ? 0 : 1;
                replayed += report.entries();
                PriceIndex index = open.index();
                assertThat(NumberedUpdates.wrong(NumberedUpdates.all(index, index.query())))
                        .as(what)
                        .isEmpty();
                assertThat(report.version()).as(what).isEqualTo(index.version());
                for (int t = 0; t < THREADS; t++) {
                    assertThat(NumberedUpdates.number(index, t))
                            .as(what + " thread=" + t)
                            .isBetween(told[t], told[t] + 1);
                    unacknowledged += NumberedUpdates.number(index, t) > told[t] ? 1 : 0;
                    told[t] = NumberedUpdates.number(index, t);
                }
                if (kill % 2 == 0) {
                    open.snapshot();
                }
                snapshot = open.stats().snapshotVersion();
            }
        }
        return kills + " kills of a store: " + Arrays.stream(told).sum() + " updates are there once each, "
                + unacknowledged
                + " of them not acknowledged; " + replayed + " replayed from the log, " + snapshots
                + " times behind a snapshot that the killed process made";
    }

    private void updateAndKill(Path store, long[] told, String what) throws IOException, InterruptedException {
        Process victim = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        Victim.class.getName(),
                        store.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(new File("/dev/null"))
                .start();
        int lines = 1 + random.nextInt(200);
        long highest = 0;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] words = line.split(" ", -1);
                if ((words.length == 3 && !words[2].isEmpty()) || lines > 0) { // the last line may be cut off
                    assertThat(words[0]).as(what + " " + line).isNotEqualTo("wrong");
                    int thread = Integer.parseInt(words[0]);
                    long n = Long.parseLong(words[1]);
                    assertThat(n).as(what).isEqualTo(told[thread] + 1);
                    told[thread] = n;
                    highest = Math.max(highest, Long.parseLong(words[2]));
                }
                if (--lines == 0) {
                    // somewhere within the next updates or snapshot; what was printed meanwhile is still in the pipe
                    victim.waitFor(random.nextInt(20_000), TimeUnit.MICROSECONDS);
                    victim.toHandle().destroyForcibly();
                }
            }
        } finally {
            victim.destroyForcibly();
        }
        assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(highest).as(what).isPositive();
    }
}
