package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeStats;
import dev.touchstone.messaging.RpcHandler;
import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.dist.ReceiveLeader;
import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.ConnectionLedger;
import dev.touchstone.messaging.report.FaultLog;
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

/** A node of this library: puts its parts together, and starts and ends them. */
final class LocalNode implements Node {
    static {
        FrontEnds.opener(node -> NodeAccessFactory.access((LocalNode) node));
    }

    /*
     * Who calls:      users' threads, and threads of the node. `step` and `fail` are called by the leader's background thread.
     * Invariants:     `closed` is set once, under this object's monitor, before anything is taken apart. `steps` belongs to the thread
     *                 that steps. All other fields but `failure` are final.
     * Ordering:       listeners open before the node registers, and accept once all parts are made. A node ends its attempts to connect
     *                 first, since users wait for them, and then its mailboxes, so that their links and monitors are told over
     *                 connections that are still open.
     * Failure:        a start that fails closes what it has opened. A fault that leaves nothing to go on with closes the node, and is
     *                 kept in `failure` for those who then use it.
     */
    private static final int REF_BITS = 18; // that the first word of a reference may have

    private final NodeOptions options;
    private final Atom self;
    private final Mailboxes mailboxes = new Mailboxes();
    private final SignalDispatcher signals;
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

    private LocalNode(NodeOptions options, boolean register) throws IOException {
        FaultLog.load();
        this.options = options;
        this.self = options.name().atom();
        this.log = new NodeLog(options.name());
        this.signals = new SignalDispatcher(this, mailboxes, self);
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
            listeners.forEach(LocalNode::quietly);
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

    static LocalNode start(NodeOptions options, boolean register) throws IOException {
        LocalNode node = new LocalNode(options, register);
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
        signals.finishEnds();
        if (entry != null) {
            entry.renew(listeners.get(0)::execute);
        }
        if (++steps >= options.stepsPerBeat()) {
            steps = 0;
            peers.beat();
        }
    }

    @Override
    public NodeName name() {
        return options.name();
    }

    @Override
    public int creation() {
        return creation;
    }

    @Override
    public int port() {
        try {
            return listeners.isEmpty() ? 0 : listeners.get(0).port();
        } catch (IOException e) {
            throw new MessagingException.Closed("node=" + name());
        }
    }

    @Override
    public boolean isRegistered() {
        return entry != null && entry.isMade();
    }

    @Override
    public LocalMailbox mailbox() {
        return add(null, options.mailboxLimits());
    }

    @Override
    public LocalMailbox mailbox(MailboxLimits limits) {
        return add(null, limits);
    }

    @Override
    public LocalMailbox mailbox(String registeredName) {
        return mailbox(registeredName, options.mailboxLimits());
    }

    @Override
    public LocalMailbox mailbox(String registeredName, MailboxLimits limits) {
        Atom name = Atom.of(registeredName);
        LocalMailbox mailbox = add(name, limits);
        if (!mailboxes.register(name, mailbox)) {
            mailbox.close();
            throw new MessagingException.NameTaken(registeredName);
        }
        return mailbox;
    }

    private LocalMailbox add(@Nullable Atom name, MailboxLimits limits) {
        return mailboxes.add(id -> {
            checkOpen(); // under the monitor of `mailboxes`, at which close() waits for the mailboxes that are being
            // made
            return new LocalMailbox(this, Pid.of(self, id, 0, creation), name, limits);
        });
    }

    /** Adds a mailbox whose messages a front end takes. */
    LocalMailbox add(Receiver receiver) {
        return mailboxes.add(id -> {
            checkOpen();
            LocalMailbox made = new LocalMailbox(this, Pid.of(self, id, 0, creation), null, options.mailboxLimits());
            made.inbox().receiver(receiver);
            return made;
        });
    }

    @Override
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

    @Override
    public void connect(NodeName peer) throws IOException {
        var unused = peers.connectOrFail(peer);
    }

    @Override
    public Set<NodeName> connected() {
        return peers.connected();
    }

    @Override
    public @Nullable Pid whereis(String registeredName) {
        LocalMailbox mailbox = mailboxes.find(Atom.of(registeredName));
        return mailbox == null ? null : mailbox.pid();
    }

    @Override
    public void handler(String module, String function, RpcHandler handler) {
        services.handle(Atom.of(module), Atom.of(function), handler);
    }

    @Override
    public boolean disconnect(NodeName peer) {
        return peers.disconnect(peer);
    }

    @Override
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
        try {
            peers.endAttempts();
        } catch (RuntimeException | Error e) {
            FaultLog.report("attempts to connect were not ended with their node", e); // their time ends them
        }
        for (LocalMailbox mailbox : mailboxes.all()) {
            try {
                mailbox.close(reason);
            } catch (RuntimeException | Error e) {
                FaultLog.report("mailbox was not closed with its node", e); // the others are
            }
        }
        quietly(entry);
        listeners.forEach(LocalNode::quietly);
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
            // the resource is of no use any more
        }
    }

    Ref newRef() {
        long number = refs.incrementAndGet();
        int first = (int) number & ((1 << REF_BITS) - 1);
        return Ref.of(self, creation, first, (int) (number >>> REF_BITS), (int) (number >>> (REF_BITS + Integer.SIZE)));
    }

    /** Returns a pid that no mailbox has or will have. */
    Pid newPid() {
        LocalMailbox made = mailboxes.add(
                id -> new LocalMailbox(this, Pid.of(self, id, 0, creation), null, options.mailboxLimits()));
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
