package dev.touchstone.harness.store;

import dev.touchstone.harness.run.ReferenceLoad;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Made-up forks of one thread and no parameters; each method gives a changed copy. */
public record Forks(
        String workload,
        String subject,
        Build build,
        int round,
        int rerun,
        @Nullable String dirty,
        String mode,
        String unit,
        @Nullable ReferenceLoad ruler,
        Noise noise) {
    /** A clean fork of ours in round 0, in operations a second. */
    public static Forks of(String workload) {
        return new Forks(workload, "OURS", Build.OWN, 0, 0, null, "thrpt", "ops/s", null, Noise.unknown());
    }

    public Forks subject(String name) {
        return new Forks(workload, name, build, round, rerun, dirty, mode, unit, ruler, noise);
    }

    public Forks build(Build other) {
        return new Forks(workload, subject, other, round, rerun, dirty, mode, unit, ruler, noise);
    }

    public Forks round(int number) {
        return new Forks(workload, subject, build, number, rerun, dirty, mode, unit, ruler, noise);
    }

    public Forks rerun(int number) {
        return new Forks(workload, subject, build, round, number, dirty, mode, unit, ruler, noise);
    }

    public Forks dirty(@Nullable String reason) {
        return new Forks(workload, subject, build, round, rerun, reason, mode, unit, ruler, noise);
    }

    public Forks unit(String otherMode, String otherUnit) {
        return new Forks(workload, subject, build, round, rerun, dirty, otherMode, otherUnit, ruler, noise);
    }

    public Forks ruler(@Nullable ReferenceLoad measured) {
        return new Forks(workload, subject, build, round, rerun, dirty, mode, unit, measured, noise);
    }

    public Forks noise(Noise measured) {
        return new Forks(workload, subject, build, round, rerun, dirty, mode, unit, ruler, measured);
    }

    public ForkResult score(double score) {
        return result(null, new Metric(mode, unit, score, List.of(score)));
    }

    /** Returns a fork at a fixed rate, with the score and with the time that one call in a thousand exceeds, in microseconds. */
    public ForkResult paced(double score, double tail, long calls) {
        ForkResult plain = unit("paced", "us/op").score(score);
        plain.secondary().put(Latency.TAIL, new Metric("paced", "us/op", tail, List.of(tail)));
        return new ForkResult(
                workload + "/t1/rate=5000/" + subject,
                workload,
                subject,
                1,
                plain.params(),
                round,
                0,
                plain.startedAt(),
                plain.wallMillis(),
                null,
                plain.primary(),
                plain.secondary(),
                plain.jvmFlags(),
                noise,
                build,
                rerun,
                dirty,
                ruler,
                new Latency(5_000, calls, 0, ""));
    }

    public ForkResult failed(String error) {
        return result(error, null);
    }

    private ForkResult result(@Nullable String error, @Nullable Metric metric) {
        return new ForkResult(
                workload + "/t1/" + subject,
                workload,
                subject,
                1,
                new TreeMap<>(),
                round,
                0,
                "2026-03-04T10:00:00Z",
                100,
                error,
                metric,
                new TreeMap<>(),
                List.of("-Xmx1g"),
                noise,
                build,
                rerun,
                dirty,
                ruler,
                null);
    }
}
