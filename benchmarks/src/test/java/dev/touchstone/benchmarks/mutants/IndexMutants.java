package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.index.PriceClusterBenchmark;
import dev.touchstone.benchmarks.index.PriceSearchBenchmark;
import dev.touchstone.benchmarks.index.cluster.ClusterUnderTest;
import dev.touchstone.benchmarks.index.http.AnswerSource;
import dev.touchstone.benchmarks.index.peer.JsonUnderTest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.benchmarks.index.tariff.TariffBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Broken searches. */
final class IndexMutants {
    private static final String TARIFF_SEARCH = "dev.touchstone.benchmarks.index.tariff.TariffSearch";

    private IndexMutants() {}

    static List<Mutant> all() {
        return List.of(
                search("lucene-answers-nothing", "index-search-full/LUCENE", call -> 0L),
                search("map-answers-the-first", "index-search-full/MAP", IndexMutants::first),
                search("ours-another-first", "index-search-between-10/OURS", IndexMutants::nextOne),
                search("sqlite-every-second-time", "index-search-in-2/SQLITE", IndexMutants::everySecond),
                search("ceiling-looks-nothing-up", "index-search-full/CEILING_LOOKUPS", call -> 1L),
                json(
                        "json-without-an-answer",
                        "index-json/OURS",
                        call -> call.name().equals("bytes") ? new byte[0] : call.proceed()),
                json(
                        "json-answers-the-first",
                        "index-json-bulk/JACKSON",
                        call -> call.name().equals("answer") ? 200 : call.proceed()),
                http(
                        "http-without-a-request",
                        "index-http-t1c1/OURS",
                        call -> call.name().equals("next") ? 1L : call.proceed()),
                http(
                        "http-every-second-time",
                        "index-http-v2-t2c20/OURS_V2",
                        call -> call.name().equals("next") && call.number() % 2 == 0 ? 1L : call.proceed()),
                http(
                        "http-limit-without-a-request",
                        "index-http-bulk/CEILING_CONSTANT",
                        call -> call.name().equals("next") ? 1L : call.proceed()),
                cluster(
                        "cluster-update-changes-nothing",
                        "index-cluster-update/OURS_REPLICATED",
                        call -> call.name().equals("update") ? null : call.proceed()),
                cluster(
                        "cluster-update-forgets-one-half",
                        "index-cluster-update/OURS_REPLICATED",
                        IndexMutants::forget),
                cluster(
                        "cluster-searches-none-of-many",
                        "index-cluster-in-flight-members/OURS_SHARDED",
                        call -> call.name().equals("searchEach") ? null : call.proceed()),
                cluster(
                        "cluster-request-answers-the-first",
                        "index-cluster-per-request-members/OURS_SHARDED",
                        IndexMutants::allAsTheFirst),
                cluster(
                        "cluster-ceiling-finds-nothing",
                        "index-cluster-search/CEILING_PRICE_INDEX",
                        searching(call -> 0L)),
                cluster(
                        "cluster-ceiling-counts-one-more",
                        "index-cluster-search/CEILING_PRICE_INDEX",
                        searching(IndexMutants::oneMore)),
                cluster("cluster-finds-nothing", "index-cluster-search/OURS_SHARDED", searching(call -> 0L)),
                cluster(
                        "cluster-another-first",
                        "index-cluster-near-cache/OURS_SHARDED",
                        searching(IndexMutants::nextOne)),
                tariff("tariff-none", "index-search-specific/OURS", call -> -1),
                tariff("tariff-the-first", "index-search-specific/LUCENE_TARIFFS", Call::first));
    }

    /** Returns two mutants of each peer that searches, alone, in a cluster or in a tariff list. */
    static List<Mutant> ofEachPeer() {
        return Stream.of(
                        Mutants.ofEachPeer(
                                PriceSearchBenchmark.class,
                                SearchUnderTest.class,
                                Map.of(
                                        "-finds-nothing",
                                        searching(call -> 0L),
                                        "-counts-one-more",
                                        searching(IndexMutants::oneMore))),
                        Mutants.ofEachPeer(
                                PriceClusterBenchmark.class,
                                ClusterUnderTest.class,
                                Map.of(
                                        "-in-a-cluster-finds-nothing",
                                        clusterAnswering(answer -> 0),
                                        "-in-a-cluster-counts-one-more",
                                        clusterAnswering(answer -> answer + (1L << Integer.SIZE)))),
                        Mutants.ofEachPeer(
                                TariffBenchmark.class,
                                tariffSearch(),
                                Map.of(
                                        "-finds-none",
                                        searching(call -> -1),
                                        "-finds-the-first",
                                        searching(Call::first))))
                .flatMap(List::stream)
                .toList();
    }

    private static Mutant.Twist searching(Mutant.Twist twist) {
        return call -> call.name().equals("search") ? twist.answer(call) : call.proceed();
    }

    private static Mutant search(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, SearchUnderTest.class, true, searching(twist));
    }

    private static Mutant json(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, JsonUnderTest.class, true, twist);
    }

    private static Mutant http(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, AnswerSource.class, false, twist);
    }

    private static Mutant cluster(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, ClusterUnderTest.class, false, twist);
    }

    private static Mutant tariff(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, tariffSearch(), true, searching(twist));
    }

    /** Returns the role of the searches in a tariff list, which is not public. */
    private static Class<?> tariffSearch() {
        try {
            return Class.forName(TARIFF_SEARCH);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object forget(Call call) throws Throwable {
        if (!call.name().equals("update")) {
            return call.proceed();
        }
        List<?> prices = call.argument(0, List.class);
        return call.proceed(prices.subList(0, prices.size() / 2));
    }

    /** Returns a twist that changes the answer to each search, whichever way it was asked for. */
    private static Mutant.Twist clusterAnswering(LongUnaryOperator change) {
        return call -> {
            @Nullable Object answer = call.proceed();
            if (call.name().equals("searchEach") || call.name().equals("searchAll")) {
                long[] answers = call.argument(call.args().length - 1, long[].class);
                Arrays.setAll(answers, i -> change.applyAsLong(answers[i]));
            }
            return call.name().equals("search")
                    ? (Object) change.applyAsLong((Long) Objects.requireNonNull(answer))
                    : answer;
        };
    }

    private static @Nullable Object allAsTheFirst(Call call) throws Throwable {
        @Nullable Object nothing = call.proceed();
        if (call.name().equals("searchAll")) {
            long[] answers = call.argument(1, long[].class);
            Arrays.fill(answers, answers[0]);
        }
        return nothing;
    }

    private static Object first(Call call) throws Throwable {
        return call.first();
    }

    private static Object oneMore(Call call) throws Throwable {
        return SearchUnderTest.answer(SearchUnderTest.matches(answer(call)) + 1, answer(call));
    }

    private static Object nextOne(Call call) throws Throwable {
        return answer(call) == 0 ? 0L : answer(call) + 1;
    }

    private static Object everySecond(Call call) throws Throwable {
        return call.number() % 2 == 0 ? call.first() : answer(call);
    }

    private static long answer(Call call) throws Throwable {
        @Nullable Object answer = call.proceed();
        return (Long) Objects.requireNonNull(answer);
    }
}
