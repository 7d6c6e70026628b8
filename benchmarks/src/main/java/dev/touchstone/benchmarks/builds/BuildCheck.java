package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.builds.peer.BareBuilds;
import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildsUnderTest;
import dev.touchstone.benchmarks.builds.peer.NoopRequests;
import dev.touchstone.benchmarks.builds.peer.NoopsUnderTest;
import dev.touchstone.benchmarks.builds.peer.ServiceBuilds;
import dev.touchstone.benchmarks.builds.peer.ServiceLogs;
import dev.touchstone.benchmarks.builds.peer.ServiceOptions;
import dev.touchstone.benchmarks.builds.peer.TestRepository;
import dev.touchstone.benchmarks.builds.peer.Topology;
import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * One subject of one workload doing a little of its work. A build of the service has the whole output of the script where it is kept, and runs the script of
 * a commit that was pushed right before it, whatever fetches are shared. Where Redis is not installed its mode is passed over: its forks say so.
 */
final class BuildCheck implements SemanticCheck {
    private static final int BRANCHES = 3;
    private static final int NOOPS = 1_000;
    private static final int MEGABYTES = 3;
    private static final int EXIT_CODE = 7; // of the script that is pushed
    private static final String OUTPUT = TestRepository.LINE.repeat(TestRepository.LINES);

    private final Matrix.Workload workload;
    private final BuildType subject;

    BuildCheck(Matrix.Workload workload, BuildType subject) {
        this.workload = workload;
        this.subject = subject;
    }

    @Override
    public String workload() {
        return workload.id();
    }

    @Override
    public String subject() {
        return subject.name();
    }

    private String param(String name, String otherwise) {
        return workload.params().getOrDefault(name, otherwise);
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        String benchmark = workload.benchmark();
        String script = benchmark.contains("BuildLog") ? ServiceLogs.script(MEGABYTES) : TestRepository.seedScript();
        TestRepository repository = TestRepository.create(dataFolder.resolve("repository"), BRANCHES, script);
        Path folder = Files.createDirectory(dataFolder.resolve("subject"));
        BuildMode mode = BuildMode.valueOf(param("mode", "STREAMING"));
        ServiceOptions options = new ServiceOptions(
                folder,
                repository,
                Topology.valueOf(param("topology", "PROCESSES")),
                Integer.parseInt(param("executors", "2")),
                mode);
        if (benchmark.contains("BuildNoop")) {
            checkNoops(options);
        } else if (benchmark.contains("BuildLog")) {
            checkLog(options);
        } else if (mode.available()) {
            checkBuilds(options);
        }
    }

    private void checkNoops(ServiceOptions options) throws IOException {
        boolean durable = Boolean.parseBoolean(param("durable", "false"));
        NoopRequests kind = NoopRequests.valueOf(param("requests", "SAME"));
        try (NoopsUnderTest noops = subject.openNoops(options, durable, kind, NOOPS)) {
            noops.pipelined(NOOPS);
            noops.roundTrip();
        }
    }

    private void checkLog(ServiceOptions options) throws CheckFailedException, IOException {
        try (ServiceLogs logs = ServiceLogs.open(options)) {
            long bytes = logs.follow(MEGABYTES);
            check(bytes > 0, "log is empty");
        }
    }

    private void checkBuilds(ServiceOptions options) throws CheckFailedException, IOException {
        try (BuildsUnderTest builds = subject.open(options)) {
            builds.build(BRANCHES, BRANCHES);
            builds.emptyWorkspaces();
            builds.build(2 * BRANCHES, BRANCHES);
            if (builds instanceof ServiceBuilds service) {
                checkOutputs(service, options);
                options.repository().commit("exit " + EXIT_CODE + "\n");
                check(
                        service.exitCode(options.repository().branch(0)) == EXIT_CODE,
                        "the build before which a commit was pushed did not run its script");
            } else if (builds instanceof BareBuilds bare) {
                checkBare(bare, options);
            }
        }
    }

    private static void checkOutputs(ServiceBuilds service, ServiceOptions options)
            throws CheckFailedException, IOException {
        if (options.mode() == BuildMode.DISCARD) {
            return;
        }
        Map<String, byte[]> outputs = service.outputs();
        check(outputs.size() == 3 * BRANCHES, "outputs=" + outputs.size() + " expected " + 3 * BRANCHES);
        for (Map.Entry<String, byte[]> output : outputs.entrySet()) {
            String text = new String(output.getValue(), StandardCharsets.UTF_8);
            check(text.contains(OUTPUT), "output has not all lines of the script: job=" + output.getKey());
        }
    }

    private static void checkBare(BareBuilds bare, ServiceOptions options) throws CheckFailedException, IOException {
        for (Path tree : bare.trees()) {
            check(
                    Files.readString(tree.resolve(TestRepository.SCRIPT))
                            .equals(Files.readString(
                                    options.repository().folder().resolve(TestRepository.SCRIPT))),
                    "tree has not the script of its branch: " + tree.getFileName());
        }
    }

    private static void check(boolean holds, String what) throws CheckFailedException {
        if (!holds) {
            throw new CheckFailedException(what);
        }
    }
}
