package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactSchemaException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemaTest {
    private static final long SMALL_ID = 0x1cf9e356336f1f23L;
    private static final List<FieldDescriptor> SMALL = List.of(
            new FieldDescriptor("intField", FieldKind.INT32),
            new FieldDescriptor("doubleField", FieldKind.FLOAT64),
            new FieldDescriptor("longField", FieldKind.INT64),
            new FieldDescriptor("stringField", FieldKind.STRING));

    /** The values of Avro's specification for its own schemas. */
    @Test
    void fingerprint_ofBytes_isThatOfAvro() {
        assertThat(fingerprint("\"null\"")).isEqualTo(7195948357588979594L);
        assertThat(fingerprint("\"int\"")).isEqualTo(8247732601305521295L);
        assertThat(fingerprint("\"string\"")).isEqualTo(-8142146995180207161L);
    }

    private static long fingerprint(String text) {
        return SchemaFingerprint.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void id_ofTheSmallType_isThatOfHazelcast() {
        assertThat(Schema.of("small", SMALL).id()).isEqualTo(SMALL_ID);
        assertThat(Schema.verified(SMALL_ID, "small", SMALL).fields()).hasSize(4);
    }

    @Test
    void id_ofFieldsInAnyOrder_isTheSame() {
        List<FieldDescriptor> fields = new ArrayList<>(SMALL);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(fields, new Random(i));
            assertThat(Schema.of("small", fields)).isEqualTo(Schema.of("small", SMALL));
            assertThat(Schema.of("small", fields)).hasSameHashCodeAs(Schema.of("small", SMALL));
        }
    }

    @Test
    void id_ofOtherNamesKindsOrFields_isAnother() {
        Set<Long> ids = new HashSet<>();
        ids.add(SMALL_ID);
        ids.add(Schema.of("Small", SMALL).id());
        ids.add(Schema.of("", SMALL).id());
        ids.add(Schema.of("small", SMALL.subList(0, 3)).id());
        ids.add(Schema.of("small", List.of()).id());
        for (FieldKind kind : FieldKind.values()) {
            ids.add(Schema.builder("small").field("a", kind).build().id());
            ids.add(Schema.builder("small").field("b", kind).build().id());
        }
        assertThat(ids).hasSize(5 + 2 * FieldKind.values().length);
    }

    @Test
    void verified_ofAnotherId_isRefused() {
        assertThatThrownBy(() -> Schema.verified(SMALL_ID + 1, "small", SMALL))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("1cf9e356336f1f24");
    }

    @Test
    void of_twoFieldsWithOneName_isRefused() {
        Schema.Builder builder = Schema.builder("t").field("a", FieldKind.INT8).field("b", FieldKind.INT8);
        builder.field("a", FieldKind.STRING);
        assertThatThrownBy(builder::build)
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("field=a");
    }

    @Test
    void indexOf_eachName_isItsPlaceInTheOrder() {
        for (int count : new int[] {0, 1, 2, 3, 7, 8, 1000}) {
            Schema.Builder builder = Schema.builder("t");
            for (int i = 0; i < count; i++) {
                builder.field("f" + i, FieldKind.INT8);
            }
            Schema schema = builder.build();
            for (int i = 0; i < count; i++) {
                assertThat(schema.indexOf(schema.field(i).name())).isEqualTo(i);
            }
            assertThat(schema.indexOf("none")).isEqualTo(-1);
            assertThat(schema.indexOf("")).isEqualTo(-1);
        }
    }

    @Test
    void kinds_haveTheNumbersOfHazelcast() {
        assertThat(Arrays.stream(FieldKind.values()).mapToInt(FieldKind::id))
                .containsExactly(
                        1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                        29, 30, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46);
        for (int id : new int[] {-1, 0, 5, 6, 31, 32, 47, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(FieldKind.ofId(id)).as("id=%d", id).isEmpty();
        }
        for (FieldKind kind : FieldKind.values()) {
            assertThat(FieldKind.ofId(kind.id())).contains(kind);
            assertThat(kind.isArray()).isEqualTo(kind.name().startsWith("ARRAY_OF_"));
        }
    }

    @Test
    void isReadableAs_holdsForTheSameKindWithAndWithoutNullsOnly() {
        assertThat(FieldKind.INT32.isReadableAs(FieldKind.NULLABLE_INT32)).isTrue();
        assertThat(FieldKind.NULLABLE_INT32.isReadableAs(FieldKind.INT32)).isTrue();
        assertThat(FieldKind.ARRAY_OF_INT8.isReadableAs(FieldKind.ARRAY_OF_NULLABLE_INT8))
                .isTrue();
        assertThat(FieldKind.INT32.isReadableAs(FieldKind.INT64)).isFalse();
        assertThat(FieldKind.INT32.isReadableAs(FieldKind.ARRAY_OF_INT32)).isFalse();
        assertThat(FieldKind.STRING.isReadableAs(FieldKind.DATE)).isFalse();
    }
}
