package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.QueryAccess;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which condition leaves nothing, and how an offering is searched. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainTest {
    private final PriceIndex index = index();

    /** 400 prices under a color that 200 have, a number that each has alone, and a size; one offering more of one price. */
    private static PriceIndex index() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            prices.add(Price.of(
                    "p" + i,
                    "o",
                    Map.of("color", i % 2 == 0 ? "red" : "blue", "number", "n" + i, "size", (long) (i % 10)),
                    BigDecimal.ONE));
        }
        prices.add(Price.of("other", "small", Map.of("color", "green"), BigDecimal.ONE));
        for (int i = 0; i < 20; i++) {
            prices.add(Price.of("p" + i, "constant", Map.of("color", "green"), BigDecimal.ONE));
        }
        return PriceIndex.builder().string("color", "number").integer("size").build(prices);
    }

    private Plan plan(PriceQuery query) {
        return index.explain(query).plan();
    }

    /** A query as for an offering with many prices. */
    private static PriceQuery unscanned(PriceQuery query) {
        QueryAccess.neverScan(query.bound);
        return query;
    }

    @Test
    void plan_isTheWayThatSuitsTheQuery() {
        PriceQuery whole = index.query()
                .offering("o")
                .eq("color", "red")
                .eq("number", "n4")
                .eq("size", 4L);
        assertThat(plan(whole)).isEqualTo(Plan.KEY);
        assertThat(plan(whole.ne("size", 1L))).isEqualTo(Plan.KEY);
        assertThat(plan(index.query().offering("o").eq("number", "n4"))).isEqualTo(Plan.SCAN);
        assertThat(plan(unscanned(index.query().offering("o").eq("number", "n4"))))
                .isEqualTo(Plan.LIST);
        assertThat(plan(unscanned(index.query().offering("o").eq("color", "red"))))
                .isEqualTo(Plan.BITMAP);
        assertThat(plan(index.query().offering("o").between("size", 1L, 2L))).isEqualTo(Plan.BITMAP);
        assertThat(plan(index.query().offering("o"))).isEqualTo(Plan.ALL);
        assertThat(plan(index.query())).isEqualTo(Plan.ALL);
        assertThat(plan(index.query().offering("nobody"))).isEqualTo(Plan.NOTHING);
        assertThat(plan(index.query().offering("o").eq("color", "pink"))).isEqualTo(Plan.NOTHING);
        assertThat(plan(unscanned(index.query().offering("o").eq("color", "green"))))
                .isEqualTo(Plan.NOTHING);
        assertThat(plan(index.query().offering("o").in("color", List.of("pink"))))
                .isEqualTo(Plan.NOTHING);
        assertThat(plan(whole.clear()
                        .offering("o")
                        .eq("color", "red")
                        .eq("number", "n4")
                        .eq("size", 77L)))
                .isEqualTo(Plan.NOTHING);
    }

    /** Fields that have one value, or none, in the whole offering need not be asked for. */
    @Test
    void plan_whereTheOtherFieldsAreConstant_isAKey() {
        assertThat(plan(index.query().offering("constant").eq("color", "green")))
                .isEqualTo(Plan.KEY);
        assertThat(plan(index.query().offering("constant"))).isEqualTo(Plan.ALL);
    }

    @Test
    void plan_ofASmallOffering_isAScan() {
        assertThat(plan(index.query().offering("small").eq("color", "green"))).isEqualTo(Plan.SCAN);
        assertThat(plan(index.query().offering("small"))).isEqualTo(Plan.ALL);
    }

    @Test
    void steps_tellWhatEachConditionLeaves() {
        Explanation explanation = index.explain(index.query()
                .offering("o")
                .eq("color", "red")
                .atLeast(index.field("size"), 5L)
                .ne("number", "n6"));
        assertThat(explanation.version()).isEqualTo(1);
        assertThat(explanation.steps())
                .containsExactly(
                        new Explanation.Step("offering = o", 400, 400),
                        new Explanation.Step("color = red", 200, 200),
                        new Explanation.Step("size between 5 and any", 200, 80),
                        new Explanation.Step("number <> n6", 399, 79));
        assertThat(explanation.killer()).isEmpty();
    }

    @Test
    void killer_isTheFirstConditionThatLeavesNothing() {
        Explanation odd = index.explain(
                index.query().offering("o").eq("color", "red").eq("size", 3L).eq("number", "n3"));
        assertThat(odd.killer()).contains(new Explanation.Step("size between 3 and 3", 40, 0));
        Explanation unknown =
                index.explain(index.query().offering("o").eq("color", "red").eq("color", "pink"));
        assertThat(unknown.plan()).isEqualTo(Plan.NOTHING);
        assertThat(unknown.killer()).contains(new Explanation.Step("color = pink", 0, 0));
        Explanation nobody = index.explain(index.query().offering("nobody").eq("color", "red"));
        assertThat(nobody.killer()).contains(new Explanation.Step("offering = nobody", 0, 0));
    }

    @Test
    void steps_withoutOffering_countAll() {
        assertThat(index.explain(index.query().eq("color", "green")).steps())
                .containsExactly(
                        new Explanation.Step("offering = any", 421, 421),
                        new Explanation.Step("color = green", 21, 21));
    }

    @Test
    void explain_thatIsStopped_endsWithinTheRows() {
        AtomicInteger checks = new AtomicInteger();
        PriceQuery query = index.query().offering("o").eq("color", "red");

        assertThatThrownBy(() -> index.explain(query, () -> checks.incrementAndGet() == 2))
                .isInstanceOf(CancellationException.class)
                .hasMessage("explanation was stopped: offering=o row=256");
        assertThat(checks).hasValue(2);
    }

    /** What is said is true: as many prices remain as a search finds. */
    @Test
    void remaining_ofRandomQueries_isWhatASearchFinds() {
        long seed = Long.getLong("seed", System.nanoTime());
        RandomPrices random = new RandomPrices(seed, 6, 4, 3);
        List<Price> prices = random.prices(200);
        PriceIndex some = random.builder().build(prices);
        for (int i = 0; i < 300; i++) {
            String offering = random.offering();
            List<Condition> conditions = random.conditions(4);
            PriceQuery query = Answers.query(some, offering, conditions);
            Explanation explanation = some.explain(query);
            List<Explanation.Step> steps = explanation.steps();
            int expected = Answers.matching(prices, offering, conditions).size();
            assertThat(steps.get(steps.size() - 1).remaining())
                    .as("seed=%d %s", seed, query)
                    .isEqualTo(expected);
            assertThat(explanation.killer().isPresent())
                    .as("seed=%d %s", seed, query)
                    .isEqualTo(expected == 0);
            assertThat(explanation.plan() == Plan.NOTHING && expected > 0).isFalse();
        }
    }
}
