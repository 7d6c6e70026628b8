package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Times that no benchmark shows, for {@code scripts/builds-times}: each beside what does the least for it, in turn. Nothing is judged by them. */
@Tag("slow")
@Timeout(900)
class TimesTest {
    private static final int ROUNDS = Integer.getInteger("touchstone.rounds", 6);
    private static final int CALLS = 2_000;
    private static final int WARM_UP_CALLS = 30_000;
    private static final int FILES = 5_000;
    private static final List<String> WARM = List.of("-XX:TieredStopAtLevel=4");

    @TempDir
    Path folder;

    /** A piece of work that is timed. */
    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    @Test
    void question_besideAnEcho() throws Exception {
        try (MasterProcess master = new MasterProcess(folder, WARM, List.of());
                EchoProcess echo = new EchoProcess();
                BuildClient client = BuildClientFactory.connect(options(master))) {
            Call ours =
                    () -> assertThat(client.agents().get(30, TimeUnit.SECONDS)).isEmpty();
            Call theirs = echo::call;
            percentile(ours, WARM_UP_CALLS, 50);
            percentile(theirs, WARM_UP_CALLS, 50);
            for (int round = 0; round < ROUNDS; round++) {
                double p50 = percentile(ours, CALLS, 50);
                Figures.say("question round=%d us=%.1f echo=%.1f", round, p50, percentile(theirs, CALLS, 50));
            }
        }
    }

    @Test
    void builds_besideGit() throws Exception {
        for (int files : new int[] {1, FILES}) {
            GitRepo repo = GitRepo.withScript(folder.resolve("repo" + files), "true");
            for (int i = 1; i < files; i++) {
                Path file = repo.folder().resolve("d" + i % 50 + "/f" + i);
                Files.createDirectories(file.getParent());
                Files.writeString(file, ("file " + i + "\n").repeat(40));
            }
            repo.commit();
            for (int round = 0; round < ROUNDS; round++) {
                time(repo, files, round);
            }
        }
    }

    private void time(GitRepo repo, int files, int round) throws Exception {
        Path site = Files.createDirectories(folder.resolve("site" + files + "-" + round));
        double clone = millis(() -> GitRepo.git(site, "clone", "--quiet", "--mirror", repo.url(), "mirror"));
        double tree = millis(() -> GitRepo.git(site, "clone", "--quiet", "--shared", "mirror", "tree"));
        try (MasterProcess master = new MasterProcess(site, WARM, List.of());
                AgentProcess agent = new AgentProcess(site, "a", master.port(), List.of("--isolation", "none"));
                BuildClient client = BuildClientFactory.connect(options(master))) {
            assertThat(agent.isAlive()).isTrue();
            double first = pull(client, repo);
            double second = pull(client, repo);
            Figures.say(
                    "builds files=%d round=%d firstPullMs=%.0f cloneMirrorMs=%.0f cloneSharedMs=%.0f secondPullMs=%.0f",
                    files, round, first, clone, tree, second);
        }
    }

    private static double pull(BuildClient client, GitRepo repo) throws Exception {
        BuildResult result = client.submit(
                        BuildRequest.of(repo.url(), "master", "build.sh").build())
                .result()
                .get(120, TimeUnit.SECONDS);
        assertThat(result.isSuccess()).as(result.message()).isTrue();
        return result.pull().toNanos() / 1e6;
    }

    private static ConnectOptions options(MasterProcess master) {
        return ConnectOptions.of("builds://127.0.0.1:" + master.port(), Token.of(CommandProcess.TOKEN));
    }

    private static double millis(Call call) throws Exception {
        long start = System.nanoTime();
        call.run();
        return Duration.ofNanos(System.nanoTime() - start).toNanos() / 1e6;
    }

    /** Returns a percentile of the times of calls, in microseconds. */
    private static double percentile(Call call, int calls, int percent) throws Exception {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            call.run();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[calls * percent / 100] / 1e3;
    }
}
