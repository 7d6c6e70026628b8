package dev.touchstone.builds.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Until;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Health as gRPC's tools ask for it; who may ask is tested with the master's roles. */
@Timeout(60)
class StandardServicesTest {
    private static final String SERVICE = "some.Service";

    private final AtomicLong waiting = new AtomicLong();
    private final WaitingMessages account = new WaitingMessages(waiting);
    private final BlockingQueue<String> malformed = new LinkedBlockingQueue<>();
    private final StandardServices services =
            new StandardServices(Set.of("", SERVICE), call -> account, new Reception.Complaints() {
                @Override
                public void malformed(@Nullable String reason) {
                    malformed.add(String.valueOf(reason));
                }

                @Override
                public void refused(String reason) {
                    throw new AssertionError(reason);
                }
            });
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void begin() throws IOException {
        server = OkHttpServerBuilder.forPort(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), InsecureServerCredentials.create())
                .directExecutor() // as the master's door has it: listeners run under locks of the transport
                .addServices(services.definitions())
                .build()
                .start();
        channel = OkHttpChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void end() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow();
        assertThat(server.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private static HealthCheckRequest of(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build();
    }

    private ServingStatus check(String service) {
        return HealthGrpc.newBlockingStub(channel).check(of(service)).getStatus();
    }

    @Test
    void check_isWhatWasReported_andStaysAfterTheEnd() {
        assertThat(check("")).isEqualTo(ServingStatus.NOT_SERVING);
        services.report(true);
        assertThat(List.of(check(""), check(SERVICE))).containsOnly(ServingStatus.SERVING);
        services.report(false);
        assertThat(List.of(check(""), check(SERVICE))).containsOnly(ServingStatus.NOT_SERVING);
        services.report(true);
        services.close();
        services.report(true);
        assertThat(List.of(check(""), check(SERVICE))).containsOnly(ServingStatus.NOT_SERVING);
    }

    @Test
    void check_ofAnotherService_isNotFound() {
        assertThatThrownBy(() -> check("another"))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
    }

    @Test
    void watch_ofAnotherService_isToldThatThereIsNone() {
        assertThat(HealthGrpc.newBlockingStub(channel)
                        .watch(of("another"))
                        .next()
                        .getStatus())
                .isEqualTo(ServingStatus.SERVICE_UNKNOWN);
    }

    @Test
    void aLongMessage_isNeitherKeptNorRepeated() {
        String name = "x".repeat(StandardServices.MAX_MESSAGE);
        HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
        for (Runnable call : List.<Runnable>of(
                () -> health.check(of(name)), () -> health.watch(of(name)).forEachRemaining(answer -> {}))) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus())
                                    .hasToString(Status.INVALID_ARGUMENT
                                            .withDescription(
                                                    "message cannot be read: message is too long: most bytes=1024"
                                                            + " bytes=1027")
                                            .toString()));
        }
    }

    @Test
    void watch_isToldOfEachChange() {
        Iterator<HealthCheckResponse> changes =
                HealthGrpc.newBlockingStub(channel).watch(of(SERVICE));
        assertThat(changes.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        services.report(true);
        assertThat(changes.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        services.close();
        server.shutdownNow();
        assertThat(changes.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(changes.hasNext()).isFalse();
    }

    @Test
    void watchers_thatLeaveWhileHealthChanges_blockNobody() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            List<Context.CancellableContext> calls = new ArrayList<>();
            for (int call = 0; call < 4; call++) {
                Context.CancellableContext context = Context.current().withCancellation();
                calls.add(context);
                context.run(() -> assertThat(HealthGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(30, TimeUnit.SECONDS)
                                .watch(of(SERVICE))
                                .hasNext())
                        .isTrue());
            }
            Thread reporting = new Thread(() -> {
                for (int change = 0; change < 200; change++) { // the client ends a connection that sends it much more
                    services.report(change % 2 == 0);
                }
            });
            reporting.setDaemon(true);
            reporting.start();
            calls.forEach(context -> context.cancel(null));
            reporting.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(reporting.isAlive()).isFalse();
        }
    }

    @Test
    void aMessage_isGivenBack_whetherItCanBeReadOrNot() throws Exception {
        services.report(true);
        byte[] request = of(SERVICE).toByteArray();
        count(request.length);
        assertThat(check(SERVICE)).isEqualTo(ServingStatus.SERVING);
        Until.isTrue("the message is given back", () -> waiting.get() == 0);

        byte[] none = {0x0a, 0x7f}; // a name of 127 bytes begins
        count(none.length);
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(channel, bytes(), CallOptions.DEFAULT, none))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
        assertThat(malformed.poll(30, TimeUnit.SECONDS)).contains("INTERNAL");
        Until.isTrue("the message is given back", () -> waiting.get() == 0);
    }

    /** Counts a message as the connection's filter of frames does. */
    private void count(int length) {
        byte[] message = new byte[5 + length];
        message[4] = (byte) length;
        account.frame(1, message.length);
        account.data(1, message, 0, message.length);
        assertThat(waiting.get()).isPositive();
    }

    private static MethodDescriptor<byte[], HealthCheckResponse> bytes() {
        return HealthGrpc.getCheckMethod().toBuilder(
                        new MethodDescriptor.Marshaller<byte[]>() {
                            @Override
                            public InputStream stream(byte[] message) {
                                return new ByteArrayInputStream(message);
                            }

                            @Override
                            public byte[] parse(InputStream from) {
                                throw new UnsupportedOperationException("sends only");
                            }
                        },
                        HealthGrpc.getCheckMethod().getResponseMarshaller())
                .build();
    }
}
