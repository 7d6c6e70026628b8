package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No file of master and agent has a secret in clear, or is another user's to read. */
@Timeout(300)
class SecretsAtRestTest {
    private static final String SECRET = "correct-horse-battery";
    private static final String PRINTING = "printf 'it is %s\\n' \"$TOKEN\"; echo \"$TOKEN\" | base64";

    @TempDir
    Path folder;

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.toList();
        }
    }

    /** Returns the files below that have the secret, each byte of each looked at. */
    private static List<String> having(Path root) throws IOException {
        List<String> found = new ArrayList<>();
        String coded = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
        for (Path file : files(root)) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains(SECRET) || bytes.contains(coded.substring(0, 20))) {
                    found.add(root.relativize(file).toString());
                }
            }
        }
        return found;
    }

    private static BuildResult end(Build build) throws Exception {
        return build.result().get(90, TimeUnit.SECONDS);
    }

    private BuildAgent agent() throws IOException {
        return BuildAgent.at(folder.resolve("agent"))
                .executors(2)
                .grace(Duration.ofMillis(500))
                .open();
    }

    private BuildRequest.Builder printing(String... lines) {
        List<String> script = new ArrayList<>(List.of(PRINTING));
        script.addAll(List.of(lines));
        GitRepo repo = GitRepo.withScript(folder.resolve("repository"), script.toArray(new String[0]));
        return BuildRequest.of("git+" + repo.url(), "master", "build.sh").secret("TOKEN", SECRET);
    }

    /** Returns how many logs of the master have what the script has printed. */
    private long printed() throws IOException {
        long logs = 0;
        if (!Files.exists(folder.resolve("master/logs"))) {
            return 0;
        }
        for (Path file : files(folder.resolve("master/logs"))) {
            logs += file.toString().endsWith(".log") && Files.readString(file).contains("it is ") ? 1 : 0;
        }
        return logs;
    }

    @Test
    void build_endedAndCancelledAndWaiting_leavesTheSecretNowhere() throws Exception {
        BuildRequest.Builder request = printing("if [ \"$MODE\" = wait ]; then sleep 600; fi");
        try (Site site = new Site(folder.resolve("master"))) {
            site.agent("a", LocalAgent.of(site.with(agent())));
            BuildClient client = site.client();
            Build ended = client.submit(request.build());
            assertThat(end(ended).isSuccess()).as("%s", end(ended)).isTrue();
            assertThat(Logs.text(ended)).contains("it is ").doesNotContain(SECRET);
            Build cancelled =
                    client.submit(request.environment(Map.of("MODE", "wait")).build());
            Until.isTrue("printed", () -> printed() == 2);
            assertThat(cancelled.cancel("for a test").get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(end(cancelled).code()).isEqualTo(BuildCode.CANCELLED);
            Build waiting = client.submit(request.label("nobodys").build());
            assertThat(waiting.accepted().get(60, TimeUnit.SECONDS)).isNotEmpty();
            assertThat(having(folder.resolve("master"))).isEmpty();
            assertThat(having(folder.resolve("agent"))).isEmpty();
            ownersOnly(folder.resolve("master"));
            for (String name : List.of("agent", "agent/jobs", "agent/retired", "agent/agent.lock")) {
                assertThat(permissions(folder.resolve(name))).as(name).endsWith("------");
            }
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static void ownersOnly(Path root) throws IOException {
        for (Path path : files(root)) {
            assertThat(permissions(path)).as("%s", path).endsWith("------");
        }
    }

    @Test
    void crash_ofMasterAndAgent_leavesTheSecretNowhere_andTheNextLifeHasIt() throws Exception {
        BuildRequest request = printing("sleep 1", "[ \"$TOKEN\" = " + SECRET.replace("-", "''-") + " ]")
                .build();
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx128m"), List.of("--grace", "60"));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build queued = client.submit(request);
            assertThat(queued.accepted().get(60, TimeUnit.SECONDS)).isNotEmpty();
            master.kill();
            assertThat(having(folder.resolve("master"))).isEmpty();
            master.start();
            try (AgentProcess agent = new AgentProcess(folder, "one", master.port(), List.of())) {
                Until.isTrue("printed", () -> printed() > 0);
                agent.kill();
                agent.start();
                assertThat(having(agent.root())).isEmpty();
                BuildResult result = end(queued);
                assertThat(result.attempts()).isEqualTo(2);
                assertThat(result.isSuccess()).as("%s", result).isTrue();
                assertThat(having(folder.resolve("master"))).isEmpty();
                ownersOnly(folder.resolve("master"));
            }
        }
    }

    @Test
    void oldJournal_withSecretsInClear_opensAndIsSealed() throws Exception {
        Path master = folder.resolve("master");
        Files.createDirectories(master.resolve("journal"));
        BuildRequest request = Site.request().secret("TOKEN", SECRET).build();
        try (DiskQueue<byte[]> old =
                DiskQueue.synced().folder(master.resolve("journal")).open()) {
            old.append(new Event.Life(3, "jold", 2).encode());
            old.append(new Event.Batch(List.of(new Event.Accepted(
                            new Submitter("", 1),
                            System.currentTimeMillis(),
                            List.of(RequestMessage.of(request)),
                            LongArrayList.of(5),
                            LongArrayList.of(1),
                            LongArrayList.of(0))))
                    .encode());
        }
        Files.createDirectories(master.resolve("logs/0"));
        Files.writeString(master.resolve("logs/0/4-1.log"), "an old log\n");
        for (Path path : files(master)) {
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
        }
        assertThat(having(master)).isNotEmpty();
        try (Site site = new Site(master)) {
            assertThat(having(master)).isEmpty();
            ownersOnly(master);
            List<String> given = new ArrayList<>();
            site.agent("a", site.with(new FakeAgent(run -> {
                given.add(run.assignment.environment().get("TOKEN"));
                return 0;
            })));
            assertThat(end(site.client().job("jold-5")).isSuccess()).isTrue();
            assertThat(given).containsExactly(SECRET);
        }
    }

    @Test
    void key_lost_failsTheJobsWithSecretsOnly() throws Exception {
        Path master = folder.resolve("master");
        try (Site site = new Site(master)) {
            BuildClient client = site.client();
            Build with = client.submit(Site.request().secret("TOKEN", SECRET).build());
            Build without = client.submit(Site.request().build());
            with.accepted().get(60, TimeUnit.SECONDS);
            without.accepted().get(60, TimeUnit.SECONDS);
            site.stopMaster();
            Files.delete(master.resolve("secrets.key"));
            site.startMaster();
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            assertThat(end(with).code()).isEqualTo(BuildCode.STORAGE);
            assertThat(end(with).message()).contains("the key that encrypted them is lost");
            assertThat(end(without).isSuccess()).isTrue();
            Build next = client.submit(Site.request().secret("TOKEN", SECRET).build());
            assertThat(end(next).isSuccess()).isTrue();
        }
    }

    @Test
    void folder_thatIsALink_isRefused() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));
        assertThatThrownBy(() -> new Site(link)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> BuildAgent.at(link).open()).hasMessageContaining("symbolic link");
    }
}
