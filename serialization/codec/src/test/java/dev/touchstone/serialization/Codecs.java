package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codecs made of functions. */
final class Codecs {
    private Codecs() {}

    /** Writes only: reads nothing but the class's name. */
    static <T> CompactCodec<T> of(Class<T> type, Schema schema, BiConsumer<CompactWriter, T> write) {
        return of(type, schema, write, reader -> {
            throw new UnsupportedOperationException(schema.typeName());
        });
    }

    static <T> CompactCodec<T> of(
            Class<T> type, Schema schema, BiConsumer<CompactWriter, T> write, Function<CompactReader, T> read) {
        return new CompactCodec<>() {
            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public Schema schema() {
                return schema;
            }

            @Override
            public void write(CompactWriter writer, T value) {
                write.accept(writer, value);
            }

            @Override
            public T read(CompactReader reader) {
                return read.apply(reader);
            }
        };
    }

    /** Reads an object with a schema of its own. */
    static <T> CompactCodec<T> reading(Class<T> type, Schema schema, Function<CompactReader, T> read) {
        return of(type, schema, (writer, value) -> {}, read);
    }

    /** A linked list of records. */
    static final class Link {
        static final Schema SCHEMA =
                Schema.builder("link").field("next", FieldKind.COMPACT).build();
        static final CompactCodec<Link> CODEC = of(
                Link.class,
                SCHEMA,
                (writer, link) -> writer.writeCompact(0, link.next, codec()),
                reader -> new Link(reader.readCompact(0, codec())));

        @Nullable
        Link next;

        Link(@Nullable Link next) {
            this.next = next;
        }

        private static CompactCodec<Link> codec() {
            return CODEC;
        }

        static Link chain(int length) {
            Link link = new Link(null);
            for (int i = 1; i < length; i++) {
                link = new Link(link);
            }
            return link;
        }

        int length() {
            int length = 1;
            for (Link link = next; link != null; link = link.next) {
                length++;
            }
            return length;
        }
    }
}
