package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every kind, in a record and in a class: round trips, and the bytes of Hazelcast with the generated serializer. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KindsTest {
    private static final Map<FieldKind, String> SCALARS = Map.ofEntries(
            Map.entry(FieldKind.BOOLEAN, "boolean=true"),
            Map.entry(FieldKind.INT8, "byte=(byte) -7"),
            Map.entry(FieldKind.INT16, "short=(short) -700"),
            Map.entry(FieldKind.INT32, "int=-70_000"),
            Map.entry(FieldKind.INT64, "long=-7_000_000_000L"),
            Map.entry(FieldKind.FLOAT32, "float=1.5F"),
            Map.entry(FieldKind.FLOAT64, "double=-0.0"),
            Map.entry(FieldKind.NULLABLE_BOOLEAN, "Boolean=false"),
            Map.entry(FieldKind.NULLABLE_INT8, "Byte=(byte) 8"),
            Map.entry(FieldKind.NULLABLE_INT16, "Short=(short) 8"),
            Map.entry(FieldKind.NULLABLE_INT32, "Integer=8"),
            Map.entry(FieldKind.NULLABLE_INT64, "Long=8L"),
            Map.entry(FieldKind.NULLABLE_FLOAT32, "Float=8F"),
            Map.entry(FieldKind.NULLABLE_FLOAT64, "Double=8.0"),
            Map.entry(FieldKind.STRING, "String=\"text \\ud83d\\ude07\""),
            Map.entry(FieldKind.DECIMAL, "java.math.BigDecimal=new java.math.BigDecimal(\"-12.345\")"),
            Map.entry(FieldKind.TIME, "java.time.LocalTime=java.time.LocalTime.of(1, 2, 3, 4)"),
            Map.entry(FieldKind.DATE, "java.time.LocalDate=java.time.LocalDate.of(2026, 11, 21)"),
            Map.entry(FieldKind.TIMESTAMP, "java.time.LocalDateTime=java.time.LocalDateTime.of(1, 2, 3, 4, 5)"),
            Map.entry(
                    FieldKind.TIMESTAMP_WITH_TIMEZONE,
                    "java.time.OffsetDateTime=java.time.OffsetDateTime.parse(\"2026-11-21T10:15:30+01:00\")"),
            Map.entry(FieldKind.COMPACT, "Inside=new Inside(3)"));

    private static final String INSIDE = """
            package p;

            @dev.touchstone.serialization.annotation.Compact("inside")
            public record Inside(int number) {}
            """;

    /** Declarations, values and empty values of a field for each kind, in an order that is not that of names. */
    private final List<String> declarations = new ArrayList<>();

    private final List<String> values = new ArrayList<>();
    private final List<String> nulls = new ArrayList<>();

    KindsTest() {
        for (FieldKind kind : FieldKind.values()) {
            FieldKind scalar = kind.isArray() ? FieldKind.valueOf(kind.name().substring("ARRAY_OF_".length())) : kind;
            String[] parts = requireNonNull(SCALARS.get(scalar)).split("=", 2);
            String suffix = Expressions.suffix(kind);
            String name = Character.toLowerCase(suffix.charAt(0)) + suffix.substring(1) + "Field";
            declarations.add(parts[0] + (kind.isArray() ? "[] " : " ") + name);
            boolean hasNulls = kind.isArray() && !scalar.isFixed();
            values.add(
                    kind.isArray()
                            ? "new " + parts[0] + "[] {" + parts[1] + (hasNulls ? ", null, " : ", ") + parts[1] + "}"
                            : parts[1]);
            nulls.add(scalar.isFixed() && !kind.isArray() ? parts[1] : "null");
        }
    }

    private String recordSource() {
        return String.format(
                Locale.ROOT, """
                package p;

                @dev.touchstone.serialization.annotation.Compact("all")
                public record All(%s) {
                    public static All full() {
                        return new All(%s);
                    }

                    public static All bare() {
                        return new All(%s);
                    }
                }
                """, String.join(", ", declarations), String.join(", ", values), String.join(", ", nulls));
    }

    private String classSource() {
        String body = "";
        for (int i = 0; i < declarations.size(); i++) {
            String[] parts = declarations.get(i).split(" ", -1);
            String upper = Character.toUpperCase(parts[1].charAt(0)) + parts[1].substring(1);
            if (i % 3 == 0) {
                body += "    " + declarations.get(i) + ";\n";
            } else if (i % 3 == 1) {
                body += String.format(Locale.ROOT, """
                            private %1$s %2$s;
                            public %1$s get%3$s() { return %2$s; }
                            public void set%3$s(%1$s v) { %2$s = v; }
                        """, parts[0], parts[1], upper);
            } else {
                body += String.format(Locale.ROOT, """
                            private %1$s %2$s;
                            %1$s %2$s() { return %2$s; }
                            All %2$s(%1$s v) { %2$s = v; return this; }
                        """, parts[0], parts[1]);
            }
        }
        return String.format(
                Locale.ROOT,
                """
                package p;

                @dev.touchstone.serialization.annotation.Compact("all")
                public class All {
                    static int ignored;
                    transient int left;
                %s
                    private static All of(%s) {
                        All all = new All();
                        %s
                        return all;
                    }

                    public static All full() {
                        return of(%s);
                    }

                    public static All bare() {
                        return of(%s);
                    }
                }
                """,
                body,
                String.join(", ", declarations),
                String.join(
                        " ",
                        declarations.stream()
                                .map(d -> d.split(" ", -1)[1])
                                .map(n -> "all." + n + " = " + n + ";")
                                .toList()),
                String.join(", ", values),
                String.join(", ", nulls));
    }

    @Test
    void record_ofAllKinds_roundTripsAsInHazelcast() throws ReflectiveOperationException {
        check(recordSource());
    }

    @Test
    void class_ofAllKinds_roundTripsAsInHazelcast() throws ReflectiveOperationException {
        check(classSource());
    }

    private static void check(String source) throws ReflectiveOperationException {
        Loaded loaded = Compilation.of(INSIDE, source).load();
        CompactCodec<Object> codec = loaded.codec("p.All");
        assertThat(codec.schema().fields())
                .extracting(FieldDescriptor::kind)
                .containsExactlyInAnyOrderElementsOf(EnumSet.allOf(FieldKind.class));
        CompactSerialization serialization = loaded.serialization("p.All", "p.Inside");
        Peer peer = new Peer(loaded.serializer("p.All"), loaded.serializer("p.Inside"));
        for (String made : List.of("full", "bare")) {
            Object value = loaded.call("p.All", made);
            byte[] bytes = serialization.encode(value);
            assertThat(bytes).as(made).isEqualTo(peer.encode(value));
            assertThat(text(serialization.decode(bytes))).isEqualTo(text(value));
            assertThat(text(peer.decode(bytes))).isEqualTo(text(value));
            Object view = loaded.create("p.AllView", serialization);
            view.getClass().getMethod("wrap", byte[].class).invoke(view, bytes);
            for (var field : value.getClass().getDeclaredFields()) {
                if (!List.of("ignored", "left").contains(field.getName())) {
                    field.setAccessible(true);
                    assertThat(List.of(field.getName(), deep(Loaded.on(view, field.getName()))))
                            .isEqualTo(List.of(field.getName(), deep(field.get(value))));
                }
            }
        }
    }

    @Test
    void record_ofMoreNumbersThanAStraightWayTakes_isWrittenByIndex() throws ReflectiveOperationException {
        List<String> numbers =
                IntStream.range(0, 160).mapToObj(i -> "int n" + i).toList();
        Loaded loaded = Compilation.of(String.format(
                        Locale.ROOT, """
                package p;

                @dev.touchstone.serialization.annotation.Compact("many")
                public record Many(%s) {
                    public static Many made() {
                        return new Many(%s);
                    }
                }
                """, String.join(", ", numbers), String.join(", ", Collections.nCopies(160, "7"))))
                .load();
        Object many = loaded.call("p.Many", "made");
        CompactSerialization serialization = loaded.serialization("p.Many");
        assertThat(text(serialization.decode(serialization.encode(many)))).isEqualTo(text(many));
    }

    @Test
    @Tag("sweep")
    void straight_ofChangedBytes_endsAsByIndex() throws ReflectiveOperationException {
        Loaded loaded = Compilation.of(INSIDE, recordSource()).load();
        CompactCodec<Object> codec = loaded.codec("p.All");
        CompactSerialization straight = loaded.serialization("p.All", "p.Inside");
        CompactSerialization byIndex = CompactSerialization.builder()
                .codec(new ByIndex(codec))
                .codec(loaded.codec("p.Inside"))
                .build();
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (String made : List.of("full", "bare")) {
            Object value = loaded.call("p.All", made);
            byte[] bytes = byIndex.encode(value);
            assertThat(straight.encode(value)).isEqualTo(bytes);
            assertThat(readStraight(codec, bytes)).as(made).isNotNull();
            for (int i = 0; i < 20_000; i++) {
                byte[] changed = bytes.clone();
                int at = random.nextInt(bytes.length);
                changed[at] = (byte) (random.nextBoolean() ? random.nextInt() : changed[at] + 1);
                assertThat(outcome(straight, changed))
                        .as("%s seed=%d round=%d at=%d", made, seed, i, at)
                        .isEqualTo(outcome(byIndex, changed));
            }
        }
    }

    /** Booleans share bytes: each of 20 alone is true, so that no two of them are one bit. */
    @Test
    void booleans_ofSeveralBytes_areReadOneByOne() {
        int count = 20;
        String components =
                IntStream.range(0, count).mapToObj(i -> "boolean b" + i).collect(Collectors.joining(", "));
        Loaded loaded = Compilation.of(
                        "package p; @dev.touchstone.serialization.annotation.Compact(\"t\") public record T("
                                + components + ") {}")
                .load();
        CompactSerialization serialization = loaded.serialization("p.T");
        CompactCodec<Object> byIndex = new ByIndex(loaded.codec("p.T"));
        for (int one = 0; one < count; one++) {
            Object[] values = new Object[count];
            Arrays.fill(values, false);
            values[one] = true;
            Object value = loaded.create("p.T", values);
            byte[] bytes = serialization.encode(value);
            assertThat(serialization.encode(value, byIndex)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).isEqualTo(value);
            assertThat(serialization.decode(bytes, byIndex)).isEqualTo(value);
        }
    }

    /** Data that go on behind the last value have a byte of no field. */
    @Test
    void straight_ofDataThatAreTooLong_isRefused() {
        Loaded loaded = Compilation.of(
                        "package p; @dev.touchstone.serialization.annotation.Compact(\"t\") public record T(int n, String a, String[] b) {}")
                .load();
        CompactSerialization serialization = loaded.serialization("p.T");
        for (String[] last : new String @Nullable [][] {{"y"}, {}, null}) {
            byte[] bytes = serialization.encode(loaded.create("p.T", 1, "x", last));
            int table = bytes.length - 2;
            byte[] longer = new byte[bytes.length + 1];
            System.arraycopy(bytes, 0, longer, 0, table);
            System.arraycopy(bytes, table, longer, table + 1, 2);
            longer[19]++; // the length of the data
            assertThatThrownBy(() -> serialization.decode(longer)).isInstanceOf(CompactFormatException.class);
        }
    }

    /** What the codec's method for it gives. */
    private static @Nullable Object readStraight(CompactCodec<Object> codec, byte[] bytes)
            throws ReflectiveOperationException {
        int data = 20;
        int length = ByteBuffer.wrap(bytes).getInt(data - 4);
        int width = length < 255 ? 1 : length < 65_535 ? 2 : 4;
        for (Method method : codec.getClass().getDeclaredMethods()) {
            if (method.getName().equals("read") && method.getParameterCount() == 6 && !method.isBridge()) {
                method.setAccessible(true);
                return method.invoke(codec, bytes, data, data + length, width, 1, Limits.DEFAULT);
            }
        }
        throw new AssertionError("no such method");
    }

    private static String outcome(CompactSerialization serialization, byte[] bytes)
            throws ReflectiveOperationException {
        try {
            return text(serialization.decode(bytes));
        } catch (CompactException e) {
            return e.toString();
        }
    }

    private static String deep(@Nullable Object value) {
        return Arrays.deepToString(new @Nullable Object[] {value});
    }

    private static String text(Object value) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>();
        for (var field : value.getClass().getDeclaredFields()) {
            field.setAccessible(true);
            all.add(field.get(value));
        }
        return deep(all.toArray());
    }
}
