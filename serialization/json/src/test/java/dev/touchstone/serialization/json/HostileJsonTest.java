package dev.touchstone.serialization.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that were made to do harm end in a record or in a typed failure. Repeat a run with {@code -Dseed=}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileJsonTest {
    private static final Schema NODE = Schema.builder("n")
            .field("a", FieldKind.ARRAY_OF_NULLABLE_INT32)
            .field("b", FieldKind.ARRAY_OF_INT8)
            .field("c", FieldKind.COMPACT)
            .field("d", FieldKind.DECIMAL)
            .field("f", FieldKind.NULLABLE_FLOAT64)
            .field("s", FieldKind.STRING)
            .build();
    private static final Limits LIMITS =
            Limits.DEFAULT.withMaxBytes(1 << 20).withMaxItems(1_000).withMaxDepth(100);
    private static final CompactJson JSON = json(LIMITS);

    private static CompactJson json(Limits limits) {
        return CompactJson.builder().schema(NODE).limits(limits).build();
    }

    private static CompactJsonException failure(String fields) {
        return catchThrowableOfType(
                CompactJsonException.class, () -> JSON.fromJson(NODE, "{\"$type\":\"n\"," + fields + "}"));
    }

    private static String nested(int depth) {
        return "{\"$type\":\"n\",\"c\":".repeat(depth - 1) + "{\"$type\":\"n\"}" + "}".repeat(depth - 1);
    }

    @Test
    void records_tooDeep_areRefusedAtTheLimit() {
        assertThat(JSON.toJson(JSON.fromJson(nested(100)))).startsWith("{\"$type\":\"n\",\"a\":null");
        for (int depth : new int[] {101, 100_000}) {
            CompactJsonException failure =
                    catchThrowableOfType(CompactJsonException.class, () -> JSON.fromJson(nested(depth)));
            assertThat(failure.reason()).isEqualTo(Reason.LIMIT);
            assertThat(failure).hasMessageContaining("value=101 allowed=100");
        }
    }

    @Test
    void records_tooDeepForTheStack_areRefused() {
        CompactJson deep = json(Limits.DEFAULT.withMaxDepth(Integer.MAX_VALUE));
        CompactJsonException failure =
                catchThrowableOfType(CompactJsonException.class, () -> deep.fromJson(nested(1_000_000)));
        assertThat(failure.reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure).hasMessageContaining("too deep for the thread's stack");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"x\":", "[{\"c\":"})
    void containers_nestedAtPlacesForValues_areRefusedAtOnce(String opening) {
        for (String field : new String[] {"a", "b", "d", "f", "s", "unknown", "$type"}) {
            assertThat(failure("\"" + field + "\":" + opening.repeat(1_000_000)))
                    .isNotNull();
        }
    }

    @Test
    void numbers_huge_costNothing() {
        assertThat(failure("\"f\":1e999999999").reason()).isEqualTo(Reason.VALUE);
        assertThat(failure("\"a\":[1e999999999]").reason()).isEqualTo(Reason.VALUE);
        String decimal = JSON.toJson(JSON.fromJson(NODE, "{\"d\":1e999999999}"));
        assertThat(decimal).contains("\"d\":\"1E+999999999\"");
        String digits = "9".repeat(1_000_000);
        for (String field : new String[] {"\"f\":", "\"d\":", "\"a\":[", "\"b\":["}) {
            assertThat(failure(field + digits).reason()).isEqualTo(Reason.LIMIT);
            assertThat(failure(field + "1e" + digits).reason()).isEqualTo(Reason.LIMIT);
        }
        assertThat(failure("\"d\":\"" + digits + "\"").reason()).isEqualTo(Reason.LIMIT);
        assertThat(JSON.fromJson(NODE, "{\"d\":\"" + "9".repeat(10_000) + "\"}"))
                .hasSizeGreaterThan(4_000);
    }

    @Test
    void sizes_beyondTheLimits_areRefused() {
        assertThat(failure("\"a\":[" + "1,".repeat(2_000) + "1]").reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure("\"a\":[" + "null,".repeat(2_000) + "1]").path()).isEqualTo("$.a[1000]");
        assertThat(failure("\"b\":\"" + "AAAA".repeat(1_000) + "\"").reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure("\"s\":\"" + "x".repeat(1 << 20) + "\"").reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure("\"s\":\"" + "x".repeat(1 << 22) + "\"").reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure("\"s\":\"" + "中".repeat(400_000) + "\"").reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure("\"" + "x".repeat(1 << 21) + "\":1")).isNotNull();
        assertThat(JSON.fromJson(NODE, "{\"s\":\"" + "x".repeat(1_000_000) + "\"}"))
                .hasSizeGreaterThan(1_000_000);
    }

    /** An object of two characters stands for a record of a thousand fields. */
    @Test
    void objects_ofManyAbsentFields_areRefusedAtTheLimitOfBytes() {
        Schema.Builder wide = Schema.builder("wide");
        for (int i = 0; i < 1_000; i++) {
            wide.field("f" + i, FieldKind.STRING);
        }
        Schema outer =
                Schema.builder("outer").field("all", FieldKind.ARRAY_OF_COMPACT).build();
        CompactJson json = CompactJson.builder()
                .schema(wide.build())
                .type(new TypeDescriptor(
                        outer, "Outer", new TreeMap<>(Map.of("all", FieldMeaning.records(List.of("wide"))))))
                .limits(Limits.DEFAULT.withMaxBytes(100_000))
                .build();
        assertThat(json.fromJson(outer, "{\"all\":[" + "{},".repeat(90) + "{}]}"))
                .hasSizeBetween(90_000, 100_000);
        CompactJsonException failure = catchThrowableOfType(
                CompactJsonException.class, () -> json.fromJson(outer, "{\"all\":[" + "{},".repeat(100_000) + "{}]}"));
        assertThat(failure.reason()).isEqualTo(Reason.LIMIT);
        assertThat(failure.path()).isEqualTo("$.all[98]");
    }

    @Test
    void text_cutOffAnywhere_isATypedFailureWithAPlace() {
        String whole = JSON.toJson(JSON.fromJson(
                NODE,
                "{\"a\":[1,null,-3],\"b\":\"AAH/\",\"c\":" + nested(2)
                        + ",\"d\":1.5e7,\"f\":-0.5e-3,\"s\":\"\\u4e2d\\n\"}"));
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            CompactJsonException failure = catchThrowableOfType(CompactJsonException.class, () -> JSON.fromJson(cut));
            assertThat(failure).as(cut).isNotNull();
            assertThat(failure.line()).as(cut).isEqualTo(1);
        }
    }

    @Test
    void text_changedAtRandom_isARecordOrATypedFailure() {
        long seed = Long.getLong("seed", new SplittableRandom().nextLong());
        System.out.println("json.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        String signs = "{}[]\",:\\0123456789eE+-.tfnu $\u0000\ud800\udc00中";
        RandomRecords made = new RandomRecords(seed);
        for (int round = 0; round < 300; round++) {
            byte[] record = made.record();
            if (record.length > LIMITS.maxBytes()) {
                continue;
            }
            CompactJson.Builder builder = CompactJson.builder();
            made.schemas().forEach(builder::schema);
            CompactJson json = builder.build();
            String text = json.toJson(record);
            for (int change = 0; change < 50; change++) {
                StringBuilder changed = new StringBuilder(text);
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    changed.setCharAt(random.nextInt(changed.length()), signs.charAt(random.nextInt(signs.length())));
                }
                try {
                    byte[] read = json.fromJson(changed.toString());
                    assertThat(json.fromJson(json.toJson(read)))
                            .as("seed=%d", seed)
                            .isEqualTo(read);
                } catch (CompactJsonException e) {
                    assertThat(e.getCause())
                            .as("seed=%d text=%s", seed, changed)
                            .isNull();
                } catch (CompactException e) {
                    throw new AssertionError("seed=" + seed + " text=" + changed, e);
                }
            }
        }
    }
}
