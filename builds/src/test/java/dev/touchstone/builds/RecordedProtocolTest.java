package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.recorded.VersionOne;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each of master, agent and client beside the others as they spoke version 1, of which {@code version_one.proto} is the record. */
@Timeout(300)
class RecordedProtocolTest {
    private static final String LOG = "line\n".repeat(30_000);

    private static final VersionOne.Versions ONE =
            VersionOne.Versions.newBuilder().setOldest(1).setNewest(1).build();

    @TempDir
    Path folder;

    private static <S extends Message, R extends Message> MethodDescriptor<S, R> method(
            String service, String name, S sent, R received) {
        return MethodDescriptor.<S, R>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("touchstone.builds.v1." + service, name))
                .setRequestMarshaller(ProtoUtils.marshaller(sent))
                .setResponseMarshaller(ProtoUtils.marshaller(received))
                .build();
    }

    private static MethodDescriptor<VersionOne.FromClient, VersionOne.ToClient> clients() {
        return method(
                "Clients",
                "Session",
                VersionOne.FromClient.getDefaultInstance(),
                VersionOne.ToClient.getDefaultInstance());
    }

    private static MethodDescriptor<VersionOne.ReadLog, VersionOne.LogAnswer> clientLogs() {
        return method(
                "Clients", "Logs", VersionOne.ReadLog.getDefaultInstance(), VersionOne.LogAnswer.getDefaultInstance());
    }

    private static MethodDescriptor<VersionOne.FromAgent, VersionOne.ToAgent> agents() {
        return method(
                "Agents",
                "Session",
                VersionOne.FromAgent.getDefaultInstance(),
                VersionOne.ToAgent.getDefaultInstance());
    }

    private static MethodDescriptor<VersionOne.LogPiece, VersionOne.Credit> agentLogs() {
        return method(
                "Agents", "Logs", VersionOne.LogPiece.getDefaultInstance(), VersionOne.Credit.getDefaultInstance());
    }

    private static VersionOne.Request.Builder request(String branch) {
        return VersionOne.Request.newBuilder()
                .setRepository("git+file:///repository")
                .setBranch(branch)
                .setScript("script")
                .setRunner("bash")
                .setLabel("any")
                .addEnvironment(VersionOne.Variable.newBuilder().setName("A").setValue("1"))
                .setDurable(true)
                .setOutput(VersionOne.Output.STREAM)
                .setTimeoutMillis(60_000)
                .setQueueTimeoutMillis(60_000)
                .setMaxLogBytes(1 << 20);
    }

    private static Streams guest(Site site) {
        return new Streams(
                Site.SECURITY, new MasterAddress("127.0.0.1", site.port()), task -> new Thread(task).start(), () -> {});
    }

    private static <T> T next(Streams streams, Class<T> type) throws Exception {
        return type.cast(Objects.requireNonNull(streams.receive(Duration.ofSeconds(60)), "nothing came"));
    }

    /** Returns the next message of a type that passes over others of its session. */
    private static VersionOne.ToClient until(Streams streams, VersionOne.ToClient.ToldCase told) throws Exception {
        VersionOne.ToClient message = next(streams, VersionOne.ToClient.class);
        while (message.getToldCase() != told) {
            message = next(streams, VersionOne.ToClient.class);
        }
        return message;
    }

    @Test
    void client_ofVersionOne_isServed() throws Exception {
        try (Site site = new Site(folder);
                Streams streams = guest(site)) {
            Outlet<VersionOne.FromClient> control = streams.open(clients());
            control.send(VersionOne.FromClient.newBuilder()
                    .setHello(VersionOne.ClientHello.newBuilder()
                            .setVersions(ONE)
                            .setClient(7)
                            .setName("recorded"))
                    .build());
            VersionOne.ClientWelcome welcome =
                    until(streams, VersionOne.ToClient.ToldCase.WELCOME).getWelcome();
            assertThat(welcome.getVersion()).isEqualTo(1);
            control.send(VersionOne.FromClient.newBuilder()
                    .setSubmit(VersionOne.Submit.newBuilder()
                            .addRequests(request("good"))
                            .addRequests(request("good").setNoop(true))
                            .addRequests(request("bad"))
                            .addAllNumbers(List.of(1L, 2L, 3L))
                            .addAllWhich(List.of(0, 1, 2)))
                    .build());
            VersionOne.Accepted accepted =
                    until(streams, VersionOne.ToClient.ToldCase.ACCEPTED).getAccepted();
            assertThat(accepted.getNumbersList()).containsExactly(1L, 2L, 3L);
            long job = accepted.getJobs(0);
            control.send(VersionOne.FromClient.newBuilder()
                    .setAsk(VersionOne.Ask.newBuilder().setAsk(11).setJob(job))
                    .build());
            VersionOne.Status status =
                    until(streams, VersionOne.ToClient.ToldCase.STATUS).getStatus();
            assertThat(status.getAsk()).isEqualTo(11);
            assertThat(status.getPhase()).isEqualTo(VersionOne.Phase.QUEUED);

            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(LOG);
                return run.assignment.branch().equals("good") ? 0 : 3;
            })));
            List<Integer> codes = new ArrayList<>();
            List<Long> done = new ArrayList<>();
            while (codes.size() + done.size() < 3) {
                VersionOne.ToClient told = next(streams, VersionOne.ToClient.class);
                if (told.hasResult()) {
                    codes.add(told.getResult().getEnding().getCode());
                    assertThat(told.getResult().getEnding().getAgent()).isEqualTo("a");
                }
                done.addAll(told.getDone().getNumbersList());
            }
            assertThat(codes).containsExactlyInAnyOrder(BuildCode.OK.number(), BuildCode.SCRIPT_FAILED.number());
            assertThat(done).as("the noop").containsExactly(2L);
            Outlet<VersionOne.ReadLog> logs = streams.open(clientLogs(), welcome.getSession());
            StringBuilder log = new StringBuilder();
            boolean isLast = false;
            while (!isLast) {
                logs.send(VersionOne.ReadLog.newBuilder()
                        .setAsk(12)
                        .setJob(job)
                        .setOffset(log.length())
                        .setMost(100_000)
                        .build());
                VersionOne.Chunk chunk =
                        next(streams, VersionOne.LogAnswer.class).getChunk();
                assertThat(chunk.getOffset()).isEqualTo(log.length());
                log.append(chunk.getBytes().toString(StandardCharsets.US_ASCII));
                isLast = chunk.getLast();
            }
            assertThat(log.toString()).isEqualTo(LOG);
        }
    }

    @Test
    void agent_ofVersionOne_runsJobsOfToday() throws Exception {
        try (Site site = new Site(folder);
                Streams streams = guest(site)) {
            Outlet<VersionOne.FromAgent> control = streams.open(agents());
            control.send(VersionOne.FromAgent.newBuilder()
                    .setHello(VersionOne.AgentHello.newBuilder()
                            .setVersions(ONE)
                            .setIdentity("recorded")
                            .setLife(1)
                            .addLabels("any")
                            .addRunners("bash")
                            .setExecutors(1))
                    .build());
            VersionOne.AgentWelcome welcome =
                    next(streams, VersionOne.ToAgent.class).getWelcome();
            assertThat(welcome.getVersion()).isEqualTo(1);
            Build build = site.client()
                    .submit(Site.request().environment(Map.of("B", "2")).build());
            VersionOne.Assign assign = next(streams, VersionOne.ToAgent.class).getAssign();
            assertThat(assign.getRequests(0).getScript()).isEqualTo("script");
            assertThat(assign.getRequests(0).getEnvironment(0).getValue()).isEqualTo("2");
            Outlet<VersionOne.LogPiece> logs = streams.open(agentLogs(), welcome.getSession());
            control.send(VersionOne.FromAgent.newBuilder()
                    .setStage(VersionOne.Stage.newBuilder()
                            .setJob(assign.getJobs(0))
                            .setAttempt(assign.getAttempts(0))
                            .setEpoch(assign.getEpochs(0))
                            .setStage("running"))
                    .build());
            for (int at = 0; at < LOG.length(); at += 50_000) {
                logs.send(VersionOne.LogPiece.newBuilder()
                        .setJob(assign.getJobs(0))
                        .setAttempt(assign.getAttempts(0))
                        .setEpoch(assign.getEpochs(0))
                        .setOffset(at)
                        .setBytes(ByteString.copyFromUtf8(LOG.substring(at, at + 50_000)))
                        .build());
            }
            control.send(VersionOne.FromAgent.newBuilder()
                    .setFinished(VersionOne.Finished.newBuilder()
                            .setJob(assign.getJobs(0))
                            .setAttempt(assign.getAttempts(0))
                            .setEpoch(assign.getEpochs(0))
                            .setEnding(VersionOne.Ending.newBuilder().setLogBytes(LOG.length())))
                    .build());
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as(result.toString()).isTrue();
            assertThat(result.agent()).isEqualTo("recorded");
            assertThat(Logs.text(build)).isEqualTo(LOG);
            Object last = streams.receive(Duration.ofSeconds(60));
            while (!(last instanceof VersionOne.ToAgent told && told.hasForget())) {
                last = Objects.requireNonNull(streams.receive(Duration.ofSeconds(60)), "not told to forget");
            }
        }
    }

    /** The master of version 1 as one guest sees it. */
    private static final class RecordedMaster implements AutoCloseable {
        private final BlockingQueue<Message> said = new LinkedBlockingQueue<>();
        private final Server server;
        private final CompletableFuture<StreamObserver<VersionOne.ToClient>> client = new CompletableFuture<>();
        private final CompletableFuture<StreamObserver<VersionOne.ToAgent>> agent = new CompletableFuture<>();
        private final CompletableFuture<StreamObserver<VersionOne.Credit>> credit = new CompletableFuture<>();

        private RecordedMaster() throws Exception {
            server = OkHttpServerBuilder.forPort(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            InsecureServerCredentials.create())
                    .addService(ServerServiceDefinition.builder(Rpc.CLIENTS)
                            .addMethod(clients(), ServerCalls.asyncBidiStreamingCall(to -> {
                                boolean unused = client.complete(to);
                                return taking();
                            }))
                            .addMethod(clientLogs(), ServerCalls.asyncBidiStreamingCall(to -> taking()))
                            .build())
                    .addService(ServerServiceDefinition.builder(Rpc.AGENTS)
                            .addMethod(agents(), ServerCalls.asyncBidiStreamingCall(to -> {
                                boolean unused = agent.complete(to);
                                return taking();
                            }))
                            .addMethod(agentLogs(), ServerCalls.asyncBidiStreamingCall(to -> {
                                boolean unused = credit.complete(to);
                                return taking();
                            }))
                            .build())
                    .build()
                    .start();
        }

        private <T extends Message> StreamObserver<T> taking() {
            return new StreamObserver<>() {
                @Override
                public void onNext(T message) {
                    said.add(message);
                }

                @Override
                public void onError(Throwable failure) {
                    // the guest is gone
                }

                @Override
                public void onCompleted() {
                    // the guest is done
                }
            };
        }

        private <T extends Message> T next(Class<T> type) throws InterruptedException {
            return type.cast(Objects.requireNonNull(said.poll(60, TimeUnit.SECONDS), "nothing was said"));
        }

        @Override
        public void close() {
            server.shutdownNow();
        }
    }

    @Test
    void client_ofToday_buildsByAMasterOfVersionOne() throws Exception {
        try (RecordedMaster master = new RecordedMaster()) {
            Thread welcome = new Thread(() -> {
                try {
                    assertThat(master.next(VersionOne.FromClient.class)
                                    .getHello()
                                    .getVersions()
                                    .getOldest())
                            .isEqualTo(1);
                    master.client
                            .join()
                            .onNext(VersionOne.ToClient.newBuilder()
                                    .setWelcome(VersionOne.ClientWelcome.newBuilder()
                                            .setVersion(1)
                                            .setSession(5)
                                            .setMaster("m"))
                                    .build());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            welcome.start();
            try (BuildClient client = BuildClientFactory.connect(Site.options(master.server.getPort()))) {
                welcome.join();
                Build build = client.submit(Site.request().secret("S", "hidden").build());
                VersionOne.Submit submit =
                        master.next(VersionOne.FromClient.class).getSubmit();
                VersionOne.Request request = submit.getRequests(submit.getWhich(0));
                assertThat(request.getBranch()).isEqualTo("master");
                assertThat(request.getEnvironment(0).getSecret()).isTrue();
                master.client
                        .join()
                        .onNext(VersionOne.ToClient.newBuilder()
                                .setAccepted(VersionOne.Accepted.newBuilder()
                                        .addNumbers(submit.getNumbers(0))
                                        .addJobs(77))
                                .build());
                assertThat(Logs.end(build.accepted())).isEqualTo("m-77");
                master.client
                        .join()
                        .onNext(VersionOne.ToClient.newBuilder()
                                .setResult(VersionOne.Result.newBuilder()
                                        .setJob(77)
                                        .setEnding(VersionOne.Ending.newBuilder()
                                                .setAttempts(1)
                                                .setAgent("a")
                                                .setLogBytes(9)))
                                .build());
                BuildResult result = Logs.end(build.result());
                assertThat(result.isSuccess()).isTrue();
                assertThat(result.logBytes()).isEqualTo(9);
                Build files = client.submit(Site.request()
                        .files(BuildFiles.NONE.withArtefact("*.jar"))
                        .build());
                assertThatThrownBy(() -> Logs.end(files.accepted()))
                        .cause()
                        .isInstanceOf(BuildException.class)
                        .hasMessageContaining("artefacts");
            }
        }
    }

    @Test
    void agent_ofToday_worksForAMasterOfVersionOne() throws Exception {
        try (RecordedMaster master = new RecordedMaster();
                FakeAgent agent = new FakeAgent(run -> {
                    run.print("said\n");
                    return 3;
                });
                AgentLink link = AgentLink.start(
                        agent,
                        new LinkOptions(
                                "a",
                                new MasterAddress("127.0.0.1", master.server.getPort()),
                                Site.SECURITY,
                                Duration.ofMillis(20),
                                Duration.ofMillis(200)))) {
            VersionOne.AgentHello hello =
                    master.next(VersionOne.FromAgent.class).getHello();
            assertThat(hello.getVersions().getOldest()).isEqualTo(1);
            assertThat(hello.getIdentity()).isEqualTo("a");
            master.agent
                    .join()
                    .onNext(VersionOne.ToAgent.newBuilder()
                            .setWelcome(VersionOne.AgentWelcome.newBuilder()
                                    .setVersion(1)
                                    .setSession(5)
                                    .setMaster("m"))
                            .build());
            Until.isTrue("it is connected", link::isConnected);
            master.agent
                    .join()
                    .onNext(VersionOne.ToAgent.newBuilder()
                            .setAssign(VersionOne.Assign.newBuilder()
                                    .addRequests(request("b"))
                                    .addJobs(77)
                                    .addAttempts(1)
                                    .addEpochs(9)
                                    .addWhich(0)
                                    .setNewest(77))
                            .build());
            VersionOne.LogPiece piece = null;
            VersionOne.Finished finished = null;
            while (piece == null || finished == null) {
                Message message = master.next(Message.class);
                if (message instanceof VersionOne.LogPiece log) {
                    piece = log;
                } else if (message instanceof VersionOne.FromAgent said && said.hasFinished()) {
                    finished = said.getFinished();
                }
            }
            assertThat(piece.getBytes().toStringUtf8()).isEqualTo("said\n");
            assertThat(piece.getEpoch()).isEqualTo(9);
            assertThat(finished.getEnding().getCode()).isEqualTo(BuildCode.SCRIPT_FAILED.number());
            assertThat(finished.getEnding().getExitCode()).isEqualTo(3);
            assertThat(finished.getEnding().getLogBytes()).isEqualTo(5);
            assertThat(master.credit).isDone();
            master.agent
                    .join()
                    .onNext(VersionOne.ToAgent.newBuilder()
                            .setForget(
                                    VersionOne.Forget.newBuilder().addJobs(77).addEpochs(9))
                            .build());
            Until.isTrue(
                    "the agent has forgotten the attempt",
                    () -> agent.runs().get(0).isForgotten());
        }
    }
}
