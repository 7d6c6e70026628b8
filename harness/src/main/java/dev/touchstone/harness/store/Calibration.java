package dev.touchstone.harness.store;

import dev.touchstone.harness.file.AtomicFiles;
import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine's noise, learned by measuring a build against itself: {@code results/<host-id>/calibration.json}. It is read
 * before a run and holds for all of it. Immutable.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param madeAt ISO-8601 instant of the run that it was learned from; empty for {@link #NONE}
 * @param pairs number of pairs of forks in that run
 * @param floorPercent effect in percent that 19 of 20 cells stayed below though nothing differed
 * @param limits limits of the kinds of noise that only others cause; -1 for no limit
 * @param cells limits of the kinds of noise to which a fork's own work adds, by id of the cell
 */
public record Calibration(
        int schema, String madeAt, int pairs, double floorPercent, Noise limits, SortedMap<String, Noise> cells) {
    /** The version that this harness writes and reads. */
    public static final int SCHEMA = 1;

    /** Stands in on a machine that was not calibrated: its limits are exceeded only by plain disturbances. */
    public static final Calibration NONE =
            new Calibration(SCHEMA, "", 0, 0, new Noise(0.5, 5, -1, -1, 1000.0, -1.0), new TreeMap<>());

    /** Without limits: what is recorded to learn them. */
    public static final Calibration OPEN = new Calibration(SCHEMA, "", 0, 0, Noise.unknown(), new TreeMap<>());

    private static final String FILE = "calibration.json";
    private static final long MAX_BYTES = 4L << 20;
    private static final double MOST = 0.95;
    private static final double TENTH_WORST = 0.9;
    private static final double ROOM = 1.5;

    /**
     * Learns a calibration from forks of which none is known to be disturbed.
     *
     * @param madeAt ISO-8601 instant of their run
     * @param pairs number of pairs of forks
     * @param effectPercents difference between both sides of each cell, in percent, 0 or more
     * @param forks all forks of the run
     * @return limits and floor for later runs on the same machine
     */
    public static Calibration of(String madeAt, int pairs, List<Double> effectPercents, List<ForkResult> forks) {
        SortedMap<String, List<Noise>> byCell = new TreeMap<>();
        forks.forEach(fork ->
                byCell.computeIfAbsent(fork.cell(), cell -> new ArrayList<>()).add(fork.noise()));
        SortedMap<String, Noise> cells = new TreeMap<>();
        byCell.forEach((cell, noises) -> cells.put(cell, limits(noises, true)));
        Noise limits = limits(forks.stream().map(ForkResult::noise).toList(), false);
        return new Calibration(SCHEMA, madeAt, pairs, floorPercent(effectPercents), limits, cells);
    }

    /**
     * Reads the calibration of a machine.
     *
     * @param results folder of the recorded runs
     * @param hostId the machine's folder below it, {@link HostId}
     * @return the machine's calibration, or {@link #NONE} without a file
     * @throws ResultFormatException if the file is not what this harness writes
     * @throws IOException if the file cannot be read
     */
    public static Calibration read(Path results, String hostId) throws IOException {
        Path file = results.resolve(hostId).resolve(FILE);
        if (!Files.exists(file)) {
            return NONE;
        }
        try {
            String json = new String(Bounded.read(file, MAX_BYTES), StandardCharsets.UTF_8);
            return StrictJson.read(json, Calibration.class, Set.of(), SCHEMA);
        } catch (JsonProblem e) {
            throw new ResultFormatException(file, 0, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Replaces the machine's file.
     *
     * @param results folder of the recorded runs
     * @param hostId the machine's folder below it, created if missing
     * @return path of the file
     * @throws IOException if it cannot be written
     */
    public Path write(Path results, String hostId) throws IOException {
        Path file = results.resolve(hostId).resolve(FILE);
        Files.createDirectories(results.resolve(hostId));
        AtomicFiles.write(file, StrictJson.pretty(this));
        return file;
    }

    /**
     * Returns the effect that 19 of 20 of the given effects do not exceed.
     *
     * @param effectPercents effects in percent, in any order
     * @return the effect in percent; 0 if none is given
     */
    public static double floorPercent(List<Double> effectPercents) {
        return quantile(effectPercents, MOST);
    }

    /**
     * Returns this calibration without the limits to which a fork's own work adds. Builds are compared with it: a change of that work would pass for
     * a disturbance.
     *
     * @return a copy without limits by cell
     */
    public Calibration ofOthersOnly() {
        return new Calibration(schema, madeAt, pairs, floorPercent, limits, new TreeMap<>());
    }

    /**
     * Checks the noise beside a fork against the limits.
     *
     * @param cell id of the fork's cell
     * @param noise what was measured while it ran
     * @return the first kind of noise beyond its limit, with value and limit; empty if the fork was not disturbed
     */
    public Optional<String> complaint(String cell, Noise noise) {
        Noise ofCell = cells.getOrDefault(cell, Noise.unknown());
        for (Noise.Kind kind : Noise.Kind.values()) {
            double limit = kind.ownToo() ? ofCell.get(kind) : limits.get(kind);
            if (limit >= 0 && noise.get(kind) > limit) {
                return Optional.of(
                        String.format(Locale.ROOT, "%s: %.2f, limit %.2f", kind.label(), noise.get(kind), limit));
            }
        }
        return Optional.empty();
    }

    private static Noise limits(List<Noise> noises, boolean ownToo) {
        Map<Noise.Kind, Double> limits = new TreeMap<>();
        for (Noise.Kind kind : Noise.Kind.values()) {
            List<Double> known = noises.stream()
                    .map(noise -> noise.get(kind))
                    .filter(value -> value >= 0)
                    .toList();
            boolean gated = kind.ownToo() == ownToo && !known.isEmpty();
            limits.put(kind, gated ? Math.max(kind.least(), ROOM * quantile(known, TENTH_WORST)) : -1);
        }
        return new Noise(
                limits.getOrDefault(Noise.Kind.FOREIGN_CPU, -1.0),
                limits.getOrDefault(Noise.Kind.STEAL, -1.0),
                limits.getOrDefault(Noise.Kind.PRESSURE_CPU, -1.0),
                limits.getOrDefault(Noise.Kind.PRESSURE_IO, -1.0),
                limits.getOrDefault(Noise.Kind.SWAP, -1.0),
                limits.getOrDefault(Noise.Kind.DISK, -1.0));
    }

    /** The smallest value that this share of all does not exceed; 0 of none. */
    private static double quantile(List<Double> values, double share) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
