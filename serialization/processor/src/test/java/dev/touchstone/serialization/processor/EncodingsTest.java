package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Types that no kind of field is for. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncodingsTest {
    private static final String COLOUR = "package p;\npublic enum Colour { RED, BLUE { } }\n";
    private static final String LEVEL =
            "package p;\n@dev.touchstone.serialization.annotation.Compact\npublic enum Level { LOW, HIGH }\n";
    private static final String POINT =
            "package p;\n@dev.touchstone.serialization.annotation.Compact(\"point\")\npublic record Point(int x) {}\n";
    private static final String ENCODED = """
            package p;

            import dev.touchstone.serialization.annotation.*;
            import java.time.*;
            import java.util.*;

            @Compact(value = "encoded", encode = {
                Encoding.COLLECTIONS, Encoding.ENUM_AS_STRING, Encoding.INSTANT_AS_TIMESTAMP, Encoding.TIME_AS_STRING,
                Encoding.UUID_AS_STRING})
            public record Encoded(
                    Colour colour, Colour[] colours, List<Colour> colourList, Level level, Level[] levels,
                    UUID id, UUID[] ids, Set<UUID> idSet, @CompactField(encode = Encoding.UUID_AS_INT64S) UUID halves,
                    Instant at, Instant[] ats, List<Instant> atList,
                    Duration duration, Period period, Year year, YearMonth yearMonth, MonthDay monthDay,
                    OffsetTime offsetTime, ZonedDateTime zoned, ZoneId zone, ZoneOffset offset, List<ZoneId> zones,
                    List<String> names, Set<Integer> numbers, Collection<Point> points,
                    Map<String, Long> counts, Map<UUID, Point> byId) {
                static final UUID ID = new UUID(1, -2);
                static final Instant AT = Instant.parse("2026-11-21T10:15:30.000000001Z");

                public static Encoded full() {
                    Map<String, Long> counts = new LinkedHashMap<>();
                    counts.put("z", 1L);
                    counts.put("a", null);
                    Set<UUID> ids = new LinkedHashSet<>(List.of(ID, new UUID(9, 9)));
                    return new Encoded(
                            Colour.BLUE, new Colour[] {Colour.RED, null}, List.of(Colour.BLUE), Level.HIGH,
                            new Level[] {Level.LOW}, ID, new UUID[] {null, ID}, ids, ID,
                            AT, new Instant[] {AT, null}, List.of(AT),
                            Duration.ofSeconds(-1, 5), Period.of(1, 2, -3), Year.of(7), YearMonth.of(12345, 2),
                            MonthDay.of(2, 29), OffsetTime.parse("10:15:30+01:00"),
                            ZonedDateTime.parse("2026-10-25T02:30:00+01:00[Europe/Zurich]"), ZoneId.of("Europe/Zurich"),
                            ZoneOffset.ofHours(-3), List.of(ZoneId.of("UTC"), ZoneOffset.UTC),
                            Arrays.asList("a", null), new LinkedHashSet<>(Arrays.asList(2, null, 1)),
                            List.of(new Point(1), new Point(2)), counts, Map.of(ID, new Point(3)));
                }

                public static Encoded bare() {
                    return new Encoded(
                            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                            null, null, null, null, null, null, null, null, null, null, null, null);
                }
            }
            """;

    private static String text(Object encoded) {
        return Arrays.deepToString(Arrays.stream(encoded.getClass().getRecordComponents())
                .map(component -> Loaded.on(encoded, component.getName()))
                .toArray());
    }

    @Test
    void encoded_ofAllTypes_roundTripsAsInHazelcast() throws ReflectiveOperationException {
        Loaded loaded = Compilation.of(COLOUR, LEVEL, POINT, ENCODED).load();
        CompactSerialization serialization = loaded.serialization("p.Encoded", "p.Point");
        Peer peer = new Peer(loaded.serializer("p.Encoded"), loaded.serializer("p.Point"));
        for (String made : List.of("full", "bare")) {
            Object value = loaded.call("p.Encoded", made);
            byte[] bytes = serialization.encode(value);
            assertThat(bytes).as(made).isEqualTo(peer.encode(value));
            assertThat(text(serialization.decode(bytes))).isEqualTo(text(value));
            assertThat(text(peer.decode(bytes))).isEqualTo(text(value));
            Object view = loaded.create("p.EncodedView", serialization);
            view.getClass().getMethod("wrap", byte[].class).invoke(view, bytes);
            for (var component : value.getClass().getRecordComponents()) {
                assertThat(Arrays.deepToString(new Object[] {Loaded.on(view, component.getName())}))
                        .isEqualTo(Arrays.deepToString(new Object[] {Loaded.on(value, component.getName())}));
            }
        }
        assertThat(loaded.codec("p.Encoded").schema().fields())
                .contains(
                        new FieldDescriptor("byId!keys", FieldKind.ARRAY_OF_STRING),
                        new FieldDescriptor("byId!values", FieldKind.ARRAY_OF_COMPACT),
                        new FieldDescriptor("counts!values", FieldKind.ARRAY_OF_NULLABLE_INT64),
                        new FieldDescriptor("halves", FieldKind.ARRAY_OF_INT64),
                        new FieldDescriptor("at", FieldKind.TIMESTAMP_WITH_TIMEZONE),
                        new FieldDescriptor("zoned", FieldKind.STRING));
    }

    @Test
    void enum_alone_isARecordOfItsName() {
        Loaded loaded = Compilation.of(LEVEL).load();
        CompactSerialization serialization = loaded.serialization("p.Level");
        Object high = loaded.constant("p.Level", "HIGH");
        byte[] bytes = serialization.encode(high);
        Peer peer = new Peer(loaded.serializer("p.Level"));
        assertThat(peer.encode(high)).isEqualTo(bytes);
        assertThat(serialization.decode(bytes)).isSameAs(high);
        assertThat(peer.decode(bytes)).isSameAs(high);
    }

    @Test
    void decode_ofTextThatIsNoValue_isRefused() {
        String wide = """
                package p;
                @dev.touchstone.serialization.annotation.Compact("t")
                public record Wide(String level, String id, long[] halves, String[] at_keys) {}
                """;
        String narrow = """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact(value = "t", encode = Encoding.UUID_AS_STRING)
                public record Narrow(
                    Level level, java.util.UUID id, @CompactField(encode = Encoding.UUID_AS_INT64S) java.util.UUID halves,
                    @CompactField("at_keys") Level[] levels) {}
                """;
        Loaded loaded = Compilation.of(LEVEL, wide, narrow).load();
        CompactSerialization serialization = CompactSerialization.builder().build();
        String id = "00000000-0000-0001-ffff-fffffffffffe";
        Object[][] bad = {
            {"MIDDLE", id, new long[2], new String[0]},
            {"LOW", "x", new long[2], new String[0]},
            {"LOW", id, new long[3], new String[0]},
            {"LOW", id, new long[2], new String[] {"LOW", "NONE"}}
        };
        String[] fields = {"level", "id", "halves", "at_keys"};
        for (int i = 0; i < bad.length; i++) {
            byte[] bytes = serialization.encode(loaded.create("p.Wide", bad[i]), loaded.codec("p.Wide"));
            String field = fields[i];
            assertThatThrownBy(() -> serialization.decode(bytes, loaded.codec("p.Narrow")))
                    .isInstanceOfSatisfying(
                            CompactFieldException.class,
                            e -> assertThat(e.fieldName()).isEqualTo(field));
        }
    }

    @Test
    void enum_withABodyOfAConstant_isARecordOfItsName() {
        Loaded loaded = Compilation.of("""
                package p;

                @dev.touchstone.serialization.annotation.Compact
                public enum Sign {
                    PLUS { @Override public int of(int value) { return value; } },
                    MINUS { @Override public int of(int value) { return -value; } };

                    public abstract int of(int value);
                }
                """).load();
        CompactSerialization serialization = loaded.serialization("p.Sign");
        for (Object constant : loaded.type("p.Sign").getEnumConstants()) {
            assertThat(serialization.decode(serialization.encode(constant))).isSameAs(constant);
        }
    }
}
