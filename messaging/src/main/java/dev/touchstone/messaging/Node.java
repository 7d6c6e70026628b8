package dev.touchstone.messaging;

import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.dist.ReceiveLeader;
import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.ConnectionLedger;
import dev.touchstone.messaging.report.NodeLog;
import dev.touchstone.messaging.spi.FrontEnds;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Tuple;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An Erlang distribution node: it has a name, connects to nodes that have the same cookie, and holds mailboxes. Thread-safe.
 *
 * <p>Connections are made when they are needed. The threads that wait for messages read the sockets themselves; a thread of the node's
 * own does where nobody waits.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol</a>
 */
public final class Node implements AutoCloseable {
    static {
        FrontEnds.opener(node -> NodeAccessFactory.access((Node) node));
    }

    private static final int REF_BITS = 18; // that the first word of a reference may have

    private final NodeOptions options;
    private final Atom self;
    private final Mailboxes mailboxes = new Mailboxes();
    private final SignalDispatcher signals = new SignalDispatcher(this, mailboxes);
    private final SystemProcesses services;
    private final Router router;
    private final Peers peers;
    private final ReceiveLeader leader;
    private final List<Listener> listeners = new ArrayList<>();
    private final AtomicLong refs = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final NodeLog log;
    private final int creation;
    private final Pid pid;
    private final @Nullable EpmdEntry entry;
    private int steps; // of the present beat; for the thread that beats
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    private Node(NodeOptions options, boolean register) throws IOException {
        this.options = options;
        this.self = options.name().atom();
        this.log = new NodeLog(options.name());
        this.services = new SystemProcesses(this);
        this.peers = new Peers(this, options);
        this.router = new Router(this, mailboxes, signals, services, new TermReader(new AtomTable(), options.limits()));
        this.leader = new ReceiveLeader(
                "touchstone-node-" + options.name(),
                options.spin().toNanos(),
                options.stepNanos(),
                this::step,
                this::fail);
        EpmdEntry made = null;
        try {
            listen();
            made = register ? new EpmdEntry(options, port()) : null;
            this.creation = made == null ? 1 + options.random().nextInt(Integer.MAX_VALUE - 1) : made.make();
        } catch (IOException | RuntimeException | Error e) {
            quietly(leader);
            listeners.forEach(Node::quietly);
            quietly(made);
            throw e;
        }
        this.entry = made;
        this.pid = newPid();
    }

    private void listen() throws IOException {
        for (SocketAddress address : options.listen()) {
            listeners.add(new Listener(
                    "touchstone-accept-" + name(),
                    address,
                    options.wrapping(),
                    options.acceptTimeout().toNanos(),
                    peers::accept));
        }
    }

    /**
     * Creates a builder of a node.
     *
     * @param name name of the node, {@code alive@host}
     * @return builder with the default options
     * @throws IllegalArgumentException if no node may have the name
     */
    public static NodeBuilder builder(String name) {
        return new NodeBuilder(NodeName.parse(name));
    }

    static Node start(NodeOptions options, boolean register) throws IOException {
        Node node = new Node(options, register);
        node.leader.start();
        node.listeners.forEach(Listener::start);
        node.log.started(node.port());
        return node;
    }

    /** Closes because of a fault that leaves nothing to go on with. */
    private void fail(Throwable cause) {
        failure = cause;
        close(WellKnownAtoms.NODE_FAILED);
    }

    /** Returns the fault that closed the node, if one did. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    private void step() {
        peers.finishEnds();
        if (entry != null) {
            entry.renew(listeners.get(0)::execute);
        }
        if (++steps >= options.stepsPerBeat()) {
            steps = 0;
            peers.beat();
        }
    }

    /**
     * Returns the name of this node.
     *
     * @return name that it was built with
     */
    public NodeName name() {
        return options.name();
    }

    /**
     * Returns the number that tells this life of the node from its earlier ones.
     *
     * @return creation that all pids and references of this node have
     */
    public int creation() {
        return creation;
    }

    /**
     * Returns the port that other nodes connect to.
     *
     * @return port; 0 where the node does not listen on TCP
     * @throws MessagingException.Closed if the node is closed
     */
    public int port() {
        try {
            return listeners.isEmpty() ? 0 : listeners.get(0).port();
        } catch (IOException e) {
            throw new MessagingException.Closed("node=" + name());
        }
    }

    /**
     * Returns whether the port mapper knows this node now. An entry that is lost, as when the port mapper ends, is made again within
     * seconds.
     *
     * @return true while there is an entry
     */
    public boolean isRegistered() {
        return entry != null && entry.isMade();
    }

    /**
     * Creates a mailbox without a name.
     *
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.Closed if the node is closed
     */
    public Mailbox mailbox() {
        return add(null, options.mailboxLimits());
    }

    /**
     * Makes a mailbox without a name that has bounds of its own.
     *
     * @param limits in place of the node's
     * @return the new mailbox
     */
    public Mailbox mailbox(MailboxLimits limits) {
        return add(null, limits);
    }

    /**
     * Creates a mailbox that is registered under a name.
     *
     * @param registeredName name at this node
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.NameTaken if another mailbox has the name
     * @throws MessagingException.Closed if the node is closed
     */
    public Mailbox mailbox(String registeredName) {
        return mailbox(registeredName, options.mailboxLimits());
    }

    /**
     * Makes a mailbox that is registered under a name and has bounds of its own.
     *
     * @param registeredName at most 255 characters
     * @param limits in place of the node's
     * @return the new mailbox
     * @throws MessagingException.NameTaken if another mailbox has the name
     */
    public Mailbox mailbox(String registeredName, MailboxLimits limits) {
        Atom name = Atom.of(registeredName);
        Mailbox mailbox = add(name, limits);
        if (!mailboxes.register(name, mailbox)) {
            mailbox.close();
            throw new MessagingException.NameTaken(registeredName);
        }
        return mailbox;
    }

    private Mailbox add(@Nullable Atom name, MailboxLimits limits) {
        checkOpen();
        return mailboxes.add(id -> new Mailbox(this, Pid.of(self, id, 0, creation), name, limits));
    }

    /** Adds a mailbox whose messages a front end takes. */
    Mailbox add(Receiver receiver) {
        checkOpen();
        return mailboxes.add(id -> {
            Mailbox made = new Mailbox(this, Pid.of(self, id, 0, creation), null, options.mailboxLimits());
            made.inbox().receiver(receiver);
            return made;
        });
    }

    /**
     * Returns whether a node answers.
     *
     * @param peer node to ask, which is connected to if need be
     * @param timeout time that the answer may take
     * @return false where the node cannot be reached, or does not answer in time
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean ping(NodeName peer, Duration timeout) throws InterruptedException {
        try (Mailbox asking = mailbox()) {
            var request = Tuple.of(WellKnownAtoms.IS_AUTH, self);
            return asking.call(WellKnownAtoms.NET_KERNEL.name(), peer, request, timeout)
                    .equals(WellKnownAtoms.YES);
        } catch (MessagingException.Unreachable
                | MessagingException.CallFailed
                | MessagingException.TimedOut notThere) {
            return false;
        }
    }

    /**
     * Connects to a node, if it is not connected yet.
     *
     * @param peer node to connect to
     * @throws IOException if that fails, of a type that says why
     */
    public void connect(NodeName peer) throws IOException {
        var unused = peers.connectOrFail(peer);
    }

    /**
     * Returns the nodes that this one is connected to.
     *
     * @return names at this moment
     */
    public Set<NodeName> connected() {
        return peers.connected();
    }

    /**
     * Returns the pid of the mailbox that is registered under a name.
     *
     * @param registeredName name at this node
     * @return pid, or null if no mailbox has the name
     */
    public @Nullable Pid whereis(String registeredName) {
        Mailbox mailbox = mailboxes.find(Atom.of(registeredName));
        return mailbox == null ? null : mailbox.pid();
    }

    /**
     * Returns a view of the names that all nodes of an Erlang cluster know.
     *
     * @param through node that is asked for them
     * @param timeout time that each request may take
     * @return view that asks for each call
     */
    public Global global(NodeName through, Duration timeout) {
        return new Global(this, through, timeout);
    }

    /**
     * Answers calls of a function by {@code rpc} and {@code erpc}; replaces an earlier handler of that function.
     *
     * @param module module that callers name
     * @param function function that callers name, of any arity
     * @param handler what computes the result, on one of the node's threads
     */
    public void handler(String module, String function, RpcHandler handler) {
        services.handle(Atom.of(module), Atom.of(function), handler);
    }

    /**
     * Ends the connection to a node. Links and monitors over it fire with {@code noconnection}; a later message connects again.
     *
     * @param peer node to disconnect from
     * @return whether there was a connection
     */
    public boolean disconnect(NodeName peer) {
        return peers.disconnect(peer);
    }

    /**
     * Returns the figures of this node, its connections, and the connections that ended last.
     *
     * @return figures at this moment
     */
    public NodeStats stats() {
        ConnectionLedger.Reading reading = peers.figures();
        return new NodeStats(
                reading.live().size(),
                mailboxes.all().size(),
                router.dropped(),
                router.ignored(),
                router.malformed(),
                rejected.get(),
                peers.refused(),
                reading.total(),
                reading.live(),
                reading.counts(),
                reading.recent());
    }

    /** Ends all mailboxes and connections, and gives the name back. */
    @Override
    public void close() {
        close(WellKnownAtoms.NORMAL);
    }

    private void close(Atom reason) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        mailboxes.all().forEach(mailbox -> mailbox.close(reason));
        quietly(entry);
        listeners.forEach(Node::quietly);
        peers.close();
        services.close();
        quietly(leader);
        log.closed();
    }

    private static void quietly(@Nullable Closeable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    Ref newRef() {
        long number = refs.incrementAndGet();
        int first = (int) number & ((1 << REF_BITS) - 1);
        return Ref.of(self, creation, first, (int) (number >>> REF_BITS), (int) (number >>> (REF_BITS + Integer.SIZE)));
    }

    /** A pid that no mailbox has or will have. */
    Pid newPid() {
        Mailbox made =
                mailboxes.add(id -> new Mailbox(this, Pid.of(self, id, 0, creation), null, options.mailboxLimits()));
        mailboxes.remove(made);
        return made.pid();
    }

    Pid pid() {
        return pid;
    }

    boolean isSelf(Pid of) {
        return of.node().equals(self);
    }

    boolean isSelf(Atom nodeName) {
        return nodeName.equals(self);
    }

    boolean isSelf(NodeName other) {
        return other.equals(options.name());
    }

    boolean isClosed() {
        return closed;
    }

    void checkOpen() {
        if (closed) {
            throw new MessagingException.Closed("node=" + name(), failure);
        }
    }

    void countRejected() {
        rejected.getAndIncrement();
        log.rejected();
    }

    NodeLog log() {
        return log;
    }

    SignalDispatcher signals() {
        return signals;
    }

    Mailboxes mailboxes() {
        return mailboxes;
    }

    Router router() {
        return router;
    }

    Peers peers() {
        return peers;
    }

    ReceiveLeader leader() {
        return leader;
    }

    @Override
    public String toString() {
        return name() + " port=" + port();
    }
}
