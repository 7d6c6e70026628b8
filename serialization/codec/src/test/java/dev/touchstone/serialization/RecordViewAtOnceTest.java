package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.charset.StandardCharsets;
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
            RecordView over = serialization.newRecordView(Codec.SCHEMA);
            String what =
                    "seed=" + seed + " round=" + i + " bytes=" + HexFormat.of().formatHex(bytes);
            assertThat(outcome(() -> atOnce.stringEquals(bytes, field, wanted)))
                    .as(what)
                    .isEqualTo(outcome(() -> over.wrap(bytes).stringEquals(field, wanted)));
            assertThat(outcome(() -> String.valueOf(atOnce.readString(bytes, field))))
                    .as(what)
                    .isEqualTo(outcome(() -> String.valueOf(over.wrap(bytes).readString(field))));
        }
    }

    private static Object outcome(Supplier<Object> read) {
        try {
            return read.get();
        } catch (CompactException e) {
            return e.toString();
        }
    }
}
