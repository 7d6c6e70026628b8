package dev.touchstone.harness.report;

import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.ForkResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Scores beside what the machine itself could do at the time. Pure functions. */
final class RulerText {
    private static final Map<String, Double> MICROS = Map.of("ns", 1e-3, "us", 1.0, "ms", 1e3, "s", 1e6);
    private static final Pattern RATE = Pattern.compile("ops/(ns|us|ms|s)");
    private static final Pattern TIME = Pattern.compile("(ns|us|ms|s)/op");

    private RulerText() {}

    /** Over all forks that measured it. */
    static Optional<Double> median(List<ForkResult> forks, ReferenceLoad.Kind kind) {
        List<Double> known = values(forks, kind);
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(Summary.of(known).median());
    }

    static List<Double> values(List<ForkResult> forks, ReferenceLoad.Kind kind) {
        return forks.stream()
                .flatMap(fork -> Optional.ofNullable(fork.ruler()).stream())
                .map(ruler -> ruler.get(kind))
                .filter(micros -> micros > 0)
                .toList();
    }

    /** A score as a number of the machine's own pieces of work, in a sentence; empty for units that are neither rates nor times. */
    static Optional<String> beside(double score, String unit, ReferenceLoad.Kind kind, double rulerMicros) {
        Matcher rate = RATE.matcher(unit);
        if (rate.matches()) {
            double perMicro = score / MICROS.getOrDefault(rate.group(1), 1.0);
            return Optional.of("In the time of " + kind.work() + " ours does " + Format.score(perMicro * rulerMicros)
                    + " operations.");
        }
        Matcher time = TIME.matcher(unit);
        if (time.matches()) {
            double micros = score * MICROS.getOrDefault(time.group(1), 1.0);
            return Optional.of("An operation of ours takes as long as " + Format.score(micros / rulerMicros) + " times "
                    + kind.work() + ".");
        }
        return Optional.empty();
    }
}
