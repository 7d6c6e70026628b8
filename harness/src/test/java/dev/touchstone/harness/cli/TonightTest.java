package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Cell;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TonightTest {
    private static final List<Cell> ALL =
            IntStream.range(0, 20).mapToObj(TonightTest::cell).toList();
    private static final List<Cell> ALWAYS = ALL.subList(3, 5);

    @Test
    void choose_anyNight_theSameFirstThenOthersWithinTheRoom() {
        List<Cell> chosen = choose(ALWAYS, Duration.ofMinutes(6), 7);
        assertThat(chosen).hasSize(6).startsWith(ALWAYS.get(0), ALWAYS.get(1)).doesNotHaveDuplicates();
        assertThat(choose(ALWAYS, Duration.ofMinutes(6), 7)).isEqualTo(chosen);
    }

    @Test
    void choose_manyNights_everyCellHasItsTurn() {
        Set<Cell> seen = new HashSet<>();
        for (int day = 100; day < 105; day++) {
            seen.addAll(choose(ALWAYS, Duration.ofMinutes(6), day));
        }
        assertThat(seen).hasSize(ALL.size());
    }

    @Test
    void choose_asManyNightsAsCells_everyOneIsTheFirstOfItsTurn() {
        Set<Cell> seen = new HashSet<>();
        for (int day = 100; day < 100 + ALL.size(); day++) {
            seen.add(choose(List.of(), Duration.ofMinutes(5), day).get(0));
        }
        assertThat(seen).hasSize(ALL.size());
    }

    @Test
    void choose_muchRoom_allOnce() {
        assertThat(choose(ALWAYS, Duration.ofHours(1), 3)).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void choose_noRoom_oneAllTheSame() {
        assertThat(choose(ALWAYS, Duration.ofSeconds(1), 3)).containsExactly(ALWAYS.get(0));
        assertThat(choose(List.of(), Duration.ofSeconds(1), 23)).containsExactly(ALL.get(3));
        assertThat(Tonight.choose(List.of(), List.of(), cell -> Duration.ZERO, Duration.ZERO, 0))
                .isEmpty();
    }

    private static List<Cell> choose(List<Cell> always, Duration room, long day) {
        return Tonight.choose(always, ALL, cell -> Duration.ofMinutes(1), room, day);
    }

    private static Cell cell(int number) {
        return new Cell("w" + number, "b.B.b", new TreeMap<>(), 1, "OURS");
    }
}
