package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.RandomPrices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that were cut, or in which a bit has changed: refused whatever it was, by an exception that names the section. */
@Tag("sweep")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexFileDamageTest {
    private static final List<String> SECTIONS =
            List.of("HEADER", "SCHEMA", "STRINGS", "OFFERINGS", "CURRENCIES", "CONDITIONS", "PRICES");

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private Path file = Path.of("");
    private byte[] bytes = {};

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("prices.index");
        RandomPrices random = new RandomPrices(seed, 6, 4, 3);
        random.builder().build(random.prices(30)).write(file);
        bytes = Files.readAllBytes(file);
        PriceIndex.validate(file);
    }

    private void assertRefused(byte[] changed, boolean isMapped, String what) throws IOException {
        Path other = folder.resolve(isMapped ? "mapped" : "changed");
        Files.deleteIfExists(other);
        Files.write(other, changed);
        try {
            PriceIndex index = isMapped ? PriceIndex.map(other) : PriceIndex.open(other);
            throw new AssertionError(what + " was read: " + index.stats());
        } catch (CorruptIndexException e) {
            assertThat(SECTIONS).as(what).contains(e.section().replaceAll("\\[\\d+]", ""));
            assertThat(e).as(what).hasMessageContaining("section=" + e.section());
        } catch (RuntimeException | OutOfMemoryError e) {
            throw new AssertionError(what, e);
        }
    }

    private void flip(int step) throws IOException {
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit += step) {
            byte[] changed = bytes.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertRefused(changed, bit / step % 16 == 0, "seed=" + seed + " bit=" + bit);
        }
    }

    @Test
    void open_withOneOfSomeBitsFlipped_isRefused() throws IOException {
        flip(29);
    }

    @Test
    @Tag("slow")
    void open_withAnyBitFlipped_isRefused() throws IOException {
        assertThat(bytes.length * Byte.SIZE).isGreaterThan(10_000);
        flip(1);
    }

    @Test
    void open_ofEachPrefix_isRefused() throws IOException {
        for (int length = 0; length < bytes.length; length++) {
            assertRefused(Arrays.copyOf(bytes, length), length % 16 == 0, "seed=" + seed + " length=" + length);
        }
    }

    @Test
    void open_withBytesBehindTheEnd_isRefused() throws IOException {
        for (int more = 1; more < 40; more++) {
            assertRefused(Arrays.copyOf(bytes, bytes.length + more), more % 2 == 0, "seed=" + seed + " more=" + more);
        }
    }

    @Test
    void open_withBlocksOverwritten_isRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            byte[] changed = bytes.clone();
            int from = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, from + 1 + random.nextInt(600));
            Arrays.fill(changed, from, to, (byte) random.nextInt(-1, 2));
            if (!Arrays.equals(changed, bytes)) {
                assertRefused(changed, i % 16 == 0, "seed=" + seed + " from=" + from + " to=" + to);
            }
        }
    }
}
