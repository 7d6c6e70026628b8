package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PricePage.Order;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages in all orders: those that a sorted list of all matches has. */
@Timeout(120)
class PricePageTest {
    private static final List<String> IDS = List.of("a", "b", "\u00e9\n", "\ud83d\ude00");
    private static final Comparator<Price> TIES =
            Comparator.comparing(Price::offering).thenComparing(Price::id);

    private static PriceIndex index() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            Map<String, Object> conditions =
                    i % 5 == 0 ? Map.of("kind", "k" + i % 3) : Map.of("kind", "k" + i % 3, "term", (long) (i * 7 % 11));
            prices.add(Price.of(
                    IDS.get(i % 4) + i / 12, "o\n" + i / 4 % 3, conditions, BigDecimal.valueOf(i * 13 % 17, i % 3)));
        }
        return PriceIndex.builder().string("kind").integer("term").build(prices);
    }

    private static List<Price> all(PriceIndex index, PriceQuery query, Order order) {
        List<Price> all = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            PricePage page = PricePage.of(index, query, order, cursor, () -> false);
            assertThat(page.version()).isEqualTo(index.version());
            assertThat(page.isChanged()).isFalse();
            assertThat(page.prices()).hasSizeLessThanOrEqualTo(query.limit());
            all.addAll(page.prices());
            assertThat(all.size()).isLessThanOrEqualTo((int) index.count(query)); // pages that repeat would have no end
            cursor = page.next();
        } while (cursor != null);
        return all;
    }

    private static Comparator<Price> comparator(String by, boolean isDescending) {
        if (by.equals("id")) {
            Comparator<Price> ids = Comparator.comparing(Price::id);
            return (isDescending ? ids.reversed() : ids).thenComparing(Price::offering);
        }
        if (by.equals("value")) {
            Comparator<Price> values = Comparator.comparing(Price::value);
            return (isDescending ? values.reversed() : values).thenComparing(TIES);
        }
        long last = isDescending ? Long.MIN_VALUE : Long.MAX_VALUE;
        Comparator<Price> terms =
                Comparator.comparing(price -> (Long) price.conditions().getOrDefault("term", last));
        return (isDescending ? terms.reversed() : terms).thenComparing(TIES);
    }

    @Test
    void pages_ofEachOrderAndLength_areThoseOfASortedList() {
        PriceIndex index = index();
        Map<String, Order> orders =
                Map.of("value", Order.byValue(), "id", Order.byId(), "term", Order.by(index.field("term")));
        PriceQuery query = index.query().ne("kind", "k1");
        List<Price> matches = new ArrayList<>();
        index.forEach(query, () -> false, matches::add);
        orders.forEach((by, order) -> {
            for (int limit : new int[] {1, 7, 79, 80, 1000}) {
                query.limit(limit);
                assertThat(all(index, query, order))
                        .isEqualTo(
                                matches.stream().sorted(comparator(by, false)).toList());
                assertThat(all(index, query, order.descending()))
                        .isEqualTo(matches.stream().sorted(comparator(by, true)).toList());
            }
        });
        assertThat(all(index, index.query().offering("none"), Order.byId())).isEmpty();
    }

    /** Checks that the prices behind a full page, none of which comes to it, make a next page. */
    @Test
    void pages_ofPricesThatStandInTheOrder_areAllOfThem() {
        List<Price> prices = new ArrayList<>();
        for (int i = 10; i < 20; i++) {
            prices.add(Price.of("p" + i, "o", Map.of("term", (long) i), BigDecimal.valueOf(i)));
        }
        PriceIndex index = PriceIndex.builder().integer("term").build(prices);
        for (Order order : List.of(Order.byValue(), Order.byId(), Order.by(index.field("term")))) {
            assertThat(all(index, index.query().limit(3), order))
                    .as("order=%s", order)
                    .isEqualTo(prices);
        }
    }

    @Test
    void nextPage_afterAnUpdate_goesOnBehindTheLastPriceAndSaysSo() {
        PriceIndex index = index();
        PriceQuery query = index.query().limit(40);
        PricePage first = PricePage.of(index, query, Order.byValue(), null, () -> false);
        List<Price> rest = all(index, query.limit(1000), Order.byValue()).subList(40, 120);
        Price last = first.prices().get(39);
        index.update(new PriceBatch()
                .remove(last.offering(), last.id())
                .remove(rest.get(0).offering(), rest.get(0).id()));

        PricePage second = PricePage.of(index, query, Order.byValue(), first.next(), () -> false);

        assertThat(second.isChanged()).isTrue();
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.prices()).isEqualTo(rest.subList(1, 80));
        assertThat(second.next()).isNull();
    }

    @Test
    void badArguments_areRefused() {
        PriceIndex index = index();
        String cursor = PricePage.of(index, index.query().limit(1), Order.byId(), null, () -> false)
                .next();
        for (String bad : List.of("", "x", "%", "AAAA", "MQox", cursor + "!")) {
            assertThatThrownBy(() -> PricePage.of(index, index.query(), Order.byId(), bad, () -> false))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("not a cursor of a page: cursor=");
        }
        assertThatThrownBy(() -> PricePage.of(index, index.query(), Order.byValue(), cursor, () -> false))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("cursor of another order");
        for (String forged : List.of("7".repeat(41), "+1", "01", "1E1", "-0", "x")) {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split("\n", 6);
            parts[3] = forged;
            String bad = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> PricePage.of(index, index.query(), Order.byId(), bad, () -> false))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("not a cursor of a page");
        }
        PriceQuery nested = index.query().anyOf(index.query().eq("kind", "k1"));
        for (PriceQuery other : List.of(
                index.query().offering("o\n1"),
                index.query().eq("kind", "k1"),
                index.query().wildcards(true),
                index.query().policy(MatchPolicy.SPECIFIC),
                nested,
                index.query().noneOf(index.query().eq("kind", "k1")),
                index.query().anyOf(index.query().eq("kind", "k1").wildcards(true)),
                index.query().anyOf(index.query(), index.query().eq("kind", "k1")))) {
            assertThatThrownBy(() -> PricePage.of(index, other, Order.byId(), cursor, () -> false))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("cursor of another query");
            if (other != nested) {
                String ofNested = PricePage.of(index, nested.limit(1), Order.byId(), null, () -> false)
                        .next();
                assertThatThrownBy(() -> PricePage.of(index, other, Order.byId(), ofNested, () -> false))
                        .hasMessageContaining("cursor of another query");
            }
        }
        assertThatThrownBy(() -> Order.by(index.field("kind")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("a string has no order: field=kind");
        assertThatThrownBy(() -> PricePage.of(index, index().query(), Order.byId(), null, () -> false))
                .isInstanceOf(IllegalArgumentException.class);
        PriceIndex other = PriceIndex.builder().integer("months", "weeks").build(List.of());
        for (String name : List.of("months", "weeks")) {
            assertThatThrownBy(() -> PricePage.of(
                            index, index.query(), Order.by(other.field(name)).descending(), null, () -> false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("field of another index: name=" + name);
        }
        assertThatThrownBy(() -> PricePage.of(index, index.query(), Order.byId(), null, () -> true))
                .isInstanceOf(CancellationException.class);
    }
}
