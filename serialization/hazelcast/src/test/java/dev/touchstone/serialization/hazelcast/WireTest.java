package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sends to members: the same bytes for ever, and found by Hazelcast without being told. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WireTest {
    /** No partition hash; an object with a factory; that it has one; our factory. */
    private static final String HEAD = "00000000" + "fffffffe" + "01" + "746f7563";

    /** The number of the class, and the version. */
    private static final String PREDICATE = "00000003" + "01";

    private final InternalSerializationService service = new DefaultSerializationServiceBuilder().build();

    @AfterEach
    void end() {
        service.dispose();
    }

    private static FieldPredicate<Object, Object> predicate(String name) {
        return switch (name) {
            case "text" -> FieldPredicate.equal("f", "\u00e4");
            case "texts" -> FieldPredicate.between("f", "a", "b");
            case "whole" -> FieldPredicate.between("f", -1, 2);
            case "real" -> FieldPredicate.between("f", 1.0, 2.0);
            case "flag" -> FieldPredicate.equal("f", true);
            case "null" -> FieldPredicate.isNull("f");
            case "in" -> FieldPredicate.in("f", 1, null);
            case "greater" -> FieldPredicate.greaterThan("f", 1);
            case "atMost" -> FieldPredicate.lessEqual("f", 1);
            case "decimal" -> FieldPredicate.equal("f", new BigDecimal("-1.5"));
            case "time" -> FieldPredicate.equal("f", LocalTime.ofNanoOfDay(3));
            case "date" -> FieldPredicate.equal("f", LocalDate.ofEpochDay(-1));
            case "timestamp" -> FieldPredicate.equal("f", LocalDateTime.of(LocalDate.EPOCH, LocalTime.MIDNIGHT));
            case "offset" ->
                FieldPredicate.equal(
                        "f",
                        LocalDateTime.of(LocalDate.EPOCH, LocalTime.MIDNIGHT).atOffset(ZoneOffset.ofHours(1)));
            case "like" -> FieldPredicate.like("f", "%");
            case "ilike" -> FieldPredicate.ilike("f", "%");
            case "and" -> FieldPredicate.and(FieldPredicate.isNull("f"), FieldPredicate.isNull("f"));
            case "or" -> FieldPredicate.or();
            case "not" -> FieldPredicate.isNotNull("f");
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "text, 04 F 00000001 05 00000002c3a4",
        "texts, 05 F 0f 05 0000000161 05 0000000162",
        "whole, 05 F 0f 02 ffffffffffffffff 02 0000000000000002",
        "real, 05 F 0f 03 3ff0000000000000 03 4000000000000000",
        "flag, 04 F 00000001 01 01",
        "null, 04 F 00000001 00",
        "in, 04 F 00000002 02 0000000000000001 00",
        "greater, 05 F 01 02 0000000000000001",
        "atMost, 05 F 0c 02 0000000000000001",
        "decimal, 04 F 00000001 04 00000001 f1 00000001",
        "time, 04 F 00000001 06 0000000000000003",
        "date, 04 F 00000001 07 ffffffffffffffff",
        "timestamp, 04 F 00000001 08 0000000000000000 0000000000000000",
        "offset, 04 F 00000001 09 0000000000000000 0000000000000000 00000e10",
        "like, 06 F 0000000125 00",
        "ilike, 06 F 0000000125 01",
        "and, 01 00000002 04 F 00000001 00 04 F 00000001 00",
        "or, 02 00000000",
        "not, 03 04 F 00000001 00",
    })
    void predicate_onTheWire_isPinned(String name, String bytes) {
        FieldPredicate<Object, Object> predicate = predicate(name);
        byte[] written = service.toData(predicate).toByteArray();
        assertThat(HexFormat.of().formatHex(written)).isEqualTo(HEAD + PREDICATE + hex(bytes));
        FieldPredicate<Object, Object> read = service.toObject(new HeapData(written));
        assertThat(read).isEqualTo(predicate).hasSameHashCodeAs(predicate).hasToString(predicate.toString());
    }

    private static String hex(String bytes) {
        return bytes.replace("F", "0000000166").replace(" ", "");
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.VALUE_BYTES, Wire.ENTRY_BYTES})
    void projection_onTheWire_isPinned(int number) {
        Object projection = number == Wire.VALUE_BYTES ? new ValueBytes<>() : new EntryBytes<>();
        byte[] written = service.toData(projection).toByteArray();
        assertThat(HexFormat.of().formatHex(written)).isEqualTo(HEAD + "0000000" + number);
        assertThat(service.<Object>toObject(new HeapData(written))).hasSameClassAs(projection);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "02 04 F 00000001 00; unknown version of a predicate: version=2 expected=1",
                "00; unknown version of a predicate: version=0",
                "01 09; unknown expression: number=9",
                "01 01 ffffffff; count is negative: count=-1",
                "01 01 7fffffff; cannot be read",
                "01 04 F 7fffffff; cannot be read",
                "01 04 ffffffff 00000000; null in place of a string",
                "01 04 00000000 00000000; path is malformed",
                "01 04 F 00000001 0a; unknown constant: number=10",
                "01 04 F 00000001 04 7fffffff; length of a decimal: length=2147483647 max=65536",
                "01 04 F 00000001 04 00000000; length of a decimal: length=0",
                "01 04 F 00000001 06 7fffffffffffffff; cannot be read",
                "01 04 F 00000001 09 0000000000000000 0000000000000000 7fffffff; cannot be read",
                "01 05 F 00; range without bounds: bounds=0",
                "01 05 F 01 00; null is no bound of a range",
                "01 06 F ffffffff 00; null in place of a string",
                "01; cannot be read",
            })
    void unreadablePredicate_isATypedError(String bytes, String message) {
        checkRefused(PREDICATE.substring(0, 8) + hex(bytes), message);
    }

    private void checkRefused(String bytes, String message) {
        byte[] damaged = HexFormat.of().parseHex(HEAD + bytes);
        assertThatThrownBy(() -> service.toObject(new HeapData(damaged)))
                .isInstanceOf(PredicateFormatException.class)
                .hasMessageContaining(message);
    }

    @Test
    void numbersThatAreNotOurs_areATypedError() {
        checkRefused("00000001", "unknown class");
        checkRefused("00000004", "unknown class");
        checkRefused("00000006", "unknown class");
    }

    @Test
    void deepOrLargePredicate_isRefusedOnBothSides() {
        checkRefused(PREDICATE + "03".repeat(64), "predicate is too deep: max=64");
        checkRefused(
                PREDICATE + "02" + "00030d40" + "0200000000".repeat(200_000), "predicate is too large: max=100000");
        FieldPredicate<Object, Object> deep = FieldPredicate.isNull("f");
        for (int i = 1; i < 64; i++) {
            deep = FieldPredicate.and(deep);
        }
        assertThat(service.<Object>toObject(service.toData(deep))).isEqualTo(deep);
        FieldPredicate<Object, Object> last = deep;
        assertThatThrownBy(() -> FieldPredicate.or(last)).hasMessage("predicate is too deep: depth=65 max=64");
        assertThatThrownBy(() -> FieldPredicate.in("f", new Integer[100_000]))
                .hasMessage("predicate is too large: nodes=100001 max=100000");
    }

    /** Each byte of a predicate is changed in each way: it is read, or refused by a typed error. */
    @Test
    void changedBytes_areReadOrATypedError() {
        FieldPredicate<Object, Object> predicate = FieldPredicate.and(
                predicate("in"), predicate("decimal"), predicate("offset"), predicate("like"), predicate("not"));
        byte[] sound = service.toData(predicate).toByteArray();
        int refused = 0;
        for (int at = (HEAD.length() + 8) / 2; at < sound.length; at++) {
            for (int value = 0; value < 256; value++) {
                byte[] changed = sound.clone();
                changed[at] = (byte) value;
                try {
                    assertThat(service.<Object>toObject(new HeapData(changed))).isInstanceOf(FieldPredicate.class);
                } catch (PredicateFormatException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isPositive();
        for (int length = (HEAD.length() + 8) / 2; length < sound.length; length++) {
            byte[] cut = Arrays.copyOf(sound, length);
            assertThatThrownBy(() -> service.toObject(new HeapData(cut))).isInstanceOf(PredicateFormatException.class);
        }
    }
}
