package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One field of a record is read at once as through a view that is laid over it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordViewAtOnceTest {
    private static final String[] TEXTS = {"", "a", "seven b", "eight by", "nine byte", "\u00e9\u4e2d", "x".repeat(300)
    };

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    /** Three strings and a number, written in an order that is not that of names. */
    private record Strings(
            @Nullable String c,
            @Nullable String a,
            @Nullable String b,
            long number) {}

    private static final class Codec implements CompactCodec<Strings> {
        private static final Schema SCHEMA = Schema.builder("strings")
                .field("a", FieldKind.STRING)
                .field("b", FieldKind.STRING)
                .field("c", FieldKind.STRING)
                .field("number", FieldKind.INT64)
                .build();

        @Override
        public Class<Strings> type() {
            return Strings.class;
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public void write(CompactWriter writer, Strings value) {
            writer.writeString(2, value.c);
            writer.writeString(0, value.a);
            writer.writeString(1, value.b);
            writer.writeInt64(3, value.number);
        }

        @Override
        public Strings read(CompactReader reader) {
            return new Strings(reader.readString(2), reader.readString(0), reader.readString(1), reader.readInt64(3));
        }
    }

    private @Nullable String text() {
        return random.nextInt(5) == 0 ? null : TEXTS[random.nextInt(TEXTS.length)];
    }

    @Test
    void stringOfARecord_whateverItsBytes_isThatOfTheViewOverIt() {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(new Codec()).build();
        RecordView atOnce = serialization.newRecordView(Codec.SCHEMA);
        for (int i = 0; i < 60_000; i++) {
            byte[] bytes = serialization.encode(new Strings(text(), text(), text(), random.nextLong()));
            if (random.nextInt(3) != 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int field = random.nextInt(4);
            byte[] wanted = TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.UTF_8);
            assertSame(serialization.newRecordView(Codec.SCHEMA), atOnce, bytes, field, wanted, "round=" + i);
        }
    }

    /** Among them the length that leaves just the table, and one below 0. */
    @Test
    void stringOfARecord_withALengthThatOnlySeemsToFit_isThatOfTheViewOverIt() {
        Schema many = strings(40);
        CompactSerialization serialization =
                CompactSerialization.builder().schema(many).build();
        RecordView atOnce = serialization.newRecordView(many);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[20 + random.nextInt(80)];
            random.nextBytes(bytes);
            ByteBuffer.wrap(bytes)
                    .putInt(4, -55)
                    .putLong(8, many.id())
                    .putInt(16, bytes.length - 20 - 40 * (1 << random.nextInt(3)));
            if (random.nextBoolean()) {
                Arrays.fill(bytes, 20, bytes.length, (byte) -1);
            }
            assertSame(
                    serialization.newRecordView(many),
                    atOnce,
                    bytes,
                    random.nextInt(40),
                    new byte[] {'a'},
                    "round=" + i);
        }
    }

    @Test
    void stringOfARecord_whoseOffsetsTakeFourBytes_isThatOfTheViewOverIt() {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(new Codec()).build();
        RecordView atOnce = serialization.newRecordView(Codec.SCHEMA);
        byte[] good = serialization.encode(new Strings("c", "a", "x".repeat(70_000), 1));
        int tableAt = good.length - 3 * Integer.BYTES;
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = good.clone();
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int field = random.nextInt(3);
            int lengthAt = 20 + in.getInt(tableAt + field * Integer.BYTES);
            int length = random.nextInt(4) == 0 ? in.getInt(lengthAt) : random.nextInt();
            in.putInt(lengthAt, length);
            int other = random.nextInt(3);
            if (random.nextBoolean()) {
                in.putInt(tableAt + other * Integer.BYTES, lengthAt - 20 + Integer.BYTES + length);
            }
            assertSame(serialization.newRecordView(Codec.SCHEMA), atOnce, bytes, field, new byte[] {'a'}, "round=" + i);
        }
    }

    @Test
    void stringOfARecord_beyondTheLimit_isRefused() {
        byte[] bytes = CompactSerialization.builder().codec(new Codec()).build().encode(new Strings("c", "a", "b", 1));
        for (int limit : new int[] {1, 19, 20, bytes.length - 1}) {
            RecordView view = CompactSerialization.builder()
                    .codec(new Codec())
                    .limits(Limits.DEFAULT.withMaxBytes(limit))
                    .build()
                    .newRecordView(Codec.SCHEMA);
            for (int field : new int[] {0, 1, 2}) {
                assertThatThrownBy(() -> view.readString(bytes, field)).isInstanceOf(CompactLimitException.class);
                assertThatThrownBy(() -> view.stringEquals(bytes, field, new byte[] {'a'}))
                        .isInstanceOf(CompactLimitException.class);
            }
        }
    }

    private static Schema strings(int count) {
        Schema.Builder builder = Schema.builder("many");
        for (int i = 0; i < count; i++) {
            builder.field("s" + (100 + i), FieldKind.STRING);
        }
        return builder.build();
    }

    private void assertSame(RecordView over, RecordView atOnce, byte[] bytes, int field, byte[] wanted, String round) {
        String what = "seed=" + seed + " " + round + " bytes="
                + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 1000));
        assertThat(outcome(() -> atOnce.stringEquals(bytes, field, wanted)))
                .as(what)
                .isEqualTo(outcome(() -> over.wrap(bytes).stringEquals(field, wanted)));
        assertThat(outcome(() -> String.valueOf(atOnce.readString(bytes, field))))
                .as(what)
                .isEqualTo(outcome(() -> String.valueOf(over.wrap(bytes).readString(field))));
    }

    private static Object outcome(Supplier<Object> read) {
        try {
            return read.get();
        } catch (CompactException e) {
            return e.toString();
        }
    }
}
