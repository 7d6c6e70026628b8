package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.output.IdleSink;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents and sinks that hold up the result of a job by each means that the protocol leaves them. */
@Timeout(300)
class HeldJobsTest {
    private final AtomicLong passed = new AtomicLong();
    private final CountDownLatch gate = new CountDownLatch(1);

    @TempDir
    Path folder;

    @AfterEach
    void open() {
        gate.countDown();
    }

    private Master master(List<Sink> sinks) throws Exception {
        TimeSource timeSource = new TimeSource(() -> System.nanoTime() + passed.get(), System::currentTimeMillis);
        return Master.start(MasterOptions.of(folder, Site.SECURITY), sinks, timeSource);
    }

    /** An agent that says what a test has it say, on one connection. */
    private static final class RawAgent implements AutoCloseable {
        private final Streams streams;
        private final Outlet<Wire.FromAgent> control;
        private final Outlet<Wire.LogPiece> logs;

        RawAgent(Master master, Wire.Held... held) throws Exception {
            MasterAddress address = new MasterAddress("127.0.0.1", master.port());
            streams = new Streams(Site.SECURITY, address, task -> new Thread(task).start(), () -> {});
            control = streams.open(Rpc.AGENT_SESSION);
            control.send(Wire.FromAgent.newBuilder()
                    .setHello(Wire.AgentHello.newBuilder()
                            .setVersions(Versions.ours())
                            .setIdentity("a")
                            .setLife(1)
                            .addLabels("any")
                            .addRunners("bash")
                            .setExecutors(1)
                            .addAllHeld(List.of(held)))
                    .build());
            logs = streams.open(Rpc.AGENT_LOGS, told().getWelcome().getSession());
        }

        Wire.ToAgent told() throws Exception {
            while (true) {
                if (streams.receive() instanceof Wire.ToAgent told) {
                    return told;
                }
            }
        }

        Wire.Assign assigned() throws Exception {
            Wire.ToAgent told = told();
            while (!told.hasAssign()) {
                told = told();
            }
            return told.getAssign();
        }

        void begin(Wire.Assign job) {
            control.send(Wire.FromAgent.newBuilder()
                    .setStage(Wire.Stage.newBuilder()
                            .setJob(job.getJobs(0))
                            .setAttempt(job.getAttempts(0))
                            .setEpoch(job.getEpochs(0))
                            .setStage("running"))
                    .build());
        }

        void finish(Wire.Assign job, long logBytes) {
            control.send(Wire.FromAgent.newBuilder()
                    .setFinished(Wire.Finished.newBuilder()
                            .setJob(job.getJobs(0))
                            .setAttempt(job.getAttempts(0))
                            .setEpoch(job.getEpochs(0))
                            .setEnding(Wire.Ending.newBuilder()
                                    .setAttempts(1)
                                    .setAgent("a")
                                    .setLogBytes(logBytes)))
                    .build());
        }

        void log(Wire.Assign job, long offset) {
            logs.send(Wire.LogPiece.newBuilder()
                    .setJob(job.getJobs(0))
                    .setAttempt(job.getAttempts(0))
                    .setEpoch(job.getEpochs(0))
                    .setOffset(offset)
                    .setBytes(ByteString.copyFromUtf8("x"))
                    .build());
        }

        @Override
        public void close() {
            streams.close();
        }
    }

    private static String stage(Master master) throws Exception {
        return master.view().jobs(Site.ALL, "", 1).get(0).message();
    }

    private static BuildResult result(Build build) throws Exception {
        return build.result().get(120, TimeUnit.SECONDS);
    }

    @Test
    void agent_thatConnectsAgainAndAgain_getsNoMoreTime() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build build =
                    client.submit(Site.request().timeout(Duration.ofMinutes(5)).build());
            try (RawAgent agent = new RawAgent(master)) {
                Wire.Assign job = agent.assigned();
                agent.begin(job);
                Until.isTrue("it has begun", () -> stage(master).equals("stage: running"));
                Wire.Held held = held(build, job);
                passed.addAndGet(TimeUnit.MINUTES.toNanos(5));
                try (RawAgent again = new RawAgent(master, held)) {
                    assertThat(again.told().hasResume()).isTrue();
                    passed.addAndGet(TimeUnit.MINUTES.toNanos(1));
                    BuildResult late = result(build);
                    assertThat(late.code()).isEqualTo(BuildCode.TIMED_OUT);
                    assertThat(late.message()).isEqualTo("not ended by its agent in time: agent=a");
                }
            }
        }
    }

    @Test
    void agent_thatBeginsWhatIsCancelled_getsTheTimeOfACancelOnly() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                RawAgent agent = new RawAgent(master)) {
            Build build =
                    client.submit(Site.request().timeout(Duration.ofHours(5)).build());
            Wire.Assign job = agent.assigned();
            assertThat(build.cancel("enough").get(60, TimeUnit.SECONDS)).isTrue();
            agent.begin(job);
            Until.isTrue("it has begun", () -> stage(master).equals("stage: running"));
            passed.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertThat(result(build).code()).isEqualTo(BuildCode.CANCELLED);
        }
    }

    @Test
    void agent_thatSendsItsLogByTheByte_hasItCutOff() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                RawAgent agent = new RawAgent(master)) {
            Build build = client.submit(Site.request().build());
            Wire.Assign job = agent.assigned();
            agent.begin(job);
            agent.finish(job, 1_000_000);
            for (int sent = 0; !build.result().isDone(); sent++) {
                agent.log(job, sent);
                passed.addAndGet(TimeUnit.SECONDS.toNanos(5));
                var unused = build.result()
                        .copy()
                        .completeOnTimeout(null, 50, TimeUnit.MILLISECONDS)
                        .get();
            }
            BuildResult cut = result(build);
            assertThat(cut.message()).isEqualTo("the rest of the log is lost with its agent");
            assertThat(cut.code()).isEqualTo(BuildCode.OK);
        }
    }

    /** Lets seconds pass, and some time for the master to see that they have. */
    private void pass(long seconds, Build build) throws Exception {
        passed.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        var unused = build.result()
                .copy()
                .completeOnTimeout(null, 20, TimeUnit.MILLISECONDS)
                .get();
    }

    private static void checkCutOff(Build build) throws Exception {
        assertThat(build.result()).isDone();
        assertThat(result(build).message()).isEqualTo("the rest of the log is lost with its agent");
    }

    private static Wire.Held held(Build build, Wire.Assign job) throws Exception {
        return Wire.Held.newBuilder()
                .setJob(build.accepted().get())
                .setAttempt(job.getAttempts(0))
                .setEpoch(job.getEpochs(0))
                .setAlive(true)
                .build();
    }

    @Test
    void agent_thatSaysThriceThatItHasAJob_getsNoMoreTimeForItsLog() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                RawAgent agent = new RawAgent(master)) {
            Build build = client.submit(Site.request().build());
            Wire.Assign job = agent.assigned();
            agent.finish(job, 1 << 20);
            Until.isTrue("it has ended", () -> phase(build) == BuildStatus.Phase.FINISHING);
            Wire.Held held = held(build, job);
            try (RawAgent again = new RawAgent(master, held, held, held)) {
                for (int sent = 0; sent < 500 && !build.result().isDone(); sent++) {
                    again.log(job, sent);
                    pass(1, build);
                }
                checkCutOff(build);
            }
        }
    }

    @Test
    void agent_thatStaysAwayBetweenTheBytesOfItsLog_getsNoMoreTimeForThem() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build build = client.submit(Site.request().build());
            Wire.Assign job;
            try (RawAgent agent = new RawAgent(master)) {
                job = agent.assigned();
                agent.finish(job, 1 << 20);
                Until.isTrue("it has ended", () -> phase(build) == BuildStatus.Phase.FINISHING);
            }
            for (int times = 0; times < 100 && !build.result().isDone(); times++) {
                Until.isTrue("it is away", () -> master.view().agents().isEmpty());
                pass(5, build);
                try (RawAgent again = new RawAgent(master, held(build, job))) {
                    again.log(job, times);
                    var unused = again.told();
                }
            }
            checkCutOff(build);
        }
    }

    private static BuildStatus.Phase phase(Build build) throws Exception {
        return build.status().get(60, TimeUnit.SECONDS).phase();
    }

    @Test
    void agent_thatAnswersNoNoopButSaysSo_isDisconnected() throws Exception {
        try (Master master = master(List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                RawAgent agent = new RawAgent(master)) {
            Build build = client.submit(Site.request().noop(true).build());
            Wire.Assign job = agent.assigned();
            Wire.FromAgent nothing = Wire.FromAgent.newBuilder()
                    .setNoops(Wire.Noops.newBuilder().addJobs(job.getJobs(0)).addEpochs(0))
                    .build();
            for (int times = 1; times <= 500 && !master.view().agents().isEmpty(); times++) {
                agent.control.send(nothing);
                long all = times;
                Until.isTrue(
                        "it is heard, or away",
                        () -> master.staleMessages() == all
                                || master.view().agents().isEmpty());
                pass(29, build);
            }
            assertThat(master.view().agents()).isEmpty();
        }
    }

    @Test
    void sink_thatNeverAnswers_holdsUpNoResult() throws Exception {
        Sink silent = new IdleSink() {
            @Override
            public long locate(String jobId, Log log) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return 0;
            }
        };
        try (Master master = master(List.of(silent));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()));
                RawAgent agent = new RawAgent(master)) {
            Build build = client.submit(Site.request().output(OutputMode.FILES).build());
            Wire.Assign job = agent.assigned();
            agent.begin(job);
            agent.log(job, 0);
            agent.finish(job, 1);
            Until.isTrue("the log is here", () -> {
                passed.addAndGet(TimeUnit.SECONDS.toNanos(1));
                return build.result().isDone();
            });
            assertThat(result(build).message()).isEqualTo("the output is not confirmed: its sink does not answer");
            gate.countDown();
        }
    }
}
