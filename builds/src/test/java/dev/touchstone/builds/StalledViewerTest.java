package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log of a gigabyte in one line, a viewer that stands still, one that is not there any more, and a master of 64 MB. */
class StalledViewerTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    void log_of20MegabytesInOneLine_isWholeInASmallMaster() throws Exception {
        stalled(20_000_000, 3, 1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(900)
    void log_ofAGigabyteInOneLine_isWholeInASmallMaster() throws Exception {
        stalled(1L << 30, 100, 100_000);
    }

    private void stalled(long bytes, int others, int queued) throws Exception {
        GitRepo repo = GitRepo.withScript(folder.resolve("repository"), "head -c " + bytes + " /dev/zero");
        repo.branch("other").commitScript("seq 10000");
        List<String> flags = List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError");
        CountDownLatch goOn = new CountDownLatch(1);
        try (MasterProcess master = new MasterProcess(folder, flags, List.of());
                AgentProcess agent = new AgentProcess(folder, "one", master.port(), List.of("-executors", "2"));
                CuttingProxy proxy = new CuttingProxy(master.port());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                BuildClient gone = BuildClientFactory.connect(Site.options(proxy.port()))) {
            Build last = queue(client, queued);
            long[] alone = build(client, repo, others);
            Build large = client.submit(BuildRequest.of("git+" + repo.url(), "master", "build.sh")
                    .maxLogBytes(2 * bytes)
                    .build());
            String id = Logs.end(large.accepted());
            CompletableFuture<Long> stalled = large.follow(0, (offset, some) -> {
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    return false;
                }
                return true;
            });
            var unused = gone.job(id).follow(0, (offset, some) -> {
                proxy.pause(true);
                return true;
            });
            long start = System.nanoTime();
            long[] beside = build(client, repo, others);
            BuildResult result = large.result().get(10, TimeUnit.MINUTES);
            double seconds = (System.nanoTime() - start) / 1e9;
            long[] after = build(client, repo, others);
            assertThat(result.isSuccess()).as(result.toString()).isTrue();
            assertThat(result.logBytes()).isGreaterThan(bytes);
            assertThat(agent.isAlive()).isTrue();
            assertThat(stalled).isNotDone();
            assertThat(nuls(client.job(id))).isEqualTo(bytes);
            assertThat(Logs.end(last.status()).phase()).isEqualTo(BuildStatus.Phase.QUEUED);
            goOn.countDown();
            assertThat(stalled.get(5, TimeUnit.MINUTES)).isEqualTo(result.logBytes());
            proxy.pause(false);
            Figures.say(
                    "stalled viewer, %d jobs queued, log of %d NULs without a line's end: whole, ended in %.1f s beside %d others; builds of 10000 lines p50/p99:"
                            + " alone %s, beside the large one %s, beside the stalled viewer only %s; master -Xmx64m alive, most memory of the process %s",
                    queued,
                    bytes,
                    seconds,
                    others,
                    quantiles(alone),
                    quantiles(beside),
                    quantiles(after),
                    peak(master.pid()));
        }
    }

    /** Queues different jobs that no agent takes; the last one. */
    private static Build queue(BuildClient client, int jobs) throws Exception {
        List<Build> builds = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            builds.add(client.submit(
                    BuildRequest.of("git+file:///repositories/some/where.git", "branch-" + i, "script/build")
                            .label("later")
                            .environment(java.util.Map.of("NUMBER", "number " + i, "TEXT", "x".repeat(200)))
                            .build()));
        }
        for (Build build : builds) {
            Logs.end(build.accepted());
        }
        return builds.get(jobs - 1);
    }

    private static long[] build(BuildClient client, GitRepo repo, int times) throws Exception {
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            Build build = client.submit(
                    BuildRequest.of("git+" + repo.url(), "other", "build.sh").build());
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            nanos.add(System.nanoTime() - start);
        }
        Collections.sort(nanos);
        return nanos.stream().mapToLong(Long::longValue).toArray();
    }

    /** How many NULs the log has, which has them from the script only; in order, each byte once. */
    private static long nuls(Build build) throws Exception {
        long[] next = {0, 0};
        build.follow(0, (offset, bytes) -> {
                    assertThat(offset).isEqualTo(next[0]);
                    next[0] += bytes.remaining();
                    while (bytes.hasRemaining()) {
                        next[1] += bytes.get() == 0 ? 1 : 0;
                    }
                    return true;
                })
                .get(5, TimeUnit.MINUTES);
        return next[1];
    }

    private static String quantiles(long[] sorted) {
        return TimeUnit.NANOSECONDS.toMillis(sorted[sorted.length / 2]) + "/"
                + TimeUnit.NANOSECONDS.toMillis(sorted[(int) (sorted.length * 0.99)]) + " ms";
    }

    /** As the kernel has counted it. */
    private static String peak(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> line.substring("VmHWM:".length()).strip())
                .findFirst()
                .orElse("unknown");
    }
}
