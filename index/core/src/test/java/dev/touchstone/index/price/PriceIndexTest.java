package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.IndexStats;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks what the index answers under each policy. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PriceIndexTest {
    private static Price price(String id, String offering, boolean isDefault, String color) {
        return new Price(id, offering, Map.of("color", color), BigDecimal.ONE, "", isDefault, null);
    }

    private static PriceIndex colors() {
        return PriceIndex.builder()
                .string("color")
                .integer("size")
                .build(List.of(
                        price("a", "o", false, "red"),
                        price("b", "o", true, "red"),
                        price("c", "o", true, "red"),
                        price("d", "o", false, "blue"),
                        price("e", "o", false, "blue"),
                        price("f", "p", false, "green"),
                        price("g", "p", false, "red")));
    }

    private static List<String> ids(SearchResult result) {
        return ((SearchResult.Found) result).prices().stream().map(Price::id).toList();
    }

    @Test
    void search_whereSeveralMatch_answersByPolicy() {
        PriceIndex index = colors();
        PriceQuery red = index.query().offering("o").eq("color", "red");
        assertThat(red.policy()).isEqualTo(MatchPolicy.DEFAULT);
        assertThat(ids(index.search(red))).containsExactly("b");
        assertThat(index.search(red.policy(MatchPolicy.ERROR))).isEqualTo(new SearchResult.Ambiguous(1, 3));
        assertThat(ids(index.search(red.policy(MatchPolicy.FIRST)))).containsExactly("a");
        assertThat(ids(index.search(red.policy(MatchPolicy.ALL)))).containsExactly("a", "b", "c");
        PriceQuery blue = index.query().offering("o").eq("color", "blue");
        assertThat(index.search(blue)).isEqualTo(new SearchResult.Ambiguous(1, 2));
        assertThat(ids(index.search(blue.policy(MatchPolicy.FIRST)))).containsExactly("d");
        PriceQuery green = index.query().eq("color", "green");
        for (MatchPolicy policy : MatchPolicy.values()) {
            assertThat(ids(index.search(green.policy(policy)))).containsExactly("f");
        }
    }

    @Test
    void search_ofAllWithALimit_keepsTheFirstOnesAndCountsTheRest() {
        PriceIndex index = colors();
        PriceQuery all = index.query().policy(MatchPolicy.ALL);
        for (int limit = 1; limit < 10; limit++) {
            SearchResult.Found found = (SearchResult.Found) index.search(all.limit(limit));
            assertThat(found.matches()).isEqualTo(7);
            assertThat(found.size())
                    .isEqualTo(Math.min(limit, 7))
                    .isEqualTo(found.prices().size());
            assertThat(ids(found))
                    .containsExactlyElementsOf(
                            List.of("a", "b", "c", "d", "e", "f", "g").subList(0, found.size()));
        }
        SearchResult.Found red =
                (SearchResult.Found) index.search(all.limit(Integer.MAX_VALUE).eq("color", "red"));
        assertThat(ids(red)).containsExactly("a", "b", "c", "g");
        assertThatThrownBy(() -> red.id(4)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void search_inAnEmptyIndex_findsNothing() {
        PriceIndex index = PriceIndex.builder().build(List.of());
        assertThat(index.fields()).isEmpty();
        assertThat(index.search(index.query())).isEqualTo(new SearchResult.NotFound(1));
        assertThat(index.search(index.query().offering("o"))).isEqualTo(new SearchResult.NotFound(1));
        assertThat(index.prices("o")).isEmpty();
        assertThat(index.stats()).isEqualTo(new IndexStats(1, 0, 0, 0));
        assertThat(index.searchAll(List.of())).isEmpty();
        assertThat(index.update(new PriceBatch().put(Price.of("a", "o", Map.of(), BigDecimal.ONE))))
                .isEqualTo(2);
        assertThat(ids(index.search(index.query()))).containsExactly("a");
    }

    @Test
    void search_inAnOfferingWhosePricesWereRemoved_findsNothing() {
        PriceIndex index = colors();
        index.update(new PriceBatch().remove("p", "f").remove("p", "g").remove("p", "g"));
        assertThat(index.search(index.query().offering("p"))).isEqualTo(new SearchResult.NotFound(2));
        assertThat(index.search(index.query().offering("p").eq("color", "red")))
                .isEqualTo(new SearchResult.NotFound(2));
        assertThat(index.search(index.query().offering("p").ne("color", "red")))
                .isEqualTo(new SearchResult.NotFound(2));
        assertThat(index.prices("p")).isEmpty();
        assertThat(index.stats().offerings()).isEqualTo(1);
        assertThat(index.explain(index.query().offering("p")).plan()).isNotEqualTo(Plan.KEY);
        assertThat(ids(index.search(index.query().policy(MatchPolicy.ALL)))).hasSize(5);
        index.update(new PriceBatch().put(price("h", "p", false, "red")));
        assertThat(ids(index.search(index.query().offering("p")))).containsExactly("h");
    }

    /** A price of which more than the value changes is the last one of its offering. */
    @Test
    void update_ofMoreThanTheValue_isSeenAndMovesThePriceToTheEnd() {
        PriceIndex index = PriceIndex.builder().string("color").integer("size").build(List.of());
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            prices.add(new Price(
                    new UUID(1, i).toString(),
                    "o",
                    Map.of("color", "c" + i % 7, "size", (long) i % 3),
                    BigDecimal.ONE,
                    "EUR",
                    i == 5,
                    i == 3 ? "payload" : null));
        }
        PriceBatch first = new PriceBatch();
        prices.forEach(first::put);
        index.update(first);
        Price old = prices.get(8);
        Price other = new Price(old.id(), "o", old.conditions(), BigDecimal.TEN, "USD", true, "more");
        PriceQuery query =
                index.query().offering("o").eq("color", "c1").eq("size", 2L).policy(MatchPolicy.ALL);
        List<Price> expected =
                new ArrayList<>(List.of(prices.get(29), prices.get(50), prices.get(71), prices.get(92), other));

        index.update(new PriceBatch().put(other));
        assertThat(index.search(query))
                .isInstanceOfSatisfying(
                        SearchResult.Found.class,
                        found -> assertThat(found.prices()).isEqualTo(expected));
        assertThat(index.search(query.policy(MatchPolicy.DEFAULT)))
                .isInstanceOfSatisfying(
                        SearchResult.Found.class,
                        found -> assertThat(found.price(0)).isEqualTo(other));

        Price moved = new Price(old.id(), "o", Map.of("color", "c2", "size", 2L), BigDecimal.TEN, "USD", true, "more");
        index.update(new PriceBatch().put(moved));
        expected.remove(other);
        assertThat(index.search(query.policy(MatchPolicy.ALL)))
                .isInstanceOfSatisfying(
                        SearchResult.Found.class,
                        found -> assertThat(found.prices()).isEqualTo(expected));
    }

    /** Else anybody could make an index grow by removing what is not there. */
    @Test
    void update_thatRemovesFromUnknownOfferings_leavesNoTraceOfThem() {
        PriceIndex index = colors();
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 1000; i++) {
            batch.remove("nobody" + i, "a");
        }
        assertThat(index.update(batch)).isEqualTo(2);
        PriceQuery query = index.query().offering("nobody1");
        assertThat(index.search(query)).isEqualTo(new SearchResult.NotFound(2));
        assertThat(index.explain(query).plan()).isEqualTo(Plan.NOTHING);
        index.update(new PriceBatch().put(price("z", "z", false, "red")).put(price("n", "nobody7", false, "red")));
        assertThat(ids(index.search(index.query().eq("color", "red").policy(MatchPolicy.ALL))))
                .containsExactly("a", "b", "c", "g", "z", "n");
    }

    @Test
    void builder_withNamesThatClash_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.builder().string("a").integer("a").build(List.of()))
                .withMessageContaining("name=a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.builder().string("offering").build(List.of()))
                .withMessageContaining("offering");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.builder().keyField("k").string("k").build(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.builder().string(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.builder().decimal("d", 19));
        assertThatThrownBy(() -> PriceIndex.builder().string("a", "b\uD800"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("name of a field at=1");
        assertThatThrownBy(() -> PriceIndex.builder().keyField("\uDC00"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("name of the key at=0");
        assertThat(PriceIndex.builder()
                        .keyField("k")
                        .string("offering")
                        .build(List.of())
                        .keyField())
                .isEqualTo("k");
    }

    @Test
    void search_over63Fields_answersByTheLastOneToo() {
        String[] names = IntStream.range(0, 63).mapToObj(i -> "f" + i).toArray(String[]::new);
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            prices.add(Price.of("p" + i, "o", Map.of("f0", "v" + i % 7, "f62", "w" + i % 11), BigDecimal.valueOf(i)));
        }
        PriceIndex index = PriceIndex.builder().string(names).build(prices);
        PriceQuery query =
                index.query().offering("o").eq("f62", "w5").eq("f0", "v3").policy(MatchPolicy.ALL);
        assertThat(ids(index.search(query))).containsExactly("p38", "p115", "p192");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> PriceIndex.builder().string(names).integer("more").build(prices))
                .withMessageContaining("64");
    }

    @Test
    void searchAll_whileOthersUpdate_answersInOneVersionAndInOrder() {
        PriceIndex index = colors();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 50; round++) {
                List<PriceQuery> queries = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    PriceQuery query = index.query()
                            .eq("color", List.of("red", "blue", "green").get(i % 3));
                    queries.add(query.policy(MatchPolicy.FIRST));
                }
                var update = pool.submit(() -> index.update(new PriceBatch().put(price("a", "o", false, "red"))));
                List<SearchResult> parallel = index.searchAll(queries, pool, 1 + round % 7);
                List<SearchResult> serial = index.searchAll(queries);
                assertThat(List.of(parallel, serial)).allSatisfy(results -> {
                    assertThat(results).hasSize(40);
                    assertThat(results)
                            .extracting(SearchResult::version)
                            .containsOnly(results.get(0).version());
                    for (int i = 0; i < 40; i++) {
                        assertThat(ids(results.get(i)))
                                .containsExactly(List.of("a", "d", "f").get(i % 3));
                    }
                });
                assertThat(update).succeedsWithin(java.time.Duration.ofSeconds(30));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void searchAll_inMorePartsThanQueries_answersEachOnce() {
        PriceIndex index = colors();
        List<PriceQuery> queries = List.of(index.query(), index.query().offering("nobody"));
        assertThat(index.searchAll(queries, Runnable::run, 5))
                .hasSize(2)
                .element(1)
                .isEqualTo(new SearchResult.NotFound(1));
        assertThat(index.searchAll(List.of(), Runnable::run, 1)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> index.searchAll(queries, Runnable::run, 0))
                .withMessageContaining("0");
    }

    @Test
    void searchAll_byAnExecutorThatRefuses_throwsWhenTheOtherPartsAreOver() {
        PriceIndex index = colors();
        AtomicInteger tasks = new AtomicInteger();
        assertThatThrownBy(() -> index.searchAll(
                        List.of(index.query(), index.query()),
                        task -> {
                            if (tasks.incrementAndGet() == 2) {
                                throw new RejectedExecutionException("full");
                            }
                            task.run();
                        },
                        2))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("full");
    }

    @Test
    void searchAll_byAnExecutorThatFails_throwsWhenTheOtherPartsAreOver() {
        PriceIndex index = colors();
        for (Throwable failure : List.of(new IllegalStateException("broken"), new OutOfMemoryError("no thread"))) {
            List<Runnable> tasks = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            AtomicBoolean isOver = new AtomicBoolean();
            Thread caller = Thread.currentThread();
            Thread worker = new Thread(() -> {
                while (caller.getState() != Thread.State.WAITING && !isOver.get()) {
                    Thread.onSpinWait(); // until the method waits, or does not
                }
                tasks.forEach(task -> {
                    task.run();
                    done.incrementAndGet();
                });
            });
            Executor executor = task -> {
                if (tasks.size() == 2) {
                    worker.start();
                    sneak(failure);
                }
                tasks.add(task);
            };
            List<PriceQuery> queries = List.of(index.query(), index.query(), index.query());
            try {
                assertThatThrownBy(() -> index.searchAll(queries, executor, 3)).isSameAs(failure);
                assertThat(done.get()).isPositive(); // the first part; the last is counted behind its end
            } finally {
                isOver.set(true);
            }
        }
    }

    @Test
    void searchAll_ofAPartThatEndsByAnError_throwsIt() {
        PriceIndex index = colors();
        List<PriceQuery> queries = new AbstractList<>() {
            @Override
            public PriceQuery get(int i) {
                if (i == 1) {
                    throw new StackOverflowError("too deep");
                }
                return index.query();
            }

            @Override
            public int size() {
                return 2;
            }
        };
        assertThatThrownBy(() -> index.searchAll(queries, Runnable::run, 2))
                .isInstanceOf(StackOverflowError.class)
                .hasMessage("too deep");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void text_ofAStringField_isThePricesOwn() {
        PriceIndex index = colors();
        SearchResult.Found found =
                (SearchResult.Found) index.search(index.query().eq("color", "green"));
        assertThat(found.text(0, index.field("color"))).isEqualTo("green");
        assertThatIllegalArgumentException().isThrownBy(() -> found.text(0, index.field("size")));
        assertThat(found).hasToString("Found[version=1, matches=1, first=" + found.price(0) + "]");
    }
}
