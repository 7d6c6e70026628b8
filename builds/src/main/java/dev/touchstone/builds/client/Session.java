package dev.touchstone.builds.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends over one connection that the master has welcomed, in turn; what was sent is void in the next connection. Thread-safe. */
final class Session {
    /*
     * Who calls:  any thread sends; the sender alone `sendAll`, which is the only one to take from the lanes of control and logs.
     * Ordering:   a message waits while others of its lane wait; whoever adds one signals behind that, so that the sender finds it.
     */
    private final Lane<Wire.FromClient> control;
    private final Lane<Wire.ReadLog> logs;
    private final Runnable signal;
    private final Supplier<Outlet<Wire.ReadArtefact>> opener;

    @GuardedBy("this")
    private @Nullable Lane<Wire.ReadArtefact> artefacts; // null as long as the client has read none, as most do

    /** Keeps what waits for room in one stream. */
    private record Lane<M>(Outlet<M> outlet, Queue<M> waiting) {
        Lane(Outlet<M> outlet) {
            this(outlet, new ConcurrentLinkedQueue<>());
        }

        /** Sends a message, or returns false where it has to wait. */
        boolean send(M message) {
            if (waiting.isEmpty() && outlet.trySend(message)) {
                return true;
            }
            waiting.add(message);
            return false;
        }

        /** Sends what waits; returns false where the stream takes no more now. */
        boolean flush() {
            for (M next = waiting.peek(); next != null; next = waiting.peek()) {
                if (!outlet.trySend(next)) {
                    return false;
                }
                waiting.poll();
            }
            return true;
        }
    }

    /**
     * Opens the stream of logs of a session.
     *
     * @param signal has {@link #sendAll} called soon
     */
    Session(Streams streams, Outlet<Wire.FromClient> control, long session, Runnable signal) {
        this.control = new Lane<>(control);
        this.logs = new Lane<>(streams.open(Rpc.CLIENT_LOGS, session));
        this.opener = () -> streams.open(Rpc.CLIENT_ARTEFACTS, session);
        this.signal = signal;
    }

    void send(Wire.FromClient.Builder message) {
        if (!control.send(message.build())) {
            signal.run();
        }
    }

    void send(Wire.ReadLog message) {
        if (!logs.send(message)) {
            signal.run();
        }
    }

    /** Sends to a master that speaks {@link dev.touchstone.builds.wire.Versions#FILES}. */
    synchronized void send(Wire.ReadArtefact message) {
        if (artefacts == null) {
            artefacts = new Lane<>(opener.get());
        }
        if (!artefacts.send(message)) {
            signal.run();
        }
    }

    private synchronized void flushArtefacts() {
        if (artefacts != null) {
            boolean unused = artefacts.flush();
        }
    }

    /** Sends what waits, and the batches that there are, as far as the streams have room. By one thread. */
    void sendAll(Supplier<Wire.@Nullable FromClient> batches) {
        logs.flush();
        flushArtefacts();
        boolean hasRoom = control.flush();
        for (Wire.FromClient batch = hasRoom ? batches.get() : null; batch != null; batch = batches.get()) {
            if (!control.send(batch)) {
                return;
            }
        }
    }
}
