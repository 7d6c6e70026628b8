package com.ericsson.otp.erlang;

import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.spi.ConnectionWatcher;
import dev.touchstone.messaging.spi.MailboxAccess;
import dev.touchstone.messaging.spi.NodeAccess;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A node that has one process, and a queue of messages for each connection: what another node sends, to whatever name or pid, is received
 * from the connection to it. It listens on loopback, unless the system property {@code touchstone.jinterface.listen} names another
 * address. Thread-safe.
 */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpSelf extends OtpLocalNode {
    /*
     * Who calls:      any thread connects and accepts. Traffic: the threads that make and end connections, and the leader, which reads.
     * Invariants:     `connections` has the newest connection to each node, Traffic.live all whose end nobody has told. `accepted` has those
     *                 that another node made and accept has not taken; those of them that have ended fit into the bytes of a mailbox.
     * Ordering:       a connection is told of before anything is read from it. The end of the one before may be told later.
     * Failure:        a node that is closing makes no mailbox: its last connections are not told of, and it ends them itself.
     */
    private final Map<String, OtpConnection> connections = new ConcurrentHashMap<>();
    private final BlockingQueue<OtpConnection> accepted = new LinkedBlockingQueue<>();
    private final MailboxAccess box;
    private final OtpErlangPid pid;

    /**
     * Starts a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node) throws IOException {
        super(node);
        box = start(0);
        pid = new OtpErlangPid(box.pid());
    }

    /**
     * Starts a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @param factory makes the connections
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node, OtpTransportFactory factory) throws IOException {
        super(node, factory);
        box = start(0);
        pid = new OtpErlangPid(box.pid());
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node, String cookie) throws IOException {
        this(node, cookie, 0);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param factory makes the connections
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node, String cookie, OtpTransportFactory factory) throws IOException {
        this(node, cookie, 0, factory);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param port the port that it listens at; 0 for any that is free
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node, String cookie, int port) throws IOException {
        this(node, cookie, port, new OtpSocketTransportFactory());
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param port the port that it listens at; 0 for any that is free
     * @param factory makes the connections
     * @throws IOException if it cannot listen
     */
    public OtpSelf(String node, String cookie, int port, OtpTransportFactory factory) throws IOException {
        super(node, cookie, factory);
        box = start(port);
        pid = new OtpErlangPid(box.pid());
    }

    private MailboxAccess start(int atPort) throws IOException {
        Engine engine = listen(atPort);
        Traffic traffic = new Traffic(engine.access());
        engine.access().others(traffic);
        engine.access().connections(traffic);
        MailboxAccess opened = engine.access().mailbox(traffic);
        Thread serving = new Thread(engine::serve, "jinterface-accept-" + node());
        serving.setDaemon(true);
        serving.start();
        return opened;
    }

    MailboxAccess box() {
        return box;
    }

    /**
     * Returns the pid of the node's process.
     *
     * @return the pid, which messages of this node come from
     */
    public OtpErlangPid pid() {
        return pid;
    }

    /**
     * Registers the node with the port mapper, so that others find it.
     *
     * @return whether the port mapper took it in now
     * @throws IOException if the port mapper does not answer
     */
    public boolean publishPort() throws IOException {
        return getEpmd() == null && OtpEpmd.publishPort(this);
    }

    /** Takes the node from the port mapper's register. Connections stay. */
    public void unPublishPort() {
        OtpEpmd.unPublishPort(this);
    }

    /**
     * Waits for a connection that another node makes. An attempt that fails is passed over. Connections that have ended are kept for their
     * messages as far as these fit into the bytes of one mailbox, the latest first. Interrupts are kept for later.
     *
     * @return the connection
     * @throws IOException never; for programs that expect it
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpConnection accept() throws IOException, OtpAuthException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return accepted.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Connects to another node, or returns the connection that is there: two nodes have one.
     *
     * @param peer the other node
     * @return the connection
     * @throws IOException if there is no connection
     * @throws UnknownHostException if the host is unknown
     * @throws OtpAuthException if a node refused the other
     */
    public OtpConnection connect(OtpPeer peer) throws IOException, UnknownHostException, OtpAuthException {
        engine().connect(peer.node());
        OtpConnection connection = connections.get(peer.node());
        while (connection == null && engine().access().isConnected(NodeName.parse(peer.node()))) {
            LockSupport.parkNanos(1_000_000); // another thread has made it, and is about to tell of it
            connection = connections.get(peer.node());
        }
        if (connection == null) {
            throw new IOException("connection has ended: peer=" + peer);
        }
        return connection;
    }

    /** Brings what comes from other nodes to the connections. Called by the thread that reads. */
    private final class Traffic implements Receiver, ConnectionWatcher {
        private final NodeAccess access;
        private final Map<Object, OtpConnection> live = new ConcurrentHashMap<>(); // by the messaging node's connection

        Traffic(NodeAccess access) {
            this.access = access;
        }

        @Override
        public void message(String peer, Pid from, Term to, byte[] message) {
            OtpConnection connection = peer == null ? null : connections.get(peer);
            if (connection != null) {
                boolean named = to instanceof Atom;
                connection.deliver(MailboxReceiver.message(named ? null : pid(), from, to, message), message.length);
            }
        }

        @Override
        public void exit(Pid from, Term reason, boolean linked) {
            OtpConnection connection = connections.get(from.node().name());
            if (connection != null) {
                connection.deliver(new OtpErlangExit(Terms.fromOurs(reason), new OtpErlangPid(from)));
            }
        }

        @Override
        public void up(NodeName peer, Object connection, boolean incoming) {
            OtpPeer other = new OtpPeer(peer.toString(), factory());
            OtpConnection made;
            try {
                made = new OtpConnection(OtpSelf.this, other, access.mailbox(this));
            } catch (MessagingException.Closed e) {
                return; // the node ends this connection too
            }
            live.put(connection, made);
            connections.put(peer.toString(), made);
            if (incoming) {
                accepted.add(made);
            }
        }

        @Override
        public void down(NodeName peer, Object connection, Exception cause) {
            OtpConnection ended = live.remove(connection);
            if (ended != null) {
                connections.remove(peer.toString(), ended); // unless the next one is there already
                ended.ended(cause);
                forgetEnded();
            }
        }

        /** Drops the oldest connections that have ended before anybody accepted them, so that peers that come and go cannot fill the heap. */
        private void forgetEnded() {
            List<OtpConnection> waiting =
                    accepted.stream().filter(made -> !made.isConnected()).toList();
            long bytes = 0;
            for (int i = waiting.size() - 1; i >= 0; i--) {
                bytes += waiting.get(i).bytes();
                if (bytes > MailboxLimits.DEFAULT.maxBytes()) {
                    boolean unused = accepted.remove(waiting.get(i));
                }
            }
        }
    }
}
