package dev.touchstone.builds.master.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The health of services that serve all or not at all, for those who ask and those who watch. Thread-safe. */
final class Health extends HealthGrpc.HealthImplBase {
    /*
     * Who calls:  the transport's threads, under a lock of their connection, `check` and `watch`; any thread the others.
     * Invariants: nobody is told anything under a lock of this class, since telling takes the connection's lock.
     * Ordering:   a watcher is told by one thread at a time, and last of the present status.
     */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Set<String> services;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private volatile ServingStatus status = ServingStatus.NOT_SERVING;

    @GuardedBy("this")
    private boolean isClosed;

    /**
     * Creates the health of services of which none is served yet.
     *
     * @param services names that are asked for; not null
     */
    Health(Set<String> services) {
        this.services = Set.copyOf(services);
    }

    /** Reports whether the services are served; whoever watches is told of a change. */
    void report(boolean isServing) {
        set(isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING, false);
    }

    /** Reports that nothing is served, from now on, and ends the calls of those who watch; waits for them, but for at most a second. */
    void close() {
        set(ServingStatus.NOT_SERVING, true);
        long begin = System.nanoTime();
        try {
            synchronized (this) {
                for (long left = CLOSE_NANOS; left > 0 && !watchers.isEmpty(); ) {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                    left = CLOSE_NANOS - (System.nanoTime() - begin);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void gone(Watcher watcher) {
        watchers.remove(watcher);
        synchronized (this) {
            notifyAll();
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private void set(ServingStatus now, boolean closes) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = closes;
            status = now;
        }
        watchers.forEach(Watcher::tell);
    }

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answer) {
        if (!services.contains(request.getService())) {
            answer.onError(Status.NOT_FOUND
                    .withDescription("no such service: expected one of " + services)
                    .asException());
            return;
        }
        answer.onNext(response(status));
        answer.onCompleted();
    }

    @Override
    public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answers) {
        ServerCallStreamObserver<HealthCheckResponse> guest = (ServerCallStreamObserver<HealthCheckResponse>) answers;
        Watcher watcher = new Watcher(guest, services.contains(request.getService()));
        guest.setOnCancelHandler(() -> gone(watcher));
        guest.setOnCloseHandler(() -> gone(watcher));
        watchers.add(watcher);
        watcher.tell();
    }

    private static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }

    /** A guest that is told of changes. */
    private final class Watcher {
        private final StreamObserver<HealthCheckResponse> guest;
        private final boolean isKnown;
        private final AtomicInteger calls = new AtomicInteger(); // of `tell` that are not over
        private @Nullable ServingStatus told; // whoever tells at the moment has it and the next
        private boolean isEnded;

        Watcher(StreamObserver<HealthCheckResponse> guest, boolean isKnown) {
            this.guest = guest;
            this.isKnown = isKnown;
        }

        /** Tells the present status, unless the guest knows it; a thread that tells at the moment does it for others. */
        void tell() {
            if (calls.getAndIncrement() > 0) {
                return;
            }
            do {
                ServingStatus now = isKnown ? status : ServingStatus.SERVICE_UNKNOWN;
                if (now != told) {
                    told = now;
                    guest.onNext(response(now));
                }
                if (!isEnded && isClosed()) { // read behind the status, which changes no more
                    isEnded = true;
                    guest.onCompleted();
                }
            } while (calls.decrementAndGet() > 0);
        }
    }
}
