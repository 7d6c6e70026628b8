package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents come and go; each job has one result. */
@Timeout(300)
class AgentLossTest {
    @TempDir
    Path folder;

    private Site site(Duration grace) throws Exception {
        return new Site(folder, options -> options.withGrace(grace));
    }

    /** An agent whose scripts block until it is closed. */
    private static FakeAgent blocking(Queue<Assignment> begun) {
        return new FakeAgent(run -> {
            run.print("attempt " + run.assignment.attempt() + "\n");
            begun.add(run.assignment);
            new CountDownLatch(1).await();
            return 0;
        });
    }

    @Test
    void agent_lost_jobGoesToAnotherAndTheLogSaysSo() throws Exception {
        Queue<Assignment> begun = new ConcurrentLinkedQueue<>();
        try (Site site = site(Duration.ZERO)) {
            FakeAgent lost = site.with(blocking(begun));
            AgentLink link = site.agent("lost", lost);
            Build build = site.client().submit(Site.request().build());
            Until.isTrue("log", () -> Logs.end(build.status()).logBytes() == 10);
            link.close();
            site.agent("other", site.with(new FakeAgent(run -> 0)));
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).isTrue();
            assertThat(result.attempts()).isEqualTo(2);
            assertThat(Logs.text(build)).isEqualTo("attempt 1\n---> Agent lost, attempt 2\n");
        }
    }

    @Test
    void agents_lostTwice_jobFailsAndDoesNotHang() throws Exception {
        Queue<Assignment> begun = new ConcurrentLinkedQueue<>();
        try (Site site = site(Duration.ZERO)) {
            Build build = site.client().submit(Site.request().build());
            for (int attempt = 1; attempt <= 2; attempt++) {
                int expected = attempt;
                AgentLink link = site.agent("agent" + attempt, site.with(blocking(begun)));
                Until.isTrue("begun", () -> begun.size() == expected);
                link.close();
            }
            BuildResult result = Logs.end(build.result());
            assertThat(result.code()).isEqualTo(BuildCode.AGENT_LOST);
            assertThat(result.attempts()).isEqualTo(2);
            assertThat(result.agent()).isEqualTo("agent2");
        }
    }

    @Test
    void agent_backWithinTheGrace_goesOnWithItsJob() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (Site site = site(Duration.ofSeconds(60));
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            FakeAgent agent = site.with(new FakeAgent(run -> {
                run.print("one\n");
                goOn.await();
                run.print("two\n");
                return 0;
            }));
            site.agent("a", agent, proxy.port());
            Build build = site.client().submit(Site.request().build());
            Until.isTrue("log", () -> Logs.end(build.status()).logBytes() == 4);
            proxy.cutAll();
            Until.isTrue("back", () -> Logs.end(build.status()).phase() == BuildStatus.Phase.ASSIGNED);
            goOn.countDown();
            assertThat(Logs.end(build.result()).attempts()).isEqualTo(1);
            assertThat(Logs.text(build)).isEqualTo("one\ntwo\n");
            assertThat(agent.begun()).isEqualTo(1);
        }
    }

    @Test
    void agent_backAfterTheGrace_isRefusedWhatItSaysOfItsOldLease() throws Exception {
        CountDownLatch finishOld = new CountDownLatch(1);
        CountDownLatch finishNew = new CountDownLatch(1);
        try (Site site = site(Duration.ZERO);
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            FakeAgent old = site.with(new FakeAgent(run -> {
                run.print("old\n");
                finishOld.await();
                run.print("old again\n");
                return 1;
            }));
            site.agent("old", old, proxy.port());
            Build build = site.client().submit(Site.request().build());
            Until.isTrue("log", () -> Logs.end(build.status()).logBytes() == 4);
            proxy.refuse(true);
            proxy.cutAll();
            site.agent("new", site.with(new FakeAgent(run -> {
                run.print("new\n");
                finishNew.await();
                return 0;
            })));
            Until.isTrue("taken over", () -> Logs.end(build.status()).agent().equals("new"));
            proxy.refuse(false);
            Until.isTrue(
                    "cancelled at the old agent",
                    () -> !old.runs().isEmpty() && old.runs().get(0).isForgotten());
            finishOld.countDown();
            finishNew.countDown();
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).isTrue();
            assertThat(result.agent()).isEqualTo("new");
            assertThat(Logs.text(build)).isEqualTo("old\n---> Agent lost, attempt 2\nnew\n");
        }
    }

    @Test
    void agent_startedAgain_itsJobIsGivenAwayAtOnce() throws Exception {
        Queue<Assignment> begun = new ConcurrentLinkedQueue<>();
        try (Site site = site(Duration.ofMinutes(10))) {
            AgentLink link = site.agent("a", site.with(blocking(begun)));
            Build build = site.client().submit(Site.request().build());
            Until.isTrue("begun", () -> begun.size() == 1);
            link.close();
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).isTrue();
            assertThat(result.attempts()).isEqualTo(2);
        }
    }

    @Test
    void identity_ofAnAgentThatIsConnected_isRefusedToAnother() throws Exception {
        try (Site site = site(Duration.ZERO)) {
            AgentLink first = site.agent("same", site.with(new FakeAgent(run -> 0)));
            Until.isTrue("connected", first::isConnected);
            AgentLink second = site.agent("same", site.with(new FakeAgent(run -> 1)));
            Until.isTrue("refused", () -> second.refusal() != null);
            assertThat(second.refusal()).contains("another agent with this identity is connected", "same");
            assertThat(Logs.end(site.client().submit(Site.request().build()).result())
                            .isSuccess())
                    .isTrue();
            first.close();
            Until.isTrue("connected", second::isConnected);
            assertThat(second.refusal()).isNull();
        }
    }

    @Test
    void label_thatNobodyHas_waitsWithAReasonAndTimesOut() throws Exception {
        try (Site site = site(Duration.ZERO)) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            BuildClient client = site.client();
            Build build = client.submit(Site.request()
                    .label("macosx")
                    .queueTimeout(Duration.ofSeconds(2))
                    .build());
            Logs.end(build.accepted());
            BuildStatus status = Logs.end(build.status());
            assertThat(status.phase()).isEqualTo(BuildStatus.Phase.QUEUED);
            assertThat(status.reason()).contains("no agent has the label", "macosx");
            BuildResult result = Logs.end(build.result());
            assertThat(result.code()).isEqualTo(BuildCode.QUEUE_TIMED_OUT);
            assertThat(result.message()).contains("no agent has the label", "macosx");
            Build node = client.submit(Site.request()
                    .runner("node")
                    .queueTimeout(Duration.ofMillis(100))
                    .build());
            assertThat(Logs.end(node.result()).message()).contains("no agent with this label has the runner", "node");
        }
    }

    @Test
    void jobs_ofSeveralAgents_goWhereExecutorsAreIdle() throws Exception {
        Queue<Assignment> begun = new ConcurrentLinkedQueue<>();
        CountDownLatch end = new CountDownLatch(1);
        FakeAgent.Script script = run -> {
            begun.add(run.assignment);
            end.await();
            return 0;
        };
        try (Site site = site(Duration.ZERO)) {
            FakeAgent large = site.with(new FakeAgent(4, Set.of("x"), Set.of("bash"), script));
            FakeAgent small = site.with(new FakeAgent(1, Set.of("x"), Set.of("bash"), script));
            AgentLink one = site.agent("large", large);
            AgentLink two = site.agent("small", small);
            Until.isTrue("connected", () -> one.isConnected() && two.isConnected());
            BuildClient client = site.client();
            for (int i = 0; i < 5; i++) {
                client.submit(Site.request().label("x").build());
            }
            Until.isTrue("all run", () -> begun.size() == 5);
            assertThat(large.begun()).isEqualTo(4);
            assertThat(small.begun()).isEqualTo(1);
            end.countDown();
        }
    }

    @Test
    void cancel_atEachStage_endsCancelled() throws Exception {
        Queue<Assignment> begun = new ConcurrentLinkedQueue<>();
        try (Site site = site(Duration.ofMillis(300))) {
            BuildClient client = site.client();
            Build queued = client.submit(Site.request().build());
            Logs.end(queued.accepted());
            assertThat(Logs.end(queued.cancel("not wanted"))).isTrue();
            BuildResult result = Logs.end(queued.result());
            assertThat(result.code()).isEqualTo(BuildCode.CANCELLED);
            assertThat(result.message()).isEqualTo("not wanted");
            AgentLink link = site.agent("a", site.with(blocking(begun)));
            Build running = client.submit(Site.request().build());
            Until.isTrue("begun", () -> begun.size() == 1);
            assertThat(Logs.end(running.cancel("enough"))).isTrue();
            assertThat(Logs.end(running.result()).code()).isEqualTo(BuildCode.CANCELLED);
            assertThat(Logs.text(running)).isEqualTo("attempt 1\n");
            assertThat(Logs.end(running.cancel("again"))).isFalse();
            Build lost = client.submit(Site.request().build());
            Until.isTrue("begun", () -> begun.size() == 2);
            link.close();
            Until.isTrue("gone", () -> Logs.end(lost.status()).phase() == BuildStatus.Phase.DISCONNECTED);
            assertThat(Logs.end(lost.cancel("gone"))).isTrue();
            assertThat(Logs.end(lost.result()).code()).isEqualTo(BuildCode.CANCELLED);
        }
    }
}
