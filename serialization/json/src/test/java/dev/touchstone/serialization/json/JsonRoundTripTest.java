package dev.touchstone.serialization.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.schema.Schema;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of random schemas become JSON and the same records again. Repeat a run with {@code -Dseed=}. */
class JsonRoundTripTest {
    private static final int ROUNDS = 1_500;

    @Test
    void toJsonAndFromJson_anyRecord_givesTheSameBytes() {
        long seed = Long.getLong("seed", new SplittableRandom().nextLong());
        System.out.println("json.seed=" + seed);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            long each = seeds.nextLong();
            RandomRecords made = new RandomRecords(each);
            byte[] record = made.record();
            CompactJson.Builder newest = CompactJson.builder();
            made.schemas().forEach(newest::schema);
            CompactJson byId = CompactJson.builder()
                    .schemas(id -> made.schemas().stream()
                            .filter(schema -> schema.id() == id)
                            .findFirst()
                            .orElse(null))
                    .build();
            for (CompactJson json : List.of(newest.build(), byId)) {
                String text = json.toJson(record);
                assertThat(json.fromJson(text))
                        .as("seed=%d text=%s", seed, text)
                        .isEqualTo(record);
                assertThat(text).doesNotContain("\n");
            }
        }
    }

    /** JSON says nothing of the order in which values stand in a record: a second round changes nothing more. */
    @Test
    void toJsonAndFromJson_valuesInAnyOrder_giveTheSameValuesInTheOrderOfNames() {
        for (int seed = 0; seed < 500; seed++) {
            RandomRecords made = new RandomRecords(seed);
            ParsedRecord record = made.record(made.schema(), 1);
            byte[] shuffled = CompactSerialization.builder().build().encode(record, new Reversed(record.schema()));
            byte[] inOrder = RandomRecords.encode(record);
            CompactJson.Builder builder = CompactJson.builder();
            made.schemas().forEach(builder::schema);
            CompactJson json = builder.build();
            String text = json.toJson(shuffled);
            assertThat(text).as("seed=%d", seed).isEqualTo(json.toJson(inOrder));
            assertThat(json.fromJson(text)).as("seed=%d", seed).isEqualTo(inOrder);
        }
    }

    /** Writes the fields of the outermost record from the last to the first. */
    private record Reversed(Schema schema) implements CompactCodec<ParsedRecord> {
        @Override
        public Class<ParsedRecord> type() {
            return ParsedRecord.class;
        }

        @Override
        public void write(CompactWriter writer, ParsedRecord value) {
            for (int field = schema.fields().size() - 1; field >= 0; field--) {
                new ParsedRecordCodec(schema).write(writer, field, value.values()[field]);
            }
        }

        @Override
        public ParsedRecord read(CompactReader reader) {
            throw new UnsupportedOperationException("this codec writes only");
        }
    }

    @Test
    void reader_ofLines_givesEachRecord() throws IOException {
        RandomRecords made = new RandomRecords(7);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            records.add(made.record());
        }
        CompactJson.Builder builder = CompactJson.builder();
        made.schemas().forEach(builder::schema);
        CompactJson json = builder.build();
        StringBuilder lines = new StringBuilder();
        records.forEach(record -> lines.append(json.toJson(record)).append('\n'));
        try (JsonRecordReader reader = json.reader(new StringReader(lines.toString()))) {
            for (byte[] record : records) {
                assertThat(reader.next())
                        .hasValueSatisfying(read -> assertThat(read).isEqualTo(record));
            }
            assertThat(reader.next()).isEmpty();
            assertThat(reader.next()).isEqualTo(Optional.empty());
        }
    }

    /** The records above are written by the codec under test: here a view reads what was given. */
    @Test
    void parsedRecord_whenRead_hasItsValues() {
        for (int seed = 0; seed < 200; seed++) {
            RandomRecords made = new RandomRecords(seed);
            ParsedRecord record = made.record(made.schema(), 1);
            CompactSerialization.Builder known = CompactSerialization.builder();
            made.schemas().forEach(known::schema);
            checkSame(record, known.build().view(RandomRecords.encode(record)));
        }
    }

    private static void checkSame(ParsedRecord expected, GenericView view) {
        assertThat(view.schema()).isEqualTo(expected.schema());
        for (int i = 0; i < expected.values().length; i++) {
            Object value = expected.values()[i];
            if (value instanceof ParsedRecord inside) {
                checkSame(inside, (GenericView) requireNonNull(view.value(i)));
            } else if (value instanceof ParsedRecord[] items) {
                @Nullable GenericView[] views = (@Nullable GenericView[]) requireNonNull(view.value(i));
                assertThat(views).hasSameSizeAs(items);
                for (int item = 0; item < items.length; item++) {
                    if (items[item] != null) {
                        checkSame(items[item], requireNonNull(views[item]));
                    }
                }
            } else {
                assertThat(view.value(i)).isEqualTo(value);
            }
        }
    }
}
