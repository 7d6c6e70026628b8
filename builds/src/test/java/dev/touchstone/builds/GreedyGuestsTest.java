package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guests that have the token and send more than they read: a master with a small heap has them wait, or refuses them, and answers the others. */
@Timeout(300)
class GreedyGuestsTest {
    private static final List<String> SMALL = List.of("-Xmx64m");
    private static final Duration STANDSTILL = Duration.ofSeconds(2); // after which a stream counts as stopped

    @TempDir
    Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();

    private ManagedChannel channel(MasterProcess master) {
        ManagedChannel channel = OkHttpChannelBuilder.forAddress("127.0.0.1", master.port())
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(Rpc.MAX_MESSAGE)
                .build();
        channels.add(channel);
        return channel;
    }

    private void closeChannels() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    /** A stream that is read only as far as a test wants. */
    private static final class Guest<Q, R> extends ClientCall.Listener<R> {
        private final ClientCall<Q, R> call;
        private final BlockingQueue<R> received = new LinkedBlockingQueue<>();
        private volatile Status end = Status.OK;

        Guest(ManagedChannel channel, MethodDescriptor<Q, R> method, String session) {
            call = channel.newCall(method, CallOptions.DEFAULT);
            Metadata headers = new Metadata();
            headers.put(Rpc.AUTHORIZATION, Rpc.BEARER + CommandProcess.TOKEN);
            headers.put(Rpc.SESSION, session);
            call.start(this, headers);
        }

        @Override
        public void onMessage(R message) {
            received.add(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end = status;
        }

        R receive() throws InterruptedException {
            call.request(1);
            return Objects.requireNonNull(received.poll(60, TimeUnit.SECONDS), "no message");
        }

        /** Sends a message when the stream takes one; false if it takes none for some time, or has ended. */
        boolean send(Q message) {
            long deadline = System.nanoTime() + STANDSTILL.toNanos();
            while (!call.isReady() && end.isOk() && deadline - System.nanoTime() > 0) {
                LockSupport.parkNanos(100_000);
            }
            if (!call.isReady() || !end.isOk()) {
                return false;
            }
            call.sendMessage(message);
            return true;
        }
    }

    private static Guest<Wire.FromClient, Wire.ToClient> client(ManagedChannel channel, long number) throws Exception {
        Guest<Wire.FromClient, Wire.ToClient> client = new Guest<>(channel, Rpc.CLIENT_SESSION, "0");
        assertThat(client.send(Wire.FromClient.newBuilder()
                        .setHello(Wire.ClientHello.newBuilder()
                                .setVersions(Versions.ours())
                                .setClient(number)
                                .setName("greedy"))
                        .build()))
                .isTrue();
        assertThat(client.receive().hasWelcome()).isTrue();
        return client;
    }

    private static ByteString request(String text) {
        Wire.Request.Builder request = Wire.Request.newBuilder()
                .setRepository("git+file:///r")
                .setBranch("b")
                .setScript("s")
                .setRunner("bash")
                .setLabel("nobody")
                .setDurable(true)
                .setTimeoutMillis(60_000)
                .setQueueTimeoutMillis(600_000);
        for (int at = 0; at < text.length(); at += 4_000) {
            request.addEnvironment(Wire.Variable.newBuilder()
                    .setName("V" + at)
                    .setValue(text.substring(at, Math.min(text.length(), at + 4_000))));
        }
        return request.build().toByteString();
    }

    private static void checkAnswers(MasterProcess master) throws Exception {
        try (BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            BuildRequest request = Site.request().noop(true).label("none").build();
            Build build = client.submit(request);
            try {
                assertThat(Logs.end(build.accepted())).isNotEmpty();
            } catch (Exception e) {
                assertThat(e).hasRootCauseInstanceOf(BuildException.class).hasStackTraceContaining("memory for jobs");
            }
        }
    }

    private MasterProcess master() throws IOException {
        return new MasterProcess(folder, SMALL, List.of());
    }

    @Test
    void questions_whoseAnswersAreNotRead_wait() throws Exception {
        try (MasterProcess master = master()) {
            Guest<Wire.FromClient, Wire.ToClient> client = client(channel(master), 1);
            Wire.FromClient question = Wire.FromClient.newBuilder()
                    .setAsk(Wire.Ask.newBuilder().setAsk(1).setJob(Long.MAX_VALUE))
                    .build();
            int asked = 0;
            while (asked < 3_000_000 && client.send(question)) {
                asked++;
            }
            assertThat(asked).isLessThan(3_000_000);
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    @Test
    void watches_whoseAnswersAreNotRead_wait() throws Exception {
        try (MasterProcess master = master()) {
            Guest<Wire.FromClient, Wire.ToClient> client = client(channel(master), 1);
            Wire.FromClient watch = Wire.FromClient.newBuilder()
                    .setWatch(Wire.Watch.newBuilder()
                            .addAllJobs(LongStream.range(0, 1 << 16).boxed().toList()))
                    .build();
            int asked = 0;
            while (asked < 200 && client.send(watch)) {
                asked++;
            }
            assertThat(asked).isLessThan(200);
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    /** Answers that are read one by one, while each question asks for 65,536. */
    @Test
    void watches_whoseAnswersAreReadSlowly_wait() throws Exception {
        try (MasterProcess master = master()) {
            List<Guest<Wire.FromClient, Wire.ToClient>> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(client(channel(master), i));
            }
            Wire.FromClient watch = Wire.FromClient.newBuilder()
                    .setWatch(Wire.Watch.newBuilder().addAllJobs(Collections.nCopies(1 << 16, 0L)))
                    .build();
            for (int round = 0; round < 400; round++) {
                for (Guest<Wire.FromClient, Wire.ToClient> client : clients) {
                    if (client.call.isReady()) {
                        client.call.sendMessage(watch);
                    }
                    client.call.request(5_000);
                }
                LockSupport.parkNanos(5_000_000);
            }
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    /** Agents that say that they have very many jobs, connect again and again, and read nothing. */
    @Test
    void hellos_ofManyUnknownJobs_fitIntoASmallHeap() throws Exception {
        try (MasterProcess master = master()) {
            Wire.Held held =
                    Wire.Held.newBuilder().setJob("x").setAttempt(1).setEpoch(1).build();
            for (int round = 0; round < 30; round++) {
                Guest<Wire.FromAgent, Wire.ToAgent> agent = new Guest<>(channel(master), Rpc.AGENT_SESSION, "0");
                assertThat(agent.send(Wire.FromAgent.newBuilder()
                                .setHello(Wire.AgentHello.newBuilder()
                                        .setVersions(Versions.ours())
                                        .setIdentity("a" + round % 4)
                                        .setLife(1)
                                        .setExecutors(1)
                                        .addAllHeld(Collections.nCopies(1 << 16, held)))
                                .build()))
                        .isTrue();
                assertThat(agent.receive().hasWelcome()).isTrue();
            }
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    @Test
    void messages_thatAreLarge_ofManyStreams_fitIntoASmallHeap() throws Exception {
        try (MasterProcess master = master()) {
            List<Guest<Wire.FromClient, Wire.ToClient>> clients = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                clients.add(client(i % 3 == 0 ? channel(master) : channels.get(channels.size() - 1), i + 1));
            }
            String text = "x".repeat(240_000);
            for (int round = 0; round < 12; round++) {
                for (Guest<Wire.FromClient, Wire.ToClient> client : clients) {
                    Wire.Submit.Builder submit = Wire.Submit.newBuilder();
                    for (int row = 0; row < 4; row++) {
                        submit.addRequests(request(text))
                                .addNumbers(4L * round + row)
                                .addWhich(row);
                    }
                    boolean unused = client.send(
                            Wire.FromClient.newBuilder().setSubmit(submit).build());
                }
            }
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    @Test
    void questionsForHealth_thatAreLarge_areRefusedAndForgotten() throws Exception {
        try (MasterProcess master = master()) {
            HealthCheckRequest large = HealthCheckRequest.newBuilder()
                    .setService("x".repeat(1_000_000))
                    .build();
            ManagedChannel channel = channel(master);
            for (int asked = 0; asked < 100; asked++) {
                Guest<HealthCheckRequest, HealthCheckResponse> guest = new Guest<>(
                        channel, asked % 2 == 0 ? HealthGrpc.getCheckMethod() : HealthGrpc.getWatchMethod(), "0");
                assertThat(guest.send(large)).isTrue();
                guest.call.halfClose();
                Until.isTrue("it is refused", () -> guest.end.getCode() == Status.Code.INVALID_ARGUMENT);
            }
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    @Test
    void jobs_forWhichThereIsNoMemory_areRefused() throws Exception {
        try (MasterProcess master = new MasterProcess(folder, List.of("-Xmx32m"), List.of())) {
            Guest<Wire.FromClient, Wire.ToClient> client = client(channel(master), 1);
            int batch = 8_192;
            int refused = 0;
            for (int round = 0; round < 16; round++) {
                Wire.Submit.Builder submit = Wire.Submit.newBuilder().addRequests(request(""));
                for (int row = 0; row < batch; row++) {
                    submit.addNumbers((long) round * batch + row).addWhich(0);
                }
                assertThat(client.send(
                                Wire.FromClient.newBuilder().setSubmit(submit).build()))
                        .isTrue();
                Wire.ToClient answer = client.receive();
                if (answer.hasRejected()) {
                    refused++;
                    assertThat(answer.getRejected().getReason()).contains("memory for jobs is full");
                }
            }
            assertThat(refused).isBetween(1, 15);
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    @Test
    void lists_whoseAnswersAreNotRead_areMadeWhenTheyAreSent() throws Exception {
        try (MasterProcess master = master()) {
            Guest<Wire.FromClient, Wire.ToClient> client = client(channel(master), 1);
            int jobs = 5_000;
            Wire.Submit.Builder submit = Wire.Submit.newBuilder().addRequests(request(""));
            for (int row = 0; row < jobs; row++) {
                submit.addNumbers(row).addWhich(0);
            }
            assertThat(client.send(
                            Wire.FromClient.newBuilder().setSubmit(submit).build()))
                    .isTrue();
            assertThat(client.receive().getAccepted().getJobsCount()).isEqualTo(jobs);
            Wire.FromClient question = Wire.FromClient.newBuilder()
                    .setListJobs(Wire.ListJobs.newBuilder().setMost(10_000))
                    .build();
            for (int i = 0; i < 24; i++) {
                Guest<Wire.FromClient, Wire.ToClient> greedy = client(channel(master), i + 2);
                for (int asked = 0; asked < 32; asked++) {
                    boolean unused = greedy.send(question);
                }
            }
            checkAnswers(master);
        } finally {
            closeChannels();
        }
    }

    /** A frame that may not be joined with the one before it, by what stands between them: one for the window, or its own padding. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void frames_withLittleData_whichCannotBeJoined_endTheirConnection(boolean isPadded) throws Exception {
        try (MasterProcess master = master();
                RawHttp2 greedy = new RawHttp2(master.port())) {
            greedy.begin();
            greedy.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.call(CommandProcess.TOKEN));
            byte[] half = {0, 0, 8, 0, 0}; // a message of 512 KiB begins
            greedy.send(RawHttp2.DATA, 0, 1, half);
            byte[] small = isPadded
                    ? new byte[] {0, 0, 2, RawHttp2.DATA, RawHttp2.PADDED, 0, 0, 0, 1, 0, 'x'}
                    : new byte[] {0, 0, 1, RawHttp2.DATA, 0, 0, 0, 0, 1, 'x', 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1};
            ByteArrayOutputStream many = new ByteArrayOutputStream();
            for (int i = 0; i < 500; i++) {
                many.writeBytes(small);
            }
            try {
                for (int sent = 0; sent < 100_000 && !greedy.isClosed(); sent += 500) {
                    greedy.send(many.toByteArray());
                }
            } catch (IOException e) {
                // the connection was reset
            }
            Until.isTrue("it is closed", greedy::isClosed);
            checkAnswers(master);
        }
    }

    @Test
    @Tag("slow") // on a busy machine the master may take longer to answer
    void messages_thatManyConnectionsBegin_fitIntoASmallHeap() throws Exception {
        List<RawHttp2> greedy = new ArrayList<>();
        try (MasterProcess master = master()) {
            byte[] half = new byte[16 << 10];
            half[2] = 15; // a message of 983,040 bytes begins
            byte[] rest = new byte[16 << 10];
            for (int i = 0; i < 100; i++) {
                RawHttp2 guest = new RawHttp2(master.port());
                greedy.add(guest);
                try {
                    guest.begin();
                    for (int stream = 1; stream < 8; stream += 2) {
                        guest.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.call(CommandProcess.TOKEN));
                        guest.send(RawHttp2.DATA, 0, stream, half);
                        for (int sent = 0; sent < 55; sent++) {
                            guest.send(RawHttp2.DATA, 0, stream, rest);
                        }
                    }
                } catch (IOException e) {
                    // the connection was reset
                }
            }
            checkAnswers(master);
        } finally {
            for (RawHttp2 guest : greedy) {
                guest.close();
            }
        }
    }
}
