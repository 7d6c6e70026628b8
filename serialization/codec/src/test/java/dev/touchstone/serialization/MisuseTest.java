package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.Codecs.Link;
import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactObjectException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Codecs that do not do what they must. */
class MisuseTest {
    private static final Schema SCHEMA = Schema.builder("two")
            .field("number", FieldKind.INT32)
            .field("text", FieldKind.STRING)
            .build();
    private final CompactSerialization serialization =
            CompactSerialization.builder().codec(Link.CODEC).build();

    private void assertRefused(String field, String what, Consumer<CompactWriter> write) {
        CompactCodec<String> codec = Codecs.of(String.class, SCHEMA, (writer, value) -> write.accept(writer));
        assertThatThrownBy(() -> serialization.encode("", codec))
                .isInstanceOfSatisfying(CompactFieldException.class, e -> {
                    assertThat(e.typeName()).isEqualTo("two");
                    assertThat(e.fieldName()).isEqualTo(field);
                    assertThat(e).hasMessageContaining(what);
                });
        // the writer is none the worse for it
        assertThat(((Link) serialization.decode(serialization.encode(Link.chain(3)))).length())
                .isEqualTo(3);
    }

    @Test
    void write_ofNotEachFieldOnce_isRefused() {
        assertRefused("number", "not written", writer -> writer.writeString(1, "x"));
        assertRefused("text", "not written", writer -> writer.writeInt32(0, 1));
        assertRefused("number", "not written", writer -> {});
        assertRefused("text", "twice", writer -> {
            writer.writeString(1, "x");
            writer.writeString(1, "x");
        });
        assertRefused("text", "twice", writer -> {
            writer.writeString("text", null);
            writer.writeString("text", null);
        });
        assertRefused("number", "twice", writer -> {
            writer.writeInt32(0, 1);
            writer.writeInt32(0, 1);
        });
    }

    @Test
    void write_ofWhatTheSchemaDoesNotHave_isRefused() {
        assertRefused("number", "another kind", writer -> writer.writeInt64(0, 1));
        assertRefused("number", "another kind", writer -> writer.writeNullableInt32(0, 1));
        assertRefused("nothing", "not in the schema", writer -> writer.writeInt64("nothing", 1));
        CompactCodec<String> codec = Codecs.of(String.class, SCHEMA, (writer, value) -> writer.writeInt32(2, 0));
        assertThatThrownBy(() -> serialization.encode("", codec)).hasCauseInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void encode_thatGoesOnAfterAFailureInside_isRefused() {
        CompactCodec<Link> bad = Codecs.of(Link.class, SCHEMA, (writer, link) -> writer.writeInt32(0, 1));
        Schema outer =
                Schema.builder("outer").field("inside", FieldKind.COMPACT).build();
        CompactCodec<Link> swallowing = Codecs.of(Link.class, outer, (writer, link) -> {
            try {
                writer.writeCompact(0, link, bad);
            } catch (CompactFieldException e) {
                assertThat(e).hasMessageContaining("not written");
            }
        });
        assertThatThrownBy(() -> serialization.encode(new Link(null), swallowing))
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void encode_byAFixedLayoutThatGoesOnAfterAFailureInside_isRefused() {
        CompactCodec<Link> bad = Codecs.of(Link.class, SCHEMA, (writer, link) -> writer.writeInt32(0, 1));
        CompactCodec<Link> swallowing = new FixedLayoutCodec<>(Link.class, Link.SCHEMA) {
            @Override
            public void write(CompactWriter writer, Link value) {
                throw new AssertionError("by index");
            }

            @Override
            public Link read(CompactReader reader) {
                return Link.CODEC.read(reader);
            }

            @Override
            protected void write(Link value, Output out) {
                int data = out.begin(schema().id(), 0);
                int at = -1;
                try {
                    at = out.put(data, value, bad);
                } catch (CompactFieldException e) {
                    assertThat(e).hasMessageContaining("not written");
                }
                int table = out.endData(data, 1);
                out.putOffset(table, Output.shift(data, table), 0, at);
            }
        };
        assertThatThrownBy(() -> serialization.encode(new Link(null), swallowing))
                .isInstanceOfSatisfying(
                        CompactObjectException.class,
                        e -> assertThat(e.typeName()).isEqualTo("link"))
                .hasRootCauseMessage("a codec went on after a failure inside: type=link");
        assertThat(((Link) serialization.decode(serialization.encode(Link.chain(3)))).length())
                .isEqualTo(3);
    }

    @Test
    @SuppressWarnings("NullAway") // what the codec must not do
    void decode_byACodecThatReturnsNull_isRefused() {
        CompactCodec<Link> codec = Codecs.reading(Link.class, Link.SCHEMA, reader -> null);
        byte[] bytes = serialization.encode(new Link(null));
        assertThatThrownBy(() -> serialization.decode(bytes, codec))
                .isInstanceOfSatisfying(CompactObjectException.class, e -> {
                    assertThat(e.typeName()).isEqualTo("link");
                    assertThat(e.offset()).isEqualTo(8);
                })
                .hasRootCauseMessage("the codec has returned null");
    }

    /** A value that failed leaves a part of its bytes: a record that went on with them would be damaged. */
    @Test
    void encode_thatGoesOnAfterAFailedValue_isRefused() {
        Schema schema = Schema.builder("parts")
                .field("decimal", FieldKind.DECIMAL)
                .field("inside", FieldKind.COMPACT)
                .field("texts", FieldKind.ARRAY_OF_STRING)
                .field("text", FieldKind.STRING)
                .build();
        CompactSerialization small =
                CompactSerialization.builder().limits(new Limits(200, 1, 2)).build();
        CompactCodec<String> plain = Codecs.of(String.class, SCHEMA, (writer, value) -> {});
        Map<String, Consumer<CompactWriter>> failing = Map.of(
                "decimal",
                        writer -> writer.writeDecimal(
                                "decimal",
                                BigDecimal.ONE.scaleByPowerOfTen(1_000).setScale(0)),
                "inside", writer -> writer.writeCompact("inside", "", plain),
                "texts", writer -> writer.writeArrayOfString("texts", new String[] {"a", "b", "c"}),
                "text", writer -> writer.writeString("text", "x".repeat(300)));
        failing.forEach((field, write) -> {
            CompactCodec<String> going = Codecs.of(String.class, schema, (writer, value) -> {
                try {
                    write.accept(writer);
                } catch (CompactLimitException e) {
                    assertThat(e).hasMessageContaining("limit");
                }
                if (!field.equals("decimal")) {
                    writer.writeDecimal("decimal", null);
                }
                if (!field.equals("inside")) {
                    writer.writeCompact("inside", null, plain);
                }
                if (!field.equals("texts")) {
                    writer.writeArrayOfString("texts", null);
                }
                if (!field.equals("text")) {
                    writer.writeString("text", "text");
                }
            });
            assertThatThrownBy(() -> small.encode("", going))
                    .isInstanceOfSatisfying(
                            CompactFieldException.class,
                            e -> assertThat(e.fieldName()).isEqualTo(field))
                    .hasMessageContaining("not written, since its value failed");
        });
    }

    @Test
    void codec_thatThrows_isNamedWithTheTypeAndTheOffset() {
        RuntimeException cause = new IllegalStateException("on purpose");
        Schema outer =
                Schema.builder("outer").field("inside", FieldKind.COMPACT).build();
        CompactCodec<Link> inside = Codecs.of(Link.class, Link.SCHEMA, (writer, link) -> {
            throw cause;
        });
        CompactCodec<Link> writing =
                Codecs.of(Link.class, outer, (writer, link) -> writer.writeCompact(0, link, inside));
        assertThatThrownBy(() -> serialization.encode(new Link(null), writing))
                .isInstanceOfSatisfying(CompactObjectException.class, e -> {
                    assertThat(e.typeName()).isEqualTo("link");
                    assertThat(e.offset()).isEqualTo(20);
                })
                .hasCause(cause);
        CompactCodec<Link> reading =
                Codecs.of(Link.class, Link.SCHEMA, (writer, link) -> writer.writeCompact(0, null, inside), reader -> {
                    throw cause;
                });
        byte[] bytes = serialization.encode(new Link(null), reading);
        assertThatThrownBy(() -> serialization.decode(bytes, reading))
                .isInstanceOfSatisfying(CompactObjectException.class, e -> {
                    assertThat(e.typeName()).isEqualTo("link");
                    assertThat(e.offset()).isEqualTo(8);
                })
                .hasCause(cause);
    }

    @Test
    void encode_whileEncoding_givesTwoRecords() {
        byte[][] inner = new byte[1][];
        CompactCodec<String> codec = Codecs.of(
                String.class,
                SCHEMA,
                (writer, value) -> {
                    writer.writeInt32(0, 5);
                    inner[0] = serialization.encode(Link.chain(2));
                    writer.writeString(1, value);
                },
                reader -> reader.readInt32(0) + reader.readString(1));
        byte[] outer = serialization.encode("x", codec);
        assertThat(serialization.decode(outer, codec)).isEqualTo("5x");
        assertThat(((Link) serialization.decode(inner[0])).length()).isEqualTo(2);
    }

    @Test
    void encodeAndDecode_withoutCodec_saySo() {
        byte[] link = serialization.encode(Link.chain(1));
        CompactSerialization none =
                CompactSerialization.builder().schema(Link.SCHEMA).build();
        assertThatThrownBy(() -> none.decode(link))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("link");
        assertThatThrownBy(() -> none.encode("text"))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(
                        () -> CompactSerialization.builder().codec(Link.CODEC).codec(Link.CODEC))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void view_ofARecordInside_staysWhenTheOuterIsReadOn() {
        byte[] bytes = serialization.encode(Link.chain(3));
        GenericView view = serialization.view(bytes);
        GenericView inside = (GenericView) view.value("next");
        assertThat(view.value(0)).hasToString("link{next=link{next=null}}");
        assertThat(inside).hasToString("link{next=link{next=null}}");
        assertThatThrownBy(() -> view.value("none")).isInstanceOf(CompactFieldException.class);
    }

    @Test
    void encodeAndDecode_onManyThreads_giveEqualRecords() throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        @Nullable Throwable[] failure = new @Nullable Throwable[1];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int length = 1 + i;
            threads[i] = new Thread(() -> {
                try {
                    start.await();
                    for (int j = 0; j < 10_000; j++) {
                        byte[] bytes = serialization.encode(Link.chain(length));
                        assertThat(((Link) serialization.decode(bytes)).length())
                                .isEqualTo(length);
                    }
                } catch (InterruptedException | RuntimeException | Error e) {
                    failure[0] = e;
                }
            });
            threads[i].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure[0]).isNull();
    }

    @Test
    void stackOverflowOfAnObjectsCode_isTypedAndNamesTheType() {
        CompactCodec<Small> codec = Codecs.of(Small.class, Small.Codec.SCHEMA, Small.Codec.INSTANCE::write, reader -> {
            throw new StackOverflowError("made up");
        });
        CompactSerialization serialization =
                CompactSerialization.builder().codec(codec).build();
        byte[] record = serialization.encode(Small.WRITTEN);
        assertThatThrownBy(() -> serialization.decode(record))
                .isInstanceOf(CompactLimitException.class)
                .hasMessageContaining("code of their objects")
                .hasMessageContaining("type=small")
                .hasCauseInstanceOf(StackOverflowError.class);
    }
}
