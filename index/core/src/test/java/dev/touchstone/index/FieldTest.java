package dev.touchstone.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FieldTest {
    private static final Field INTEGER = new Field("n", FieldType.INTEGER, 0, 0);
    private static final Field DECIMAL = new Field("d", FieldType.DECIMAL, 2, 0);
    private static final Field TIME = new Field("t", FieldType.DATE_TIME, 0, 0);

    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @CsvSource({
        "INTEGER, 12",
        "INTEGER, -9223372036854775808",
        "INTEGER, 9223372036854775807",
        "DECIMAL, 1.50",
        "DECIMAL, -0.01",
        "DECIMAL, 9999999999999999.99",
        "DATE_TIME, 2019-05-10T05:00:00Z",
        "DATE_TIME, -0044-03-15T12:00:00.000001Z",
    })
    void number_ofAParsedValue_isTheValueAgain(FieldType type, String text) {
        Field field = new Field("f", type, type == FieldType.DECIMAL ? 2 : 0, 0);
        Object value = type.parse(text);
        assertThat(field.value(field.number(value))).isEqualTo(value);
        assertThat(value).hasToString(text);
        assertThat(field.bound(value, true)).isEqualTo(field.number(value)).isEqualTo(field.bound(value, false));
    }

    @Test
    void parse_ofAStringField_isTheText() {
        assertThat(FieldType.STRING.parse("")).isEqualTo("");
        assertThat(FieldType.STRING.parse("12 ")).isEqualTo("12 ");
    }

    @Test
    void parse_withAnOffset_isThePointInTime() {
        assertThat(FieldType.DATE_TIME.parse("2019-05-10T07:00:00+02:00"))
                .isEqualTo(Instant.parse("2019-05-10T05:00:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, ''",
        "INTEGER, 1.0",
        "INTEGER, 9223372036854775808",
        "INTEGER, 0x10",
        "INTEGER, ' 1'",
        "INTEGER, \uFF11\uFF12",
        "DECIMAL, 1\u0662",
        "DECIMAL, ''",
        "DECIMAL, 1.2.3",
        "DECIMAL, NaN",
        "DECIMAL, '1,5'",
        "DECIMAL, 1E99999999999",
        "DECIMAL, 00000000000000000000000000000000000000000000000000000000000000001",
        "DATE_TIME, ''",
        "DATE_TIME, 2019-05-10",
        "DATE_TIME, 2019-05-10T05:00:00",
        "DATE_TIME, 2019-02-30T05:00:00Z",
    })
    void parse_ofWhatIsNoValue_isRefusedWithTypeAndText(FieldType type, String text) {
        assertThatThrownBy(() -> type.parse(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll(type.name(), "'" + text + "'");
    }

    @Test
    void parse_ofALongText_isRefusedWithItsStart() {
        assertThatThrownBy(() -> FieldType.INTEGER.parse("1".repeat(1_000_000)))
                .isInstanceOf(InvalidValueException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.005",
                "0.001",
                "-0.001",
                "10000000000000000",
                "1E+16",
                "1E+999999999",
                "-1E+999999999",
                "1E-999999999",
                "1E+2147483647",
                "1E-2147483647"
            })
    void number_ofMoreDigitsThanTheField_isRefused(String decimal) {
        assertThatThrownBy(() -> DECIMAL.number(new BigDecimal(decimal)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("d", "scale=2", decimal);
    }

    @ParameterizedTest
    @CsvSource({
        "0E+999999999, 0",
        "0E-999999999, 0",
        "1E+15, 100000000000000000",
        "-1E+15, -100000000000000000",
        "1.500000000000000000000000000000, 150",
    })
    void number_ofAnOddlyWrittenDecimal_isItsValue(String decimal, long number) {
        assertThat(DECIMAL.number(new BigDecimal(decimal))).isEqualTo(number);
        assertThat(DECIMAL.bound(new BigDecimal(decimal), true)).isEqualTo(number);
        assertThat(DECIMAL.bound(new BigDecimal(decimal), false)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({
        "1.005, 101, 100",
        "-1.005, -100, -101",
        "0.001, 1, 0",
        "-0.001, 0, -1",
        "1E-999999999, 1, 0",
        "-1E-999999999, 0, -1",
        "0.0099999, 1, 0",
        "1E+30, 9223372036854775807, 9223372036854775807",
        "-1E+30, -9223372036854775808, -9223372036854775808",
        "1E+2147483647, 9223372036854775807, 9223372036854775807",
        "-1E+2147483647, -9223372036854775808, -9223372036854775808",
    })
    void bound_betweenTwoNumbers_isRoundedIntoTheRange(String decimal, long low, long high) {
        assertThat(DECIMAL.bound(new BigDecimal(decimal), true)).isEqualTo(low);
        assertThat(DECIMAL.bound(new BigDecimal(decimal), false)).isEqualTo(high);
    }

    @Test
    void bound_ofRandomDecimals_isWhatPlainArithmeticSays() {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            Field field = new Field("d", FieldType.DECIMAL, random.nextInt(19), 0);
            BigDecimal value = new BigDecimal(
                    BigInteger.valueOf(random.nextLong() >> random.nextInt(64)), random.nextInt(-10, 30));
            String what = "seed=" + seed + " value=" + value + " scale=" + field.scale();
            for (boolean isLow : new boolean[] {true, false}) {
                BigDecimal rounded = value.scaleByPowerOfTen(field.scale())
                        .setScale(0, isLow ? RoundingMode.CEILING : RoundingMode.FLOOR);
                long bound = field.bound(value, isLow);
                if (rounded.abs().compareTo(BigDecimal.valueOf(1_000_000_000_000_000_000L)) < 0) {
                    assertThat(bound).as(what).isEqualTo(rounded.longValueExact());
                } else {
                    assertThat(field.hasNumber(bound)).as(what).isFalse();
                    assertThat(Long.signum(bound)).as(what).isEqualTo(value.signum());
                }
            }
        }
    }

    @Test
    void number_ofAnInstantBelowAMicrosecond_isRefusedButBoundsAreRounded() {
        Instant between = Instant.ofEpochSecond(1, 1_500);
        assertThatThrownBy(() -> TIME.number(between)).isInstanceOf(InvalidValueException.class);
        assertThat(TIME.bound(between, true)).isEqualTo(1_000_002);
        assertThat(TIME.bound(between, false)).isEqualTo(1_000_001);
        Instant before = Instant.ofEpochSecond(-1, 1);
        assertThat(TIME.bound(before, true)).isEqualTo(-999_999);
        assertThat(TIME.bound(before, false)).isEqualTo(-1_000_000);
    }

    @Test
    void number_ofAnInstantTooFarFromNow_isRefused() {
        for (Instant far : new Instant[] {Instant.MIN, Instant.MAX}) {
            assertThatThrownBy(() -> TIME.number(far)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> TIME.bound(far, true))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("too far");
        }
        Instant last = FieldType.instant(Long.MAX_VALUE);
        assertThat(TIME.number(last)).isEqualTo(Long.MAX_VALUE);
        assertThat(TIME.bound(last.plusNanos(1), false)).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> TIME.bound(last.plusNanos(1), true)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void number_ofAnInteger_isItsValue() {
        assertThat(INTEGER.number(5)).isEqualTo(5);
        assertThatThrownBy(() -> INTEGER.number(5.0)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> INTEGER.number("5")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void field_thatCannotBe_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Field("", FieldType.STRING, 0, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", FieldType.STRING, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", FieldType.DECIMAL, 19, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Field("f", FieldType.DECIMAL, -1, 0));
    }
}
