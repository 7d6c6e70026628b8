package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.wire.MasterAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wall clock that is set while jobs wait and run. */
@Timeout(120)
class ClockTest {
    @TempDir
    Path folder;

    @Test
    void wallClock_jumpingHours_endsNoLeaseAndNoWait() throws Exception {
        AtomicLong jump = new AtomicLong();
        Clocks clocks = new Clocks(System::nanoTime, () -> System.currentTimeMillis() + jump.get());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Master master = Master.start(MasterOptions.of(folder, Site.SECURITY), List.of(), clocks);
                FakeAgent agent = new FakeAgent(run -> {
                    begun.countDown();
                    goOn.await();
                    return 0;
                });
                AgentLink link = AgentLink.start(
                        agent, LinkOptions.of("a", new MasterAddress("127.0.0.1", master.port()), Site.SECURITY));
                BuildClient client = BuildClient.connect(Site.options(master.port()))) {
            Build running = client.submit(Site.request().build());
            Build waiting = client.submit(Site.request()
                    .label("nobodys")
                    .queueTimeout(Duration.ofMinutes(30))
                    .build());
            begun.await();
            for (long hours : new long[] {1, -1, 24, -24}) {
                jump.set(TimeUnit.HOURS.toMillis(hours));
                Build other = client.submit(Site.request().noop(true).build());
                assertThat(other.result().get(60, TimeUnit.SECONDS).isSuccess()).isTrue();
                assertThat(waiting.status().get(60, TimeUnit.SECONDS).phase()).isEqualTo(BuildStatus.Phase.QUEUED);
                assertThat(running.status().get(60, TimeUnit.SECONDS).phase()).isEqualTo(BuildStatus.Phase.ASSIGNED);
            }
            goOn.countDown();
            BuildResult result = running.result().get(60, TimeUnit.SECONDS);
            assertThat(result.isSuccess()).isTrue();
            assertThat(result.attempts()).isEqualTo(1);
            assertThat(link.isConnected()).isTrue();
        }
    }
}
