package dev.touchstone.messaging.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.ConnectionEndedException;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.handshake.AliveCheck;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeException;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.ConnectionLedger;
import dev.touchstone.messaging.report.FlightEvents;
import dev.touchstone.messaging.spi.ConnectionWatcher;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.term.Atom;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The connections of a node to other nodes, at most one to each. Thread-safe. */
final class Peers {
    /*
     * Who calls:      any thread connects; each connection that another node makes has a thread of its Listener.
     * Invariants:     `connections` has one connection for a node. A node is dialled by the thread of the attempt that `attempts` has for
     *                 it; all who need the node wait for that attempt, each as long as it likes, or until this node is closed.
     *                 Before it has proved the cookie, a node that connects to us counts for the status that it is answered with and
     *                 for nothing else: no thread waits for it. From its proof until its connection is used it is in `proven`, and
     *                 nobody dials it.
     * Both at once:   the attempt of the greater name stays. The lesser name gives its attempt up once the greater has proved itself;
     *                 the greater lets the lesser wait for its last packet until its own attempt has ended, which the lesser gives up
     *                 at latest when it sees that attempt. An attempt that has not told our name yet is given up at once.
     * Stale:          a peer makes one connection at a time, and none while it takes ours. So once our attempt has succeeded, or the
     *                 peer has proved itself in another one, it has given up those that `checked` has from before, even if the rest of
     *                 their handshake is still to be read. They must not take the place of the newer connection.
     * Lock:           this object's, for the states of a peer: dialed, proven, connected. Waiters are notified of each change.
     * Failure:        an attempt that is given up, or that fails while the peer's own is proven, ends with the peer's connection.
     */
    private final LocalNode node;
    private final NodeOptions options;
    private final Map<Atom, Connection> connections = new ConcurrentHashMap<>();
    private final ConnectAttempts attempts;

    @GuardedBy("this")
    private final Map<NodeName, Dial> dialing = new HashMap<>();

    @GuardedBy("this")
    private final Map<NodeName, Accepting> proven = new HashMap<>();

    @GuardedBy("this")
    private final Set<Accepting> checked = new LinkedHashSet<>(); // by the time of their check

    private volatile Cookie cookie;
    private volatile @Nullable ConnectionWatcher watcher;
    private final Set<Connection> watched =
            ConcurrentHashMap.newKeySet(); // that the watcher was told of, and not of their end
    private final ConnectionLedger ledger = new ConnectionLedger();
    private final AtomicLong refused = new AtomicLong();

    Peers(LocalNode node, NodeOptions options) {
        this.node = node;
        this.options = options;
        this.cookie = options.cookie();
        this.attempts = new ConnectAttempts(node, this::connectNow);
    }

    /** Returns the listed connection to a node. It may have ended: it stays listed until all who watch it have been told. */
    @Nullable
    Connection find(Atom name) {
        return connections.get(name);
    }

    /** Returns the connection to a node if it has not ended. What is sent over an ended connection is lost. */
    @Nullable
    Connection findOpen(Atom name) {
        Connection connection = connections.get(name);
        return connection == null || connection.isOpen() ? connection : null;
    }

    Set<NodeName> connected() {
        return connections.values().stream().map(Connection::peer).collect(Collectors.toSet());
    }

    Collection<Connection> all() {
        return connections.values();
    }

    /** Returns a connection to the node of a process or an alias, as {@link #connectOrFail(Atom)} does. */
    Connection connectOrThrow(Atom peer) {
        try {
            return connectOrFail(peer);
        } catch (IOException e) {
            throw new MessagingException.Unreachable(peer.name(), e);
        }
    }

    /** Returns a connection to a node, made where there is none; null where none can be made. */
    @Nullable
    Connection connect(Atom peer) {
        try {
            return connectOrFail(peer);
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns a connection to a node, made where there is none. A node with an impossible name, as peers may send it, cannot be reached. */
    Connection connectOrFail(Atom peer) throws IOException {
        Connection known = findOpen(peer);
        return known == null ? connectOrFail(parse(peer)) : known;
    }

    /** Returns a connection as {@link #connectOrFail(Atom)} does, within a time. */
    Connection connectOrFail(Atom peer, long waitNanos) throws IOException, InterruptedException, TimeoutException {
        Connection known = findOpen(peer);
        return known == null ? connectOrFail(parse(peer), waitNanos) : known;
    }

    private static NodeName parse(Atom peer) throws IOException {
        try {
            return NodeName.parse(peer.name());
        } catch (IllegalArgumentException impossible) {
            throw new IOException(impossible.getMessage(), impossible);
        }
    }

    Connection connectOrFail(NodeName peer) throws IOException {
        try {
            return connectOrFail(peer, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting: peer=" + peer, e);
        } catch (TimeoutException e) {
            throw new IOException("not connected in time: peer=" + peer, e);
        }
    }

    /**
     * Returns a connection to a node, made where there is none, as {@link ConnectAttempts#await} does.
     *
     * @param waitNanos the longest wait
     * @throws MessagingException.Closed if this node is closed, also during the wait
     */
    Connection connectOrFail(NodeName peer, long waitNanos) throws IOException, InterruptedException, TimeoutException {
        Connection known = findOpen(peer.atom());
        if (known != null) {
            return known;
        }
        return attempts.await(peer, waitNanos);
    }

    /** Waits for the peer's own connection, or dials. Called by the thread of the attempt. */
    private Connection connectNow(NodeName peer, boolean isOwnThread) throws IOException {
        Dial mine = new Dial(peer, isOwnThread);
        synchronized (this) {
            Connection theirs = awaitTheirs(peer, () -> isProven(peer));
            if (theirs != null) {
                return theirs;
            }
            dialing.put(peer, mine);
        }
        try {
            return dial(peer, mine);
        } catch (IOException | RuntimeException | Error e) {
            node.log().notConnected(peer, e);
            FlightEvents.handshakeFailed(node.name(), peer.toString(), true, e);
            throw e;
        } finally {
            ended(peer, mine);
        }
    }

    private synchronized void ended(NodeName peer, Dial dial) {
        dialing.remove(peer, dial);
        notifyAll();
    }

    private Connection dial(NodeName peer, Dial mine) throws IOException {
        node.checkOpen();
        Connection known = findOpen(peer.atom());
        if (known != null) {
            return known;
        }
        try (Dialer dialer = new Dialer()) {
            mine.start(dialer);
            Handshake handshake = Handshake.initiator(handshakeOptions(peer), () -> !hasTheirs(peer));
            SocketAddress address = mine.resolve();
            Dialer.Dialed dialed = dialer.dial(
                    address,
                    peer,
                    options.wrapping(),
                    handshake,
                    options.connectTimeout().toNanos(),
                    mine::tellName);
            if (!mine.succeed()) {
                dialed.carrier().close();
                throw new IOException("the peer's own connection took the place of ours: peer=" + peer);
            }
            return install(dialed.carrier(), dialed.result(), false);
        } catch (IOException failed) {
            ended(peer, mine);
            boolean isRefused = failed instanceof HandshakeException.Refused;
            Connection theirs = awaitTheirs(peer, () -> isRefused || isProven(peer));
            if (theirs == null) {
                throw failed;
            }
            return theirs;
        }
    }

    /** An attempt of this node to connect to a peer. {@link Peers} guards its state, which no annotation can say here. */
    private final class Dial {
        private final NodeName peer;
        private final boolean isOwnThread; // whether the thread that dials may be interrupted
        private @Nullable Dialer dialer;
        private @Nullable Thread resolving; // while it looks for the address, if it may be interrupted
        private boolean hasToldName; // from then on the peer may give its own attempt up for this one
        private boolean hasSucceeded;
        private boolean isGivenUp;

        Dial(NodeName peer, boolean isOwnThread) {
            this.peer = peer;
            this.isOwnThread = isOwnThread;
        }

        void start(Dialer used) {
            synchronized (Peers.this) {
                dialer = used;
                if (isGivenUp) {
                    used.giveUp();
                }
            }
        }

        /** Finds the peer's address. The node's end interrupts this, and nothing later: an interrupt would close a logger's file channel. */
        SocketAddress resolve() throws IOException {
            synchronized (Peers.this) {
                node.checkOpen(); // before close() looks for threads that resolve
                resolving = isOwnThread ? Thread.currentThread() : null;
            }
            try {
                return options.resolver().resolve(peer).address();
            } finally {
                synchronized (Peers.this) {
                    resolving = null;
                    boolean unused = isOwnThread && Thread.interrupted();
                }
            }
        }

        void tellName() {
            synchronized (Peers.this) {
                hasToldName = true;
            }
        }

        /** Returns whether the connection may be used; false where it was given up. */
        boolean succeed() {
            synchronized (Peers.this) {
                hasSucceeded = !isGivenUp;
                if (hasSucceeded) {
                    overtakeBefore(peer, null);
                }
                return hasSucceeded;
            }
        }

        /** Ends the attempt for the peer's own, wherever it waits; called under the lock. */
        void giveUp() {
            isGivenUp = true;
            if (dialer != null) {
                dialer.giveUp();
            }
        }

        /** Ends the attempt with its node; called under the lock. */
        void close() {
            giveUp();
            if (resolving != null) {
                resolving.interrupt();
            }
        }
    }

    private synchronized boolean isProven(NodeName peer) {
        return proven.containsKey(peer);
    }

    /** Returns whether the peer itself has connected to us: what it then calls alive is that connection, and is not lost. */
    private synchronized boolean hasTheirs(NodeName peer) {
        return findOpen(peer.atom()) != null || proven.containsKey(peer);
    }

    /** Returns the connection that the peer makes itself; null once {@code expected} is false, the time is up, or this node is closed. */
    private synchronized @Nullable Connection awaitTheirs(NodeName peer, BooleanSupplier expected) throws IOException {
        long deadline = System.nanoTime() + options.connectTimeout().toNanos();
        Connection theirs = findOpen(peer.atom());
        while (theirs == null && !node.isClosed() && expected.getAsBoolean() && awaitChange(peer, deadline)) {
            theirs = findOpen(peer.atom());
        }
        return theirs;
    }

    /** Waits for a change of a peer's state, or for no reason; returns false where the time is up. */
    @GuardedBy("this")
    @SuppressWarnings("WaitNotInLoop") // the callers loop
    private boolean awaitChange(NodeName peer, long deadlineNanos) throws IOException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        try {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting: peer=" + peer, e);
        }
    }

    HandshakeOptions handshakeOptions(@Nullable NodeName peer) {
        return new HandshakeOptions(
                node.name(), node.creation(), options.flags(), cookie, peer, options.random(), false);
    }

    /** Begins a connection that another node makes. */
    Listener.Attempt accept() {
        return new Accepting();
    }

    /** Ends what a peer has begun before one of its attempts, or all of it where that is null. */
    @GuardedBy("this")
    @SuppressWarnings({"ReferenceEquality", "GuardedBy"}) // that very attempt; the lock of all of them is held
    private void overtakeBefore(NodeName peer, @Nullable Accepting newer) {
        for (Accepting each : checked) {
            if (each == newer) {
                return;
            }
            each.isOvertaken |= peer.equals(each.peer);
        }
    }

    private final class Accepting implements Listener.Attempt {
        @GuardedBy("Peers.this")
        private @Nullable NodeName peer; // once it has told its name

        @GuardedBy("Peers.this")
        private boolean isOvertaken;

        @Override
        public Handshake handshake() {
            return Handshake.acceptor(handshakeOptions(null), this::check);
        }

        private AliveCheck.Verdict check(NodeName name) {
            Connection last;
            synchronized (Peers.this) {
                if (node.isSelf(name)) {
                    return AliveCheck.Verdict.NOT_ALLOWED;
                }
                peer = name;
                checked.add(this); // before any wait: later attempts of the peer must find this one older
                Dial dial = dialing.get(name);
                last = connections.get(name.atom());
                if (last == null && (dial == null || !dial.hasSucceeded)) {
                    return dial == null ? AliveCheck.Verdict.OK : AliveCheck.simultaneous(node.name(), name);
                }
            }
            boolean hasEnded = last != null && ReconnectGrace.awaitEnd(() -> isInUse(last));
            return hasEnded ? check(name) : AliveCheck.Verdict.ALIVE;
        }

        /** Decides between the connection of a peer that has proved itself and our own attempt. */
        @Override
        public void prove(NodeName name) throws IOException {
            long deadline = System.nanoTime() + options.acceptTimeout().toNanos();
            boolean isOursFirst = AliveCheck.simultaneous(node.name(), name) == AliveCheck.Verdict.NOK;
            synchronized (Peers.this) {
                while (proven.containsKey(name)) {
                    awaitChangeOrThrow(name, deadline);
                }
                proven.put(name, this);
                overtakeBefore(name, this);
                Dial dial = dialing.get(name);
                while (dial != null && (dial.hasSucceeded || (isOursFirst && dial.hasToldName))) {
                    awaitChangeOrThrow(name, deadline);
                    dial = dialing.get(name);
                }
                if (isOvertaken) {
                    throw new IOException("a newer connection took the place of this one: peer=" + name);
                }
                if (dial != null) {
                    dial.giveUp();
                }
            }
        }

        @GuardedBy("Peers.this")
        private void awaitChangeOrThrow(NodeName name, long deadlineNanos) throws IOException {
            if (!awaitChange(name, deadlineNanos)) {
                throw new IOException("another connection to the peer is still being made: peer=" + name);
            }
        }

        @Override
        public void accept(Carrier carrier, HandshakeResult result) throws IOException {
            Connection unused = install(carrier, result, true);
        }

        @Override
        public void failed(String remote, Exception cause) {
            boolean isUsual;
            synchronized (Peers.this) {
                isUsual = isOvertaken || cause instanceof HandshakeException.Refused;
            }
            node.log().handshakeRefused(remote, cause, isUsual);
            FlightEvents.handshakeFailed(node.name(), remote, false, cause);
            if (!isUsual) {
                refused.getAndIncrement();
            }
        }

        @Override
        public void ended() {
            synchronized (Peers.this) {
                checked.remove(this);
                if (peer != null) {
                    proven.remove(peer, this);
                    Peers.this.notifyAll();
                }
            }
        }
    }

    /** Has a connection used from now on, in place of an earlier one that its peer has given up. */
    Connection install(Carrier carrier, HandshakeResult result, boolean incoming) throws IOException {
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
            before.end(new ConnectionEndedException(
                    EndKind.REPLACED, "connection given up by its peer: peer=" + result.peer()));
            Thread.onSpinWait(); // another thread may be at ending it
        }
        try {
            ConnectionStats figures = made.stats();
            node.log().connected(figures, made.remote());
            FlightEvents.connected(node.name(), figures, made.remote());
            node.signals().onConnected(made);
            ConnectionWatcher told = watcher;
            if (told != null) {
                told.up(result.peer(), made, incoming);
                watched.add(made);
                if (!isInUse(made)) {
                    tellOfEnd(made, new IOException("connection has ended while it was made: peer=" + result.peer()));
                }
            }
            node.leader().add(made);
        } catch (IOException e) {
            made.end(new IOException("connection cannot be read: peer=" + result.peer(), e));
            throw e;
        } catch (RuntimeException | Error e) { // from here on it is listed, and must not stay so unread
            made.fail(e);
            throw e;
        }
        if (node.isClosed()) {
            made.end(new ConnectionEndedException(EndKind.CLOSED_HERE, "node is closed: node=" + node.name()));
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

    /** Takes a connection that has ended out of use, once. */
    void ended(Connection connection, IOException cause) {
        ConnectionEnd end = node.signals().onConnectionLost(connection, cause);
        if (end != null) {
            node.log().ended(end);
            tellOfEnd(connection, cause);
            FlightEvents.ended(node.name(), end);
        }
    }

    /** Tells the watcher of an end, unless it does not know the connection: then the thread that makes it known tells of the end too. */
    private void tellOfEnd(Connection connection, IOException cause) {
        ConnectionWatcher told = watcher;
        if (told != null && watched.remove(connection)) {
            told.down(connection.peer(), connection, cause);
        }
    }

    /** Returns whether a connection is the one to its peer that is in use. */
    @SuppressWarnings("ReferenceEquality") // that very connection
    boolean isInUse(Connection connection) {
        return connections.get(connection.peer().atom()) == connection;
    }

    /** Takes a connection out of use. Returns how it ended, or null where it was not in use. */
    @Nullable
    ConnectionEnd remove(Connection connection, IOException cause) {
        EndKind kind = ConnectionEndedException.kindOf(cause);
        return ledger.end(
                () -> connections.remove(connection.peer().atom(), connection),
                () -> ConnectionEnd.of(connection.stats(), Instant.now(), kind, cause));
    }

    /** Ends the connections whose end a fault has interrupted. */
    void finishEnds() {
        for (Connection connection : connections.values()) {
            connection.finishEnd();
        }
    }

    /** Ends the connection to a node. Returns whether there was one. */
    boolean disconnect(NodeName peer) {
        Connection connection = connections.get(peer.atom());
        if (connection == null) {
            return false;
        }
        connection.flush();
        connection.end(new ConnectionEndedException(EndKind.CLOSED_HERE, "disconnected: peer=" + peer));
        return true;
    }

    /** Returns the figures of the connections, live and ended. */
    ConnectionLedger.Reading figures() {
        return ledger.read(
                () -> connections.values().stream().map(Connection::stats).toList());
    }

    /** Returns how many handshakes of other nodes have failed. */
    long refused() {
        return refused.get();
    }

    /** Changes the cookie of later handshakes. */
    void cookie(Cookie value) {
        cookie = value;
    }

    /** Has somebody told of connections from now on. */
    void watch(ConnectionWatcher value) {
        watcher = value;
    }

    void beat() {
        for (Connection connection : connections.values()) {
            connection.beat(NodeOptions.MAX_SILENT_BEATS);
        }
    }

    /** Ends the attempts to connect, and all waiting for them, once the node is marked as closed. */
    void endAttempts() {
        attempts.close();
        synchronized (this) {
            dialing.values().forEach(Dial::close);
            notifyAll();
        }
    }

    void close() {
        for (Connection connection : connections.values()) {
            connection.flush();
            connection.end(new ConnectionEndedException(EndKind.CLOSED_HERE, "node is closed: node=" + node.name()));
        }
    }
}
