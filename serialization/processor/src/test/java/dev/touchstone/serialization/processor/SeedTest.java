package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The objects of the seed's benchmark. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeedTest {
    private static final String SMALL = """
            package p;

            import dev.touchstone.serialization.annotation.Compact;

            @Compact("small")
            public record Small(int intField, double doubleField, long longField, String stringField) {
                public static Small written() {
                    return new Small(42, -420.42, 1234567890, "Lorem ipsum dolor sit amet.");
                }
            }
            """;
    private static final String LARGE = """
            package p;

            import dev.touchstone.serialization.annotation.Compact;
            import java.nio.charset.StandardCharsets;

            @Compact("large")
            public record Large(
                    boolean booleanField, boolean[] booleanArrayField, byte byteField, byte[] byteArrayField, short shortField,
                    short[] shortArrayField, int intField, int[] intArrayField, long longField, long[] longArrayField,
                    float floatField, float[] floatArrayField, double doubleField, double[] doubleArrayField,
                    String stringField, String[] stringArrayField, Small objectField, Small[] objectArrayField) {
                public static Large written() {
                    Small small = Small.written();
                    return new Large(
                            true, new boolean[] {true, false, true}, (byte) -99,
                            small.stringField().getBytes(StandardCharsets.US_ASCII), Short.MIN_VALUE,
                            new short[] {0, 1, 2, 3, -5, Short.MAX_VALUE}, 42,
                            new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE}, 1234567890, new long[] {0, -1, 1}, 13.5F,
                            new float[0], -420.42, new double[] {0, -0.1, Double.MAX_VALUE, Double.MIN_VALUE},
                            small.stringField(),
                            new String[] {"Lorem", "ipsum", "dolor", "sit", "amet", "\\ud83d\\ude07"}, small,
                            new Small[] {small});
                }
            }
            """;

    @Test
    void write_ofSmall_givesTheGoldenBytes() {
        Loaded loaded = Compilation.of(SMALL).load();
        Object small = loaded.call("p.Small", "written");
        byte[] bytes = loaded.serialization("p.Small").encode(small);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("00000000ffffffc9" + "1cf9e356336f1f23" + "00000033" + "c07a46b851eb851f"
                        + "00000000499602d2" + "0000002a" + "0000001b"
                        + "4c6f72656d20697073756d20646f6c6f722073697420616d65742e" + "14");
        assertThat(loaded.constant("p.SmallCodec", "SCHEMA_ID")).isEqualTo(0x1cf9e356336f1f23L);
        assertThat(new Peer(loaded.serializer("p.Small")).encode(small)).isEqualTo(bytes);
    }

    @Test
    void write_ofLarge_givesTheSeedsSize() {
        Loaded loaded = Compilation.of(SMALL, LARGE).load();
        Object large = loaded.call("p.Large", "written");
        CompactSerialization serialization = loaded.serialization("p.Small", "p.Large");
        byte[] bytes = serialization.encode(large);
        assertThat(bytes).hasSize(434);
        Peer peer = new Peer(loaded.serializer("p.Small"), loaded.serializer("p.Large"));
        assertThat(peer.encode(large)).isEqualTo(bytes);
        assertThat(serialization.encode(serialization.decode(bytes))).isEqualTo(bytes);
        assertThat(serialization.encode(peer.decode(bytes))).isEqualTo(bytes);
    }

    @Test
    void descriptor_isTheSchema() {
        Compilation compilation = Compilation.of(SMALL);
        byte[] text = requireNonNull(compilation.outputs.get("META-INF/compact/p.Small.schema"));
        TypeDescriptor descriptor = TypeDescriptor.parse(new String(text, StandardCharsets.UTF_8));
        assertThat(descriptor.schema())
                .isEqualTo(compilation.load().codec("p.Small").schema())
                .returns(0x1cf9e356336f1f23L, Schema::id);
        assertThat(descriptor.className()).isEqualTo("p.Small");
    }
}
