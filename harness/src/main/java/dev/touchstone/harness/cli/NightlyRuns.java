package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.store.Annotations;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The recorded nights beside a run's folder. */
final class NightlyRuns {
    /** More would make every report slower and no change point clearer; and a cell that none of these measured has its turn. */
    private static final int MOST = 120;

    private static final List<String> SAMPLING = List.of("warmup", "measurement");

    private NightlyRuns() {}

    /** The host's nights up to this one. What can't be read is passed over and counted: one bad folder must not end all nights after it. */
    static History upTo(RunFolder folder, ReportInput tonight) throws IOException {
        Path own = folder.path().toAbsolutePath().normalize();
        Path host = Objects.requireNonNullElse(own.getParent(), own);
        Path results = Objects.requireNonNullElse(host.getParent(), host);
        Deque<ReportInput> nights = new ArrayDeque<>(List.of(tonight));
        int passedOver = newestFirst(
                host, tonight.run().settings(), Instant.parse(tonight.run().startedAt()), (info, forks) -> {
                    nights.addFirst(
                            new ReportInput(info, tonight.environment(), tonight.matrix(), forks, tonight.seeds()));
                });
        return History.of(List.copyOf(nights), Annotations.read(results), passedOver);
    }

    /**
     * The last night that measured a cell, and what its nights have shown of the cell beside itself.
     *
     * @param fork how long one took in the last night
     * @param spread of the pairs of the last night that compared the cell with itself; 0 where none did
     * @param floorPercent the greatest difference from itself that any night has shown
     */
    record Last(Instant start, Duration fork, double spread, double floorPercent) {
        private static Last of(RunInfo info, double millis, @Nullable PairedRatio itself) {
            return new Last(
                    Instant.parse(info.startedAt()),
                    Duration.ofMillis((long) millis),
                    itself == null ? 0 : itself.spread(),
                    itself == null ? 0 : itself.shownPercent());
        }

        private Last after(Last earlier) {
            return new Last(
                    start, fork, spread > 0 ? spread : earlier.spread, Math.max(floorPercent, earlier.floorPercent));
        }
    }

    /** Returns the last result of each cell by its id, from this machine's finished nights before {@code start} with the same sampling. */
    static Map<String, Last> last(Path results, Settings settings, Instant start) throws IOException {
        Map<String, Last> nights = new HashMap<>();
        newestFirst(results.resolve(HostId.ofThisMachine()), settings.describe(), start, (info, forks) -> {
            Map<String, PairedRatio> itself = Changes.besideItself(forks);
            forks.stream()
                    .collect(Collectors.groupingBy(ForkResult::cell, Collectors.averagingLong(ForkResult::wallMillis)))
                    .forEach(
                            (cell, millis) -> nights.merge(cell, Last.of(info, millis, itself.get(cell)), Last::after));
        });
        return nights;
    }

    /** Reads the host's like nights one after the other. @return how many folders cannot be read */
    private static int newestFirst(
            Path host, Map<String, String> settings, Instant start, BiConsumer<RunInfo, List<ForkResult>> each)
            throws IOException {
        Map<RunFolder, RunInfo> like = new HashMap<>();
        int passedOver = 0;
        for (RunFolder night : RunFolder.all(host)) {
            try {
                RunInfo info = night.readInfo();
                if (isLike(info, settings, start)) {
                    like.put(night, info);
                }
            } catch (IOException e) {
                passedOver++;
            }
        }
        List<Map.Entry<RunFolder, RunInfo>> newest = like.entrySet().stream()
                .sorted(Comparator.comparing(
                        night -> Instant.parse(night.getValue().startedAt()), Comparator.reverseOrder()))
                .limit(MOST)
                .toList();
        for (Map.Entry<RunFolder, RunInfo> night : newest) {
            try {
                each.accept(night.getValue(), night.getKey().readForks());
            } catch (IOException e) {
                passedOver++;
            }
        }
        return passedOver;
    }

    /** Returns whether a run is a finished night before {@code start} with the same sampling. */
    private static boolean isLike(RunInfo info, Map<String, String> settings, Instant start) {
        return info.profile().equals(Profile.NIGHTLY.label())
                && info.finishedAt() != null
                && Instant.parse(info.startedAt()).isBefore(start)
                && SAMPLING.stream()
                        .allMatch(name -> Objects.equals(info.settings().get(name), settings.get(name)));
    }
}
