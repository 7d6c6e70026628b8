package com.ericsson.otp.erlang;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.spi.ConnectionWatcher;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A node with mailboxes. It listens on loopback, unless the system property {@code touchstone.jinterface.listen} names another address,
 * and registers with the port mapper. Connections are made when they are needed. Thread-safe.
 */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpNode extends OtpLocalNode {
    private static final int MAX_WAITING_STATUS = 10_000; // for a handler that does not return
    private static final Cleaner CLEANER = Cleaner.create();
    private static final OtpErlangAtom NORMAL = new OtpErlangAtom("normal");

    private final Engine engine;
    private final Mailboxes mailboxes = new Mailboxes();
    private final Acceptor acceptor;
    private final ThreadPoolExecutor handlerThread;
    private volatile OtpNodeStatus handler;

    /**
     * Starts a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node) throws IOException {
        super(node);
        engine = start(0);
        handlerThread = handlerThread();
        acceptor = new Acceptor(port);
    }

    /**
     * Starts a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @param factory makes the connections
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node, OtpTransportFactory factory) throws IOException {
        super(node, factory);
        engine = start(0);
        handlerThread = handlerThread();
        acceptor = new Acceptor(port);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node, String cookie) throws IOException {
        this(node, cookie, 0);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param factory makes the connections
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node, String cookie, OtpTransportFactory factory) throws IOException {
        this(node, cookie, 0, factory);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param port the port that it listens at; 0 for any that is free
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node, String cookie, int port) throws IOException {
        this(node, cookie, port, new OtpSocketTransportFactory());
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param port the port that it listens at; 0 for any that is free
     * @param factory makes the connections
     * @throws IOException if it cannot listen, or the port mapper does not answer
     */
    public OtpNode(String node, String cookie, int port, OtpTransportFactory factory) throws IOException {
        super(node, cookie, factory);
        engine = start(port);
        handlerThread = handlerThread();
        acceptor = new Acceptor(this.port);
    }

    private Engine start(int atPort) throws IOException {
        Engine started = listen(atPort);
        started.access().connections(new Connections());
        try {
            if (!(factory() instanceof OtpGenericTransportFactory)) {
                boolean unused = OtpEpmd.publishPort(this); // false where the name is taken: others find that node
            }
        } catch (IOException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private ThreadPoolExecutor handlerThread() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING_STATUS), work -> {
                    Thread thread = new Thread(work, "jinterface-status-" + node());
                    thread.setDaemon(true);
                    return thread;
                });
        one.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardOldestPolicy());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** Closes all mailboxes and connections, and gives the name back. A mailbox cannot be made afterwards. */
    public synchronized void close() {
        OtpEpmd.unPublishPort(this);
        mailboxes.clear();
        engine.close();
        acceptor.quit();
        tell(status -> status.localStatus(node(), false, null));
    }

    /**
     * Does nothing; close a node.
     *
     * @deprecated not called
     */
    @Deprecated
    @Override
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {}

    /**
     * Opens a mailbox without a name.
     *
     * @return the mailbox
     */
    public OtpMbox createMbox() {
        return mailboxes.create();
    }

    /**
     * Closes a mailbox; linked processes are told {@code normal}.
     *
     * @param mbox the mailbox
     */
    public void closeMbox(OtpMbox mbox) {
        closeMbox(mbox, NORMAL);
    }

    /**
     * Closes a mailbox.
     *
     * @param mbox the mailbox; null is passed over
     * @param reason the reason that linked processes are told
     */
    public void closeMbox(OtpMbox mbox, OtpErlangObject reason) {
        if (mbox != null) {
            mailboxes.remove(mbox);
            mbox.name(null);
            mbox.receiver().box().close(Terms.toOurs(reason));
        }
    }

    /**
     * Opens a mailbox with a name.
     *
     * @param name the name
     * @return the mailbox, or null where another has the name
     * @throws IllegalArgumentException if the name has more than 255 characters
     */
    public OtpMbox createMbox(String name) {
        return mailboxes.create(name);
    }

    /**
     * Registers a name for a mailbox, in addition to earlier ones.
     *
     * @param name the name; null gives up the latest
     * @param mbox the mailbox
     * @return whether the name was free
     */
    public boolean registerName(String name, OtpMbox mbox) {
        return mailboxes.register(name, mbox);
    }

    /**
     * Returns all names of mailboxes.
     *
     * @return the names, in no order
     */
    public String[] getNames() {
        return mailboxes.names();
    }

    /**
     * Returns the pid of the mailbox that has a name.
     *
     * @param name the name
     * @return the pid, or null
     */
    public OtpErlangPid whereis(String name) {
        MailboxReceiver receiver = find(name);
        return receiver == null ? null : receiver.self();
    }

    /**
     * Sets what is told of this node and its connections, in the place of an earlier handler.
     *
     * @param status the handler, or null
     */
    public synchronized void registerStatusHandler(OtpNodeStatus status) {
        handler = status;
    }

    /**
     * Asks a node whether it is there.
     *
     * @param node the name of the node; without a host that of this machine is added
     * @param timeout milliseconds to wait for the answer
     * @return whether it answered in time
     */
    public boolean ping(String node, long timeout) {
        if (isSelf(node)) {
            return true;
        }
        String full = fullName(node);
        return reach(full) && engine.ping(full, timeout);
    }

    /**
     * Does nothing; the messaging node announces what it can do.
     *
     * @param flags not used
     */
    public void setFlags(int flags) {}

    boolean isSelf(String name) {
        return name.equals(node()) || name.equals(alive());
    }

    String fullName(String name) {
        return name.indexOf('@') >= 0 ? name : new OtpPeer(name).node();
    }

    /** Returns whether a node is connected, or can be. */
    boolean reach(String peer) {
        try {
            engine.connect(peer);
            return true;
        } catch (IOException | OtpAuthException e) {
            attemptFailed(peer, e);
            return false;
        }
    }

    void attemptFailed(String peer, Exception cause) {
        tell(status -> status.connAttempt(peer, false, cause));
    }

    MailboxReceiver find(OtpErlangPid pid) {
        return mine(engine.access().find(pid.ours()));
    }

    MailboxReceiver find(String name) {
        return mine(engine.access().find(Atom.of(name)));
    }

    private static MailboxReceiver mine(Receiver receiver) {
        return receiver instanceof MailboxReceiver mine ? mine : null;
    }

    private void tell(Consumer<OtpNodeStatus> what) {
        OtpNodeStatus told = handler;
        if (told != null) {
            handlerThread.execute(() -> what.accept(told));
        }
    }

    private final class Connections implements ConnectionWatcher {
        @Override
        public void up(NodeName peer, Object connection, boolean incoming) {
            tell(status -> status.remoteStatus(peer.toString(), true, null));
        }

        @Override
        public void down(NodeName peer, Object connection, Exception cause) {
            tell(status -> status.remoteStatus(peer.toString(), false, cause));
        }
    }

    /** The open mailboxes of a node and their names. Thread-safe. */
    public class Mailboxes {
        private final Map<OtpErlangPid, WeakReference<OtpMbox>> byPid = new ConcurrentHashMap<>();
        private final Map<String, OtpErlangPid> byName = new ConcurrentHashMap<>();

        /** Creates an empty set of mailboxes. */
        public Mailboxes() {}

        /**
         * Opens a mailbox with a name.
         *
         * @param name the name
         * @return the mailbox, or null where another has the name
         * @throws IllegalArgumentException if the name has more than 255 characters
         */
        public OtpMbox create(String name) {
            Atom asAtom = Atom.of(name); // throws before anything is made
            if (byName.containsKey(asAtom.name())) {
                return null;
            }
            OtpMbox made = create();
            if (!register(name, made)) {
                closeMbox(made);
                return null;
            }
            return made;
        }

        /**
         * Opens a mailbox without a name.
         *
         * @return the mailbox
         */
        public OtpMbox create() {
            MailboxReceiver receiver = new MailboxReceiver();
            receiver.open(engine.access().mailbox(receiver));
            OtpMbox made = new OtpMbox(OtpNode.this, receiver);
            OtpErlangPid pid = receiver.self();
            byPid.put(pid, new WeakReference<>(made));
            Term normal = Terms.toOurs(NORMAL);
            CLEANER.register(made, () -> {
                forget(receiver);
                receiver.box().close(normal);
            });
            return made;
        }

        /** Forgets all mailboxes. */
        public void clear() {
            byName.forEach((name, pid) -> {
                MailboxReceiver owner = find(pid);
                if (owner != null) {
                    owner.box().unregister(Atom.of(name));
                }
            });
            byPid.clear();
            byName.clear();
        }

        /**
         * Returns all names.
         *
         * @return the names, in no order
         */
        public String[] names() {
            return byName.keySet().toArray(new String[0]);
        }

        /**
         * Registers a name for a mailbox, in addition to earlier ones.
         *
         * @param name the name; null gives up the latest
         * @param mbox the mailbox
         * @return whether the name was free and the mailbox is open
         */
        public boolean register(String name, OtpMbox mbox) {
            if (name == null) {
                String latest = mbox.getName();
                if (latest != null && byName.remove(latest, mbox.self())) {
                    mbox.receiver().box().unregister(Atom.of(latest));
                }
                mbox.name(null);
                return true;
            }
            Atom asAtom = Atom.of(name);
            if (!byPid.containsKey(mbox.self()) || byName.putIfAbsent(name, mbox.self()) != null) {
                return false;
            }
            mbox.name(name);
            return mbox.receiver().box().register(asAtom);
        }

        /**
         * Finds a mailbox.
         *
         * @param name a name of it
         * @return the mailbox, or null
         */
        public OtpMbox get(String name) {
            OtpErlangPid pid = byName.get(name);
            return pid == null ? null : get(pid);
        }

        /**
         * Finds a mailbox.
         *
         * @param pid its pid
         * @return the mailbox, or null
         */
        public OtpMbox get(OtpErlangPid pid) {
            WeakReference<OtpMbox> known = byPid.get(pid);
            return known == null ? null : known.get();
        }

        /**
         * Forgets a mailbox and its names; the mailbox stays open.
         *
         * @param mbox the mailbox
         */
        public void remove(OtpMbox mbox) {
            forget(mbox.receiver());
        }

        private void forget(MailboxReceiver receiver) {
            OtpErlangPid self = receiver.self();
            byPid.remove(self);
            byName.forEach((name, pid) -> {
                if (pid.equals(self) && byName.remove(name, pid)) {
                    receiver.box().unregister(Atom.of(name));
                }
            });
        }
    }

    /** The thread that accepts connections which a factory makes. Over TCP the messaging node listens, and the thread ends at once. */
    public class Acceptor extends Thread {
        private final int acceptorPort;

        Acceptor(int acceptorPort) {
            super("jinterface-accept-" + node());
            this.acceptorPort = acceptorPort;
            setDaemon(true);
            start();
        }

        /** Does nothing; closing the node ends the thread. */
        public void quit() {}

        /**
         * Returns the port.
         *
         * @return the port that other nodes connect to
         */
        public int port() {
            return acceptorPort;
        }

        @Override
        public void run() {
            tell(status -> status.localStatus(node(), true, null));
            engine.serve();
        }
    }
}
