package dev.touchstone.builds.origin;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Caller;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.framing.CloseFrame;

/**
 * A guest of the gateway, from its handshake to its end: a client, a slave, or both. Thread-safe; its messages are taken one after the other by a thread of the
 * WebSocket library, which must not wait.
 */
final class OriginPeer {
    /** Messages on their way at which a stream goes on, and above which it pauses. */
    private static final int LOW_QUEUE = 4;

    private static final int HIGH_QUEUE = 8;

    /** Messages on their way at most: more than there are calls, each of which has one reply. */
    private static final int MAX_QUEUE = 80_000;

    private final WebSocketImpl socket;
    private final OriginGateway gateway;
    private final Caller caller;
    private final String identity;
    private final ClientCalls calls;
    private final SlaveRuns runs;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>(); // for room
    private final AtomicBoolean isGone = new AtomicBoolean();

    OriginPeer(WebSocketImpl socket, OriginGateway gateway, Caller caller, Token token, String identity) {
        this.socket = socket;
        this.gateway = gateway;
        this.caller = caller;
        this.identity = identity;
        this.calls = new ClientCalls(this, gateway, token);
        this.runs = new SlaveRuns(this, gateway, token);
    }

    Caller caller() {
        return caller;
    }

    String identity() {
        return identity;
    }

    /** Returns whether it has registered a method, and so is to answer soon. */
    boolean isSlave() {
        return runs.isSlave();
    }

    /** Takes a message. */
    void take(OriginMessage message) {
        if (message instanceof OriginMessage.StreamFrame frame) {
            runs.streamed(frame);
        } else if (message instanceof OriginMessage.Request request) {
            calls.request(request);
        } else if (message instanceof OriginMessage.Reply reply) {
            runs.replied(reply);
        } else if (message instanceof OriginMessage.Interrupt interrupt) {
            calls.interrupt(interrupt.id());
        } else if (message instanceof OriginMessage.Register register) {
            runs.register(register.method());
        } else if (message instanceof OriginMessage.Unregister unregister) {
            runs.unregister(unregister.method());
        } else if (message instanceof OriginMessage.Ping) {
            send(new OriginMessage.Pong());
        }
    }

    /** Sends a message, and ends a guest that does not read what it is told; nothing happens if it is gone. */
    void send(OriginMessage message) {
        if (socket.outQueue.size() > MAX_QUEUE) {
            end(CloseFrame.POLICY_VALIDATION, "too many messages are not read");
            return;
        }
        try {
            socket.send(message.encode());
        } catch (WebsocketNotConnectedException e) {
            // left() has been called, or will be
        }
    }

    /** Returns whether a stream may send more. */
    boolean hasRoom() {
        return socket.outQueue.size() < HIGH_QUEUE;
    }

    /** Runs a task, which must not wait, when a stream may send more. */
    void whenRoom(Runnable task) {
        waiting.add(task);
        hasRead();
    }

    /** Notes that the guest has read something. */
    void hasRead() {
        if (isGone() || socket.outQueue.size() <= LOW_QUEUE) { // who is gone is told nothing, and waits for nothing
            for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
                gateway.soon(task);
            }
        }
    }

    /** Ends the connection. */
    void end(int code, String reason) {
        socket.closeConnection(code, reason);
    }

    /** Looks after what has a time. */
    void tick() {
        runs.tick();
    }

    /** Notes that the connection has ended. Its builds go on; those that it runs are given to others. */
    void left() {
        if (!isGone.getAndSet(true)) {
            calls.left();
            runs.left();
            hasRead();
        }
    }

    boolean isGone() {
        return isGone.get();
    }

    @Override
    public String toString() {
        return "identity=" + identity + " token=" + caller;
    }
}
