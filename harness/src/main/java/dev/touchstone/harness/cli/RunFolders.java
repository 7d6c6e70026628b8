package dev.touchstone.harness.cli;

import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.report.Comparability;
import dev.touchstone.harness.run.plan.Builds;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/** The choice of the folder that a run is recorded in: a new one, or that of the run to be resumed. */
final class RunFolders {
    private final MeasureOptions options;
    private final Consumer<String> notices;

    /**
     * Creates the choice by the user's options.
     *
     * @param notices receives a line for each run that was passed over
     */
    RunFolders(MeasureOptions options, Consumer<String> notices) {
        this.options = options;
        this.notices = notices;
    }

    /** The folder for a run like {@code wanted}. @throws UsageException if the folder to go on with holds another kind of run */
    RunFolder open(RunInfo wanted, Environment environment) throws IOException {
        RunFolder folder = resumed().orElse(null);
        if (folder == null) {
            return create(wanted, environment);
        }
        RunInfo recorded = folder.readInfo();
        checkSame(folder, recorded, wanted);
        checkSame(folder, Environment.read(folder.path().resolve(Environment.FILE)), environment);
        if (recorded.finishedAt() != null) {
            throw new UsageException("--resume: " + folder.path() + " is finished");
        }
        return folder;
    }

    /** The folder that the user wants to go on with; empty for a new run. */
    Optional<RunFolder> resumed() throws IOException {
        String resume = options.resume;
        if (resume == null) {
            return Optional.empty();
        }
        return Optional.of(resume.isEmpty() ? newest(options.results) : existing(Path.of(resume)));
    }

    /** The machine first: a folder is a run once it has its {@code run.json}, and must then be complete. */
    private RunFolder create(RunInfo wanted, Environment environment) throws IOException {
        LocalDate day = Instant.parse(wanted.startedAt()).atZone(ZoneOffset.UTC).toLocalDate();
        RunFolder folder = RunFolder.create(options.results, HostId.ofThisMachine(), day, wanted.build());
        folder.write(Environment.FILE, environment.toJson());
        folder.writeInfo(wanted);
        return folder;
    }

    private RunFolder newest(Path results) throws IOException {
        return RunFolder.newestUnfinished(
                        results,
                        HostId.ofThisMachine(),
                        unreadable -> notices.accept("Passed over: " + FailureMessages.describe(unreadable)))
                .orElseThrow(() -> new UsageException("--resume: no unfinished run of this machine below " + results));
    }

    private static RunFolder existing(Path folder) throws IOException {
        try {
            return RunFolder.open(folder);
        } catch (NoSuchFileException e) {
            throw new UsageException("--resume: no recorded run in " + folder);
        }
    }

    private static void checkSame(RunFolder folder, RunInfo recorded, RunInfo wanted) {
        same(folder, "profile", recorded.profile(), wanted.profile());
        same(folder, "version", recorded.version(), wanted.version());
        same(folder, "commit", recorded.commit(), wanted.commit());
        same(folder, "dirty", recorded.dirty(), wanted.dirty());
        same(folder, "jdk", recorded.jdk(), wanted.jdk());
        same(folder, "tmpfs", recorded.tmpfs(), wanted.tmpfs());
        same(folder, "baseline", String.valueOf(recorded.baseline()), String.valueOf(wanted.baseline()));
        same(folder, "class path", digest(recorded), digest(wanted));
        same(folder, "settings", recorded.settings(), wanted.settings());
        same(folder, "choice of cells", recorded.cells(), wanted.cells());
    }

    private static String digest(RunInfo run) {
        SortedMap<String, String> settings = run.settings();
        return settings.getOrDefault(Builds.DIGEST, "unknown");
    }

    private static void checkSame(RunFolder folder, Environment recorded, Environment now) {
        for (Comparability.Difference difference : Comparability.of(recorded, now)) {
            same(folder, difference.field(), difference.one(), difference.other());
        }
    }

    private static void same(RunFolder folder, String field, Object recorded, Object wanted) {
        if (!recorded.equals(wanted)) {
            throw new UsageException("--resume: " + folder.path() + " was made with another " + field + ": recorded "
                    + shown(recorded) + ", now " + shown(wanted));
        }
    }

    private static String shown(Object value) {
        return value instanceof List<?> list ? list.size() + " of them" : String.valueOf(value);
    }
}
