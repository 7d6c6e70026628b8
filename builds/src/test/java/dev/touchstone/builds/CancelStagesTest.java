package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Marked;
import dev.touchstone.builds.link.LocalAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds that are cancelled at each stage, by a client through the master, while their scripts do all not to be ended. */
@Timeout(300)
@Tag("sweep")
class CancelStagesTest {
    private static final Duration GRACE = Duration.ofMillis(300);
    private static final String[] STUBBORN = {
        "sleep 600 & disown",
        "setsid sleep 600 &",
        "(trap '' TERM; setsid bash -c 'trap \"\" TERM; while :; do sleep 1; done' &)",
        "trap '' TERM",
        "trap '' INT HUP",
    };

    @TempDir
    Path folder;

    private final Random random = new Random(Long.getLong("seed", 7));
    private final List<Long> nanos = new ArrayList<>();
    private Site site;
    private BuildClient client;

    @BeforeEach
    void open() throws Exception {
        site = new Site(folder.resolve("m"));
        client = site.client();
    }

    @AfterEach
    void close() {
        site.close();
    }

    private void startAgent(Map<String, String> environment) throws IOException {
        BuildAgent agent = site.with(BuildAgent.at(folder.resolve("agent"))
                .executors(2)
                .grace(GRACE)
                .environment(environment)
                .open());
        site.agent("a", LocalAgent.of(agent));
    }

    private GitRepo repository(String end) {
        List<String> script = new ArrayList<>(List.of(STUBBORN));
        script.add(end);
        return GitRepo.withScript(folder.resolve("repository"), script.toArray(String[]::new));
    }

    private Build submit(String url) {
        return client.submit(BuildRequest.of("git+" + url, "master", "build.sh").build());
    }

    /** Cancels; what has ended before it was cancelled is not, and nothing is left of either. */
    private BuildResult cancel(Build build, boolean mayHaveEnded) throws Exception {
        long start = System.nanoTime();
        boolean cancelled = Logs.end(build.cancel("test"));
        BuildResult result = Logs.end(build.result());
        nanos.add(System.nanoTime() - start);
        if (cancelled || !mayHaveEnded) {
            assertThat(cancelled).isTrue();
            if (!mayHaveEnded || !result.isSuccess()) {
                assertThat(result.code()).as(result.toString()).isIn(BuildCode.CANCELLED, BuildCode.INTERRUPTED);
            }
        } else {
            assertThat(result.isSuccess()).as(result.toString()).isTrue();
        }
        assertThat(Marked.processes(folder, "")).as(result.toString()).isEmpty();
        return result;
    }

    private void say(String stage) {
        Collections.sort(nanos);
        Figures.say(
                "cancel while %s: %d builds, 0 processes left, none succeeded that was cancelled; median %d ms, slowest %d ms (grace %d ms)",
                stage,
                nanos.size(),
                TimeUnit.NANOSECONDS.toMillis(nanos.get(nanos.size() / 2)),
                TimeUnit.NANOSECONDS.toMillis(nanos.get(nanos.size() - 1)),
                GRACE.toMillis());
    }

    private static int times() {
        return Integer.getInteger("cancels", 100);
    }

    private void queued(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            Build build = submit("file://" + folder);
            Logs.end(build.accepted());
            assertThat(cancel(build, false).attempts()).isZero();
        }
        say("queued");
    }

    private void fetching(int times) throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path git = Files.writeString(
                bin.resolve("git"),
                "#!/bin/sh\ntrap '' TERM\nsetsid sleep 600 &\necho x >> " + folder + "/fetches\nsleep 600\n");
        assertThat(git.toFile().setExecutable(true)).isTrue();
        startAgent(Map.of("PATH", bin + ":" + System.getenv("PATH"), "HOME", folder.toString()));
        for (int i = 0; i < times; i++) {
            int expected = i + 1;
            Build build = submit("ssh://git@localhost/repository");
            Until.isTrue("fetching", () -> fetches() == expected);
            cancel(build, false);
        }
        say("fetching");
    }

    private int fetches() throws IOException {
        Path file = folder.resolve("fetches");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private void spawning(int times) throws Exception {
        startAgent(System.getenv());
        GitRepo repo = repository("while :; do sleep 1; done");
        for (int i = 0; i < times; i++) {
            Build build = submit(repo.url());
            Until.isTrue("assigned", () -> Logs.end(build.status()).phase() != BuildStatus.Phase.QUEUED);
            LockSupport.parkNanos(random.nextInt(25_000_000));
            cancel(build, false);
        }
        say("spawning");
    }

    private void running(int times) throws Exception {
        startAgent(System.getenv());
        GitRepo repo = repository("touch " + folder + "/ready-$BUILDS_JOB_ID; while :; do sleep 0.05; done");
        for (int i = 0; i < times; i++) {
            Build build = submit(repo.url());
            Path ready = folder.resolve("ready-" + Logs.end(build.accepted()));
            Until.isTrue("running", () -> Files.exists(ready));
            cancel(build, false);
        }
        say("running");
    }

    private void finishing(int times) throws Exception {
        startAgent(System.getenv());
        GitRepo repo = repository("touch " + folder + "/ready-$BUILDS_JOB_ID; seq 2000; exit 0");
        for (int i = 0; i < times; i++) {
            Build build = submit(repo.url());
            Path ready = folder.resolve("ready-" + Logs.end(build.accepted()));
            Until.isTrue("at its end", () -> Files.exists(ready));
            LockSupport.parkNanos(random.nextInt(12_000_000));
            cancel(build, true);
        }
        say("finishing");
    }

    @Test
    void queued_cancelled_leavesNothing() throws Exception {
        queued(10);
    }

    @Test
    void fetching_cancelled_leavesNothing() throws Exception {
        fetching(3);
    }

    @Test
    void spawning_cancelled_leavesNothing() throws Exception {
        spawning(3);
    }

    @Test
    void running_cancelled_leavesNothing() throws Exception {
        running(3);
    }

    @Test
    void finishing_cancelled_leavesNothing() throws Exception {
        finishing(6);
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void queued_cancelledOften_leavesNothing() throws Exception {
        queued(times());
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void fetching_cancelledOften_leavesNothing() throws Exception {
        fetching(times());
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void spawning_cancelledOften_leavesNothing() throws Exception {
        spawning(times());
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void running_cancelledOften_leavesNothing() throws Exception {
        running(times());
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void finishing_cancelledOften_leavesNothing() throws Exception {
        finishing(times());
    }
}
