package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields that hold one of several types. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealedTest {
    private static final String SHAPE = """
            package p;

            import dev.touchstone.serialization.annotation.Compact;

            @Compact
            public sealed interface Shape {
                @Compact("circle")
                record Circle(double radius) implements Shape {}

                @Compact("named")
                enum Named implements Shape { UNIT, NONE }

                @Compact
                sealed interface Angular extends Shape permits Box, Square {}

                @Compact("box")
                final class Box implements Angular {
                    String label;
                    Shape inside;

                    @Override
                    public String toString() {
                        return "Box[" + label + ", " + inside + "]";
                    }
                }

                @Compact("square")
                record Square(int side) implements Angular {}

                static Shape box(String label, Shape inside) {
                    Box box = new Box();
                    box.label = label;
                    box.inside = inside;
                    return box;
                }
            }
            """;
    private static final String HOLDER = """
            package p;

            import dev.touchstone.serialization.annotation.Compact;

            @Compact("holder")
            public record Holder(Shape shape, Shape.Angular angular) {
                public static Holder circle() {
                    return new Holder(new Shape.Circle(1.5), new Shape.Square(2));
                }

                public static Holder boxes() {
                    Shape inner = Shape.box("inner", Shape.Named.UNIT);
                    return new Holder(Shape.box("outer", inner), (Shape.Angular) Shape.box("deep", null));
                }

                public static Holder none() {
                    return new Holder(null, null);
                }
            }
            """;

    @Test
    void field_ofSealedType_roundTripsAsInHazelcast() {
        Loaded loaded = Compilation.of(SHAPE, HOLDER).load();
        CompactSerialization serialization = serialization(loaded);
        Peer peer = new Peer(
                loaded.serializer("p.Holder"),
                loaded.serializer("p.Shape_Circle"),
                loaded.serializer("p.Shape_Named"),
                loaded.serializer("p.Shape_Box"),
                loaded.serializer("p.Shape_Square"));
        for (String made : List.of("circle", "boxes", "none")) {
            Object value = loaded.call("p.Holder", made);
            byte[] bytes = serialization.encode(value);
            assertThat(bytes).as(made).isEqualTo(peer.encode(value));
            assertThat(serialization.decode(bytes)).hasToString(value.toString());
            assertThat(peer.decode(bytes)).hasToString(value.toString());
        }
    }

    private static CompactSerialization serialization(Loaded loaded) {
        CompactSerialization.Builder builder = CompactSerialization.builder().codec(loaded.codec("p.Holder"));
        for (Object codec : (List<?>) loaded.constant("p.ShapeCodec", "CODECS")) {
            builder.codec((CompactCodec<?>) codec);
        }
        return builder.build();
    }

    @Test
    void record_ofPermittedType_standsAlone() {
        Loaded loaded = Compilation.of(SHAPE, HOLDER).load();
        CompactSerialization serialization = serialization(loaded);
        Object circle = requireNonNull(Loaded.on(loaded.call("p.Holder", "circle"), "shape"));
        assertThat(serialization.decode(serialization.encode(circle))).isEqualTo(circle);
    }

    @Test
    void read_ofTypeThatIsNotPermitted_isRefused() {
        Loaded old = Compilation.of(SHAPE, HOLDER).load();
        String renamed = SHAPE.replace("\"circle\"", "\"ellipse\"");
        Loaded changed = Compilation.of(renamed, HOLDER).load();
        byte[] bytes = serialization(old).encode(old.call("p.Holder", "circle"));
        assertThatThrownBy(() -> serialization(changed).decode(bytes)).isInstanceOf(CompactException.class);
        CompactSerialization knowing = CompactSerialization.builder()
                .schema(old.codec("p.Shape_Circle").schema())
                .schema(old.codec("p.Shape_Square").schema())
                .build();
        assertThatThrownBy(() -> knowing.decode(bytes, changed.codec("p.Holder")))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("circle");
    }
}
