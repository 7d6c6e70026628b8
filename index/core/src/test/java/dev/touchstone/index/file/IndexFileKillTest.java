package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes an index: the file is the version that it wrote last, or the next one. */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexFileKillTest {
    private static final int PRICES = 2000;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    private static Price price(int number, long version) {
        return Price.of("p" + number, "o" + number % 7, Map.of("n", version), BigDecimal.valueOf(version));
    }

    /** Writes one version after the other, all prices of which have its number, and prints each once it is written. */
    static final class Victim {
        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0]);
            PriceIndex index;
            if (Files.exists(file)) {
                index = PriceIndex.open(file);
            } else {
                List<Price> prices = new ArrayList<>();
                for (int i = 0; i < PRICES; i++) {
                    prices.add(price(i, 1));
                }
                index = PriceIndex.builder().integer("n").build(prices);
            }
            while (true) {
                PriceBatch batch = new PriceBatch();
                for (int i = 0; i < PRICES; i++) {
                    batch.put(price(i, index.stats().version() + 1));
                }
                index.update(batch);
                index.write(file);
                System.out.println(index.stats().version());
            }
        }
    }

    @Test
    void open_afterTheWriterWasKilled_isTheOldOrTheNewVersion() throws IOException, InterruptedException {
        run(3);
    }

    @Test
    @Tag("slow")
    void open_afterTheWriterWasKilledManyTimes_isTheOldOrTheNewVersion() throws IOException, InterruptedException {
        System.out.println(run(Integer.getInteger("kills", 200)));
    }

    /** What the kills met. */
    private record Figures(int kills, int withinAWrite, int oldVersion, int newVersion) {
        @Override
        public String toString() {
            return kills + " kills: the file was always whole, " + oldVersion + " times with the version told last, "
                    + newVersion + " times with the next one; " + withinAWrite
                    + " times a write had begun, and what it left was deleted";
        }
    }

    private Figures run(int kills) throws IOException, InterruptedException {
        Path file = folder.resolve("prices.index");
        int withinAWrite = 0;
        int newVersions = 0;
        for (int kill = 0; kill < kills; kill++) {
            long told = writeAndKill(file);
            withinAWrite += files() > 1 ? 1 : 0;
            String what = "seed=" + seed + " kill=" + kill;
            PriceIndex index = PriceIndex.map(file);
            long version = index.stats().version();
            assertThat(version).as(what).isBetween(told, told + 1);
            newVersions += version > told ? 1 : 0;
            assertThat(index.stats().prices()).as(what).isEqualTo(PRICES);
            SearchResult.Found found = (SearchResult.Found)
                    index.search(index.query().eq("n", version).policy(MatchPolicy.ALL));
            assertThat(found.matches()).as(what).isEqualTo(PRICES);
            assertThat(found.value(99)).as(what).isEqualTo(BigDecimal.valueOf(version));
            assertThat(files()).as(what).isEqualTo(1);
        }
        return new Figures(kills, withinAWrite, kills - newVersions, newVersions);
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    /** The last version that the process told of. */
    private long writeAndKill(Path file) throws IOException, InterruptedException {
        Process victim = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        Victim.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(new File("/dev/null"))
                .start();
        long told = 0;
        int lines = 1 + random.nextInt(8);
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                told = line.isEmpty() ? told : Long.parseLong(line);
                if (--lines == 0) {
                    // somewhere within the next update or write; what it wrote meanwhile is still in the pipe
                    victim.waitFor(random.nextInt(20_000), TimeUnit.MICROSECONDS);
                    victim.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(told).isPositive();
        return told;
    }
}
