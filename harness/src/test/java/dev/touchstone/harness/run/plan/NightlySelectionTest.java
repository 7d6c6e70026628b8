package dev.touchstone.harness.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Cell;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NightlySelectionTest {
    private static final List<Cell> ALL =
            IntStream.range(0, 20).mapToObj(NightlySelectionTest::cell).toList();
    private static final List<Cell> ALWAYS = ALL.subList(3, 5);

    @Test
    void choose_anyNight_theSameFirstThenOthersWithinTheRoom() {
        List<Cell> chosen = choose(ALWAYS, Duration.ofMinutes(6), cell -> Instant.MIN);
        assertThat(chosen).hasSize(6).startsWith(ALWAYS.get(0), ALWAYS.get(1)).doesNotHaveDuplicates();
        assertThat(choose(ALWAYS, Duration.ofMinutes(6), cell -> Instant.MIN)).isEqualTo(chosen);
    }

    @Test
    void choose_manyNightsOfChangingCosts_everyCellHasItsTurn() {
        Random random = new Random(1);
        Map<Cell, Instant> last = new HashMap<>();
        for (int night = 0; night < 60; night++) {
            Map<Cell, Duration> costs = new HashMap<>();
            ALL.forEach(cell -> costs.put(cell, Duration.ofSeconds(50 + random.nextInt(20))));
            Instant start = Instant.EPOCH.plus(Duration.ofDays(night));
            List<Cell> chosen = NightlySelection.choose(
                    ALWAYS,
                    ALL,
                    cell -> costs.getOrDefault(cell, Duration.ZERO),
                    Duration.ofMinutes(6),
                    cell -> last.getOrDefault(cell, Instant.MIN));
            assertThat(chosen).containsAll(ALWAYS).hasSizeGreaterThanOrEqualTo(5);
            chosen.forEach(cell -> last.put(cell, start));
            if (night >= 6) { // 18 others, three a night at least
                assertThat(last.keySet()).hasSize(ALL.size());
                assertThat(last.values()).allMatch(turn -> !turn.isBefore(start.minus(Duration.ofDays(6))));
            }
        }
    }

    @Test
    void choose_oneThatNeverFits_othersGoOn() {
        Cell slow = ALL.get(0);
        List<Cell> chosen = NightlySelection.choose(
                ALWAYS,
                ALL,
                cell -> Duration.ofMinutes(cell.equals(slow) ? 60 : 1),
                Duration.ofMinutes(6),
                cell -> Instant.MIN);
        assertThat(chosen).hasSize(6).doesNotContain(slow);
    }

    @Test
    void choose_muchRoom_allOnce() {
        assertThat(choose(ALWAYS, Duration.ofHours(1), cell -> Instant.MIN)).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void choose_noRoom_oneAllTheSame() {
        Function<Cell, Instant> last = cell -> cell.equals(ALL.get(3)) ? Instant.EPOCH : Instant.MAX;
        assertThat(choose(ALWAYS, Duration.ofSeconds(1), last)).containsExactly(ALWAYS.get(0));
        assertThat(choose(List.of(), Duration.ofSeconds(1), last)).containsExactly(ALL.get(3));
        assertThat(NightlySelection.choose(List.of(), List.of(), cell -> Duration.ZERO, Duration.ZERO, last))
                .isEmpty();
    }

    private static List<Cell> choose(List<Cell> always, Duration room, Function<Cell, Instant> last) {
        return NightlySelection.choose(always, ALL, cell -> Duration.ofMinutes(1), room, last);
    }

    private static Cell cell(int number) {
        return new Cell("w" + number, "b.B.b", new TreeMap<>(), 1, "OURS");
    }
}
