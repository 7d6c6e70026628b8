package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Cell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Which cells a night measures: some every night, and of the others as many as fit, each night going on where the one before ended, so that all
 * have their turn. Pure function of the day.
 */
final class Tonight {
    private Tonight() {}

    /**
     * Chooses.
     *
     * @param always measured first, as long as they fit
     * @param all cells that there are, in their order
     * @param cost expected time of a cell in one night
     * @param room for all of them
     * @param day number of the night
     * @return at least one, where there is any
     */
    static List<Cell> choose(
            List<Cell> always, List<Cell> all, Function<Cell, Duration> cost, Duration room, long day) {
        List<Cell> chosen = new ArrayList<>();
        Duration left = take(always, cost, room, chosen);
        List<Cell> others = all.stream().filter(cell -> !always.contains(cell)).toList();
        if (!others.isEmpty() && chosen.size() == always.size()) {
            // Each time around it begins one earlier: what turns out not to fit would be the same for ever.
            long begun = day * Math.max(1, typicalNumber(others, cost, left));
            int from = (int) Math.floorMod(begun - begun / others.size(), (long) others.size());
            List<Cell> inTurn = new ArrayList<>(others.subList(from, others.size()));
            inTurn.addAll(others.subList(0, from));
            take(inTurn, cost, left, chosen);
        }
        if (chosen.isEmpty() && !all.isEmpty()) {
            chosen.add(always.isEmpty() ? all.get((int) Math.floorMod(day, (long) all.size())) : always.get(0));
        }
        return chosen;
    }

    /** Adds cells while they fit. @return the room left */
    private static Duration take(List<Cell> cells, Function<Cell, Duration> cost, Duration room, List<Cell> chosen) {
        Duration left = room;
        for (Cell cell : cells) {
            left = left.minus(cost.apply(cell));
            if (left.isNegative()) {
                return Duration.ZERO;
            }
            chosen.add(cell);
        }
        return left;
    }

    /** How many fit on an average night: a step that depends on the day's own cells would leave some out. */
    private static int typicalNumber(List<Cell> cells, Function<Cell, Duration> cost, Duration room) {
        Duration sum = cells.stream().map(cost).reduce(Duration.ZERO, Duration::plus);
        return sum.isZero() ? cells.size() : (int) (room.toMillis() * cells.size() / Math.max(1, sum.toMillis()));
    }
}
