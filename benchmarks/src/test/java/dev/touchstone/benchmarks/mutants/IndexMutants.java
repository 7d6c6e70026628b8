package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.index.PriceSearchBenchmark;
import dev.touchstone.benchmarks.index.http.AnswerSource;
import dev.touchstone.benchmarks.index.peer.JsonUnderTest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.benchmarks.index.tariff.TariffBenchmark;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
                tariff("tariff-none", "index-search-specific/OURS", call -> -1),
                tariff("tariff-the-first", "index-search-specific/LUCENE_TARIFFS", Call::first));
    }

    /** Returns two mutants of each peer that searches, and of each that searches a tariff list. */
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
