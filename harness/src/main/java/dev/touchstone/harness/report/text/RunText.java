package dev.touchstone.harness.report.text;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.ForceLatency;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.store.RunInfo;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A run and its machine in a line each. */
public final class RunText {
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private RunText() {}

    /** Returns the heading of a report: profile, version and commit. */
    public static String title(ReportInput input) {
        RunInfo run = input.run();
        return "Touchstone " + run.profile() + " · " + run.version() + " " + run.commit()
                + (run.dirty() ? " (dirty)" : "");
    }

    /** Returns what was measured and when. */
    public static String build(ReportInput input) {
        RunInfo run = input.run();
        String changes = run.dirty() ? " with uncommitted changes" : "";
        return "Build " + run.version() + ", " + run.commit() + changes + " · " + when(input);
    }

    /** Returns when the run started, and its rounds. */
    public static String when(ReportInput input) {
        int rounds = input.run().rounds();
        return started(input.run().startedAt()) + " · " + rounds + (rounds == 1 ? " round" : " rounds");
    }

    private static String started(String instant) {
        try {
            return STARTED.format(Instant.parse(instant));
        } catch (DateTimeParseException e) {
            return instant;
        }
    }

    /** Returns processor, kernel, JDK, file system and force latency. */
    public static String machine(ReportInput input) {
        Environment env = input.environment();
        return env.cpuModel() + ", " + env.cores() + " cores · " + env.kernel() + " · JDK " + env.jdkVersion() + " · "
                + env.fileSystem() + " on " + env.device() + (env.tmpfs() ? " (tmpfs)" : "") + force(env.force());
    }

    private static String force(@Nullable ForceLatency force) {
        return force == null
                ? ""
                : String.format(Locale.ROOT, " · force p50 %.0f µs, p99 %.0f µs", force.p50Micros(), force.p99Micros());
    }
}
