package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.process.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command lines of the origin's users, as processes: ours, and the original's program where it is installed. */
@Timeout(180)
class OriginCommandsTest {
    private static final String TOKEN = CommandProcess.TOKEN;

    @TempDir
    Path folder;

    private int port;

    @BeforeEach
    void takePort() throws IOException {
        port = Ports.fixed();
    }

    private MasterProcess master() throws IOException {
        return new MasterProcess(folder, List.of(), List.of("--origin", "127.0.0.1:" + port));
    }

    private String url() {
        return "ws://127.0.0.1:" + port + "/connect";
    }

    private GitRepo repository() {
        return GitRepo.withScript(
                folder.resolve("repository"), "echo \"$ENVIRONMENT $DEBUG $LATER\"", "exit ${CODE:-0}");
    }

    private List<String> slave(String... program) {
        List<String> words = new ArrayList<>(List.of(program));
        words.addAll(List.of("slave", "-master", url(), "-token=" + TOKEN, "-identity", "mac", "-labels", "macosx"));
        words.addAll(List.of("-workspace", folder.resolve("mac").toString(), "-executors", "2"));
        return words;
    }

    private List<String> build(GitRepo repo, String... program) {
        List<String> words = new ArrayList<>(List.of(program));
        words.addAll(List.of("build", "-master", url(), "-token=" + TOKEN, "-slave", "macosx", "-runner", "bash"));
        words.addAll(List.of("-repository", "git+" + repo.url() + "#master", "-script", "build.sh"));
        words.addAll(List.of("-env", "ENVIRONMENT=testing", "-env", "DEBUG=y"));
        return words;
    }

    private static String[] ours() {
        return new String[] {
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.touchstone.builds.cli.Main"
        };
    }

    private Process start(List<String> words, Map<String, String> environment) throws IOException {
        Path here = Files.createDirectories(folder.resolve("here"));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(here.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String end(Process process, int exitCode) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(exitCode);
        return said;
    }

    @Test
    void ourPrograms_takeTheOriginsCommandLines() throws Exception {
        GitRepo repo = repository();
        List<String> slave = slave();
        slave.addAll(List.of("--isolation", "none"));
        try (MasterProcess master = master();
                CommandProcess agent = new CommandProcess(List.of(), slave, folder.resolve("mac.err"))) {
            assertThat(master.pid()).isPositive();
            assertThat(agent.isAlive()).isTrue();
            String said = end(start(build(repo, ours()), Map.of()), 0);
            assertThat(said).contains("\ntesting y \n", "---> Build succeeded").containsOnlyOnce("WARNING: -token");

            Path file = folder.resolve("here/cider.yml");
            Files.writeString(
                    file,
                    "master: {url: \"" + url() + "\", token: \"" + TOKEN + "\"}\nslave: {label: nobodys}\n"
                            + "repository: {url: \"git+" + repo.url() + "\"}\n"
                            + "script: {path: build.sh, runner: bash, env: [\"ENVIRONMENT=file\", \"LATER=file\"]}\n");
            List<String> words = new ArrayList<>(List.of(ours()));
            words.addAll(List.of("build", "-env", "CODE=3"));
            Map<String, String> environment = Map.of("CIDER_SLAVE_LABEL", "any", "CIDER_SCRIPT_ENV_LATER", "variable");
            said = end(start(words, environment), 3);
            assertThat(said).contains("\nfile  variable\n", "exit status 3").doesNotContain("WARNING");

            words.addAll(List.of("--detach"));
            assertThat(end(start(words, environment), 2)).contains("--detach");
        }
    }

    @Test
    void originalsProgram_buildsThroughOurMaster() throws Exception {
        String cider =
                Programs.find("cider", System.getenv()).map(Path::toString).orElse("");
        assumeTrue(
                !cider.isEmpty(),
                "the original's program is not on the PATH: build github.com/cider/cider and install it as cider");
        GitRepo repo = repository();
        try (MasterProcess master = master()) {
            assertThat(master.pid()).isPositive();
            Process slave = start(slave(cider), Map.of());
            try {
                assertThat(end(start(build(repo, cider), Map.of()), 0)).contains("\ntesting y \n");
                List<String> failing = build(repo, cider);
                failing.addAll(List.of("-env", "CODE=3"));
                assertThat(end(start(failing, Map.of()), 1)).contains("exit status 3");
                assertThat(end(start(build(repo, ours()), Map.of()), 0)).contains("\ntesting y \n");
            } finally {
                slave.destroy();
            }
        }
    }
}
