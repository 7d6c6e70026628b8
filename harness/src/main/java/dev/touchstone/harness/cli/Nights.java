package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.store.Annotations;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The recorded nights beside a run's folder. */
final class Nights {
    /** More would make every report slower and no change point clearer. */
    private static final int MOST = 120;

    private Nights() {}

    /** The host's nights up to this one. What can't be read is passed over and counted: one bad folder must not end all nights after it. */
    static History upTo(RunFolder folder, ReportInput tonight) throws IOException {
        Path own = folder.path().toAbsolutePath().normalize();
        Path host = Objects.requireNonNullElse(own.getParent(), own);
        Path results = Objects.requireNonNullElse(host.getParent(), host);
        Instant now = Instant.parse(tonight.run().startedAt());
        List<ReportInput> nights = new ArrayList<>();
        int passedOver = 0;
        for (RunFolder other : RunFolder.all(host)) {
            try {
                RunInfo info = other.readInfo();
                boolean earlier = Instant.parse(info.startedAt()).isBefore(now);
                if (earlier && info.profile().equals(Profile.NIGHTLY.label())) {
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
}
