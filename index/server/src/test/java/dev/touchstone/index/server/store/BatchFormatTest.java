package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceBatch;
import dev.touchstone.index.PriceIndex;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchFormatTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void decode_ofAnEncodedBatch_hasTheSameEffect() throws CorruptBatchException {
        PriceIndex direct = StoreModel.empty();
        PriceIndex decoded = StoreModel.empty();
        BatchFormat format = new BatchFormat(direct);
        StoreModel model = new StoreModel(random);
        for (int i = 0; i < 200; i++) {
            PriceBatch batch = model.next(20);
            long version = direct.update(batch);
            ByteBuffer entry = ByteBuffer.wrap(format.encode(version, batch)).asReadOnlyBuffer();
            assertThat(format.version(entry)).isEqualTo(version);
            PriceBatch back = format.decode(entry);
            assertThat(back.size()).as("seed=" + seed).isEqualTo(batch.size());
            decoded.update(back);
            model.check(decoded, "seed=" + seed + " version=" + version);
        }
    }

    @Test
    void encode_numbersInOtherForms_areReadAsTheFieldHasThem() throws CorruptBatchException {
        PriceIndex index = StoreModel.empty();
        BatchFormat format = new BatchFormat(index);
        PriceBatch batch = new PriceBatch()
                .put(Price.of("a", "offering 0", Map.of("months", 7, "size", new BigDecimal("1E+3")), BigDecimal.ONE))
                .put(Price.of("b", "offering 0", Map.of("size", new BigDecimal("0E-2147483647")), BigDecimal.ONE))
                .put(Price.of(
                        "c",
                        "offering 0",
                        Map.of("size", new BigDecimal("2.500000000000000000000000")),
                        BigDecimal.ONE));
        index.update(batch);
        PriceIndex other = StoreModel.empty();
        other.update(format.decode(ByteBuffer.wrap(format.encode(2, batch))));

        assertThat(other.prices("offering 0")).isEqualTo(index.prices("offering 0"));
    }

    @Test
    void decode_ofAnyDamage_throwsTheTypedErrorOrIsABatch() {
        PriceIndex index = StoreModel.empty();
        BatchFormat format = new BatchFormat(index);
        StoreModel model = new StoreModel(random);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] entry = format.encode(2, model.next(3));
            byte[] damaged = random.nextInt(3) == 0 ? Arrays.copyOf(entry, random.nextInt(entry.length + 9)) : entry;
            for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                PriceBatch unused = format.decode(ByteBuffer.wrap(damaged));
            } catch (CorruptBatchException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed=" + seed + " entry=" + Arrays.toString(damaged), e);
            }
        }
        assertThat(refused).as("seed=" + seed).isBetween(1000, 20_000);
    }

    @Test
    void decode_ofRandomBytesBehindAGoodHead_throwsTheTypedErrorOrIsABatch() {
        BatchFormat format = new BatchFormat(StoreModel.empty());
        byte[] head = format.encode(2, new PriceBatch());
        for (int round = 0; round < 20_000; round++) {
            byte[] entry = Arrays.copyOf(head, 13 + random.nextInt(60));
            for (int i = 13; i < entry.length; i++) {
                entry[i] = (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt(256));
            }
            try {
                PriceBatch unused = format.decode(ByteBuffer.wrap(entry));
            } catch (CorruptBatchException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void decode_lengthsBeyondTheEntry_areNamedAndNotAllocated() {
        BatchFormat format = new BatchFormat(StoreModel.empty());
        byte[] head = Arrays.copyOf(format.encode(2, new PriceBatch()), 13);

        assertDecode(format, head, new int[] {0xff, 0xff, 0xff, 0xff, 0x07}, "corrupt changes: count=2147483647");
        assertDecode(format, head, new int[] {0xff, 0xff, 0xff, 0xff, 0xff, 1}, "corrupt changes");
        assertDecode(
                format, head, new int[] {1, 0, 0xff, 0xff, 0xff, 0xff, 0x07}, "corrupt offering: count=2147483647");
        assertDecode(format, head, new int[] {1, 2, 0}, "corrupt offering: the first change has none");
        assertDecode(format, head, new int[] {1, 16, 0}, "corrupt flags: value=16");
        assertDecode(format, head, new int[] {1, 0, 1, 0xc3, 1, 'a'}, "corrupt offering: not UTF-8");
        assertDecode(format, head, new int[] {0, 0}, "corrupt end: bytes=1");
        assertDecode(format, head, new int[] {}, "corrupt changes: bytes=0 expected=1");
    }

    private static void assertDecode(BatchFormat format, byte[] head, int[] rest, String message) {
        ByteBuffer entry = ByteBuffer.allocate(head.length + rest.length).put(head);
        for (int each : rest) {
            entry.put((byte) each);
        }
        assertThatThrownBy(() -> format.decode(entry.flip()))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining(message);
    }

    @Test
    void version_otherFormatOrOtherFields_isNamed() {
        byte[] entry = new BatchFormat(StoreModel.empty()).encode(2, new PriceBatch());
        PriceIndex other = PriceIndex.builder().string("region").build(List.of());
        assertThatThrownBy(() -> new BatchFormat(other).version(ByteBuffer.wrap(entry)))
                .hasMessageContaining("entry is of an index with other fields: schema=");
        entry[0] = 2;
        assertThatThrownBy(() -> new BatchFormat(StoreModel.empty()).version(ByteBuffer.wrap(entry)))
                .hasMessageContaining("format=2 expected=1");
        assertThatThrownBy(() -> new BatchFormat(StoreModel.empty()).version(ByteBuffer.wrap(new byte[3])))
                .hasMessageContaining("entry is too short: bytes=3");
    }

    @Test
    void encode_batchBeyondTheLimit_isRefused() {
        BatchFormat format = new BatchFormat(StoreModel.empty());
        String payload = "x".repeat(4 << 20);
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 10; i++) {
            batch.put(new Price("id" + i, "o", Map.of(), BigDecimal.ONE, "", false, payload));
        }
        assertThatThrownBy(() -> format.encode(2, batch))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("batch is too long for the log: bytes=")
                .hasMessageContaining("expected=at most 33554432");
    }
}
