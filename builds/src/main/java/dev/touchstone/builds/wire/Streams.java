package dev.touchstone.builds.wire;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A guest's connection to the master, and its streams: keeps what comes by any of them until it is received, a few messages of each at most.
 * Thread-safe; one thread receives. It is never made anew: after its end, who wants another makes one.
 */
public final class Streams implements AutoCloseable {
    /*
     * Who calls:  one thread receives and closes; any thread opens streams; the transport's threads put into `arrivals`, and must not wait.
     * Invariants: a stream has MAX_KEPT messages in `arrivals` at most: it may bring another when one is taken out.
     * Ordering:   an outlet drops messages before the end of its stream is received.
     */
    private static final int MAX_KEPT = 16; // of each stream

    private static final int THREADS =
            5; // of a guest: reads, writes, begins, and two that a lost connection may still have
    private static final long CLOSE_SECONDS = 1;

    private final Security security;
    private final ManagedChannel channel;
    private final Runnable onRoom;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

    /** A message, or the status with which a stream has ended, and how the stream is told that it was taken. */
    private record Arrival(Object what, Runnable admit) {}

    /**
     * Creates a connection; whether there is a master is said by {@link #receive}.
     *
     * @param security what it is to be; not null
     * @param master where the master listens; not null
     * @param threads what {@link #threads} has made for the guest; not null
     * @param onRoom called when a stream that took no more takes more again; returns at once; not null
     */
    public Streams(Security security, MasterAddress master, Executor threads, Runnable onRoom) {
        this.security = security;
        this.onRoom = onRoom;
        long half = security.tick().toNanos() / 2;
        OkHttpChannelBuilder builder = OkHttpChannelBuilder.forAddress(master.host(), master.port())
                .directExecutor() // what is called only puts into the queue
                .transportExecutor(threads)
                .flowControlWindow(Rpc.FLOW_WINDOW)
                .maxInboundMessageSize(Rpc.MAX_MESSAGE)
                .keepAliveTime(half, TimeUnit.NANOSECONDS)
                .keepAliveTimeout(half, TimeUnit.NANOSECONDS)
                .disableRetry();
        if (security.tls().isPresent()) {
            // Each end trusts the other's own certificate, whatever the host's name.
            builder.sslSocketFactory(security.tls().get().getSocketFactory()).hostnameVerifier((host, session) -> true);
        } else {
            builder.usePlaintext();
        }
        this.channel = builder.build();
    }

    /**
     * Returns the threads of all connections of a guest, one after the other. All are started here: a guest that may start no further thread or
     * process goes on.
     *
     * @return an executor that the caller shuts down, after the last connection
     */
    public static ExecutorService threads() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "builds-transport");
                    thread.setDaemon(true);
                    return thread;
                });
        int unused = threads.prestartAllCoreThreads();
        return threads;
    }

    /** Begins the stream of a session, and returns its sending half. */
    public <S, R> Outlet<S> open(MethodDescriptor<S, R> method) {
        return open(method, new Metadata());
    }

    /** Begins the stream of logs of a session, and returns its sending half. */
    public <S, R> Outlet<S> open(MethodDescriptor<S, R> method, long session) {
        Metadata headers = new Metadata();
        headers.put(Rpc.SESSION, Long.toHexString(session));
        return open(method, headers);
    }

    private <S, R> Outlet<S> open(MethodDescriptor<S, R> method, Metadata headers) {
        headers.put(Rpc.AUTHORIZATION, Rpc.BEARER + security.token().text());
        Receiver<S, R> receiver = new Receiver<>();
        var with = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        ClientCalls.asyncBidiStreamingCall(
                with.newCall(method, CallOptions.DEFAULT.withOnReadyThreshold(Rpc.SEND_WINDOW)), receiver);
        return receiver.outlet();
    }

    private final class Receiver<S, R> implements ClientResponseObserver<S, R> {
        private @Nullable Outlet<S> made;

        Outlet<S> outlet() {
            if (made == null) {
                throw new IllegalStateException("not begun");
            }
            return made;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<S> call) {
            call.disableAutoRequestWithInitial(MAX_KEPT);
            call.setOnReadyHandler(onRoom);
            made = new Outlet<>(call);
        }

        @Override
        public void onNext(R message) {
            arrivals.add(new Arrival(message, () -> outlet().admit(1)));
        }

        @Override
        public void onError(Throwable failure) {
            end(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end(Status.UNAVAILABLE.withDescription("the master has ended the stream"));
        }

        private void end(Status why) {
            outlet().ended();
            arrivals.add(new Arrival(why, () -> {}));
        }
    }

    /**
     * Returns the next message of any stream, or null if none comes in time.
     *
     * @throws StatusException if a stream has ended: the others are of no use from then on
     */
    public @Nullable Object receive(Duration patience) throws StatusException, InterruptedException {
        Arrival next = arrivals.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        return next == null ? null : message(next);
    }

    /**
     * Returns the next message of any stream, when there is one.
     *
     * @throws StatusException if a stream has ended: the others are of no use from then on
     */
    public Object receive() throws StatusException, InterruptedException {
        return message(arrivals.take());
    }

    private static Object message(Arrival next) throws StatusException {
        if (next.what() instanceof Status status) {
            throw status.asException();
        }
        next.admit().run();
        return next.what();
    }

    /** Ends the connection, and all streams with it; {@link #receive} says so if it waits. */
    @Override
    public void close() {
        channel.shutdownNow();
        try {
            boolean unused = channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
