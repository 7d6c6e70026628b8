package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.web.AgentSummary;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes from outside may be anything; the master goes on. */
@Timeout(300)
class HostileTest {
    @TempDir
    Path folder;

    /** Messages as bytes, so that they may be anything. */
    private static MethodDescriptor<byte[], byte[]> raw(MethodDescriptor<?, ?> method) {
        MethodDescriptor.Marshaller<byte[]> bytes = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                try {
                    return stream.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        return method.toBuilder(bytes, bytes).build();
    }

    private static Streams stranger(Site site) {
        return new Streams(
                Site.SECURITY, new MasterAddress("127.0.0.1", site.port()), task -> new Thread(task).start(), () -> {});
    }

    private static Wire.FromClient.Builder clientHello() {
        return Wire.FromClient.newBuilder()
                .setHello(Wire.ClientHello.newBuilder()
                        .setVersions(Versions.ours())
                        .setClient(7)
                        .setName("stranger"));
    }

    /** Returns what an agent with most executors of all says, which has no label that anybody asks for. */
    private static Wire.FromAgent.Builder agentHello(String identity, long life) {
        return Wire.FromAgent.newBuilder()
                .setHello(Wire.AgentHello.newBuilder()
                        .setVersions(Versions.ours())
                        .setIdentity(identity)
                        .setLife(life)
                        .addLabels("strange")
                        .setExecutors(1_024));
    }

    /** Returns the status with which the streams end, whatever comes before. */
    private static Status end(Streams streams) throws InterruptedException {
        try {
            while (true) {
                assertThat(streams.receive(Duration.ofSeconds(60)))
                        .as("ended in time")
                        .isNotNull();
            }
        } catch (StatusException e) {
            return e.getStatus();
        }
    }

    private static Object welcome(Streams streams) throws Exception {
        return Objects.requireNonNull(streams.receive(Duration.ofSeconds(60)), "no welcome");
    }

    @Test
    void bytes_ofAnyShape_endTheirStreamOnly() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            for (int i = 0; i < 400; i++) {
                try (Streams streams = stranger(site)) {
                    boolean isAgent = random.nextBoolean();
                    boolean isLog = random.nextInt(3) == 0;
                    long session = isAgent ? agentSession(streams, "stranger" + i) : clientSession(streams, i);
                    byte[] bytes = any(random, isAgent, isLog);
                    var method = isAgent
                            ? isLog ? Rpc.AGENT_LOGS : Rpc.AGENT_SESSION
                            : isLog ? Rpc.CLIENT_LOGS : Rpc.CLIENT_SESSION;
                    streams.open(raw(method), session).send(bytes);
                    if (random.nextBoolean()) {
                        Status unused = end(streams, Duration.ofMillis(random.nextInt(20)));
                    }
                }
            }
            assertThat(site.master().isAlive()).as("seed=%d", seed).isTrue();
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            assertThat(Logs.end(client.submit(Site.request().build()).result()).isSuccess())
                    .as("seed=%d", seed)
                    .isTrue();
            assertThat(site.master().malformedMessages()).as("seed=%d", seed).isPositive();
        }
    }

    private static @Nullable Status end(Streams streams, Duration patience) throws InterruptedException {
        try {
            Object unused = streams.receive(patience);
            return null;
        } catch (StatusException e) {
            return e.getStatus();
        }
    }

    private static long agentSession(Streams streams, String identity) throws Exception {
        streams.<Wire.FromAgent, Wire.ToAgent>open(Rpc.AGENT_SESSION)
                .send(agentHello(identity, 1).build());
        return ((Wire.ToAgent) welcome(streams)).getWelcome().getSession();
    }

    private static long clientSession(Streams streams, long number) throws Exception {
        Wire.FromClient.Builder hello = clientHello();
        hello.getHelloBuilder().setClient(number);
        streams.<Wire.FromClient, Wire.ToClient>open(Rpc.CLIENT_SESSION).send(hello.build());
        return ((Wire.ToClient) welcome(streams)).getWelcome().getSession();
    }

    /** Returns bytes that are no message, or a message with values that it may not have, or one with some bytes changed. */
    private static byte[] any(Random random, boolean isAgent, boolean isLog) {
        long wild = random.nextLong();
        byte[] bytes;
        if (random.nextInt(4) == 0) {
            bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            return bytes;
        } else if (isLog) {
            bytes = isAgent
                    ? Wire.LogPiece.newBuilder()
                            .setJob(wild)
                            .setAttempt(random.nextInt())
                            .setEpoch(random.nextLong())
                            .setOffset(random.nextLong())
                            .setBytes(ByteString.copyFrom(new byte[random.nextInt(100_000)]))
                            .build()
                            .toByteArray()
                    : Wire.ReadLog.newBuilder()
                            .setAsk(wild)
                            .setJob(random.nextLong())
                            .setOffset(random.nextLong())
                            .setMost(random.nextInt())
                            .build()
                            .toByteArray();
        } else if (isAgent) {
            bytes = Wire.FromAgent.newBuilder()
                    .setNoops(Wire.Noops.newBuilder().addJobs(wild).addJobs(2).addEpochs(random.nextLong()))
                    .build()
                    .toByteArray();
        } else {
            bytes = Wire.FromClient.newBuilder()
                    .setSubmit(Wire.Submit.newBuilder()
                            .addNumbers(wild)
                            .addWhich(random.nextInt(3) - 1)
                            .addRequests(Wire.Request.newBuilder()
                                    .setRepository("git+file:///r")
                                    .setBranch("b")
                                    .setScript("s")
                                    .setTimeoutMillis(random.nextLong())
                                    .build()
                                    .toByteString()))
                    .build()
                    .toByteArray();
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({"99, 100", "0, 0", "2, 1"})
    void versions_withNoneInCommon_areRefusedWithTheReason(int oldest, int newest) throws Exception {
        try (Site site = new Site(folder);
                Streams client = stranger(site);
                Streams agent = stranger(site)) {
            Wire.Versions versions = Wire.Versions.newBuilder()
                    .setOldest(oldest)
                    .setNewest(newest)
                    .build();
            Wire.FromClient.Builder hello = clientHello();
            hello.getHelloBuilder().setVersions(versions);
            client.<Wire.FromClient, Wire.ToClient>open(Rpc.CLIENT_SESSION).send(hello.build());
            Wire.FromAgent.Builder other = agentHello("a", 1);
            other.getHelloBuilder().setVersions(versions);
            agent.<Wire.FromAgent, Wire.ToAgent>open(Rpc.AGENT_SESSION).send(other.build());
            for (Streams refused : List.of(client, agent)) {
                Status status = end(refused);
                assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                assertThat(status.getDescription())
                        .isEqualTo("no version of the protocol is common: here=1.." + Versions.NEWEST + " there="
                                + oldest + ".." + newest);
            }
            assertThat(site.master().view().figures().refused()).isEqualTo(2);
        }
    }

    @Test
    void versions_thatReachFurther_agreeOnTheNewestOfBoth() throws Exception {
        try (Site site = new Site(folder);
                Streams client = stranger(site)) {
            Wire.FromClient.Builder hello = clientHello();
            hello.getHelloBuilder().setVersions(Wire.Versions.newBuilder().setNewest(9));
            client.<Wire.FromClient, Wire.ToClient>open(Rpc.CLIENT_SESSION).send(hello.build());
            assertThat(((Wire.ToClient) welcome(client)).getWelcome().getVersion())
                    .isEqualTo(Versions.NEWEST);
        }
    }

    @Test
    void messages_outOfTheirTurn_endTheStreamAndNothingElse() throws Exception {
        try (Site site = new Site(folder)) {
            for (Wire.FromAgent early : List.of(
                    Wire.FromAgent.getDefaultInstance(),
                    Wire.FromAgent.newBuilder()
                            .setNoops(Wire.Noops.getDefaultInstance())
                            .build())) {
                try (Streams agent = stranger(site)) {
                    agent.<Wire.FromAgent, Wire.ToAgent>open(Rpc.AGENT_SESSION).send(early);
                    assertThat(end(agent).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                }
            }
            try (Streams client = stranger(site)) {
                Outlet<Wire.FromClient> outlet = client.open(Rpc.CLIENT_SESSION);
                outlet.send(clientHello().build());
                Object unused = welcome(client);
                outlet.send(clientHello().build());
                assertThat(end(client).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
            for (MethodDescriptor<?, ?> logs : List.of(Rpc.AGENT_LOGS, Rpc.CLIENT_LOGS)) {
                try (Streams none = stranger(site);
                        Streams other = stranger(site)) {
                    none.open(logs);
                    other.open(logs, 5);
                    assertThat(end(none).getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                    assertThat(end(other).getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                }
            }
            buildSomething(site);
        }
    }

    @Test
    void bytes_thatAreNoMessage_endTheirStreamWithTheReason() throws Exception {
        try (Site site = new Site(folder);
                Streams client = stranger(site)) {
            byte[] notUtf8 = {0x0a, 6, 0x1a, 4, (byte) 0xff, (byte) 0xfe, (byte) 0xc0, (byte) 0x80};
            client.open(raw(Rpc.CLIENT_SESSION)).send(notUtf8);
            Status status = end(client);
            assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(status.getDescription()).isEqualTo("bytes are no message of the protocol");
            assertThat(site.master().malformedMessages()).isEqualTo(1);
        }
    }

    @Test
    void messages_thatAreCompressed_areRefused() throws Exception {
        try (Site site = new Site(folder)) {
            ManagedChannel channel = OkHttpChannelBuilder.forAddress("127.0.0.1", site.port())
                    .usePlaintext()
                    .build();
            Metadata headers = new Metadata();
            headers.put(Rpc.AUTHORIZATION, Rpc.BEARER + Site.TOKEN.text());
            CompletableFuture<Status> end = new CompletableFuture<>();
            ClientCall<Wire.FromClient, Wire.ToClient> call =
                    channel.newCall(Rpc.CLIENT_SESSION, CallOptions.DEFAULT.withCompression("gzip"));
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            end.complete(status);
                        }
                    },
                    headers);
            call.setMessageCompression(true);
            Wire.FromClient.Builder hello = clientHello();
            hello.getHelloBuilder().setName("x".repeat(50_000_000));
            call.sendMessage(hello.build());
            assertThat(end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
            channel.shutdownNow();
            buildSomething(site);
        }
    }

    @Test
    void session_withASecondStreamOfLogs_isRefused() throws Exception {
        try (Site site = new Site(folder);
                Streams client = stranger(site);
                Streams agent = stranger(site)) {
            long session = clientSession(client, 1);
            client.open(Rpc.CLIENT_LOGS, session);
            client.open(Rpc.CLIENT_LOGS, session);
            assertThat(end(client).getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            session = agentSession(agent, "one");
            agent.open(Rpc.AGENT_LOGS, session);
            agent.open(Rpc.AGENT_LOGS, session);
            assertThat(end(agent).getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        }
    }

    private static Wire.Assign assignment(Streams agent) throws Exception {
        while (true) {
            if (welcome(agent) instanceof Wire.ToAgent told && told.hasAssign()) {
                return told.getAssign();
            }
        }
    }

    @Test
    void agent_withTheLeaseOfAnother_changesNothing() throws Exception {
        try (Site site = new Site(folder);
                Streams owner = stranger(site);
                Streams thief = stranger(site)) {
            Wire.FromAgent.Builder hello = agentHello("owner", 1);
            hello.getHelloBuilder().addRunners("bash");
            Outlet<Wire.FromAgent> owning = owner.open(Rpc.AGENT_SESSION);
            owning.send(hello.build());
            Outlet<Wire.FromAgent> stealing = thief.open(Rpc.AGENT_SESSION);
            stealing.send(agentHello("thief", 1).build());
            Outlet<Wire.LogPiece> pieces = thief.open(
                    Rpc.AGENT_LOGS, ((Wire.ToAgent) welcome(thief)).getWelcome().getSession());
            BuildClient client = site.client();
            for (boolean noop : new boolean[] {true, false}) {
                Build build =
                        client.submit(Site.request().label("strange").noop(noop).build());
                Wire.Assign assign = assignment(owner);
                long job = assign.getJobs(0);
                long epoch = assign.getEpochs(0);
                long stale = site.master().staleMessages();
                Wire.Noops.Builder noops = Wire.Noops.newBuilder().addJobs(job).addEpochs(epoch);
                stealing.send(Wire.FromAgent.newBuilder().setNoops(noops).build());
                Wire.Finished.Builder finished = Wire.Finished.newBuilder()
                        .setJob(job)
                        .setAttempt(1)
                        .setEpoch(epoch)
                        .setEnding(Wire.Ending.newBuilder().setMessage("stolen"));
                stealing.send(Wire.FromAgent.newBuilder().setFinished(finished).build());
                pieces.send(Wire.LogPiece.newBuilder()
                        .setJob(job)
                        .setAttempt(1)
                        .setEpoch(epoch)
                        .setBytes(ByteString.copyFromUtf8("forged"))
                        .build());
                Until.isTrue("all is counted", () -> site.master().staleMessages() == stale + 3);
                BuildStatus status = Logs.end(build.status());
                assertThat(status.phase()).isEqualTo(BuildStatus.Phase.ASSIGNED);
                assertThat(status.logBytes()).isZero();
                owning.send(Wire.FromAgent.newBuilder()
                        .setFinished(finished.setEnding(Wire.Ending.newBuilder().setMessage("ours")))
                        .build());
                assertThat(Logs.end(build.result()).message()).isEqualTo("ours");
            }
        }
    }

    @Test
    void agent_claimingAWaitingJobOfAnEarlierLife_getsOnlyWhatItServes() throws Exception {
        try (Site site = new Site(folder);
                Streams thief = stranger(site);
                Streams server = stranger(site)) {
            Build build = site.client().submit(Site.request().label("strange").build());
            String id = Logs.end(build.accepted());
            Wire.AgentHello claim = agentHello("thief", 1).getHello().toBuilder()
                    .addHeld(Wire.Held.newBuilder()
                            .setJob(id)
                            .setAttempt(1)
                            .setEpoch(1)
                            .setAlive(true))
                    .build();
            Outlet<Wire.FromAgent> stealing = thief.open(Rpc.AGENT_SESSION);
            stealing.send(Wire.FromAgent.newBuilder().setHello(claim).build());
            Object unused = welcome(thief);
            assertThat(((Wire.ToAgent) welcome(thief)).hasDrop()).isTrue();
            assertThat(Logs.end(build.status()).phase()).isEqualTo(BuildStatus.Phase.QUEUED);
            Outlet<Wire.FromAgent> serving = server.open(Rpc.AGENT_SESSION);
            serving.send(Wire.FromAgent.newBuilder()
                    .setHello(claim.toBuilder().setIdentity("server").addRunners("bash"))
                    .build());
            unused = welcome(server);
            assertThat(((Wire.ToAgent) welcome(server)).hasResume()).isTrue();
        }
    }

    @Test
    void agent_withTheIdentityOfAnother_isRefused() throws Exception {
        try (Site site = new Site(folder);
                Streams first = stranger(site);
                Streams thief = stranger(site);
                Streams again = stranger(site)) {
            long unused = agentSession(first, "one");
            thief.<Wire.FromAgent, Wire.ToAgent>open(Rpc.AGENT_SESSION)
                    .send(agentHello("one", 2).build());
            assertThat(end(thief).getDescription()).contains("another agent with this identity is connected");
            unused = agentSession(again, "one"); // the same process, which has connected again
            assertThat(end(first).getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(site.master().view().agents())
                    .extracting(AgentSummary::identity)
                    .containsExactly("one");
        }
    }

    private static void buildSomething(Site site) throws Exception {
        site.agent("a", site.with(new FakeAgent(run -> {
            run.print("built\n");
            return 0;
        })));
        Build build = site.client().submit(Site.request().build());
        assertThat(Logs.end(build.result()).isSuccess()).isTrue();
        assertThat(Logs.text(build)).isEqualTo("built\n");
    }

    @Test
    void token_wrong_isRefusedAtOnce() throws Exception {
        try (Site site = new Site(folder)) {
            ConnectOptions right = Site.options(site.port());
            ConnectOptions wrong = new ConnectOptions(
                    right.master(),
                    Token.of("not the token"),
                    Optional.empty(),
                    right.tick(),
                    Duration.ofMinutes(10), // longer than this test may take
                    right.patience());
            assertThatThrownBy(() -> BuildClientFactory.connect(wrong))
                    .isInstanceOf(BuildException.class)
                    .hasMessageContaining("token is not the master's")
                    .hasMessageNotContaining("not the token")
                    .extracting(e -> ((BuildException) e).code())
                    .isEqualTo(BuildCode.REFUSED);
        }
    }

    @Test
    void socket_sendingRubbish_isClosedAndNothingElse() throws Exception {
        Random random = new Random(5);
        try (Site site = new Site(folder)) {
            for (int i = 0; i < 50; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port())) {
                    byte[] bytes = new byte[random.nextInt(500)];
                    random.nextBytes(bytes);
                    socket.getOutputStream().write(bytes);
                }
            }
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            assertThat(Logs.end(site.client().submit(Site.request().build()).result())
                            .isSuccess())
                    .isTrue();
        }
    }

    @Test
    void socket_sendingRubbish_isNotRepeatedInTheLog() throws Exception {
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx64m"), List.of())) {
            for (int i = 0; i < 5; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), master.port())) {
                    socket.getOutputStream().write("\u001b[31mforged line".getBytes(StandardCharsets.UTF_8));
                    socket.shutdownOutput();
                    byte[] unused = socket.getInputStream().readAllBytes();
                }
            }
            ConnectOptions wrong = ConnectOptions.of("127.0.0.1:" + master.port(), Token.of("forged token"));
            assertThatThrownBy(() -> BuildClientFactory.connect(wrong)).hasMessageContaining("token");
            Path errors = folder.resolve("master.err");
            Until.isTrue("the refusal is logged", () -> Files.readString(errors).contains("reason=another token"));
            assertThat(Files.readString(errors)).doesNotContain("forged", "\u001b");
        }
    }

    @Test
    void output_thatTheMasterHasNot_isRefused() throws Exception {
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            Build build = client.submit(Site.request().output(OutputMode.REDIS).build());
            assertThatThrownBy(() -> Logs.end(build.accepted()))
                    .hasRootCauseInstanceOf(BuildException.class)
                    .hasMessageContaining("master has not this output");
        }
    }

    @Test
    void job_ofAnotherMaster_isUnknown() throws Exception {
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            assertThatThrownBy(() -> Logs.end(client.job("other-1").result()))
                    .hasMessageContaining("not a job of this");
            String id = Logs.end(client.submit(Site.request().build()).accepted());
            String next = id.substring(0, id.lastIndexOf('-')) + "-999";
            assertThatThrownBy(() -> Logs.end(client.job(next).result())).hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).follow(0, (offset, bytes) -> true)))
                    .hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).status())).hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).cancel("x"))).hasMessageContaining("no such job");
        }
    }

    @Test
    void queue_full_isSaid() throws Exception {
        try (Site site = new Site(folder, options -> options.withMaxQueued(3, 3))) {
            BuildClient client = site.client();
            for (int i = 0; i < 3; i++) {
                Logs.end(client.submit(Site.request().build()).accepted());
            }
            assertThatThrownBy(
                            () -> Logs.end(client.submit(Site.request().build()).accepted()))
                    .hasMessageContaining("queue is full");
        }
    }

    @Test
    void listening_beyondThisMachine_needsTls() {
        MasterOptions options = MasterOptions.of(folder, Site.SECURITY);
        assertThatThrownBy(() -> Master.start(options.withAddress(InetAddress.getByName("0.0.0.0"), 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs TLS");
    }
}
