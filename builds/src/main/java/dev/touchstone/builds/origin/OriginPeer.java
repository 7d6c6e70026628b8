package dev.touchstone.builds.origin;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Caller;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.framing.CloseFrame;

/**
 * A guest of the gateway, from its handshake to its end: a client, a slave, or both. Thread-safe; its messages are taken one after the other by a thread of the
 * WebSocket library, which must not wait.
 */
final class OriginPeer {
    /*
     * Who calls:  threads of the library messages, `hasRead` and `left`; the gateway's clock `tick` and tasks that wait for room; threads of clients
     *             and links `send`.
     * Invariants: `unreadBytes` counts what was sent and has not been written to the connection; `unread` counts it among what all guests share.
     * Ordering:   whoever adds to `waiting` looks for room behind that, and so does whoever makes room or ends the guest: no task is left behind.
     * Failure:    a guest that does not read is ended.
     */
    /** Messages on their way at which a stream goes on, and above which it pauses. */
    private static final int LOW_QUEUE = 4;

    private static final int HIGH_QUEUE = 8;

    private static final int OWN_BYTES =
            64 << 10; // of messages that the guest has not read, beside what all guests share

    private static final int MESSAGE_BYTES = 128; // that a message takes beside its content

    private final WebSocketImpl socket;
    private final OriginGateway gateway;
    private final Caller caller;
    private final String identity;
    private final ClientCalls calls;
    private final SlaveRuns runs;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>(); // for room
    private final AtomicLong unreadBytes = new AtomicLong();
    private final OriginDoor.Allowance unread;
    private final AtomicBoolean isGone = new AtomicBoolean();

    OriginPeer(WebSocketImpl socket, OriginGateway gateway, Caller caller, Token token, String identity) {
        this.socket = socket;
        this.gateway = gateway;
        this.caller = caller;
        this.identity = identity;
        this.unread = new OriginDoor.Allowance(gateway.unreadBytes(), OWN_BYTES);
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
        if (isGone()) {
            return;
        }
        ByteBuffer bytes = message.encode();
        unreadBytes.addAndGet(bytes.remaining());
        if (!hold()) {
            gateway.complain("guest does not read", "");
            end(CloseFrame.POLICY_VALIDATION, "too much is not read");
            return;
        }
        try {
            socket.send(bytes);
        } catch (WebsocketNotConnectedException e) {
            // left() has been called, or will be
        }
    }

    private boolean hold() {
        return unread.hold(unreadBytes.get() + (long) MESSAGE_BYTES * socket.outQueue.size());
    }

    /** Returns whether a stream may send more. */
    boolean hasRoom() {
        return socket.outQueue.size() < HIGH_QUEUE && !unread.isScarce();
    }

    /** Runs a task, which must not wait, when a stream may send more. */
    void whenRoom(Runnable task) {
        waiting.add(task);
        goOn();
    }

    /** Notes that the guest has read so many bytes, which may have been of frames that the library adds. */
    void hasRead(int bytes) {
        unreadBytes.updateAndGet(before -> Math.max(0, before - bytes));
        boolean unused = hold();
        goOn();
    }

    /** Has streams that wait for room go on: few at once, since each may fill the room. Who is gone is told nothing, and waits for nothing. */
    private void goOn() {
        int most = isGone() ? Integer.MAX_VALUE : LOW_QUEUE;
        for (int i = 0; i < most && (isGone() || (socket.outQueue.size() <= LOW_QUEUE && hasRoom())); i++) {
            Runnable task = waiting.poll();
            if (task == null) {
                return;
            }
            gateway.soon(task);
        }
    }

    /** Ends the connection. */
    void end(int code, String reason) {
        socket.closeConnection(code, reason);
    }

    /** Looks after what has a time. */
    void tick() {
        runs.tick();
        goOn();
    }

    /** Notes that the connection has ended. Its builds go on; those that it runs are given to others. */
    void left() {
        if (!isGone.getAndSet(true)) {
            calls.left();
            runs.left();
            unread.close();
            goOn();
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
