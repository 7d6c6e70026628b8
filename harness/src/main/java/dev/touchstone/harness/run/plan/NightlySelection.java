package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.Cell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The choice of a night's cells: some every night, and as many of the others as fit, longest unmeasured first. Pure function.
 */
public final class NightlySelection {
    private NightlySelection() {}

    /**
     * Chooses.
     *
     * @param always measured first, as long as they fit
     * @param all cells that there are, in their order
     * @param cost expected time of a cell in one night
     * @param room for all of them
     * @param last night that measured a cell, {@link Instant#MIN} where none did
     * @return at least one, where there is any
     */
    public static List<Cell> choose(
            List<Cell> always,
            List<Cell> all,
            Function<Cell, Duration> cost,
            Duration room,
            Function<Cell, Instant> last) {
        List<Cell> chosen = new ArrayList<>();
        Duration left = room;
        for (Cell cell : always) {
            if (cost.apply(cell).compareTo(left) <= 0) {
                chosen.add(cell);
                left = left.minus(cost.apply(cell));
            }
        }
        Duration most = left; // one that takes longer never fits, and must not keep out those behind it
        List<Cell> inTurn = all.stream()
                .filter(cell -> !always.contains(cell))
                .filter(cell -> cost.apply(cell).compareTo(most) <= 0)
                .sorted(Comparator.comparing(last))
                .toList();
        for (Cell cell : inTurn) {
            left = left.minus(cost.apply(cell));
            if (left.isNegative()) {
                break;
            }
            chosen.add(cell);
        }
        return chosen.isEmpty()
                ? Stream.concat(always.stream(), all.stream().sorted(Comparator.comparing(last)))
                        .limit(1)
                        .toList()
                : chosen;
    }
}
