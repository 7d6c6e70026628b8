package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clocks that are set while jobs wait and run. */
@Timeout(300)
class ClockTest {
    @TempDir
    Path folder;

    @Test
    void wallClock_jumpingHours_endsNoLeaseAndNoWait() throws Exception {
        AtomicLong jump = new AtomicLong();
        TimeSource timeSource = new TimeSource(System::nanoTime, () -> System.currentTimeMillis() + jump.get());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Master master = Master.start(MasterOptions.of(folder, Site.SECURITY), List.of(), timeSource);
                FakeAgent agent = new FakeAgent(run -> {
                    begun.countDown();
                    goOn.await();
                    return 0;
                });
                AgentLink link = AgentLink.start(
                        agent, LinkOptions.of("a", new MasterAddress("127.0.0.1", master.port()), Site.SECURITY));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
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

    @Test
    void agent_thatNeverEndsWhatItHas_losesIt() throws Exception {
        AtomicLong passed = new AtomicLong();
        TimeSource timeSource = new TimeSource(() -> System.nanoTime() + passed.get(), System::currentTimeMillis);
        CountDownLatch begun = new CountDownLatch(2);
        try (Master master = Master.start(MasterOptions.of(folder, Site.SECURITY), List.of(), timeSource);
                FakeAgent agent = new FakeAgent(run -> {
                    begun.countDown();
                    while (true) { // an agent that heeds nothing
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            // goes on
                        }
                    }
                });
                AgentLink link = AgentLink.start(
                        agent, LinkOptions.of("a", new MasterAddress("127.0.0.1", master.port()), Site.SECURITY));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build late =
                    client.submit(Site.request().timeout(Duration.ofMinutes(5)).build());
            Build cancelled =
                    client.submit(Site.request().timeout(Duration.ofHours(5)).build());
            begun.await();
            Until.isTrue(
                    "the master knows that both have begun",
                    () -> master.view().jobs(Site.ALL, "", 2).stream()
                            .allMatch(job -> job.message().equals("stage: " + BuildListener.RUNNING)));
            passed.set(TimeUnit.MINUTES.toNanos(5));
            assertThat(late.status().get(60, TimeUnit.SECONDS).phase()).isEqualTo(BuildStatus.Phase.ASSIGNED);
            assertThat(cancelled.cancel("enough").get(60, TimeUnit.SECONDS)).isTrue();
            passed.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertEnd(late, BuildCode.TIMED_OUT, "not ended by its agent in time: agent=a");
            assertEnd(cancelled, BuildCode.CANCELLED, "enough");
            assertThat(link.isConnected()).isTrue();
        }
    }

    @Test
    void agent_thatNeverBeginsWhatItHas_losesIt() throws Exception {
        AtomicLong passed = new AtomicLong();
        TimeSource timeSource = new TimeSource(() -> System.nanoTime() + passed.get(), System::currentTimeMillis);
        try (Master master = Master.start(MasterOptions.of(folder, Site.SECURITY), List.of(), timeSource);
                Streams silent = new Streams(
                        Site.SECURITY,
                        new MasterAddress("127.0.0.1", master.port()),
                        task -> new Thread(task).start(),
                        () -> {});
                FakeAgent agent = new FakeAgent(2, Set.of("later"), Set.of("bash"), run -> 0);
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            silent.<Wire.FromAgent, Wire.ToAgent>open(Rpc.AGENT_SESSION)
                    .send(Wire.FromAgent.newBuilder()
                            .setHello(Wire.AgentHello.newBuilder()
                                    .setVersions(Versions.ours())
                                    .setIdentity("silent")
                                    .setLife(1)
                                    .addLabels("later")
                                    .addRunners("bash")
                                    .setExecutors(1_024))
                            .build());
            Build build = client.submit(Site.request()
                    .label("later")
                    .queueTimeout(Duration.ofMinutes(10))
                    .build());
            Build noop = client.submit(Site.request().label("later").noop(true).build());
            for (int assigned = 0; assigned < 2; ) {
                assigned += ((Wire.ToAgent) silent.receive()).getAssign().getJobsCount();
            }
            try (AgentLink link = AgentLink.start(
                    agent, LinkOptions.of("a", new MasterAddress("127.0.0.1", master.port()), Site.SECURITY))) {
                Until.isTrue("another is there", link::isConnected);
                while (!noop.result().isDone()) { // its agent is disconnected, then given up, and then another has it
                    passed.addAndGet(
                            TimeUnit.SECONDS.toNanos(2)); // the build may not wait for more than 10 minutes of these
                    var unused = noop.result()
                            .copy()
                            .completeOnTimeout(null, 100, TimeUnit.MILLISECONDS)
                            .get();
                }
                assertThat(noop.result().get().agent()).isEqualTo("a");
                assertThat(build.result().get(60, TimeUnit.SECONDS).isSuccess()).isTrue();
                assertThat(link.isConnected()).isTrue();
            }
        }
    }

    @Test
    void service_thatFails_endsTheMasterWhichSaysSo() throws Exception {
        AtomicBoolean isBroken = new AtomicBoolean();
        TimeSource timeSource = new TimeSource(
                () -> {
                    if (isBroken.get()) {
                        throw new UnsupportedOperationException("no time");
                    }
                    return System.nanoTime();
                },
                System::currentTimeMillis);
        try (Master master = Master.start(MasterOptions.of(folder, Site.SECURITY), List.of(), timeSource)) {
            isBroken.set(true);
            assertThat(master.join())
                    .hasMessageContaining("a thread of the master has ended: name=builds-dispatcher")
                    .hasRootCauseInstanceOf(UnsupportedOperationException.class);
            assertThat(master.isAlive()).isFalse();
        }
        try (Master next = Master.start(MasterOptions.of(folder, Site.SECURITY))) {
            assertThat(next.isAlive()).isTrue();
        }
    }

    private static void assertEnd(Build build, BuildCode code, String message) throws Exception {
        BuildResult result = build.result().get(60, TimeUnit.SECONDS);
        assertThat(result.code()).isEqualTo(code);
        assertThat(result.message()).isEqualTo(message);
    }
}
