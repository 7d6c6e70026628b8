package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.FakeAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logs come whole through connections that are cut anywhere. */
@Timeout(180)
class CutLogsTest {
    private static final int LOG_BYTES = 1_500_000;
    private static final int BUILDS = 6;
    private static final int CUTS = 25;

    @TempDir
    Path folder;

    @Test
    void logs_connectionsCutAtRandomPlaces_areByteExact() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.Logger log = System.getLogger(CutLogsTest.class.getName());
        log.log(System.Logger.Level.INFO, "reproduce with -Dseed=" + seed);
        Map<String, String> printed = new ConcurrentHashMap<>();
        try (Site site = new Site(folder, options -> options.withGrace(Duration.ofSeconds(100)));
                CuttingProxy near = new CuttingProxy(site.port());
                CuttingProxy far = new CuttingProxy(site.port())) {
            near.cutAtRandom(seed, 5_000, 400_000, CUTS);
            far.cutAtRandom(seed + 1, 5_000, 700_000, CUTS);
            FakeAgent agent = site.with(new FakeAgent(run -> {
                byte[] bytes = new byte[LOG_BYTES];
                new Random(seed ^ run.assignment.branch().hashCode()).nextBytes(bytes);
                printed.put(run.assignment.branch(), Logs.sha256(bytes));
                for (int at = 0; at < LOG_BYTES; at += 50_000) {
                    byte[] some = new byte[50_000];
                    System.arraycopy(bytes, at, some, 0, some.length);
                    run.print(some);
                }
                return 0;
            }));
            site.agent("a", agent, near.port());
            BuildClient client = site.client(far.port());
            List<Build> builds = new ArrayList<>();
            for (int i = 0; i < BUILDS; i++) {
                builds.add(client.submit(
                        BuildRequest.of("git+file:///r", "branch" + i, "s").build()));
            }
            for (int i = 0; i < BUILDS; i++) {
                String got = Logs.sha256(builds.get(i));
                BuildResult result = Logs.end(builds.get(i).result());
                assertThat(result.isSuccess()).as(result + " seed=" + seed).isTrue();
                assertThat(result.logBytes()).isEqualTo(LOG_BYTES);
                assertThat(result.attempts()).isEqualTo(1);
                assertThat(got).as("seed=" + seed).isEqualTo(printed.get("branch" + i));
            }
            assertThat(agent.begun()).isEqualTo(BUILDS);
            assertThat(near.cutsLeft()).isLessThan(CUTS - 3);
            assertThat(far.cutsLeft()).isLessThan(CUTS - 3);
        }
    }

    @Test
    void connection_handingOverByteByByte_carriesAll() throws Exception {
        try (Site site = new Site(folder);
                CuttingProxy near = new CuttingProxy(site.port());
                CuttingProxy far = new CuttingProxy(site.port())) {
            near.slow(true);
            far.slow(true);
            site.agent(
                    "a",
                    site.with(new FakeAgent(run -> {
                        run.print("some output\n");
                        return 5;
                    })),
                    near.port());
            Build build = site.client(far.port()).submit(Site.request().build());
            assertThat(Logs.end(build.result()).exitCode()).isEqualTo(5);
            assertThat(Logs.text(build)).isEqualTo("some output\n");
        }
    }
}
