package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.wire.MasterAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the master's process at random moments under load: no accepted job is lost, each has one result, and the logs are whole. */
@SuppressWarnings("FutureReturnValueIgnored") // the futures of jobs are looked at one by one
class KilledMasterTest {
    private static final int LOG_BYTES = 220_000;
    private static final int PIECE = 10_000;

    @TempDir
    Path folder;

    @Test
    @Timeout(180)
    void master_killedAFewTimes_losesNothing() throws Exception {
        killed(3);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void master_killedManyTimes_losesNothing() throws Exception {
        killed(Integer.getInteger("kills", 200));
    }

    private void killed(int times) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.getLogger(KilledMasterTest.class.getName())
                .log(System.Logger.Level.INFO, "reproduce with -Dseed=" + seed);
        Random random = new Random(seed);
        Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> results = new ConcurrentHashMap<>();
        List<Build> builds = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx128m"), List.of("--grace", "60"));
                FakeAgent agent = new FakeAgent(run -> {
                    String name = run.assignment.branch();
                    runs.computeIfAbsent(name, unused -> new AtomicInteger()).incrementAndGet();
                    for (int at = 0; at < LOG_BYTES; at += PIECE) {
                        run.print(piece(name, at));
                        LockSupport.parkNanos(100_000);
                    }
                    return 0;
                })) {
            LinkOptions link = new LinkOptions(
                    "a",
                    new MasterAddress("127.0.0.1", master.port()),
                    Site.SECURITY,
                    Duration.ofMillis(20),
                    Duration.ofMillis(100));
            try (AgentLink linked = AgentLink.start(agent, link);
                    BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
                for (int round = 0; round < times; round++) {
                    for (int i = 0; i < 20; i++) {
                        String name = "b" + names.size();
                        names.add(name);
                        Build build = client.submit(BuildRequest.of("git+file:///r", name, "s")
                                .noop(i % 5 == 0)
                                .build());
                        build.result()
                                .thenRun(() -> results.computeIfAbsent(name, unused -> new AtomicInteger())
                                        .incrementAndGet());
                        builds.add(build);
                    }
                    LockSupport.parkNanos(random.nextInt(300) * 1_000_000L);
                    master.kill();
                    master.start();
                }
                assertThat(linked.refusal()).isNull();
                check(builds, names, runs, results, seed);
            }
        }
    }

    private static void check(
            List<Build> builds,
            List<String> names,
            Map<String, AtomicInteger> runs,
            Map<String, AtomicInteger> results,
            long seed)
            throws Exception {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < builds.size(); i++) {
            Build build = builds.get(i);
            BuildResult result = Logs.end(build.result());
            String what = result + " name=" + names.get(i) + " seed=" + seed;
            assertThat(result.isSuccess()).as(what).isTrue();
            assertThat(result.attempts()).as(what).isLessThanOrEqualTo(2);
            assertThat(ids.add(result.jobId())).as(what).isTrue();
            String name = names.get(i);
            Until.isTrue("told of " + what, () -> results.containsKey(name)); // whoever waits may be woken before
            assertThat(results.get(names.get(i))).as(what).hasValue(1);
            if (i % 20 % 5 != 0) {
                assertThat(runs.get(names.get(i))).as(what).hasValue(1);
                assertThat(result.logBytes()).as(what).isEqualTo(LOG_BYTES);
                assertThat(Logs.sha256(build)).as(what).isEqualTo(Logs.sha256(whole(names.get(i))));
            }
        }
    }

    private static byte[] piece(String name, int at) {
        byte[] bytes = new byte[PIECE];
        new Random(name.hashCode() * 31L + at).nextBytes(bytes);
        return bytes;
    }

    private static byte[] whole(String name) {
        byte[] all = new byte[LOG_BYTES];
        for (int at = 0; at < LOG_BYTES; at += PIECE) {
            System.arraycopy(piece(name, at), 0, all, at, PIECE);
        }
        return all;
    }
}
