package dev.touchstone.harness.report.text;

import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.store.ForkResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Warnings and explanations that every form of the report prints with the figures. */
public final class Footnotes {
    /** A share of the machine that others took, above which a fork is worth naming. */
    private static final double BUSY_CORES = 0.5;

    private Footnotes() {}

    /** Warnings that come before any figure. */
    public static List<String> warnings(ReportInput input, Comparison comparison) {
        List<String> warnings = new ArrayList<>();
        if (input.run().tmpfs() || input.environment().tmpfs()) {
            warnings.add("tmpfs: the data folder is memory, so durable rows say nothing about a disk.");
        }
        if (input.run().dirty()) {
            warnings.add(
                    "The build had uncommitted changes: commit " + input.run().commit() + " doesn't describe it.");
        }
        if (comparison.failed()) {
            warnings.add("Some forks failed; their rows say so and are made from the others.");
        }
        if (input.run().finishedAt() == null) {
            warnings.add("The run didn't finish: some rows have fewer rounds.");
        }
        return warnings;
    }

    /** Returns the sentences that explain the figures; those that concern nothing in this run are left out. */
    public static List<String> notes(ReportInput input, Comparison comparison) {
        List<String> notes = new ArrayList<>();
        notes.add("A score is the median over forks, one fresh JVM each; ± is how far the farthest fork lies from it.");
        coverage(comparison).ifPresent(notes::add);
        if (comparison.groups().stream().anyMatch(group -> group.ceiling().isPresent())) {
            notes.add("Ceilings are reference limits measured by the simplest code, in the same run;"
                    + " with ×8 it is what fewer threads reached, times 8.");
        }
        notes.add(noise(input.forks()));
        if (input.environment().hypervisor()) {
            notes.add("Virtual machine: a force may end in the hypervisor's cache.");
        }
        if (!input.seeds().missing().isEmpty()) {
            notes.add("No seed figures for " + String.join(", ", input.seeds().missing()) + ": files not found.");
        }
        return notes;
    }

    private static Optional<String> coverage(Comparison comparison) {
        SortedMap<Integer, Double> byRounds = comparison.coverageByRounds();
        if (byRounds.isEmpty()) {
            return Optional.empty();
        }
        String shares = byRounds.entrySet().stream()
                .filter(entry -> entry.getValue() >= PairedRatio.WISHED)
                .map(entry -> share(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        List<String> sentences = new ArrayList<>();
        sentences.add("\"12.3x\": ours is 12.3 times better, paired by round.");
        if (!shares.isEmpty()) {
            sentences.add("\"[10.9, 14.0]\": the interval holds the true ratio in " + shares + " (exact signed-rank).");
        }
        if (byRounds.values().stream().anyMatch(coverage -> coverage < PairedRatio.WISHED)) {
            sentences.add(
                    "\"(10.9–14.0)\": the lowest and the highest of fewer than 6 rounds, too few for an interval.");
        }
        return Optional.of(String.join(" ", sentences));
    }

    private static String share(int rounds, double coverage) {
        double percent = Math.floor(1000 * coverage) / 10;
        String text = percent == Math.rint(percent) ? Long.toString(Math.round(percent)) : Double.toString(percent);
        return "at least " + text + " % of runs of " + rounds + " rounds";
    }

    private static String noise(List<ForkResult> forks) {
        return foreign(forks) + reruns(forks);
    }

    private static String reruns(List<ForkResult> forks) {
        long dirty = forks.stream().filter(fork -> fork.dirty() != null).count();
        long again = forks.stream().filter(fork -> fork.rerun() > 0).count();
        return dirty == 0
                ? ""
                : " " + dirty + (dirty == 1 ? " fork was" : " forks were") + " disturbed beyond this machine's limits; "
                        + again
                        + " ran because of that. Of a round that was run again the first quiet time counts, or the first where none was.";
    }

    private static String foreign(List<ForkResult> forks) {
        double[] foreign = forks.stream()
                .mapToDouble(fork -> fork.noise().foreignCpuCores())
                .filter(cores -> cores >= 0)
                .toArray();
        if (foreign.length == 0) {
            return "What other processes did meanwhile isn't known on this system.";
        }
        long busy = Arrays.stream(foreign).filter(cores -> cores > BUSY_CORES).count();
        return busy == 0
                ? "Other processes used less than half a core during every fork."
                : busy + " of " + foreign.length + " forks ran while other processes used more than half a core.";
    }
}
