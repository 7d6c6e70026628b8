package dev.touchstone.builds.master.rpc;

import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.WireException;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands each message of a guest's stream to the thread of a service. A stream brings its next message when few bytes of it wait for the service, and
 * when it has room for answers of which none waits. Thread-safe.
 */
final class GuestStream<R, S> implements StreamObserver<Received<R>> {
    /*
     * Who calls:      the transport's threads, with a lock of the transport, and the service's thread `take`.
     * Invariants:     `kept` is the weight of the messages that the service has not dealt with, up to the end of its turn. `isAdmitted` is true from when the stream may bring
     *                 a message until it does.
     * Ordering:       whoever changes what a condition of `admitNext` reads calls it then.
     */
    private static final int MAX_KEPT = 512 << 10;

    private static final int MIN_WEIGHT = MAX_KEPT / 16; // of a message: 16 small ones wait

    /** The memory for messages. */
    interface Room {
        /** Notes that the service has dealt with a message of that length. */
        void dealtWith(int bytes);

        /** Returns whether there is little left, so that a stream is to wait until its messages are dealt with. */
        boolean isScarce();
    }

    private final Inbox thread;
    private final Reception.Service<R, S> service;
    private final Reception.Complaints complaints;
    private final Room room;
    private final Outlet<S> outlet;
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicBoolean isAdmitted = new AtomicBoolean(true);

    /**
     * Creates a stream and lets it bring its first message.
     *
     * @param room the memory for messages of all streams; not null
     */
    GuestStream(
            StreamObserver<S> out,
            Inbox thread,
            Reception.Service<R, S> service,
            Reception.Complaints complaints,
            Room room) {
        this.thread = thread;
        this.service = service;
        this.complaints = complaints;
        this.room = room;
        ServerCallStreamObserver<S> call = (ServerCallStreamObserver<S>) out;
        this.outlet = new Outlet<>(call);
        call.disableAutoRequest();
        call.setOnCancelHandler(this::leave);
        call.setOnReadyThreshold(Rpc.SEND_WINDOW);
        call.setOnReadyHandler(this::hasRoom);
        outlet.admit(1);
    }

    private void leave() {
        outlet.ended();
        thread.execute(() -> service.left(outlet));
    }

    private void hasRoom() {
        admitNext();
        thread.execute(() -> thread.afterTurn(this::admitNext)); // what waits for room is sent at the end of a turn
    }

    private void admitNext() {
        int bytes = kept.get();
        boolean hasRoom = bytes == 0 || (bytes < MAX_KEPT && !room.isScarce());
        if (hasRoom && outlet.hasRoom() && !outlet.isBehind() && isAdmitted.compareAndSet(false, true)) {
            outlet.admit(1);
        }
    }

    @Override
    public void onNext(Received<R> received) {
        int weight = Math.max(MIN_WEIGHT, received.bytes());
        kept.addAndGet(weight);
        isAdmitted.set(false);
        thread.execute(() -> take(received, weight));
        admitNext();
    }

    private void take(Received<R> received, int weight) {
        if (outlet.isOver()) {
            room.dealtWith(received.bytes());
            return;
        }
        try {
            R message = received.message();
            if (message == null) {
                throw new WireException("bytes are no message of the protocol");
            }
            service.take(message, outlet);
        } catch (WireException e) {
            complaints.malformed(e.getMessage());
            outlet.end(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
            service.left(outlet);
        }
        thread.afterTurn(
                () -> { // only then is it known whether the stream has room for the answers
                    room.dealtWith(received.bytes());
                    kept.addAndGet(-weight);
                    admitNext();
                });
    }

    @Override
    public void onError(Throwable failure) {
        // the handler of cancellation has been called
    }

    @Override
    public void onCompleted() {
        thread.execute(() -> {
            outlet.end();
            service.left(outlet);
        });
    }
}
