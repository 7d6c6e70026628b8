package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.java_websocket.WebSocketAdapter;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.WebSocketServerFactory;
import org.java_websocket.drafts.Draft;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.framing.CloseFrame;
import org.java_websocket.protocols.Protocol;

/** Makes the connections of the WebSocket library, and limits them: all of them, and those whose handshake is not done. Thread-safe. */
final class OriginDoor implements WebSocketServerFactory {
    /*
     * Who calls:  the library's thread makes connections; whoever closes one `left`; the gateway `guests`.
     * Invariants: a connection is in `guests` from `wrapChannel` until `left`, the one that was accepted first at the beginning.
     * Ordering:   connections are closed without the lock, since that calls `left`.
     */
    /** Bytes of a message at most. */
    static final int MAX_MESSAGE = 1 << 20;

    static final int MAX_CONNECTIONS = 256;
    static final int MAX_HANDSHAKES = 64;

    private final BiConsumer<String, String> complaints;
    private final AtomicLong unfinished = new AtomicLong(); // bytes of messages that have not come whole

    @GuardedBy("this")
    private final Map<GuestChannel, WebSocketImpl> guests = new LinkedHashMap<>(); // the oldest first

    /**
     * Creates a door.
     *
     * @param complaints told of connections that are not let in: what is wrong, and a detail; not null
     */
    OriginDoor(BiConsumer<String, String> complaints) {
        this.complaints = complaints;
    }

    /** Returns the protocol of a connection to a master: no extensions, which might make much of a few bytes, and a limit for messages. */
    static Draft draft() {
        return new Draft_6455(List.of(), List.of(new Protocol("")), MAX_MESSAGE);
    }

    @Override
    public WebSocketImpl createWebSocket(WebSocketAdapter listener, Draft draft) {
        return new WebSocketImpl(listener, List.of(new GuestDraft(unfinished)));
    }

    @Override
    public WebSocketImpl createWebSocket(WebSocketAdapter listener, List<Draft> drafts) {
        return new WebSocketImpl(listener, List.of(new GuestDraft(unfinished)));
    }

    @Override
    public GuestChannel wrapChannel(SocketChannel channel, SelectionKey key) throws IOException {
        GuestChannel guest = new GuestChannel(channel, this);
        List<WebSocketImpl> late = new ArrayList<>();
        synchronized (this) {
            if (guests.size() >= MAX_CONNECTIONS) {
                complaints.accept("too many connections", "most=" + MAX_CONNECTIONS);
                throw new IOException("too many connections: most=" + MAX_CONNECTIONS);
            }
            long open = guests.keySet().stream()
                    .filter(known -> known.peer() == null)
                    .count();
            if (open >= MAX_HANDSHAKES) {
                guests.entrySet().stream()
                        .filter(known -> known.getKey().peer() == null)
                        .findFirst()
                        .ifPresent(oldest -> late.add(oldest.getValue()));
            }
            guests.put(guest, (WebSocketImpl) key.attachment());
        }
        for (WebSocketImpl socket : late) {
            complaints.accept("too many handshakes", "most=" + MAX_HANDSHAKES);
            socket.closeConnection(CloseFrame.TRY_AGAIN_LATER, "too many handshakes");
        }
        return guest;
    }

    /** Forgets a connection, whose channel is being closed. */
    void left(GuestChannel guest) {
        WebSocketImpl socket;
        synchronized (this) {
            socket = guests.remove(guest);
        }
        if (socket != null && socket.getDraft() instanceof GuestDraft draft) {
            draft.close();
        }
        OriginPeer peer = guest.peer();
        if (peer != null) {
            peer.left();
        }
    }

    /** Returns the connections of this moment. */
    synchronized Map<GuestChannel, WebSocketImpl> guests() {
        return new LinkedHashMap<>(guests);
    }

    @Override
    public void close() {
        // connections are closed by the server
    }

    /** The memory that one guest takes of what all guests share, beside an amount that each has for itself. Thread-safe. */
    static final class Allowance {
        /*
         * Who calls:  threads of the library, those that send, and whoever ends the guest.
         * Invariants: `shared` has of each guest what it holds above its own bytes, and nothing of one that is closed.
         */
        /** Bytes that all guests may share for one purpose. */
        static final long MAX_SHARED_BYTES =
                Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

        private final AtomicLong shared;
        private final int ownBytes;

        @GuardedBy("this")
        private long held;

        @GuardedBy("this")
        private boolean isClosed;

        /**
         * Creates the allowance of a guest that holds nothing.
         *
         * @param shared the sum of what all guests hold above their own bytes; not null
         * @param ownBytes bytes that the guest may always hold
         */
        Allowance(AtomicLong shared, int ownBytes) {
            this.shared = shared;
            this.ownBytes = ownBytes;
        }

        /** Notes how many bytes the guest holds now; returns false if that is more than there is for it. */
        synchronized boolean hold(long bytes) {
            if (isClosed) {
                return false;
            }
            long more = Math.max(ownBytes, bytes) - Math.max(ownBytes, held);
            held = bytes;
            long all = shared.addAndGet(more);
            return isOwn() || all <= MAX_SHARED_BYTES;
        }

        /** Notes that the guest holds more bytes than before; returns false if that is more than there is for it. */
        synchronized boolean add(long bytes) {
            return hold(held + bytes);
        }

        /** Returns whether the guest holds no more than its own bytes. */
        synchronized boolean isOwn() {
            return held <= ownBytes;
        }

        /** Returns whether the guest had better wait, since little is left of what all share. */
        boolean isScarce() {
            return shared.get() > MAX_SHARED_BYTES / 2 && !isOwn();
        }

        /** Gives everything back; the guest gets no more. */
        synchronized void close() {
            boolean unused = hold(0);
            isClosed = true;
        }
    }
}
