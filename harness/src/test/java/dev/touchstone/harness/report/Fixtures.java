package dev.touchstone.harness.report;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.env.ForceLatency;
import dev.touchstone.harness.paced.ResponseTimes;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Matrix.Ceiling;
import dev.touchstone.harness.run.Matrix.Excerpt;
import dev.touchstone.harness.run.Matrix.SeedRow;
import dev.touchstone.harness.run.Matrix.Subject;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A made-up run that has everything a report must cope with: three workloads, a ceiling, a failure, methods, counters, markup. */
public final class Fixtures {
    public static final String MARKUP = "<script>alert(1)</script>";
    static final String LONG_LABEL =
            "a subject whose label is far longer than any table of a terminal can be ".repeat(2);

    private final Random random;
    private final int rounds;
    private final List<ForkResult> forks = new ArrayList<>();

    private Fixtures(long seed, int rounds) {
        this.random = new Random(seed);
        this.rounds = rounds;
    }

    public static ReportInput input(int rounds) throws IOException {
        return input(rounds, seeds());
    }

    static ReportInput input(int rounds, SeedFigures seeds) {
        Fixtures fixtures = new Fixtures(42, rounds);
        fixtures.measure();
        return new ReportInput(runInfo(rounds, false), environment(false), matrix(), fixtures.forks, seeds);
    }

    /** The same with the scan in a part of its own. */
    static ReportInput severalParts(int rounds) throws IOException {
        ReportInput one = input(rounds);
        Matrix matrix = matrix();
        List<Workload> workloads = matrix.workloads().stream()
                .map(workload -> workload.id().equals("queue-scan") ? in("index", workload) : workload)
                .toList();
        Matrix several = new Matrix(
                matrix.schema(),
                matrix.commonFlags(),
                matrix.flagSets(),
                matrix.subjects(),
                workloads,
                matrix.seedRows(),
                matrix.sources());
        return new ReportInput(one.run(), environment(false), several, one.forks(), SeedFigures.none());
    }

    private static Workload in(String part, Workload workload) {
        return new Workload(
                workload.id(),
                part,
                workload.title(),
                workload.benchmark(),
                workload.params(),
                workload.threads(),
                workload.ours(),
                workload.peers(),
                workload.ceiling(),
                workload.quick(),
                workload.headline(),
                workload.perOperation(),
                workload.ruler(),
                workload.flags());
    }

    /** The same with a workload at a fixed rate; the peer is slower and keeps four fifths of it. */
    static ReportInput paced(int rounds, int... moreRates) throws IOException {
        Fixtures fixtures = new Fixtures(42, rounds);
        fixtures.measure();
        for (int round = 0; round < rounds; round++) {
            fixtures.paced("OURS_SYNCED", round, 40, 0, 1_000);
            fixtures.paced("TAPE", round, 160, 1_000, 1_000);
            fixtures.paced("CHRONICLE_SYNC", round, 70, 0, 1_000);
            fixtures.paced("CEILING_DSYNC", round, 25, 0, 1_000);
        }
        for (int rate : moreRates) {
            for (int round = 0; round < rounds; round++) {
                fixtures.paced("OURS_SYNCED", round, 40 + rate / 100.0, 0, rate);
                fixtures.paced("TAPE", round, 160 + rate / 4.0, 0, rate);
            }
        }
        return new ReportInput(runInfo(rounds, false), environment(false), matrix(), fixtures.forks, seeds());
    }

    /** The same as a night beside its baseline, with the nights before it: a report with all of its sections. */
    static ReportInput full() throws IOException {
        ReportInput paced = paced(12, 500, 4_000);
        List<ForkResult> forks = new ArrayList<>();
        for (ForkResult fork : paced.forks()) {
            forks.add(fork);
            if (fork.subject().startsWith("OURS")) {
                forks.add(ofBaseline(fork));
            }
        }
        RunInfo plain = runInfo(12, false);
        RunInfo run = new RunInfo(
                plain.schema(),
                "nightly",
                plain.commandLine(),
                plain.version(),
                plain.commit(),
                plain.dirty(),
                plain.startedAt(),
                plain.finishedAt(),
                plain.dataFolder(),
                plain.tmpfs(),
                plain.cells(),
                plain.rounds(),
                plain.jdk(),
                new BuildInfo("0.1.0", "0ld1234", false),
                plain.settings());
        return new ReportInput(run, environment(false), matrix(), forks, seeds(), nights());
    }

    private static ForkResult ofBaseline(ForkResult fork) {
        return new ForkResult(
                fork.cell(),
                fork.workload(),
                fork.subject(),
                fork.threads(),
                fork.params(),
                fork.round(),
                fork.order(),
                fork.startedAt(),
                fork.wallMillis(),
                fork.error(),
                fork.primary(),
                fork.secondary(),
                fork.jvmFlags(),
                fork.noise(),
                Build.BASELINE,
                0,
                null,
                null,
                fork.latency());
    }

    private static History nights() {
        Random random = new Random(7);
        List<History.Night> nights = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            double speed = (i < 25 ? 1 : 1.12) * Math.exp(0.02 * random.nextGaussian());
            LocalDate day = LocalDate.of(2026, 10, 1).plusDays(i);
            nights.add(new History.Night(day, "c0ffee" + i, 42_000 * speed, "ops/s", speed));
        }
        History.Shift shift = new History.Shift(25, 1.12, List.of("code: group commit"));
        return new History(
                List.of(new History.Line(
                        "queue-write-synced/t8/OURS_SYNCED", ReferenceLoad.Kind.FORCE, nights, List.of(shift), 1.01)),
                0);
    }

    static SeedFigures seeds() throws IOException {
        return SeedFigures.of(matrix(), Fixtures::seedFile);
    }

    static @Nullable InputStream seedFile(String name) throws IOException {
        Path file = Path.of("..", "results", "seed", name);
        return Files.exists(file) ? Files.newInputStream(file) : null;
    }

    public static RunInfo runInfo(int rounds, boolean tmpfs) {
        return runInfo(rounds, tmpfs, "quick");
    }

    public static RunInfo runInfo(int rounds, boolean tmpfs, String profile) {
        return new RunInfo(
                RunInfo.SCHEMA,
                profile,
                List.of("quick", "--data", "data"),
                "0.1.0",
                "f56a250",
                true,
                "2026-11-20T12:00:00Z",
                "2026-11-20T12:02:51Z",
                "data",
                tmpfs,
                List.of("queue-write-synced/t8/OURS_SYNCED"),
                rounds,
                "17.0.15+6",
                null,
                new TreeMap<>(Map.of("warmup", "1 x 1 s", "measurement", "2 x 1 s")));
    }

    public static Environment environment(boolean tmpfs) {
        return new Environment(
                Environment.SCHEMA,
                "Example CPU @ 2.60GHz",
                2,
                4L << 30,
                "Linux 6.1",
                "Debian GNU/Linux 12",
                "17.0.15+6",
                "Example",
                "OpenJDK 64-Bit Server VM, mixed mode",
                tmpfs ? "tmpfs" : "ext4",
                "rw,relatime",
                tmpfs ? "tmpfs" : "/dev/vda1",
                "write back",
                20L << 30,
                null,
                true,
                tmpfs,
                0.2,
                0.01,
                new ForceLatency(500, 73, 410, 4900));
    }

    public static Matrix matrix() {
        SortedMap<String, Subject> subjects = new TreeMap<>();
        subjects.put(
                "OURS_SYNCED", new Subject("Touchstone synced", "durable, group commit", null, "Segments of 64 MiB."));
        subjects.put("OURS_BATCHED", new Subject("Touchstone batched", "bounded loss", null, "A force per 10 ms."));
        subjects.put("TAPE", new Subject("tape 2.0.0-beta1", "durable, two forces a record", null, "Defaults."));
        subjects.put(
                "CHRONICLE_SYNC",
                new Subject("Chronicle Queue, SYNC", "durable, one msync a record", "c", "SYNC and sync()."));
        subjects.put("CHRONICLE", new Subject("Chronicle Queue", "page cache", "c", "Defaults."));
        subjects.put("EVIL", new Subject(MARKUP, LONG_LABEL, null, MARKUP + " | `x` & \"y\""));
        subjects.put(
                "CEILING_DSYNC", new Subject("O_DSYNC writes", "the device's own limit", null, "512 B at a time."));
        List<Workload> workloads = List.of(
                workload(
                        "queue-write-synced",
                        "Write 512 B, durable on return",
                        "OURS_SYNCED",
                        List.of("TAPE", "CHRONICLE_SYNC"),
                        new Ceiling("CEILING_DSYNC", 1, true),
                        Map.of("forces per record", "forces"),
                        Map.of()),
                workload(
                        "queue-write-batched",
                        "Write 512 B, bounded loss",
                        "OURS_BATCHED",
                        List.of("CHRONICLE", "EVIL"),
                        null,
                        Map.of(),
                        Map.of("size", MARKUP)),
                workload(
                        "queue-scan",
                        "Iterate over a million records",
                        "OURS_SYNCED",
                        List.of("CHRONICLE"),
                        null,
                        Map.of(),
                        Map.of()),
                workload(
                        "queue-mixed-synced",
                        "Three writers and one reader",
                        "OURS_SYNCED",
                        List.of("TAPE"),
                        null,
                        Map.of(),
                        Map.of()));
        List<SeedRow> seeds = List.of(
                new SeedRow(
                        "queue-popout#write-ssd/synced/t8",
                        "queue-write-synced",
                        8,
                        "OURS_SYNCED",
                        "CHRONICLE_SYNC",
                        null),
                new SeedRow("queue-popout#write-ssd/tape/t8", "queue-write-synced", 8, "OURS_SYNCED", "TAPE", null),
                new SeedRow("queue-popout#scan-ssd/tape", "queue-scan", 1, "OURS_SYNCED", "TAPE", null),
                new SeedRow("queue-popout#mixed-ssd/tape/total", "queue-mixed-synced", 0, "OURS_SYNCED", "TAPE", null),
                new SeedRow(
                        "queue-popout#mixed-ssd/tape/read", "queue-mixed-synced", 0, "OURS_SYNCED", "TAPE", "read"));
        return new Matrix(
                Matrix.SCHEMA, List.of("-Xmx1g"), new TreeMap<>(), subjects, workloads, seeds, "bench/src/main/java");
    }

    private static Workload workload(
            String id,
            String title,
            String ours,
            List<String> peers,
            @Nullable Ceiling ceiling,
            Map<String, String> counters,
            Map<String, String> params) {
        return new Workload(
                id,
                "queue",
                title,
                "example.Benchmark.run",
                new TreeMap<>(params),
                List.of(1, 8),
                ours,
                peers,
                ceiling,
                new Excerpt(List.of(8), peers),
                null,
                new TreeMap<>(counters),
                null,
                null);
    }

    private void measure() {
        for (int round = 0; round < rounds; round++) {
            fork("queue-write-synced", 8, "OURS_SYNCED", round, 42_100, Map.of("forces", 0.26));
            fork("queue-write-synced", 8, "TAPE", round, 1_720, Map.of("forces", 2.0));
            fork("queue-write-synced", 8, "CHRONICLE_SYNC", round, 4_980, Map.of("forces", 1.0));
            fork("queue-write-synced", 1, "CEILING_DSYNC", round, 13_400, Map.of());
            fork("queue-write-batched", 1, "OURS_BATCHED", round, 2_310_000, Map.of());
            fork("queue-write-batched", 1, "CHRONICLE", round, 2_190_000, Map.of());
            failed("queue-write-batched", "EVIL", round);
            time("queue-scan", "OURS_SYNCED", round, 0.31);
            time("queue-scan", "CHRONICLE", round, 0.24);
            fork("queue-mixed-synced", 0, "OURS_SYNCED", round, 21_000, Map.of("read", 0.5, "write", 0.5));
            fork("queue-mixed-synced", 0, "TAPE", round, 32_000, Map.of("read", 0.95, "write", 0.05));
        }
    }

    private void fork(
            String workload, int threads, String subject, int round, double typical, Map<String, Double> shares) {
        double score = typical * Math.exp(0.04 * random.nextGaussian());
        SortedMap<String, Metric> secondary = new TreeMap<>();
        shares.forEach((name, share) -> secondary.put(name, new Metric("thrpt", "ops/s", score * share, List.of())));
        secondary.put("gc.count", new Metric("thrpt", "counts", 3, List.of()));
        add(workload, threads, subject, round, null, new Metric("thrpt", "ops/s", score, List.of(score)), secondary);
    }

    private void time(String workload, String subject, int round, double typical) {
        double score = typical * Math.exp(0.04 * random.nextGaussian());
        add(workload, 1, subject, round, null, new Metric("ss", "s/op", score, List.of(score)), new TreeMap<>());
    }

    private void paced(String subject, int round, double typicalMicros, int omitted, int rate) {
        Histogram nanos = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
        for (int call = 0; call < 5_000; call++) {
            double slow = random.nextInt(100) == 0 ? 20 : 1;
            nanos.recordValue((long) (1_000 * slow * typicalMicros * Math.exp(0.3 * random.nextGaussian())));
        }
        ResponseTimes times = new ResponseTimes(5_000 - omitted, omitted, nanos);
        SortedMap<String, String> params = new TreeMap<>(Map.of(Cell.RATE, "" + rate));
        Metric score = new Metric("paced", "us/op", times.micros(99), List.of(times.micros(99)));
        add("queue-write-synced", 1, subject, round, null, score, new TreeMap<>(), params, Latency.of(rate, times));
    }

    private void failed(String workload, String subject, int round) {
        add(workload, 1, subject, round, MARKUP + " exit=134\n\tat line 2", null, new TreeMap<>());
    }

    private void add(
            String workload,
            int threads,
            String subject,
            int round,
            @Nullable String error,
            @Nullable Metric primary,
            SortedMap<String, Metric> secondary) {
        SortedMap<String, String> params = new TreeMap<>();
        if (workload.equals("queue-write-batched")) {
            params.put("size", MARKUP);
        }
        add(workload, threads, subject, round, error, primary, secondary, params, null);
    }

    private void add(
            String workload,
            int threads,
            String subject,
            int round,
            @Nullable String error,
            @Nullable Metric primary,
            SortedMap<String, Metric> secondary,
            SortedMap<String, String> params,
            @Nullable Latency latency) {
        String cell = new Cell(workload, "example.Benchmark.run", params, threads, subject).id();
        Noise noise = new Noise(0.1 * random.nextDouble(), 0.02, 3.5 * random.nextDouble(), 12, 0.0, 4.0);
        forks.add(new ForkResult(
                cell,
                workload,
                subject,
                threads,
                params,
                round,
                forks.size(),
                "2026-11-20T12:00:00Z",
                4000,
                error,
                primary,
                secondary,
                List.of("-Xmx1g", "-XX:+UseG1GC", "--add-opens=java.base/java.lang=ALL-UNNAMED"),
                noise,
                Build.OWN,
                0,
                null,
                null,
                latency));
    }
}
