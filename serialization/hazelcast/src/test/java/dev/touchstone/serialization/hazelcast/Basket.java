package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records inside a record. */
record Basket(@Nullable Trade first, List<Trade> others) {
    static final class Codec implements CompactCodec<Basket> {
        private static final Schema SCHEMA = Schema.builder("basket")
                .field("first", FieldKind.COMPACT)
                .field("others", FieldKind.ARRAY_OF_COMPACT)
                .build();
        private static final int FIRST = 0;
        private static final int OTHERS = 1;
        private final Trade.Codec trades = new Trade.Codec();

        @Override
        public Class<Basket> type() {
            return Basket.class;
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public void write(CompactWriter writer, Basket basket) {
            writer.writeCompact(FIRST, basket.first, trades);
            writer.writeArrayOfCompact(OTHERS, basket.others.toArray(new Trade[0]), trades);
        }

        @Override
        public Basket read(CompactReader reader) {
            @Nullable Trade @Nullable [] others = reader.readArrayOfCompact(OTHERS, trades, Trade[]::new);
            return new Basket(
                    reader.readCompact(FIRST, trades),
                    others == null
                            ? List.of()
                            : Arrays.stream(others).map(Objects::requireNonNull).toList());
        }
    }
}
