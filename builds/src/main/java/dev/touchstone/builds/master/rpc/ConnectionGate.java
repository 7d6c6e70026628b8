package dev.touchstone.builds.master.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Shares;
import io.grpc.Attributes;
import io.grpc.Grpc;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server's listening socket, and bounds what strangers can take: the number of their connections, the time in which they must show a
 * token, and the frames that they may send. The transport bounds none of these, and stops accepting for good at the first failure. Thread-safe.
 */
final class ConnectionGate extends ServerSocketFactory {
    /*
     * Who calls:      the transport's accepting thread `accept`; threads of connections everything else, some with a lock of the transport.
     * Invariants:     a connection is in `open` until it is closed, and in `strangers` until it shows a token; then `known` counts it.
     * Ordering:       sockets are closed without the lock.
     * Failure:        accepting goes on after each failure.
     */
    static final int MAX_CONNECTIONS = 2_000;
    static final int MAX_TOKEN_CONNECTIONS = MAX_CONNECTIONS / 4; // of a named token
    static final int MAX_STRANGERS = 256;
    static final int MAX_REFUSALS = 16; // of a connection
    static final int MAX_LOST_CALLS = 64; // of a connection, which the transport refuses itself

    /** The most memory that messages of all connections take: a quarter of the heap. */
    static final long MAX_WAITING_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private static final int BACKLOG = 512;
    private static final Duration PAUSE = Duration.ofMillis(100); // after a failure to accept

    private final Optional<SSLContext> tls;
    private final Duration patience;
    private final Reception.Complaints complaints;

    private final AtomicLong waitingBytes = new AtomicLong(); // of all connections

    @GuardedBy("this")
    private final Map<Ends, GuestSocket> open = new HashMap<>();

    @GuardedBy("this")
    private final Set<GuestSocket> strangers = new LinkedHashSet<>();

    @GuardedBy("this")
    private final Shares known = // of connections that have shown a token, which leave room for strangers
            new Shares(MAX_CONNECTIONS - MAX_STRANGERS, MAX_TOKEN_CONNECTIONS);

    /** Tells connections apart: one address may have one to each address of this machine. */
    private record Ends(
            @Nullable SocketAddress remote, @Nullable SocketAddress local) {
        static Ends of(GuestSocket guest) {
            return new Ends(guest.getRemoteSocketAddress(), guest.getLocalSocketAddress());
        }
    }

    /**
     * Creates a gate.
     *
     * @param tls the context of the connections' TLS, or empty for plain connections; not null
     * @param patience the time in which a connection must show a token; not null
     * @param complaints told of connections that are closed; not null
     */
    ConnectionGate(Optional<SSLContext> tls, Duration patience, Reception.Complaints complaints) {
        this.tls = tls;
        this.patience = patience;
        this.complaints = complaints;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new Listener();
    }

    @Override
    public ServerSocket createServerSocket(int port) {
        throw new UnsupportedOperationException("the transport binds the socket");
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
        throw new UnsupportedOperationException("the transport binds the socket");
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address) {
        throw new UnsupportedOperationException("the transport binds the socket");
    }

    /** The listening socket. */
    private final class Listener extends ServerSocket {
        Listener() throws IOException {
            super();
        }

        @Override
        public void bind(@Nullable SocketAddress endpoint, int backlog) throws IOException {
            super.bind(endpoint, Math.max(backlog, BACKLOG));
        }

        @Override
        public Socket accept() throws IOException {
            while (true) {
                Socket raw;
                try {
                    raw = super.accept();
                } catch (IOException e) {
                    if (isClosed()) {
                        throw e;
                    }
                    complaints.refused("connection cannot be accepted: " + e.getMessage());
                    pause();
                    continue;
                }
                GuestSocket accepted = let(raw);
                if (accepted != null) {
                    return accepted;
                }
            }
        }

        private void pause() throws InterruptedIOException {
            LockSupport.parkNanos(this, PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while accepting");
            }
        }
    }

    /** Returns an accepted connection as the transport gets it; null if it is closed at once. */
    @Nullable
    GuestSocket let(Socket raw) {
        GuestSocket accepted;
        try {
            accepted = new GuestSocket(raw, tls, System.nanoTime() + patience.toNanos(), this);
        } catch (IOException e) {
            closeQuietly(raw);
            complaints.refused("connection cannot be accepted: " + e.getMessage());
            return null;
        }
        boolean isFull;
        GuestSocket oldest = null;
        synchronized (this) {
            isFull = open.size() >= MAX_CONNECTIONS;
            if (!isFull) {
                open.put(Ends.of(accepted), accepted);
                strangers.add(accepted);
                oldest = strangers.size() > MAX_STRANGERS ? strangers.iterator().next() : null;
            }
        }
        if (isFull) {
            closeQuietly(raw);
            complaints.refused("connections in all: most=" + MAX_CONNECTIONS);
            return null;
        }
        if (oldest != null) {
            refuse(oldest, "connections without a token: most=" + MAX_STRANGERS);
        }
        return accepted;
    }

    /** Closes a socket; a failure must not end the accepting of others. */
    private static void closeQuietly(Socket raw) {
        try {
            raw.close();
        } catch (IOException e) {
            // nothing is left to do
        }
    }

    /** Returns the connection of a call; null if it is closed. */
    synchronized @Nullable GuestSocket find(Attributes call) {
        return open.get(new Ends(call.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), call.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR)));
    }

    /** Counts a connection that has shown its first token as that token's; returns whether the token may have it, and closes it if not. */
    boolean admit(GuestSocket guest, Caller caller) {
        synchronized (this) {
            if (!strangers.remove(guest)) {
                return true;
            }
            if (known.take(caller)) {
                return guest.known(caller);
            }
        }
        refuse(
                guest,
                "connections of a token: most=" + MAX_TOKEN_CONNECTIONS
                        + ", and no more than are left for others, token=" + caller);
        return false;
    }

    /** Returns the account of a new connection's messages. */
    WaitingMessages newAccount() {
        return new WaitingMessages(waitingBytes);
    }

    /** Returns whether messages take so much memory that a stream is to bring none beside the one that the master has. */
    boolean isRoomScarce() {
        return waitingBytes.get() > MAX_WAITING_BYTES / 2;
    }

    /** Returns whether messages take much memory, and those of a connection more than its share of that, so that it had better send no more now. */
    boolean isGreedy(GuestSocket guest) {
        if (!isRoomScarce()) {
            return false;
        }
        int connections;
        synchronized (this) {
            connections = open.size();
        }
        return guest.waiting().bytes() > MAX_WAITING_BYTES / 2 / Math.max(1, connections);
    }

    /** Closes the connection whose messages take most memory, if those of all take too much. */
    void checkRoom() {
        if (waitingBytes.get() <= MAX_WAITING_BYTES) {
            return;
        }
        GuestSocket greediest;
        synchronized (this) {
            greediest = open.values().stream()
                    .max(Comparator.comparingLong(guest -> guest.waiting().bytes()))
                    .orElse(null);
        }
        if (greediest != null) {
            refuse(greediest, "messages of all connections take too much memory: most bytes=" + MAX_WAITING_BYTES);
        }
    }

    /** Closes the connections of callers that a test does not pass. */
    void keep(Predicate<Caller> test) {
        List<GuestSocket> guests;
        synchronized (this) {
            guests = new ArrayList<>(open.values());
        }
        for (GuestSocket guest : guests) {
            Caller caller = guest.caller();
            if (caller != null && !test.test(caller)) {
                refuse(guest, "token is revoked: token=" + caller);
            }
        }
    }

    /** Notes that a call of a connection was refused, and closes a connection that does not stop. */
    void refused(GuestSocket guest) {
        if (guest.countRefusal() >= MAX_REFUSALS) {
            refuse(guest, "calls of a connection that are refused: most=" + MAX_REFUSALS);
        }
    }

    /** Closes a connection and says why. */
    void refuse(GuestSocket guest, String reason) {
        if (forget(guest)) {
            complaints.refused(reason);
        }
        guest.close();
    }

    /** Notes that a connection is closed. */
    void closed(GuestSocket guest) {
        boolean wasStranger;
        synchronized (this) {
            wasStranger = strangers.contains(guest);
        }
        if (forget(guest) && wasStranger) {
            complaints.refused("connection ended without a token");
        }
    }

    private synchronized boolean forget(GuestSocket guest) {
        boolean wasStranger = strangers.remove(guest);
        guest.waiting().end();
        boolean wasOpen = open.remove(Ends.of(guest), guest);
        Caller caller = guest.caller();
        if (wasOpen && !wasStranger && caller != null) {
            known.giveBack(caller, 1);
        }
        return wasOpen;
    }
}
