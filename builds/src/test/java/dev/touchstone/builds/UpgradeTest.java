package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Marked;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of an earlier commit beside today's, each in a process of its own; {@code scripts/builds-upgrade} makes them. Builds do not notice. */
@Tag("slow")
@Timeout(3600)
class UpgradeTest {
    private static final int LINES = 1_000;
    private static final String TODAY = System.getProperty("java.class.path");
    private static final String SECRET = "a secret of the build";

    @TempDir
    Path folder;

    private final int rounds = Integer.getInteger("rounds", 1);
    private String earlier;
    private GitRepo repository;

    @BeforeEach
    void prepare() throws IOException {
        String programs = System.getProperty("earlier");
        if (programs == null) {
            abort("no earlier programs: run scripts/builds-upgrade");
        }
        try (Stream<Path> files = Files.list(Path.of(programs))) {
            Path jar = files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
            earlier = jar + File.pathSeparator + programs + "/lib/*";
        }
        repository = GitRepo.withScript(
                folder.resolve("repository"),
                "echo $BASHPID >>$STARTED",
                "for i in $(seq 1 500); do echo \"line $i $NAME\"; done",
                "while [ -n \"$GATE\" ] && [ ! -e \"$GATE\" ]; do sleep 0.05; done",
                "for i in $(seq 501 1000); do echo \"line $i $NAME\"; done",
                "echo \"said $PASSWORD\"",
                "exit $CODE");
        repository.git("branch", "other");
    }

    /** A client that builds, in a process of its own. */
    private final class ClientProcess implements AutoCloseable {
        private final String name;
        private final Path out;
        private final Path err;
        private final Process process;

        private ClientProcess(String classPath, Path site, int port, String name, String gate, int code)
                throws IOException {
            this.name = name;
            this.out = site.resolve(name + ".out");
            this.err = site.resolve(name + ".err");
            List<String> arguments = new ArrayList<>(List.of("build", "-master", "builds://127.0.0.1:" + port));
            arguments.addAll(
                    List.of("--token-file", CommandProcess.tokenFile(site).toString()));
            String branch =
                    classPath.equals(TODAY) ? "other" : "master"; // builds of one branch run one after the other
            arguments.addAll(List.of("-repository", "git+" + repository.url() + "#" + branch, "-script", "build.sh"));
            arguments.addAll(List.of("-env", "NAME=" + name, "-env", "CODE=" + code, "-env", "GATE=" + gate));
            arguments.addAll(List.of("-env", "STARTED=" + started(site, name), "--secret", "PASSWORD"));
            ProcessBuilder builder = new ProcessBuilder(CommandProcess.words(List.of("-Xmx128m"), classPath, arguments))
                    .directory(site.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("PASSWORD", SECRET);
            process = builder.start();
        }

        /** Waits for the end and checks that the last attempt's log is whole. */
        private void end(int exitCode) throws Exception {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(name).isTrue();
            String log = Files.readString(out);
            assertThat(process.exitValue()).as(Files.readString(err) + log).isEqualTo(exitCode);
            List<String> lines =
                    log.lines().filter(line -> line.startsWith("line ")).toList();
            assertThat(lines.subList(Math.max(0, lines.size() - LINES), lines.size()))
                    .as(name)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, LINES)
                            .mapToObj(i -> "line " + i + " " + name)
                            .toList());
            assertThat(log).contains("said ").doesNotContain(SECRET);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private static Path started(Path site, String name) {
        return site.resolve(name + ".started");
    }

    private static void awaitAttempts(Path site, String name, int attempts) throws Exception {
        Path file = started(site, name);
        Until.isTrue(
                name + " runs",
                () -> Files.exists(file) && Files.readAllLines(file).size() >= attempts);
    }

    private Path site(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    private AgentProcess agent(String classPath, Path site, int port) throws IOException {
        return new AgentProcess(
                List.of(), classPath, site, "agent", port, List.of("-executors", "2", "--isolation", "none"));
    }

    @Test
    void mixtures_ofEarlierAndPresentPrograms_buildAlike() throws Exception {
        int builds = 0;
        long start = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            for (int mixture = 0; mixture < 8; mixture++) {
                Path site = site("mixture-" + round + "-" + mixture);
                String masters = (mixture & 1) == 0 ? earlier : TODAY;
                String agents = (mixture & 2) == 0 ? earlier : TODAY;
                String clients = (mixture & 4) == 0 ? earlier : TODAY;
                try (MasterProcess master = new MasterProcess(masters, site, List.of("-Xmx128m"), List.of());
                        AgentProcess agent = agent(agents, site, master.port());
                        ClientProcess good = new ClientProcess(clients, site, master.port(), "good", "", 0);
                        ClientProcess bad = new ClientProcess(clients, site, master.port(), "bad", "", 3)) {
                    good.end(0);
                    bad.end(3);
                    assertThat(agent.isAlive()).isTrue();
                }
                builds += 2;
            }
        }
        Figures.say(
                "mixtures: rounds=%d mixtures=8 builds=%d seconds=%.1f",
                rounds, builds, (System.nanoTime() - start) / 1e9);
    }

    @Test
    void programs_replacedWhileBuildsRun_loseNothing() throws Exception {
        long longestNanos = 0;
        for (int round = 0; round < rounds; round++) {
            Path site = site("rolling-" + round);
            try (MasterProcess master =
                            new MasterProcess(earlier, site, List.of("-Xmx128m"), List.of("--grace", "60"));
                    AgentProcess agent = agent(earlier, site, master.port())) {
                longestNanos = Math.max(longestNanos, replaceMaster(site, master));
                replaceAgent(site, master, agent, TODAY, "agent-of-today");
                replaceAgent(site, master, agent, earlier, "earlier-agent");
                replaceAgent(site, master, agent, TODAY, "agent-of-today-again");
                assertThat(Marked.processes(site, "")).isEmpty();
            }
        }
        Figures.say(
                "rolling: rounds=%d builds=%d lost=0 longest start of the new master on the earlier folder ms=%d",
                rounds, 8 * rounds, TimeUnit.NANOSECONDS.toMillis(longestNanos));
    }

    /** Replaces the master while a client of each kind follows a build; returns how long its start took. */
    private long replaceMaster(Path site, MasterProcess master) throws Exception {
        Path gate = site.resolve("master.gate");
        int port = master.port();
        try (ClientProcess old = new ClientProcess(earlier, site, port, "old-client", gate.toString(), 0);
                ClientProcess present = new ClientProcess(TODAY, site, port, "present-client", gate.toString(), 0)) {
            awaitAttempts(site, "old-client", 1);
            awaitAttempts(site, "present-client", 1);
            master.kill();
            long start = System.nanoTime();
            master.start(TODAY);
            long nanos = System.nanoTime() - start;
            Files.createFile(gate);
            old.end(0);
            present.end(0);
            assertThat(Files.readAllLines(started(site, "old-client"))).hasSize(1);
            assertThat(Files.readAllLines(started(site, "present-client"))).hasSize(1);
            return nanos;
        }
    }

    /** Replaces the agent while builds run: another attempt of each, on the folders that the one before has left. */
    private void replaceAgent(Path site, MasterProcess master, AgentProcess agent, String classPath, String name)
            throws Exception {
        Path gate = site.resolve(name + ".gate");
        int port = master.port();
        try (ClientProcess old = new ClientProcess(earlier, site, port, name + "-old", gate.toString(), 0);
                ClientProcess present = new ClientProcess(TODAY, site, port, name + "-present", gate.toString(), 4)) {
            awaitAttempts(site, name + "-old", 1);
            agent.kill();
            agent.start(classPath);
            awaitAttempts(site, name + "-old", 2);
            Files.createFile(gate);
            old.end(0);
            present.end(4);
        }
    }

    /** An earlier master that does not know records of today's journal must say so, and one that knows all goes on; neither harms the folder. */
    @Test
    void earlierMaster_onTheFolderOfToday_harmsNothing() throws Exception {
        Path site = site("back");
        Path gate = site.resolve("gate");
        try (MasterProcess master = new MasterProcess(TODAY, site, List.of("-Xmx128m"), List.of("--grace", "60"));
                AgentProcess agent = agent(TODAY, site, master.port());
                ClientProcess client = new ClientProcess(TODAY, site, master.port(), "client", gate.toString(), 0)) {
            awaitAttempts(site, "client", 1);
            master.kill();
            try {
                master.start(earlier);
                master.kill();
            } catch (IOException refused) {
                System.getLogger(UpgradeTest.class.getName())
                        .log(
                                System.Logger.Level.INFO,
                                "the earlier master refuses the folder: " + refused.getMessage());
            }
            master.start(TODAY);
            Files.createFile(gate);
            client.end(0);
            assertThat(agent.isAlive()).isTrue();
        }
    }
}
