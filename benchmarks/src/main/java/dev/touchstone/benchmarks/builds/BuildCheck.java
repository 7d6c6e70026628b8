package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.WrittenBytes;
import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildTopology;
import dev.touchstone.benchmarks.builds.peer.BuildsUnderTest;
import dev.touchstone.benchmarks.builds.peer.LogsUnderTest;
import dev.touchstone.benchmarks.builds.peer.NoopRequests;
import dev.touchstone.benchmarks.builds.peer.NoopsUnderTest;
import dev.touchstone.benchmarks.builds.peer.ServiceLogs;
import dev.touchstone.benchmarks.builds.peer.ServiceObserver;
import dev.touchstone.benchmarks.builds.peer.ServiceOptions;
import dev.touchstone.benchmarks.builds.peer.TestRepository;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks one subject of one workload by a little of its work. Where Redis is not installed its mode is passed over, and the result says so. */
record BuildCheck(Matrix.Workload workload, DeclaredSubject subject) implements SemanticCheck {
    private static final int BRANCHES = 3;
    private static final int NOOPS = 1_000;
    private static final int CEILING_NOOP_BYTES = 210; // of a request and its answer
    private static final int MEGABYTES = 3;
    private static final long LOG_BYTES = MEGABYTES * 1_000_000L;
    private static final int EXIT_CODE = 7; // of the script that is pushed
    private static final String OUTPUT = TestRepository.LINE.repeat(TestRepository.LINES);

    @Override
    public String observes() {
        return switch (kind()) {
            case NOOPS ->
                subject.ceiling()
                        ? "bytes of requests and answers, by the kernel's account of what the process has written"
                        : "the jobs that the master has taken, by the numbers that another client gets before and after; the results "
                                + "of durable ones, by that client";
            case LOG ->
                "the log of the newest job, by another client; bytes on their way to the client, by the kernel's account "
                        + "of what the processes have written";
            case BUILDS ->
                subject.ceiling()
                        ? "trees, by the file system; output of scripts, by the kernel's account of what they have written"
                        : "the jobs that the master has recorded, by another client; their output, where the mode keeps "
                                + "it; the script of a commit that was pushed right before its build";
        };
    }

    @Override
    public Optional<String> unobserved() {
        return mode().available()
                ? Optional.empty()
                : Optional.of("everything: no redis-server on the PATH, install redis");
    }

    /** The kinds of work. */
    private enum Kind {
        NOOPS,
        LOG,
        BUILDS
    }

    private Kind kind() {
        String benchmark = workload.benchmark();
        if (benchmark.contains(".BuildNoopBenchmark.")) {
            return Kind.NOOPS;
        } else if (benchmark.contains(".BuildLogBenchmark.")) {
            return Kind.LOG;
        } else if (benchmark.contains(".BuildBenchmark.")) {
            return Kind.BUILDS;
        }
        throw new IllegalArgumentException("benchmark=" + benchmark + " has no check");
    }

    private BuildMode mode() {
        return BuildMode.valueOf(param("mode", "STREAMING"));
    }

    private String param(String name, String otherwise) {
        return workload.params().getOrDefault(name, otherwise);
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        if (!mode().available()) {
            return;
        }
        String script = kind() == Kind.LOG ? ServiceLogs.script(MEGABYTES) : TestRepository.seedScript();
        TestRepository repository = TestRepository.create(dataFolder.resolve("repository"), BRANCHES, script);
        ServiceOptions options = new ServiceOptions(
                Files.createDirectory(dataFolder.resolve("subject")),
                repository,
                BuildTopology.valueOf(param("topology", "PROCESSES")),
                Integer.parseInt(param("executors", "2")),
                mode());
        switch (kind()) {
            case NOOPS -> checkNoops(options);
            case LOG -> checkLog(options);
            case BUILDS -> checkBuilds(options);
        }
    }

    private void checkNoops(ServiceOptions options) throws CheckFailedException, IOException {
        boolean durable = Boolean.parseBoolean(param("durable", "false"));
        NoopRequests requests = NoopRequests.valueOf(param("requests", "SAME"));
        try (NoopsUnderTest noops = subject.open(NoopsUnderTest.class, options, durable, requests, NOOPS)) {
            if (subject.ceiling()) {
                OptionalLong before = WrittenBytes.now();
                noops.pipelined(NOOPS);
                noops.roundTrip();
                demandWritten(before, (NOOPS + 1L) * CEILING_NOOP_BYTES);
                return;
            }
            try (ServiceObserver observer = noops.observe()) {
                String first = observer.mark();
                noops.pipelined(NOOPS);
                String middle = observer.mark();
                demandJobs(ServiceObserver.jobsBetween(first, middle), NOOPS);
                noops.roundTrip();
                demandJobs(ServiceObserver.jobsBetween(middle, observer.mark()), 1);
                if (durable) { // of the others nothing is kept once their results are told
                    demandEnded(observer.ended(first, middle), NOOPS);
                }
            }
        }
    }

    private static void demandJobs(long recorded, int count) throws CheckFailedException {
        check(recorded == count, "expected jobs=" + count + " of the calls at the master, got " + recorded);
    }

    private static void demandEnded(List<BuildResult> results, int count) throws CheckFailedException {
        long ended = results.stream().filter(BuildResult::isSuccess).count();
        check(ended == count, "expected jobs=" + count + " of the calls to succeed at the master, got " + ended);
    }

    private void checkLog(ServiceOptions options) throws CheckFailedException, IOException {
        try (LogsUnderTest logs = subject.open(LogsUnderTest.class, options);
                ServiceObserver observer = logs.observe()) {
            for (int call = 1; call <= 2; call++) {
                OptionalLong before = WrittenBytes.now();
                long bytes = logs.follow(MEGABYTES);
                demandWritten(before, 2 * LOG_BYTES); // from the agent to the master, and on to the client
                List<BuildResult> builds = observer.builds(2);
                check(builds.size() == call, "expected builds=" + call + " at the master, got " + builds.size());
                byte[] log = observer.output(builds.get(0).jobId());
                check(log.length == bytes, "log of bytes=" + log.length + " at the master, the client has " + bytes);
                String text = new String(log, StandardCharsets.US_ASCII);
                check(
                        text.lines().filter(ServiceLogs.line().strip()::equals).count()
                                >= LOG_BYTES / ServiceLogs.line().length(),
                        "log has not all lines of the script");
            }
        }
    }

    private void checkBuilds(ServiceOptions options) throws CheckFailedException, IOException {
        try (BuildsUnderTest builds = subject.open(BuildsUnderTest.class, options)) {
            if (subject.ceiling()) {
                checkBare(builds, options);
                return;
            }
            builds.build(BRANCHES, BRANCHES);
            builds.emptyWorkspaces();
            builds.build(2 * BRANCHES, BRANCHES);
            try (ServiceObserver observer = builds.observe()) {
                List<BuildResult> results = observer.builds(4 * BRANCHES);
                demandEnded(results, 3 * BRANCHES);
                for (BuildResult result : results) {
                    String output = new String(observer.output(result.jobId()), StandardCharsets.UTF_8);
                    check(
                            mode() == BuildMode.DISCARD || output.contains(OUTPUT),
                            "output has not all lines of the script: job=" + result.jobId());
                }
                options.repository().commit("exit " + EXIT_CODE + "\n");
                check(
                        observer.exitCode(options.repository().branch(0)) == EXIT_CODE,
                        "the build before which a commit was pushed did not run its script");
            }
        }
    }

    /** Checks that each call writes all trees anew, or runs all scripts to their ends, as the subject does either or both. */
    private void checkBare(BuildsUnderTest builds, ServiceOptions options) throws CheckFailedException, IOException {
        String script = Files.readString(options.repository().folder().resolve(TestRepository.SCRIPT));
        for (int call = 1; call <= 2; call++) {
            builds.emptyWorkspaces();
            OptionalLong before = WrittenBytes.now();
            builds.build(BRANCHES, BRANCHES);
            if (!subject.name().equals("CEILING_CHECKOUT")) {
                demandWritten(before, (long) BRANCHES * TestRepository.OUTPUT_BYTES);
            }
            for (int i = 0; i < BRANCHES && !subject.name().equals("CEILING_SCRIPT"); i++) {
                Path file = options.folder()
                        .resolve("trees")
                        .resolve(options.repository().branch(i))
                        .resolve(TestRepository.SCRIPT);
                check(
                        Files.exists(file) && Files.readString(file).equals(script),
                        "tree has not the script of its branch: "
                                + options.folder().relativize(file));
            }
        }
    }

    private static void demandWritten(OptionalLong before, long expected) throws CheckFailedException, IOException {
        OptionalLong after = WrittenBytes.now();
        if (before.isPresent() && after.isPresent()) {
            long bytes = after.getAsLong() - before.getAsLong();
            check(bytes >= expected, "expected at least " + expected + " bytes written by the processes, got " + bytes);
        }
    }

    private static void check(boolean holds, String what) throws CheckFailedException {
        if (!holds) {
            throw new CheckFailedException(what);
        }
    }
}
