package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Repositories that take more than a folder: credentials, large files, a fetch that is broken off. */
@Timeout(120)
@Tag("sweep")
class RemotesTest {
    private static final Path BACKEND = Path.of("/usr/lib/git-core/git-http-backend");
    private static final String PASSWORD = "correct-horse";

    @TempDir
    Path tmp;

    /** The first jobs of a repository make its folders at the same time. */
    @Test
    void pull_firstJobsOfARepositoryAtOnce_allHaveTheirTrees() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        for (int i = 0; i < 6; i++) {
            repo.branch("b" + i);
        }
        for (int round = 0; round < 15; round++) {
            BuildAgentBuilder builder =
                    TestAgent.builder(tmp.resolve("agent" + round)).executors(6);
            try (TestAgent agent = TestAgent.of(builder)) {
                List<Recorder> jobs = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    jobs.add(agent.start(TestJob.of("j" + i, repo).branch("b" + i)));
                }
                for (Recorder job : jobs) {
                    assertThat(job.await())
                            .satisfies(outcome -> assertThat(outcome.code())
                                    .as(outcome.message())
                                    .isEqualTo(OutcomeCode.SUCCEEDED));
                }
            }
        }
    }

    /** The git command serves, behind a name and a password. */
    private HttpServer serve(GitRepo repo) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> answer(exchange, repo.folder()))
                .setAuthenticator(new BasicAuthenticator("repositories") {
                    @Override
                    public boolean checkCredentials(String user, String password) {
                        return user.equals("builder") && password.equals(PASSWORD);
                    }
                });
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, Path root) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(BACKEND.toString());
        Map<String, String> variables = builder.environment();
        variables.put("GIT_PROJECT_ROOT", root.toString());
        variables.put("GIT_HTTP_EXPORT_ALL", "1");
        variables.put("REQUEST_METHOD", exchange.getRequestMethod());
        variables.put("PATH_INFO", exchange.getRequestURI().getPath());
        variables.put("QUERY_STRING", String.valueOf(exchange.getRequestURI().getQuery()));
        variables.put(
                "CONTENT_TYPE", String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")));
        String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
        variables.put("HTTP_CONTENT_ENCODING", encoding == null ? "" : encoding);
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        exchange.getRequestBody().transferTo(process.getOutputStream());
        process.getOutputStream().close();
        try (InputStream in = process.getInputStream()) {
            int status = 200;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String value = line.substring(line.indexOf(':') + 1).strip();
                if (line.startsWith("Status:")) {
                    status = Integer.parseInt(value.substring(0, 3));
                } else {
                    exchange.getResponseHeaders().add(line.substring(0, line.indexOf(':')), value);
                }
            }
            exchange.sendResponseHeaders(status, 0);
            in.transferTo(exchange.getResponseBody());
        }
        exchange.close();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Test
    void pull_repositoryWithAPassword_takesItFromGitsHelperAndShowsItNowhere() throws Exception {
        assumeTrue(Files.isExecutable(BACKEND), "git-http-backend is not installed: apt-get install git");
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo built");
        Path home = Files.createDirectories(tmp.resolve("home"));
        HttpServer server = serve(repo);
        String host = "127.0.0.1:" + server.getAddress().getPort();
        Map<String, String> environment = Map.of("PATH", System.getenv("PATH"), "HOME", home.toString());
        Path config = Files.writeString(tmp.resolve("gitconfig"), "");
        BuildAgentBuilder builder = TestAgent.builder(tmp.resolve("agent"))
                .schemes(Set.of("http"))
                .environment(environment)
                .gitConfig(config);
        try (TestAgent agent = TestAgent.of(builder)) {
            TestJob job = new TestJob("none", "http://" + host + "/.git");
            Outcome refused = agent.run(job);
            assertThat(refused.code()).as(refused.message()).isEqualTo(OutcomeCode.PULL_FAILED);
            Files.writeString(config, "[credential]\n  helper = store\n");
            Files.writeString(home.resolve(".git-credentials"), "http://builder:" + PASSWORD + "@" + host + "\n");
            Outcome built = agent.run(new TestJob("right", "http://" + host + "/.git"));
            assertThat(built.code()).as(built.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("right")).contains("\nbuilt\n").doesNotContain(PASSWORD);
            Files.writeString(home.resolve(".git-credentials"), "http://builder:wrong-horse@" + host + "\n");
            repo.commitScript("echo again");
            Outcome wrong = agent.run(new TestJob("wrong", "http://" + host + "/.git"));
            assertThat(wrong.code()).as(wrong.message()).isEqualTo(OutcomeCode.PULL_FAILED);
            assertThat(wrong.message()).doesNotContain("wrong-horse");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void pull_largeFiles_areBroughtByTheRealGitLfs() throws Exception {
        boolean isThere = Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "git-lfs")));
        assumeTrue(isThere, "git-lfs is not installed: apt-get install git-lfs");
        GitRepo repo =
                GitRepo.withScript(tmp.resolve("repo"), "head -c 20 big.bin; wc -c big.bin; git status --porcelain");
        repo.git("lfs", "install", "--local");
        repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        repo.write("big.bin", "large file 1 " + "x".repeat(100_000)).commit();
        assertThat(repo.git("show", "HEAD:big.bin")).startsWith("version https://git-lfs");
        Path home = Files.createDirectories(tmp.resolve("home"));
        Map<String, String> environment = Map.of("PATH", System.getenv("PATH"), "HOME", home.toString());
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).environment(environment))) {
            for (int i = 1; i <= 2; i++) {
                Outcome outcome = agent.run(TestJob.of("j" + i, repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("j" + i))
                        .contains("large file " + i + " xxx", " big.bin\n")
                        .doesNotContain("git-lfs is not installed");
                repo.write("big.bin", "large file " + (i + 1) + " " + "x".repeat(100_000))
                        .commit();
            }
        }
    }

    @Test
    void cancel_whileAFolderIsFetched_printsNothing() throws Exception {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        byte[] bytes = new byte[4_000_000];
        new java.util.Random(1).nextBytes(bytes);
        Files.write(repo.folder().resolve("large"), bytes);
        repo.commit();
        PrintStream errors = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream caught = new PrintStream(said, true, StandardCharsets.UTF_8);
                TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            System.setErr(caught);
            for (int i = 0; i < 12; i++) {
                Recorder recorder = agent.start(TestJob.of("j" + i, repo));
                long start = System.nanoTime();
                long moment = i * 4_000_000L;
                Waits.until("a moment", () -> System.nanoTime() - start >= moment);
                agent.agent().cancel("j" + i, "test");
                recorder.await();
            }
        } finally {
            System.setErr(errors);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).doesNotContain("\tat ");
    }
}
