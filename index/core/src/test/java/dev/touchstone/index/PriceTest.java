package dev.touchstone.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PriceTest {
    private static PriceIndex index(Price... prices) {
        return PriceIndex.builder().string("s").integer("n").decimal("d", 2).build(List.of(prices));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "-1",
                "0.00",
                "999999999999999999",
                "-999999999999999999",
                "0.000000000000000001",
                "-0.999999999999999999",
                "12.50",
                "999999999.999999999"
            })
    void value_ofUpTo18Digits_comesBackAsItWas(String value) {
        PriceIndex index = index(
                Price.of("a", "o", Map.of(), new BigDecimal(value)),
                Price.of("b", "o", Map.of(), new BigDecimal("1.5")));
        SearchResult.Found found =
                (SearchResult.Found) index.search(index.query().policy(MatchPolicy.ALL));
        assertThat(found.value(0))
                .isEqualTo(new BigDecimal(value))
                .isEqualTo(found.price(0).value());
        assertThat(BigDecimal.valueOf(found.unscaledValue(0), found.scale(0))).isEqualTo(new BigDecimal(value));
        assertThat(found.value(1)).isEqualTo(new BigDecimal("1.5"));
    }

    @ParameterizedTest
    @CsvSource({"1E+5, 100000", "-12E+3, -12000", "1E+17, 100000000000000000", "0E+5, 0"})
    void value_withANegativeScale_isWrittenOut(String value, String written) {
        assertThat(Price.of("a", "o", Map.of(), new BigDecimal(value)).value()).isEqualTo(new BigDecimal(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000000000000000000",
                "-1000000000000000000",
                "0.0000000000000000001",
                "1E+18",
                "1E+2147483647",
                "1E-2147483647",
                "0E-19",
                "1.0000000000000000000"
            })
    void value_ofMoreThan18Digits_isRefused(String value) {
        assertThatThrownBy(() -> Price.of("some id", "o", Map.of(), new BigDecimal(value)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("18 digits", "some id");
    }

    @Test
    void id_thatIsEmpty_isRefused() {
        assertThatThrownBy(() -> Price.of("", "the offering", Map.of(), BigDecimal.ONE))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("the offering");
    }

    @Test
    void conditions_changedAfterwards_areWhatTheyWere() {
        Map<String, Object> conditions = new HashMap<>(Map.of("s", "a"));
        Price price = Price.of("a", "o", conditions, BigDecimal.ONE);
        conditions.put("s", "b");
        assertThat(price.conditions()).containsExactly(Map.entry("s", "a"));
    }

    @Test
    void payload_thatIsEmpty_isNone() {
        Price price = new Price("a", "o", Map.of(), BigDecimal.ONE, "", false, "");
        assertThat(price.payload()).isNull();
        assertThat(index(price).prices("o")).containsExactly(price);
    }

    @ParameterizedTest
    @CsvSource({
        "a, a",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301, 3f2504e0-4f89-41d3-9a0c-0305e82c3302",
        "3F2504E0-4F89-41D3-9A0C-0305E82C3301, 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "00000000-0000-0000-0000-000000000000, ffffffff-ffff-ffff-ffff-ffffffffffff",
        "3f2504e0-4f89-41d3-9a0c-0305e82c330g, 3f2504e04f89-41d3-9a0c-0305e82c33012-",
        "\u00fc, \ud83d\ude07"
    })
    void id_ofAnyKind_comesBackAsItWas(String one, String other) {
        PriceIndex index = index(
                Price.of(one, "o", Map.of("n", 1L), BigDecimal.ONE),
                Price.of(other + (one.equals(other) ? "2" : ""), "o", Map.of("n", 2L), BigDecimal.TEN));
        SearchResult.Found found =
                (SearchResult.Found) index.search(index.query().eq("n", 1L));
        assertThat(found.id(0)).isEqualTo(one).isEqualTo(found.price(0).id());
        assertThat(((SearchResult.Found) index.search(index.query().eq("n", 2L))).id(0))
                .startsWith(other);
        index.update(new PriceBatch().remove("o", one));
        assertThat(index.prices("o")).extracting(Price::id).hasSize(1).allMatch(id -> id.startsWith(other));
    }

    private static SearchResult.Found first(PriceIndex index) {
        return (SearchResult.Found) index.search(index.query());
    }

    @Test
    void halvesOfAnId_areThoseOfTheUuid() {
        String id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        SearchResult.Found uuid = first(index(Price.of(id, "uuids", Map.of(), BigDecimal.ONE)));
        assertThat(uuid.hasUuid(0)).isTrue();
        assertThat(new java.util.UUID(uuid.idHigh(0), uuid.idLow(0))).hasToString(id);
        SearchResult.Found text = first(index(Price.of("text", "texts", Map.of(), BigDecimal.ONE)));
        assertThat(text.hasUuid(0)).isFalse();
        assertThat(text.id(0)).isEqualTo("text");
    }

    @Test
    void id_thatIsThereTwice_isRefusedWithOfferingAndId() {
        for (String id : new String[] {"same", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"}) {
            assertThatThrownBy(() -> index(
                            Price.of(id, "o", Map.of(), BigDecimal.ONE),
                            Price.of(id, "o", Map.of("n", 1L), BigDecimal.TEN)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("twice", "'o'", id);
        }
        assertThat(index(
                                Price.of("same", "o", Map.of(), BigDecimal.ONE),
                                Price.of("same", "p", Map.of(), BigDecimal.ONE))
                        .stats()
                        .prices())
                .isEqualTo(2);
    }

    @Test
    void condition_thatTheFieldCannotHave_isRefusedWithItsName() {
        assertThatThrownBy(() -> index(Price.of("a", "o", Map.of("x", "y"), BigDecimal.ONE)))
                .isInstanceOf(UnknownFieldException.class)
                .hasMessageContaining("'x'");
        assertThatThrownBy(() -> index(Price.of("a", "o", Map.of("s", 1L), BigDecimal.ONE)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field=s");
        assertThatThrownBy(() -> index(Price.of("a", "o", Map.of("n", "1"), BigDecimal.ONE)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field=n");
        assertThatThrownBy(() -> index(Price.of("a", "o", Map.of("d", new BigDecimal("1.005")), BigDecimal.ONE)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field=d");
    }

    /** UTF-8 has no bytes for half of a character: it would come back from a file as another one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void text_withHalfOfACharacter_isRefusedWithItsPlace(int place) {
        for (String half : List.of("a\ud83d", "\ude07", "\ud83d\ud83d\ude07", "x\ude07\ud83d")) {
            String[] texts = {"id", "offering", "value", "EUR", "payload"};
            texts[place] = half;
            Price price =
                    new Price(texts[0], texts[1], Map.of("s", texts[2]), BigDecimal.ONE, texts[3], false, texts[4]);
            String what = List.of("in=id", "in=offering", "in=s", "in=currency", "in=payload")
                    .get(place);
            assertThatThrownBy(() -> index(price))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(what);
            PriceIndex index = index();
            assertThatThrownBy(() -> index.update(new PriceBatch().put(price)))
                    .isInstanceOf(InvalidValueException.class);
            assertThat(index.stats()).isEqualTo(new IndexStats(1, 0, 0, 0));
        }
    }

    @Test
    void currencies_ofOneOffering_areEachPricesOwn() {
        Price euro = new Price("a", "o", Map.of("n", 1L), BigDecimal.ONE, "EUR", false, null);
        Price none = new Price("b", "o", Map.of("n", 2L), BigDecimal.ONE, "", true, "{}");
        PriceIndex index = index(euro, none, new Price("c", "p", Map.of(), BigDecimal.ONE, "USD", false, null));
        SearchResult.Found found =
                (SearchResult.Found) index.search(index.query().policy(MatchPolicy.ALL));
        assertThat(List.of(found.currency(0), found.currency(1), found.currency(2)))
                .containsExactly("EUR", "", "USD");
        assertThat(found.payload(0)).isNull();
        assertThat(found.payload(1)).isEqualTo("{}");
        assertThat(found.text(0, index.field("s"))).isEmpty();
    }
}
