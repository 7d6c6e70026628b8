package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All subjects find the same prices for every kind of request, over each data set. */
@Timeout(120)
final class SearchParityTest {
    private static final int PRICES = 4000;
    private static final int REQUESTS = 40;

    @ParameterizedTest
    @EnumSource
    void search_everyKindOfRequest_allSubjectsAgree(PriceData data) throws Exception {
        PriceData.Numbered prices = data.prices(PRICES);
        PriceIndex index = data.index(prices);
        List<SearchUnderTest> subjects = new ArrayList<>();
        List<String> names = names();
        for (String name : names) {
            subjects.add(DeclaredSubject.of(name).open(SearchUnderTest.class, index, prices));
        }
        for (Requests kind : kinds(data)) {
            long matches = 0;
            for (SearchRequest request : kind.make(index, prices, REQUESTS)) {
                long expected = subjects.get(0).search(request);
                matches += SearchUnderTest.matches(expected);
                for (int i = 1; i < subjects.size(); i++) {
                    assertThat(subjects.get(i).search(request))
                            .as("%s %s %s", names.get(i), kind, request)
                            .isEqualTo(expected);
                }
            }
            if (data
                    != PriceData
                            .LARGE) { // where hardly two prices are alike, a condition that is turned round leaves none
                assertThat(matches).as("%s finds something", kind).isPositive();
            }
        }
        for (SearchUnderTest subject : subjects) {
            subject.close();
        }
    }

    /** Returns the subjects that search, ours first. */
    static List<String> names() {
        return SubjectsOf.Workloads.subjects(SubjectsOf.Workloads.of(PriceSearchBenchmark.class))
                .filter(name -> !DeclaredSubject.of(name).ceiling())
                .toList();
    }

    private static List<Requests> kinds(PriceData data) {
        List<Requests> kinds = new ArrayList<>(List.of(Requests.values()));
        kinds.removeIf(kind -> data == PriceData.SEED && kind.name().startsWith("BETWEEN"));
        return kinds;
    }
}
