package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.store.Annotations;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The recorded nights beside a run's folder. */
final class Nights {
    /** More would make every report slower and no change point clearer. */
    private static final int MOST = 120;

    private static final List<String> SAMPLING = List.of("warmup", "measurement");

    private Nights() {}

    /** The host's nights up to this one. What can't be read is passed over and counted: one bad folder must not end all nights after it. */
    static History upTo(RunFolder folder, ReportInput tonight) throws IOException {
        Path own = folder.path().toAbsolutePath().normalize();
        Path host = Objects.requireNonNullElse(own.getParent(), own);
        Path results = Objects.requireNonNullElse(host.getParent(), host);
        List<ReportInput> nights = new ArrayList<>();
        int passedOver = 0;
        for (RunFolder other : RunFolder.all(host)) {
            try {
                RunInfo info = other.readInfo();
                if (isLike(
                        info,
                        tonight.run().settings(),
                        Instant.parse(tonight.run().startedAt()))) {
                    nights.add(new ReportInput(
                            info, tonight.environment(), tonight.matrix(), other.readForks(), tonight.seeds()));
                }
            } catch (IOException e) {
                passedOver++;
            }
        }
        nights.add(tonight);
        nights.sort(Comparator.comparing(night -> Instant.parse(night.run().startedAt())));
        List<ReportInput> newest = nights.subList(Math.max(0, nights.size() - MOST), nights.size());
        return History.of(newest, Annotations.read(results), passedOver);
    }

    /** How long a fork of each cell took on this machine in the last finished night before {@code start} that measured it alike. */
    static Map<String, Duration> forkTimes(Path results, Settings settings, Instant start) throws IOException {
        SortedMap<Instant, List<ForkResult>> newestFirst = new TreeMap<>(Comparator.reverseOrder());
        for (RunFolder night : RunFolder.all(results.resolve(HostId.ofThisMachine()))) {
            try {
                RunInfo info = night.readInfo();
                if (isLike(info, settings.describe(), start)) {
                    newestFirst.put(Instant.parse(info.startedAt()), night.readForks());
                }
            } catch (IOException e) {
                // the report counts what it passes over
            }
        }
        Map<String, Duration> times = new HashMap<>();
        newestFirst
                .values()
                .forEach(forks -> forks.stream()
                        .collect(Collectors.groupingBy(
                                ForkResult::cell, Collectors.averagingLong(ForkResult::wallMillis)))
                        .forEach((cell, millis) -> times.putIfAbsent(cell, Duration.ofMillis(millis.longValue()))));
        return times;
    }

    /** Whether a run is a finished night before {@code start} whose forks took as long as these settings say. */
    private static boolean isLike(RunInfo info, Map<String, String> settings, Instant start) {
        return info.profile().equals(Profile.NIGHTLY.label())
                && info.finishedAt() != null
                && Instant.parse(info.startedAt()).isBefore(start)
                && SAMPLING.stream()
                        .allMatch(name -> Objects.equals(info.settings().get(name), settings.get(name)));
    }
}
