package dev.touchstone.index.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The data set that the index was first measured with. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeedPricesTest {
    private static final int REQUESTS = 3000;

    private final SeedPrices seed = new SeedPrices();
    private final PriceIndex index = seed.declare(PriceIndex.builder()).build(seed);

    private PriceQuery known() {
        return index.query()
                .offering("a38e432c-3965-4c74-8251-aa640002d2b2")
                .eq("Term", "18")
                .eq("B2B Traffic", "10GB")
                .eq("VPN", "ad796998-f1c7-4fcc-9a6b-1b33042fb375")
                .eq("B2B Bandwidth", "1Mbps")
                .eq("Router", "Included")
                .eq(SeedPrices.SPEC, "MRC");
    }

    @Test
    void prices_areAsManyAsTheOriginalHas() {
        assertThat(seed.size()).isEqualTo(487_200);
        int[] groups = {97_643, 97_037, 97_342, 97_382, 97_796};
        for (int i = 0; i < groups.length; i++) {
            PriceQuery group = index.query().eq(SeedPrices.GROUP, "group" + (i + 1));
            SearchResult.Found found = (SearchResult.Found) index.search(group.policy(MatchPolicy.ALL));
            assertThat(found.matches()).isEqualTo(groups[i]);
        }
        assertThat(index.stats()).isEqualTo(new IndexStats(1, 487_200, 50, 48 + 5 + 2));
        assertThat(seed.values("offering")).hasSize(50);
        assertThat(seed.characteristics())
                .containsExactly("Term", "B2B Traffic", "VPN", "B2B Bandwidth", "Router")
                .extracting(name -> seed.values(name).size())
                .containsExactly(6, 7, 4, 29, 2);
    }

    @Test
    void price_ofANumber_isTheOneInThatPlace() {
        int number = 0;
        Iterator<Price> first = seed.iterator();
        for (; number < 30_000; number++) {
            Price price = first.next();
            if (number % 1000 < 3) {
                assertThat(price).isEqualTo(seed.price(number));
            }
        }
        for (number = 0; number < seed.size(); number += 4_872) {
            Price price = seed.price(number);
            assertThat(price.value()).isEqualTo(BigDecimal.valueOf(number));
            assertThat(price.offering()).isEqualTo(seed.values("offering").get(number / 9_744));
        }
        assertThat(index.prices(seed.values("offering").get(49)).get(9_743)).isEqualTo(seed.price(487_199));
        assertThat(new SeedPrices().price(12_345)).isEqualTo(seed.price(12_345));
        assertThatThrownBy(() -> seed.price(487_200)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> seed.price(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> seed.values("Colour"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("Colour");
    }

    @Test
    void search_forTheKnownRequest_findsTheKnownPrice() {
        SearchResult.Found found = (SearchResult.Found) index.search(known().eq(SeedPrices.GROUP, "group5"));
        assertThat(found.value(0)).isEqualTo(new BigDecimal("2320"));
        assertThat(found.price(0)).isEqualTo(seed.price(2320));
        assertThat(found.hasUuid(0)).isTrue();
    }

    @Test
    void explain_ofTheKnownRequest_showsOneLookUp() {
        Explanation explanation = index.explain(known().eq(SeedPrices.GROUP, "group5"));
        assertThat(explanation.plan()).isEqualTo(Plan.KEY);
        assertThat(explanation.killer()).isEmpty();
        List<Explanation.Step> steps = explanation.steps();
        assertThat(steps).hasSize(8);
        assertThat(steps.get(0))
                .isEqualTo(new Explanation.Step(
                        "offering = " + seed.values("offering").get(0), 9_744, 9_744));
        assertThat(steps.get(1)).isEqualTo(new Explanation.Step("Term = 18", 1_624, 1_624));
        assertThat(steps.get(5).remaining()).isEqualTo(1);
        Explanation other = index.explain(known().eq(SeedPrices.GROUP, "group1"));
        assertThat(other.killer().orElseThrow().condition()).isEqualTo("group = group1");
    }

    @Tag("sweep")
    @Test
    void search_forRotatingRequests_findsTheirPrices() {
        long random = Long.getLong("seed", System.nanoTime());
        SplittableRandom numbers = new SplittableRandom(random);
        List<PriceQuery> queries = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            int number = numbers.nextInt(seed.size());
            Price price = seed.price(number);
            PriceQuery query = index.query().offering(price.offering());
            price.conditions().forEach(query::eq);
            boolean isOther = i % 5 == 0;
            queries.add(isOther ? query.eq(SeedPrices.GROUP, "group" + (1 + i / 5 % 5)) : query);
            boolean isFound = !isOther || price.conditions().containsValue("group" + (1 + i / 5 % 5));
            expected.add(isFound ? number : -1L);
        }
        List<Long> answers = index.searchAll(queries).stream()
                .map(result -> result instanceof SearchResult.Found found ? found.unscaledValue(0) : -1L)
                .toList();
        assertThat(answers).as("seed=%d", random).isEqualTo(expected);
    }
}
