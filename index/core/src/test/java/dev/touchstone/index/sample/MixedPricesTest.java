package dev.touchstone.index.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.touchstone.index.Price;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MixedPricesTest {
    private final MixedPrices mixed = new MixedPrices(4000, 20, 9, 42);

    @Test
    void prices_ofTheSameSeed_areTheSame() {
        List<Price> prices = new ArrayList<>();
        mixed.forEach(prices::add);
        assertThat(prices).hasSize(4000).isEqualTo(list(new MixedPrices(4000, 20, 9, 42)));
        assertThat(prices.get(77)).isEqualTo(mixed.price(77));
        assertThat(prices.subList(0, 10)).doesNotContainAnyElementsOf(list(new MixedPrices(10, 20, 9, 43)));
        assertThat(new HashSet<>(prices.stream().map(Price::id).toList())).hasSize(4000);
    }

    private static List<Price> list(MixedPrices some) {
        List<Price> prices = new ArrayList<>();
        some.forEach(prices::add);
        return prices;
    }

    @Test
    void prices_haveWhatTheSeedLacks() {
        Map<String, Integer> sizes = new TreeMap<>();
        int defaults = 0;
        int open = 0;
        int wrong = 0;
        List<Set<Object>> values =
                IntStream.range(0, 9).mapToObj(MixedPricesTest::values).toList();
        for (Price price : mixed) {
            sizes.merge(price.offering(), 1, Integer::sum);
            defaults += price.isDefault() ? 1 : 0;
            open += price.conditions().containsKey("to") ? 0 : 1;
            for (int i = 0; i < 9; i++) {
                Object value = price.conditions().get("s" + i);
                wrong += value == null || values.get(i).contains(value) ? 0 : 1;
            }
        }
        assertThat(sizes).containsKeys(MixedPrices.offering(0), MixedPrices.offering(19));
        assertThat(sizes.getOrDefault(MixedPrices.offering(0), 0))
                .isGreaterThan(5 * sizes.getOrDefault(MixedPrices.offering(19), 0));
        assertThat(wrong).isZero();
        assertThat(defaults).isBetween(40, 160);
        assertThat(open).isBetween(130, 400);
    }

    private static Set<Object> values(int field) {
        Set<Object> values = new HashSet<>();
        for (int i = 0; i < MixedPrices.distinct(field); i++) {
            values.add(MixedPrices.value(field, i));
        }
        return values;
    }

    @Test
    void profile_thatCannotBe_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(-1, 1, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(1, 0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(1, 1, -1, 1));
        assertThat(MixedPrices.large().count()).isEqualTo(2_000_000);
    }
}
