package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each token does what its roles say, and nothing else; whoever asks in another's name is told that there is nothing. */
@Timeout(300)
class RolesTest {
    private static final Duration TICK = Duration.ofSeconds(8);

    @TempDir
    Path folder;

    private final List<AgentLink> links = new ArrayList<>();
    private Master master;
    private TokenTable table = TokenTable.EMPTY;

    @BeforeEach
    void begin() throws IOException {
        table = TokenTable.EMPTY
                .with("agent-1", Set.of(Role.AGENT), token("agent-1"))
                .with("agent-2", Set.of(Role.AGENT), token("agent-2"))
                .with("alice", Set.of(Role.SUBMIT), token("alice"))
                .with("bob", Set.of(Role.SUBMIT), token("bob"))
                .with("reader", Set.of(Role.READ), token("reader"))
                .with("root", Set.of(Role.ADMIN), token("root"));
        table.save(file());
        start();
    }

    private void start() throws IOException {
        Admission admission = new Admission(Access.of(null, file()), Optional.empty(), TICK);
        master = Master.start(MasterOptions.of(folder.resolve("m"), admission));
    }

    @AfterEach
    void end() {
        links.forEach(AgentLink::close);
        master.close();
    }

    private Path file() {
        return folder.resolve("tokens");
    }

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    private static Security security(String name) {
        return new Security(token(name), Optional.empty(), TICK);
    }

    private BuildClient client(String name) throws InterruptedException {
        return BuildClientFactory.connect(ConnectOptions.of("builds://127.0.0.1:" + master.port(), token(name)));
    }

    private AgentLink agent(String token, String identity, FakeAgent agent) {
        MasterAddress address = new MasterAddress("127.0.0.1", master.port());
        AgentLink link = AgentLink.start(
                agent,
                new LinkOptions(identity, address, security(token), Duration.ofMillis(20), Duration.ofMillis(200)));
        links.add(link);
        return link;
    }

    private static BuildCode code(ThrowingCallable call) {
        Throwable failure = org.assertj.core.api.Assertions.catchThrowable(call);
        while (failure != null && !(failure instanceof BuildException)) {
            failure = failure.getCause();
        }
        assertThat(failure).as("is refused").isNotNull();
        return ((BuildException) Objects.requireNonNull(failure)).code();
    }

    @Test
    void agent_ofAnotherName_isRefused() throws Exception {
        try (FakeAgent fake = new FakeAgent(run -> 0)) {
            AgentLink impostor = agent("agent-2", "agent-1", fake);
            AgentLink client = agent("alice", "agent-1", fake);
            Until.isTrue("it is refused", () -> impostor.refusal() != null && client.refusal() != null);
            assertThat(impostor.refusal()).contains("token is not this agent's", "identity=agent-1", "token=agent-2");
            assertThat(client.refusal()).contains("token has not the role", "token=alice");
            try (FakeAgent own = new FakeAgent(run -> 0)) {
                AgentLink link = agent("agent-1", "agent-1", own);
                Until.isTrue("its own is let in", link::isConnected);
            }
        }
        assertThatThrownBy(() -> client("agent-1")).hasMessageContaining("token has not the role");
        assertThatThrownBy(() -> client("nobody")).hasMessageContaining("token is not the master's");
    }

    @Test
    void health_isForWhoeverHasAToken_andReflectionForAdmins() throws Exception {
        for (String name : List.of("agent-1", "alice", "reader", "root")) {
            for (String service : List.of("", Rpc.AGENTS, Rpc.CLIENTS)) {
                Until.isTrue("it serves", () -> health(name, service) == ServingStatus.SERVING);
            }
        }
        assertThatThrownBy(() -> health("nobody", "")).hasMessageContaining("UNAUTHENTICATED");
        for (String name : List.of("agent-1", "alice", "reader")) {
            assertThatThrownBy(() -> reflect(name, ServerReflectionRequest.getDefaultInstance()))
                    .as(name)
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
        }
        ServerReflectionRequest list =
                ServerReflectionRequest.newBuilder().setListServices("").build();
        assertThat(reflect("root", list).getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains(Rpc.AGENTS, Rpc.CLIENTS, HealthGrpc.SERVICE_NAME);
        ServerReflectionRequest clients = ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol(Rpc.CLIENTS)
                .build();
        ByteString file = reflect("root", clients).getFileDescriptorResponse().getFileDescriptorProto(0);
        assertThat(FileDescriptorProto.parseFrom(file))
                .isEqualTo(Wire.getDescriptor().toProto());
    }

    private ServingStatus health(String name, String service) {
        ManagedChannel channel = channel(name);
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .check(HealthCheckRequest.newBuilder().setService(service).build())
                    .getStatus();
        } finally {
            channel.shutdownNow();
        }
    }

    private ServerReflectionResponse reflect(String name, ServerReflectionRequest request) throws Exception {
        ManagedChannel channel = channel(name);
        try {
            BlockingClientCall<ServerReflectionRequest, ServerReflectionResponse> call =
                    ServerReflectionGrpc.newBlockingV2Stub(channel).serverReflectionInfo();
            call.write(request);
            return Objects.requireNonNull(call.read());
        } finally {
            channel.shutdownNow();
        }
    }

    /** Returns a new connection: each has one token. */
    private ManagedChannel channel(String name) {
        Metadata headers = new Metadata();
        headers.put(Rpc.AUTHORIZATION, Rpc.BEARER + token(name).text());
        return OkHttpChannelBuilder.forAddress("127.0.0.1", master.port())
                .usePlaintext()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build();
    }

    @Test
    void submit_beyondTheQuota_isRefusedUntilLessWaits_andOthersAreServed() throws Exception {
        int most = 3;
        master.close();
        Admission admission = new Admission(Access.of(null, file()), Optional.empty(), TICK);
        master = Master.start(MasterOptions.of(folder.resolve("m"), admission).withMaxQueued(10, most));
        BuildRequest build = Site.request().label("later").build();
        BuildRequest noop = Site.request().label("later").noop(true).build();
        try (BuildClient alice = client("alice");
                BuildClient bob = client("bob")) {
            for (BuildRequest request : List.of(build, noop)) {
                List<Build> waiting = new ArrayList<>();
                for (int i = 0; i < most; i++) {
                    waiting.add(alice.submit(request));
                    Logs.end(waiting.get(i).accepted());
                }
                assertThat(code(() -> Logs.end(alice.submit(request).accepted())))
                        .isEqualTo(BuildCode.QUEUE_FULL);
                Logs.end(bob.submit(request).accepted());
                assertThat(Logs.end(waiting.get(0).cancel("no more"))).isTrue();
                Logs.end(alice.submit(request).accepted());
                assertThat(code(() -> Logs.end(alice.submit(request).accepted())))
                        .isEqualTo(BuildCode.QUEUE_FULL);
            }
        }
        master.close();
        master = Master.start(MasterOptions.of(folder.resolve("m"), admission).withMaxQueued(10, most));
        try (BuildClient alice = client("alice")) {
            assertThat(code(() -> Logs.end(alice.submit(build).accepted()))).isEqualTo(BuildCode.QUEUE_FULL);
        }
    }

    @Test
    void builds_ofOthers_areThereForReadersAndAdminsOnly() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (FakeAgent fake = new FakeAgent(run -> {
                    run.print("secret of alice\n");
                    run.handOn(Bundles.of(Map.of("a", new byte[1])));
                    goOn.await();
                    return 0;
                });
                BuildClient alice = client("alice");
                BuildClient bob = client("bob");
                BuildClient reader = client("reader");
                BuildClient root = client("root")) {
            AgentLink unused = agent("agent-1", "agent-1", fake);
            Build build = alice.submit(
                    Site.request().files(BuildFiles.NONE.withArtefact("**")).build());
            String id = Logs.end(build.accepted());
            Until.isTrue("it runs", () -> fake.begun() == 1);
            checkHidden(bob, id);
            assertThat(code(() -> Logs.end(reader.submit(Site.request().build()).accepted())))
                    .isEqualTo(BuildCode.REFUSED);
            assertThat(code(() -> Logs.end(reader.job(id).cancel("no")))).isEqualTo(BuildCode.REFUSED);
            CompletableFuture<BuildResult> watched = reader.job(id).result();
            CompletableFuture<BuildResult> byRoot = root.job(id).result();
            goOn.countDown();
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            assertThat(Logs.end(watched).isSuccess()).isTrue();
            assertThat(Logs.end(byRoot).isSuccess()).isTrue();
            for (BuildClient may : new BuildClient[] {alice, reader, root}) {
                assertThat(Logs.text(may.job(id))).isEqualTo("secret of alice\n");
                assertThat(Logs.end(may.artefacts(id))).hasSize(1);
                assertThat(Logs.end(may.job(id).status()).phase()).isEqualTo(BuildStatus.Phase.FINISHED);
            }
            checkHidden(bob, id);
            assertThat(Logs.end(bob.jobs(10))).isEmpty();
            for (BuildClient may : new BuildClient[] {alice, reader, root}) {
                assertThat(Logs.end(may.jobs(10)))
                        .singleElement()
                        .satisfies(job -> assertThat(job.owner()).isEqualTo("alice"));
            }
        }
    }

    @Test
    void jobs_ofSeveralOwners_areListedToThoseWhoMaySeeThem_theNewestFirst() throws Exception {
        try (BuildClient alice = client("alice");
                BuildClient bob = client("bob");
                BuildClient reader = client("reader")) {
            List<String> all = new ArrayList<>();
            List<String> ofBob = new ArrayList<>();
            List<String> ofAlice = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boolean isBobs = i % 3 == 0;
                String id = Logs.end((isBobs ? bob : alice)
                        .submit(Site.request().label("later").build())
                        .accepted());
                all.add(0, id);
                (isBobs ? ofBob : ofAlice).add(0, id);
            }
            assertThat(listed(alice)).isEqualTo(ofAlice);
            assertThat(listed(bob)).isEqualTo(ofBob);
            assertThat(listed(reader)).isEqualTo(all);
        }
    }

    private static List<String> listed(BuildClient by) throws Exception {
        return Logs.end(by.jobs(100)).stream().map(job -> job.status().jobId()).toList();
    }

    private static void checkHidden(BuildClient from, String id) throws Exception {
        Build build = from.job(id);
        assertThat(code(() -> Logs.end(build.status()))).isEqualTo(BuildCode.UNKNOWN_JOB);
        assertThat(code(() -> Logs.end(build.cancel("mine")))).isEqualTo(BuildCode.UNKNOWN_JOB);
        assertThat(code(() -> Logs.end(build.result()))).isEqualTo(BuildCode.UNKNOWN_JOB);
        assertThat(code(() -> Logs.text(build))).isEqualTo(BuildCode.UNKNOWN_JOB);
        assertThatThrownBy(() -> Logs.end(from.artefacts(id)))
                .hasMessageContaining("no such job for this token, or no more");
    }

    @Test
    void cancel_byTheSubmitterOrAnAdmin_endsTheBuild() throws Exception {
        try (BuildClient alice = client("alice");
                BuildClient root = client("root")) {
            Build own = alice.submit(Site.request().build());
            Build other = alice.submit(Site.request().build());
            assertThat(Logs.end(alice.job(Logs.end(own.accepted())).cancel("mine")))
                    .isTrue();
            assertThat(Logs.end(root.job(Logs.end(other.accepted())).cancel("root")))
                    .isTrue();
            assertThat(Logs.end(own.result()).code()).isEqualTo(BuildCode.CANCELLED);
            assertThat(Logs.end(other.result()).code()).isEqualTo(BuildCode.CANCELLED);
        }
    }

    @Test
    void owner_afterARestart_isTheSame() throws Exception {
        String id;
        try (BuildClient alice = client("alice")) {
            id = Logs.end(alice.submit(Site.request().build()).accepted());
        }
        master.close();
        start();
        try (BuildClient alice = client("alice");
                BuildClient bob = client("bob")) {
            checkHidden(bob, id);
            assertThat(Logs.end(alice.job(id).status()).phase()).isEqualTo(BuildStatus.Phase.QUEUED);
            assertThat(Logs.end(alice.job(id).cancel("mine"))).isTrue();
        }
    }

    @Test
    void clientNumber_ofAnother_takesNothingFromHim() throws Exception {
        try (Streams alices = streams("alice");
                Streams bobs = streams("bob")) {
            var alice = alices.open(Rpc.CLIENT_SESSION);
            alice.send(hello());
            assertThat(next(alices).hasWelcome()).isTrue();
            alice.send(submit(false));
            assertThat(next(alices).getAccepted().getNumbersList()).containsExactly(5L);
            var bob = bobs.open(Rpc.CLIENT_SESSION);
            bob.send(hello());
            assertThat(next(bobs).hasWelcome()).isTrue();
            bob.send(submit(true)); // as if he had submitted it before
            assertThat(next(bobs).getAccepted().getJobs(0))
                    .as("a job of his own")
                    .isEqualTo(2);
            alice.send(submit(true));
            assertThat(next(alices).getAccepted().getJobs(0)).isEqualTo(1);
        }
    }

    @Test
    void session_ofAnother_hasNoStreamOfLogs() throws Exception {
        try (Streams streams = streams("alice")) {
            var session = streams.open(Rpc.CLIENT_SESSION);
            session.send(hello());
            long number = next(streams).getWelcome().getSession();
            try (Streams others = streams("bob")) {
                var unused = others.open(Rpc.CLIENT_LOGS, number);
                assertThatThrownBy(() -> others.receive(Duration.ofSeconds(60)))
                        .isInstanceOf(StatusException.class)
                        .hasMessageContaining("no such session");
            }
        }
    }

    @Test
    void token_thatIsRevoked_endsItsConnectionsAndNoOthers() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (FakeAgent fake = new FakeAgent(run -> {
                    goOn.await();
                    return 0;
                });
                BuildClient alice = client("alice");
                BuildClient bob = client("bob")) {
            AgentLink link = agent("agent-1", "agent-1", fake);
            Build build = alice.submit(Site.request().build());
            String id = Logs.end(build.accepted());
            Build bobs = bob.submit(Site.request().build());
            String bobsId = Logs.end(bobs.accepted());
            table.without("alice").save(file());
            assertThat(code(() -> Logs.end(build.result()))).isEqualTo(BuildCode.REFUSED);
            assertThat(code(() -> Logs.end(alice.job(id).status()))).isEqualTo(BuildCode.REFUSED);
            assertThat(Logs.end(bob.job(bobsId).status()).phase()).isNotEqualTo(BuildStatus.Phase.FINISHED);
            assertThat(link.isConnected()).isTrue();
            table.save(file());
            Until.isTrue("she is let in again", () -> {
                try (BuildClient again = client("alice")) {
                    return Logs.end(again.job(id).status()).phase() == BuildStatus.Phase.ASSIGNED;
                } catch (BuildException e) {
                    return false;
                }
            });
            table.without("agent-1").save(file());
            Until.isTrue("it is refused", () -> link.refusal() != null);
            assertThat(link.isConnected()).isFalse();
            goOn.countDown();
        }
    }

    private Streams streams(String name) {
        return new Streams(
                security(name),
                new MasterAddress("127.0.0.1", master.port()),
                task -> new Thread(task).start(),
                () -> {});
    }

    private static Wire.ToClient next(Streams streams) throws Exception {
        return (Wire.ToClient) Objects.requireNonNull(streams.receive(Duration.ofSeconds(60)), "no answer");
    }

    private static Wire.FromClient hello() {
        return Wire.FromClient.newBuilder()
                .setHello(Wire.ClientHello.newBuilder()
                        .setVersions(Versions.ours())
                        .setClient(7)
                        .setName("somebody"))
                .build();
    }

    private static Wire.FromClient submit(boolean again) {
        return Wire.FromClient.newBuilder()
                .setSubmit(Wire.Submit.newBuilder()
                        .addNumbers(5)
                        .addWhich(0)
                        .addRequests(Wire.Request.newBuilder()
                                .setRepository("git+file:///r")
                                .setBranch("b")
                                .setScript("s")
                                .setRunner("bash")
                                .setLabel("any")
                                .setDurable(true)
                                .setTimeoutMillis(60_000)
                                .setQueueTimeoutMillis(60_000)
                                .build()
                                .toByteString())
                        .setAgain(again))
                .build();
    }
}
