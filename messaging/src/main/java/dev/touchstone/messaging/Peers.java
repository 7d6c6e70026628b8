package dev.touchstone.messaging;

import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.dist.PeerCapabilities;
import dev.touchstone.messaging.handshake.AliveCheck;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeException;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes that a node is connected to: at most one connection each. Thread-safe. */
final class Peers {
    /*
     * Invariants:     `connections` has one connection a node. Who finds none makes one, and others who need it meanwhile wait for
     *                 it. Where both nodes dial at once the greater name's attempt stays; the other side waits for that one.
     *                 Nobody dials a node that is just shaking hands with us on a connection of its own.
     * Lock:           this object's, for the three states of a peer: dialed, accepted, connected.
     */
    private final Node node;
    private final NodeOptions options;
    private final Map<Atom, Connection> connections = new ConcurrentHashMap<>();
    private final Map<NodeName, CompletableFuture<Connection>> dialing = new ConcurrentHashMap<>();
    private final Map<NodeName, Accepting> accepting = new HashMap<>(); // guarded by this

    Peers(Node node, NodeOptions options) {
        this.node = node;
        this.options = options;
    }

    @Nullable
    Connection find(Atom name) {
        return connections.get(name);
    }

    Set<NodeName> connected() {
        return connections.values().stream().map(Connection::peer).collect(Collectors.toSet());
    }

    Collection<Connection> all() {
        return connections.values();
    }

    Connection connectOrThrow(NodeName peer) {
        try {
            return connectOrFail(peer);
        } catch (IOException e) {
            throw new MessagingException.Unreachable(peer, e);
        }
    }

    /** A connection to a node, made where there is none; null where none can be made. */
    @Nullable
    Connection connect(NodeName peer) {
        try {
            return connectOrFail(peer);
        } catch (IOException e) {
            return null;
        }
    }

    Connection connectOrFail(NodeName peer) throws IOException {
        Connection known = connections.get(peer.atom());
        if (known != null) {
            return known;
        }
        CompletableFuture<Connection> mine = new CompletableFuture<>();
        CompletableFuture<Connection> others;
        synchronized (this) {
            Connection theirs = awaitTheirs(peer, () -> accepting.containsKey(peer));
            if (theirs != null) {
                return theirs;
            }
            others = dialing.putIfAbsent(peer, mine);
        }
        if (others != null) {
            return await(peer, others);
        }
        try {
            Connection made = dial(peer);
            mine.complete(made);
            return made;
        } catch (IOException | RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            dialing.remove(peer, mine);
        }
    }

    private Connection dial(NodeName peer) throws IOException {
        node.checkOpen();
        Connection known = connections.get(peer.atom());
        if (known != null) {
            return known;
        }
        try {
            Handshake handshake = Handshake.initiator(handshakeOptions(peer), () -> !hasTheirs(peer));
            Dialer.Dialed dialed = Dialer.dial(
                    options.resolver().resolve(peer).address(),
                    options.wrapping(),
                    handshake,
                    options.connectTimeout().toNanos());
            return install(dialed.carrier(), dialed.result());
        } catch (HandshakeException.Refused refused) {
            Connection theirs = awaitTheirs(peer, () -> true);
            if (theirs == null) {
                throw refused;
            }
            return theirs;
        }
    }

    /** Whether the peer connects, or has connected, to us: what it then calls alive is that connection, and is not lost. */
    private synchronized boolean hasTheirs(NodeName peer) {
        return connections.containsKey(peer.atom()) || accepting.containsKey(peer);
    }

    /** The connection that the peer makes itself; null once {@code expected} is false, or the time is up. */
    private synchronized @Nullable Connection awaitTheirs(NodeName peer, BooleanSupplier expected) throws IOException {
        long deadline = System.nanoTime() + options.connectTimeout().toNanos();
        Connection theirs = connections.get(peer.atom());
        while (theirs == null && expected.getAsBoolean() && deadline - System.nanoTime() > 0) {
            try {
                wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while connecting: peer=" + peer, e);
            }
            theirs = connections.get(peer.atom());
        }
        return theirs;
    }

    private static Connection await(NodeName peer, CompletableFuture<Connection> others) throws IOException {
        try {
            return others.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting: peer=" + peer, e);
        } catch (ExecutionException e) {
            throw new IOException("connecting failed: peer=" + peer + " cause=" + e.getCause(), e);
        }
    }

    HandshakeOptions handshakeOptions(@Nullable NodeName peer) {
        return new HandshakeOptions(
                node.name(), node.creation(), options.flags(), options.cookie(), peer, options.random(), false);
    }

    /** A connection that another node makes. */
    Listener.Attempt accept() {
        return new Accepting();
    }

    private final class Accepting implements Listener.Attempt {
        private @Nullable NodeName peer; // guarded by Peers.this

        @Override
        public Handshake handshake() {
            return Handshake.acceptor(handshakeOptions(null), this::check);
        }

        private AliveCheck.Verdict check(NodeName name) {
            synchronized (Peers.this) {
                if (node.isSelf(name)) {
                    return AliveCheck.Verdict.NOT_ALLOWED;
                }
                AliveCheck.Verdict verdict = AliveCheck.Verdict.OK;
                if (connections.containsKey(name.atom())) {
                    verdict = AliveCheck.Verdict.ALIVE;
                } else if (dialing.containsKey(name)) {
                    verdict = AliveCheck.simultaneous(node.name(), name);
                }
                if (verdict != AliveCheck.Verdict.NOK) {
                    peer = name;
                    accepting.put(name, this);
                }
                return verdict;
            }
        }

        @Override
        public void accept(Carrier carrier, HandshakeResult result) throws IOException {
            Connection unused = install(carrier, result);
        }

        @Override
        public void ended() {
            synchronized (Peers.this) {
                if (peer != null) {
                    accepting.remove(peer, this);
                    Peers.this.notifyAll();
                }
            }
        }
    }

    /** Has a connection used from now on, in place of an earlier one that its peer has given up. */
    Connection install(Carrier carrier, HandshakeResult result) throws IOException {
        Connection made = new Connection(
                carrier,
                result.peer(),
                new PeerCapabilities(result.flags()),
                result.peerCreation(),
                options.lowWater(),
                options.highWater(),
                options.maxFrameBytes(),
                node.router());
        for (Connection before = put(made); before != null; before = put(made)) {
            before.end(new IOException("connection given up by its peer: peer=" + result.peer()));
            Thread.onSpinWait(); // another thread may be at ending it
        }
        node.leader().add(made);
        if (node.isClosed()) {
            made.end(new IOException("node is closed"));
            throw new IOException("node is closed: node=" + node.name());
        }
        return made;
    }

    private synchronized @Nullable Connection put(Connection made) {
        Connection before = connections.putIfAbsent(made.peer().atom(), made);
        if (before == null) {
            notifyAll();
        }
        return before;
    }

    /** False where it was not in use. */
    boolean remove(Connection connection) {
        return connections.remove(connection.peer().atom(), connection);
    }

    void beat() {
        for (Connection connection : connections.values()) {
            connection.beat(NodeOptions.MAX_SILENT_BEATS);
        }
    }

    void close() {
        for (Connection connection : connections.values()) {
            connection.flush();
            connection.end(new IOException("node is closed: node=" + node.name()));
        }
    }
}
