package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.Answers;
import dev.touchstone.index.price.Condition;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceModel;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.RandomPrices;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files with changed contents and right checksums: refused by a typed exception, or an index that works like any other. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexFileFuzzTest {
    private static final long[] NUMBERS = {0, 1, -1, 2, 63, 64, 65, 1 << 16, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE
    };
    private static final int MAX_BYTES = 8 << 20;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final RandomPrices prices = new RandomPrices(seed, 5, 4, 3);
    private final List<HandMade> corpus = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        for (int count : new int[] {0, 1, 20, 70}) {
            Path file = folder.resolve("corpus" + count);
            PriceIndex index = prices.builder().build(prices.prices(count));
            index.update(new PriceModel().random(prices, 3).batch());
            index.write(file);
            corpus.add(HandMade.of(file));
        }
    }

    @Test
    void open_ofChangedSections_isRefusedOrGivesAnIndex() throws IOException {
        run(800);
    }

    @Test
    @Tag("slow")
    void open_ofManyChangedSections_isRefusedOrGivesAnIndex() throws IOException {
        run(300_000);
    }

    private void run(int files) throws IOException {
        int read = 0;
        Path file = folder.resolve("changed");
        for (int i = 0; i < files; i++) {
            HandMade made = corpus.get(random.nextInt(corpus.size())).copy();
            StringBuilder what = new StringBuilder("seed=" + seed + " file=" + i);
            for (int left = 1 + random.nextInt(2); left > 0; left--) {
                int section = random.nextInt(made.sections.size());
                byte[] changed =
                        changed(made.sections.get(section), made.sections.get(random.nextInt(made.sections.size())));
                made.sections.set(section, changed);
                what.append(' ').append(made.name(section));
            }
            Files.deleteIfExists(file);
            made.write(file);
            read += isRead(file, i % 4 == 0, what.toString()) ? 1 : 0;
        }
        assertThat(read).as("seed=%d", seed).isBetween(1, files / 2);
    }

    private byte[] changed(byte[] section, byte[] other) {
        if (section.length < Long.BYTES) {
            return other;
        }
        byte[] changed = section.clone();
        int at = random.nextInt(section.length & -Long.BYTES);
        ByteBuffer numbers = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        switch (random.nextInt(7)) {
            case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> changed[at] = (byte) random.nextInt();
            case 2 -> numbers.putLong(at & -8, NUMBERS[random.nextInt(NUMBERS.length)]);
            case 3 -> numbers.putLong(at & -8, numbers.getLong(at & -8) + random.nextInt(-2, 3));
            case 4 -> changed = Arrays.copyOf(changed, at & (random.nextBoolean() ? -8 : -1));
            case 5 -> changed = Arrays.copyOf(changed, changed.length + 8 * (1 + random.nextInt(3)));
            default -> changed = other;
        }
        return changed;
    }

    /** Whether a file could be read; then all that an index does is tried. */
    private boolean isRead(Path file, boolean isMapped, String what) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            PriceIndex index = isMapped ? PriceIndex.map(file) : PriceIndex.open(file);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as(what)
                    .isLessThan(MAX_BYTES);
            assertWorks(index, what);
            return true;
        } catch (CorruptIndexException e) {
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as(what)
                    .isLessThan(MAX_BYTES);
            return false;
        } catch (RuntimeException | OutOfMemoryError e) {
            throw new AssertionError(what, e);
        }
    }

    private void assertWorks(PriceIndex index, String what) throws IOException {
        List<Price> all = all(index);
        assertThat(index.stats().prices()).as(what).isEqualTo(all.size());
        for (int i = 0; i < 5; i++) {
            List<Condition> conditions = new ArrayList<>();
            for (Field field : index.fields()) {
                if (!all.isEmpty() && random.nextBoolean()) {
                    Object value =
                            all.get(random.nextInt(all.size())).conditions().get(field.name());
                    Object one =
                            value instanceof Set<?> several ? several.iterator().next() : value;
                    if (one != null) {
                        Condition.Kind kind = random.nextBoolean() ? Condition.Kind.EQ : Condition.Kind.NE;
                        conditions.add(new Condition(field, kind, List.of(one)));
                    }
                }
            }
            PriceQuery query = Answers.query(index, null, conditions);
            List<Price> expected = Answers.matching(all, null, conditions);
            Answers.assertAnswers(index, query, expected, index.version(), what);
        }
        PriceBatch batch = new PriceBatch();
        for (Price price : all) {
            batch = random.nextBoolean() ? batch.put(price) : batch.remove(price.offering(), price.id());
        }
        index.update(batch);
        if (random.nextInt(8) == 0) {
            Path again = folder.resolve("again");
            index.write(again);
            assertThat(all(PriceIndex.open(again))).as(what).isEqualTo(all(index));
        }
    }

    private static List<Price> matching(PriceIndex index, PriceQuery query) {
        return index.search(query) instanceof SearchResult.Found found ? found.prices() : List.of();
    }

    private static List<Price> all(PriceIndex index) {
        return matching(index, index.query().policy(MatchPolicy.ALL).limit(1_000_000));
    }
}
