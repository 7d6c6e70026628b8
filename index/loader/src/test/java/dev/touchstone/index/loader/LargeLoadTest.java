package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.MixedPrices;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large CSV files, each loaded by a JVM of its own with little heap. How long that takes is printed, for it depends on the machine. */
@Tag("slow")
@Timeout(900)
class LargeLoadTest {
    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;

    @TempDir
    Path folder;

    /** Loads a file some times, and prints how many prices it had, how long each time took and what heap was needed. */
    static final class Loading {
        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0]);
            Map<String, String> types = args[1].equals("seed")
                    ? Map.of()
                    : Map.of("term", "integer", "amount", "decimal(2)", "from", "date-time", "to", "date-time");
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                long begin = System.nanoTime();
                PriceSchema schema = PriceLoader.csvSchema(file, "offering", types);
                try (PriceLoad load = PriceLoader.csv(file, schema, LoadOptions.DEFAULT)) {
                    PriceIndex index = schema.declare(PriceIndex.builder()).build(load);
                    double seconds = (System.nanoTime() - begin) / NANOS;
                    double heap = Runtime.getRuntime().totalMemory() / MEGA;
                    System.out.println(String.format(
                            Locale.ROOT,
                            "%d prices, %d errors, %.2f s, heap of %.0f MB",
                            index.stats().prices(),
                            load.report().errors(),
                            seconds,
                            heap));
                }
            }
        }
    }

    @Test
    void seedPrices_load() throws IOException, InterruptedException {
        Path file = folder.resolve("seed.csv");
        try (Writer out = Files.newBufferedWriter(file)) {
            SamplesMain.write("seed", out);
        }

        assertThat(load(file, "seed", "-Xmx512m", 3)).contains("487200 prices, 0 errors");
    }

    @Test
    void twoMillionPrices_loadWithinAGigabyte() throws IOException, InterruptedException {
        Path file = folder.resolve("large.csv");
        MixedPrices prices = MixedPrices.large();
        PriceIndex fields = prices.declare(PriceIndex.builder()).build(List.of());
        try (Writer out = Files.newBufferedWriter(file)) {
            PriceWriter.csv(prices, PriceSchema.of(fields), out);
        }

        assertThat(load(file, "large", "-Xmx1000m", 1)).contains("2000000 prices, 0 errors");
    }

    private static String load(Path file, String kind, String heap, int times)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        heap,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Loading.class.getName(),
                        file.toString(),
                        kind,
                        Integer.toString(times))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(heap + ": " + said);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
