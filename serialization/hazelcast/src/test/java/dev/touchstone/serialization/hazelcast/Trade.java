package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/** What is in the maps of the tests, for our codec and for Hazelcast's serializers. */
record Trade(
        int number,
        @Nullable String symbol,
        long volume,
        double price,
        boolean isOpen,
        @Nullable Integer rating) {
    static final String TYPE = "trade";

    static Trade of(int number) {
        return new Trade(
                number,
                number % 7 == 0 ? null : "symbol " + number % 10,
                1000L * number,
                number / 4.0,
                number % 2 == 0,
                number % 3 == 0 ? null : Integer.valueOf(number % 5));
    }

    GenericRecord generic() {
        return GenericRecordBuilder.compact(TYPE)
                .setInt32("number", number)
                .setString("symbol", symbol)
                .setInt64("volume", volume)
                .setFloat64("price", price)
                .setBoolean("isOpen", isOpen)
                .setNullableInt32("rating", rating)
                .build();
    }

    static Trade of(GenericRecord generic) {
        return new Trade(
                generic.getInt32("number"),
                generic.getString("symbol"),
                generic.getInt64("volume"),
                generic.getFloat64("price"),
                generic.getBoolean("isOpen"),
                generic.getNullableInt32("rating"));
    }

    static final class Codec implements CompactCodec<Trade> {
        static final Schema SCHEMA = Schema.builder(TYPE)
                .field("number", FieldKind.INT32)
                .field("symbol", FieldKind.STRING)
                .field("volume", FieldKind.INT64)
                .field("price", FieldKind.FLOAT64)
                .field("isOpen", FieldKind.BOOLEAN)
                .field("rating", FieldKind.NULLABLE_INT32)
                .build();

        private static final int IS_OPEN = SCHEMA.indexOf("isOpen");
        private static final int NUMBER = SCHEMA.indexOf("number");
        private static final int PRICE = SCHEMA.indexOf("price");
        private static final int RATING = SCHEMA.indexOf("rating");
        private static final int SYMBOL = SCHEMA.indexOf("symbol");
        private static final int VOLUME = SCHEMA.indexOf("volume");

        @Override
        public Class<Trade> type() {
            return Trade.class;
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public void write(CompactWriter writer, Trade trade) {
            writer.writeInt32(NUMBER, trade.number);
            writer.writeString(SYMBOL, trade.symbol);
            writer.writeInt64(VOLUME, trade.volume);
            writer.writeFloat64(PRICE, trade.price);
            writer.writeBoolean(IS_OPEN, trade.isOpen);
            writer.writeNullableInt32(RATING, trade.rating);
        }

        @Override
        public Trade read(CompactReader reader) {
            return new Trade(
                    reader.readInt32(NUMBER),
                    reader.readString(SYMBOL),
                    reader.readInt64(VOLUME),
                    reader.readFloat64(PRICE),
                    reader.readBoolean(IS_OPEN),
                    reader.has(RATING) ? reader.readNullableInt32(RATING) : null);
        }
    }

    static final class Serializer implements CompactSerializer<Trade> {
        @Override
        public String getTypeName() {
            return TYPE;
        }

        @Override
        public Class<Trade> getCompactClass() {
            return Trade.class;
        }

        @Override
        public void write(com.hazelcast.nio.serialization.compact.CompactWriter writer, Trade trade) {
            writer.writeInt32("number", trade.number);
            writer.writeString("symbol", trade.symbol);
            writer.writeInt64("volume", trade.volume);
            writer.writeFloat64("price", trade.price);
            writer.writeBoolean("isOpen", trade.isOpen);
            writer.writeNullableInt32("rating", trade.rating);
        }

        @Override
        public Trade read(com.hazelcast.nio.serialization.compact.CompactReader reader) {
            return new Trade(
                    reader.readInt32("number"),
                    reader.readString("symbol"),
                    reader.readInt64("volume"),
                    reader.readFloat64("price"),
                    reader.readBoolean("isOpen"),
                    reader.readNullableInt32("rating"));
        }
    }
}
