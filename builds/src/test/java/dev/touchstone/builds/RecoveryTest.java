package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.job.Retention;
import dev.touchstone.builds.web.JobSummary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the master has accepted outlives it. */
@Timeout(300)
@SuppressWarnings("FutureReturnValueIgnored") // the futures of jobs are looked at one by one
class RecoveryTest {
    @TempDir
    Path folder;

    @Test
    void master_restartedMidJob_jobRunsOnAndItsLogIsWhole() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch restarted = new CountDownLatch(1);
        try (Site site = new Site(folder);
                FakeAgent agent = new FakeAgent(run -> {
                    run.print("before\n");
                    half.countDown();
                    restarted.await();
                    run.print("after\n");
                    return 7;
                })) {
            site.agent("a", agent);
            Build build = site.client().submit(Site.request().build());
            half.await();
            site.stopMaster();
            site.startMaster();
            restarted.countDown();
            BuildResult result = Logs.end(build.result());
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.attempts()).isEqualTo(1);
            assertThat(Logs.text(build)).isEqualTo("before\nafter\n");
            assertThat(agent.begun()).isEqualTo(1);
        }
    }

    @Test
    void job_endedWhileTheMasterIsDown_isEndedWhenItIsBack() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch down = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (Site site = new Site(folder);
                FakeAgent agent = new FakeAgent(run -> {
                    half.countDown();
                    down.await();
                    run.print("x".repeat(100_000));
                    ended.countDown();
                    return 0;
                })) {
            site.agent("a", agent);
            Build build = site.client().submit(Site.request().build());
            half.await();
            site.stopMaster();
            down.countDown();
            ended.await();
            site.startMaster();
            assertThat(Logs.end(build.result()).logBytes()).isEqualTo(100_000);
            assertThat(Logs.text(build)).isEqualTo("x".repeat(100_000));
            Until.isTrue("the agent forgets", () -> agent.runs().get(0).isForgotten());
        }
    }

    @Test
    void queuedJobs_masterRestarted_runInTheirOrder() throws Exception {
        List<String> order = new ArrayList<>();
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            List<Build> builds = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                builds.add(client.submit(
                        BuildRequest.of("git+file:///r", "branch" + i, "script").build()));
            }
            for (Build build : builds) {
                Logs.end(build.accepted());
            }
            site.stopMaster();
            site.startMaster();
            FakeAgent agent = site.with(new FakeAgent(1, Set.of(), Set.of("bash"), run -> {
                order.add(run.assignment.branch());
                return 0;
            }));
            site.agent("a", agent);
            Set<String> ids = new HashSet<>();
            for (Build build : builds) {
                ids.add(Logs.end(build.result()).jobId());
            }
            assertThat(ids).hasSize(50);
            assertThat(agent.begun()).isEqualTo(50);
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            expected.add("branch" + i);
        }
        assertThat(order).isEqualTo(expected);
    }

    @Test
    void master_endsBeforeAnAssignmentLeaves_isNoAttempt() throws Exception {
        try (Site site = new Site(folder);
                CuttingProxy proxy = new CuttingProxy(site.port());
                FakeAgent agent = new FakeAgent(run -> {
                    run.print("said\n");
                    return 0;
                })) {
            AgentLink link = site.agent("a", agent, proxy.port());
            Until.isTrue("the agent is connected", link::isConnected);
            proxy.pause(true);
            Build build = site.client().submit(Site.request().build());
            Until.isTrue("it is assigned", () -> Logs.end(build.status()).phase() == BuildStatus.Phase.ASSIGNED);
            site.stopMaster();
            proxy.cutAll();
            proxy.pause(false);
            site.startMaster();
            assertThat(Logs.end(build.result()).attempts()).isEqualTo(1);
            assertThat(Logs.text(build)).isEqualTo("said\n");
            assertThat(agent.begun()).isEqualTo(1);
        }
    }

    @Test
    void results_masterRestarted_canBeAskedForAgain() throws Exception {
        String id;
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("said\n");
                return 3;
            })));
            id = Logs.end(site.client().submit(Site.request().build()).result()).jobId();
        }
        try (Site site = new Site(folder)) {
            Build build = site.client().job(id);
            assertThat(Logs.end(build.result()).exitCode()).isEqualTo(3);
            assertThat(Logs.text(build)).isEqualTo("said\n");
            assertThat(Logs.end(build.status()).phase()).isEqualTo(BuildStatus.Phase.FINISHED);
        }
    }

    @Test
    void masterRestartedOften_underLoad_oneResultEach() throws Exception {
        AtomicInteger done = new AtomicInteger();
        try (Site site = new Site(folder);
                FakeAgent agent = new FakeAgent(2, Set.of(), Set.of("bash"), run -> {
                    run.print("log of " + run.assignment.branch() + "\n");
                    return 0;
                })) {
            site.agent("a", agent);
            BuildClient client = site.client();
            List<Build> builds = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 40; i++) {
                    Build build = client.submit(BuildRequest.of("git+file:///r", "b" + builds.size(), "s")
                            .noop(i % 4 == 0)
                            .build());
                    build.result().thenRun(done::incrementAndGet);
                    builds.add(build);
                }
                int atLeast = round * 30 + 5;
                Until.isTrue("some are done", () -> done.get() >= atLeast);
                site.stopMaster();
                site.startMaster();
            }
            for (int i = 0; i < builds.size(); i++) {
                BuildResult result = Logs.end(builds.get(i).result());
                assertThat(result.isSuccess()).as(result.toString()).isTrue();
                if (i % 4 != 0) {
                    assertThat(Logs.text(builds.get(i))).isEqualTo("log of b" + i + "\n");
                }
            }
            assertThat(done).hasValue(builds.size());
            assertThat(agent.begun()).isEqualTo(150);
        }
    }

    @Test
    void master_agentNeverBack_jobGoesToAnother() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        try (Site site = new Site(folder, options -> options.withGrace(Duration.ofMillis(300)))) {
            FakeAgent first = new FakeAgent(run -> {
                run.print("first\n");
                half.countDown();
                new CountDownLatch(1).await();
                return 0;
            });
            var link = site.agent("a", first);
            Build build = site.client().submit(Site.request().build());
            half.await();
            Until.isTrue("log", () -> Logs.end(build.status()).logBytes() == 6);
            site.stopMaster();
            link.close();
            site.startMaster();
            site.agent("b", site.with(new FakeAgent(run -> {
                run.print("second\n");
                return 0;
            })));
            BuildResult result = Logs.end(build.result());
            assertThat(result.attempts()).isEqualTo(2);
            assertThat(result.agent()).isEqualTo("b");
            assertThat(Logs.text(build)).isEqualTo("first\n---> Agent lost, attempt 2\nsecond\n");
            first.close();
        }
    }

    @Test
    void page_afterARestart_tellsWhatEachJobBuilds_andNoopsPushNoneOut() throws Exception {
        Retention retention = new Retention(3, Duration.ofDays(1), 1 << 30);
        try (Site site =
                new Site(folder, options -> options.withCleanBytes(2000).withRetention(retention))) {
            BuildClient client = site.client();
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            for (String branch : List.of("one", "two", "three")) {
                assertThat(Logs.end(client.submit(BuildRequest.of("git+file:///r", branch, "build.sh")
                                                .build())
                                        .result())
                                .isSuccess())
                        .isTrue();
            }
            for (int i = 0; i < 200; i++) {
                Logs.end(client.submit(BuildRequest.of("git+file:///r", "noop" + i, "s")
                                .noop(true)
                                .build())
                        .result());
            }
            client.submit(BuildRequest.of("git+file:///r", "waits", "build.sh")
                            .label("later")
                            .build())
                    .accepted()
                    .get(60, TimeUnit.SECONDS);
            List<JobSummary> before = site.master().view().jobs(Site.ALL, "", 10);
            assertThat(before).extracting(JobSummary::branch).containsExactly("waits", "three", "two", "one");

            site.stopMaster();
            site.startMaster();
            List<JobSummary> after = site.master().view().jobs(Site.ALL, "", 10);
            assertThat(after).isEqualTo(before);
            assertThat(after).extracting(JobSummary::repository).containsOnly("git+file:///r");
            assertThat(after).extracting(JobSummary::script).containsOnly("build.sh");
        }
    }

    @Test
    void journal_long_isCleanedAndNothingIsLost() throws Exception {
        try (Site site = new Site(
                folder,
                options -> options.withCleanBytes(20_000)
                        .withRetention(new Retention(100, Duration.ofDays(1), 1 << 30)))) {
            BuildClient client = site.client();
            List<Build> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(client.submit(BuildRequest.of("git+file:///r", "w" + i, "s")
                        .label("later")
                        .build()));
            }
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            for (int round = 0; round < 30; round++) {
                List<Build> noops = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    noops.add(client.submit(BuildRequest.of("git+file:///r", "n" + round + "-" + i, "s")
                            .noop(true)
                            .build()));
                }
                for (Build noop : noops) {
                    assertThat(Logs.end(noop.result()).isSuccess()).isTrue();
                }
            }
            Until.isTrue("cleaning", () -> site.master().journalEvents() < 400);
            site.stopMaster();
            site.startMaster();
            site.agent("later", site.with(new FakeAgent(2, Set.of("later"), Set.of("bash"), run -> {
                run.print(run.assignment.branch());
                return 0;
            })));
            for (int i = 0; i < waiting.size(); i++) {
                assertThat(Logs.text(waiting.get(i))).isEqualTo("w" + i);
                assertThat(Logs.end(waiting.get(i).result()).isSuccess()).isTrue();
            }
        }
    }
}
