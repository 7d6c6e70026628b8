package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchFormatTest {
    private static final String FORMAT_1 =
            "010000000000000002f119e1400301056669627265046c69737402000000000000137e03455552020200000000000000"
                    + "0c00056e6f7274680f2430303030303030302d303030302d303030312d303030302d3030303030303030303030320200"
                    + "00000000000f96000a7b226e6f7465223a317d0400076772c3b6c39f6501037265640400064beb26c360000300000000"
                    + "000000fa01056272656164016201000000000000001900010104626c7565";

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void decode_ofAnEncodedBatch_hasTheSameEffect() throws CorruptEncodingException {
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
    void encode_numbersInOtherForms_areReadAsTheFieldHasThem() throws CorruptEncodingException {
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
            } catch (CorruptEncodingException e) {
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
            } catch (CorruptEncodingException e) {
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
                .isInstanceOf(CorruptEncodingException.class)
                .hasMessageContaining(message);
    }

    @Test
    void version_otherFormatOrOtherFields_isNamed() {
        byte[] entry = new BatchFormat(StoreModel.empty()).encode(2, new PriceBatch());
        PriceIndex other = PriceIndex.builder().string("region").build(List.of());
        assertThatThrownBy(() -> new BatchFormat(other).version(ByteBuffer.wrap(entry)))
                .hasMessageContaining("entry is of an index with other fields: schema=");
        entry[0] = 3;
        assertThatThrownBy(() -> new BatchFormat(StoreModel.empty()).version(ByteBuffer.wrap(entry)))
                .hasMessageContaining("format=3 expected=1 to 2");
        assertThatThrownBy(() -> new BatchFormat(StoreModel.empty()).version(ByteBuffer.wrap(new byte[3])))
                .hasMessageContaining("entry is too short: bytes=3");
    }

    /** The entry was written by the build before prices could have several values of a field. */
    @Test
    void decode_ofFormat1_isTheBatch() throws CorruptEncodingException {
        PriceIndex index = PriceIndex.builder()
                .string("region", "color")
                .integer("months")
                .decimal("size", 2)
                .dateTime("from")
                .build(List.of());
        BatchFormat format = new BatchFormat(index);
        byte[] entry = HexFormat.of().parseHex(FORMAT_1);
        assertThat(format.version(ByteBuffer.wrap(entry))).isEqualTo(2);
        index.update(format.decode(ByteBuffer.wrap(entry)));
        assertThat(index.prices("fibre"))
                .containsExactly(
                        new Price(
                                "list",
                                "fibre",
                                Map.of("region", "north", "months", 12L),
                                new BigDecimal("49.90"),
                                "EUR",
                                false,
                                null),
                        new Price(
                                "00000000-0000-0001-0000-000000000002",
                                "fibre",
                                Map.of(
                                        "region",
                                        "größe",
                                        "color",
                                        "red",
                                        "size",
                                        new BigDecimal("2.50"),
                                        "from",
                                        Instant.parse("2026-03-01T00:00:00Z")),
                                new BigDecimal("39.90"),
                                "",
                                true,
                                "{\"note\":1}"));
        assertThat(index.prices("bread"))
                .containsExactly(Price.of("b", "bread", Map.of("color", "blue"), new BigDecimal("2.5")));
        entry[FORMAT_1.indexOf("00056e6f727468") / 2] |= (byte) 0x80;
        assertThatThrownBy(() -> format.decode(ByteBuffer.wrap(entry)))
                .isInstanceOf(CorruptEncodingException.class)
                .hasMessageContaining("corrupt field: value=128 expected=below 5");
    }

    @Test
    void decode_ofSetsThatNoPriceHas_isRefused() throws CorruptEncodingException {
        BatchFormat format = new BatchFormat(StoreModel.empty());
        byte[] head = Arrays.copyOf(format.encode(2, new PriceBatch()), 13);
        // one change: put, offering "o", id "i", scale 0, value 1, no currency, one condition
        int[] begin = {1, 1, 1, 'o', 1, 'i', 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1};
        ByteBuffer good = ByteBuffer.allocate(100).put(head);
        for (int each : with(begin, 0x80, 2, 1, 'a', 1, 'b')) {
            good.put((byte) each);
        }
        PriceIndex index = StoreModel.empty();
        index.update(format.decode(good.flip()));
        assertThat(index.prices("o").get(0).conditions()).isEqualTo(Map.of("region", Set.of("a", "b")));
        assertDecode(format, head, with(begin, 0x80, 0), "number of values of a field is wrong");
        assertDecode(format, head, with(begin, 0x80, 2, 1, 'a'), "corrupt region");
        assertDecode(format, head, with(begin, 0x80, 0xff, 0xff, 0xff, 0xff, 0x07), "corrupt values: count=2147483647");
        assertDecode(format, head, with(begin, 0x82, 1, 1, 'a'), "corrupt field: several values: name=months");
        assertDecode(format, head, with(begin, 0xff, 1, 1, 'a'), "corrupt field: value=127");
    }

    private static int[] with(int[] begin, int... more) {
        int[] all = Arrays.copyOf(begin, begin.length + more.length);
        System.arraycopy(more, 0, all, begin.length, more.length);
        return all;
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
                .hasMessageContaining("batch is too long: bytes=")
                .hasMessageContaining("expected=at most 33554432");
    }
}
