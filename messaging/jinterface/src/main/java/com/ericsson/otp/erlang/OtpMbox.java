package com.ericsson.otp.erlang;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A mailbox of a node: a process, to other processes. Made by {@link OtpNode#createMbox()}; one that nobody refers to any more is closed.
 * Thread-safe.
 *
 * <p>The thread that waits in a {@code receive} method reads the node's sockets itself.
 */
public class OtpMbox {
    private static final int FIRST_BYTES = 128;

    private final OtpNode home;
    private final MailboxReceiver receiver;
    private final OtpErlangPid self;
    private volatile String name;

    OtpMbox(OtpNode home, MailboxReceiver receiver) {
        this.home = home;
        this.receiver = receiver;
        this.self = receiver.self();
    }

    MailboxReceiver receiver() {
        return receiver;
    }

    void name(String value) {
        name = value;
    }

    /**
     * Returns the pid.
     *
     * @return the pid
     */
    public OtpErlangPid self() {
        return self;
    }

    /**
     * Registers a name, in addition to earlier ones.
     *
     * @param value the name; null gives up the latest
     * @return whether the name was free
     */
    public synchronized boolean registerName(String value) {
        return home.registerName(value, this);
    }

    /**
     * Returns the name that was registered last.
     *
     * @return the name, or null
     */
    public String getName() {
        return name;
    }

    /**
     * Waits for the next message. Interrupts are kept for later.
     *
     * @return the message
     * @throws OtpErlangExit if an exit signal is next, or the mailbox is closed and empty
     * @throws OtpErlangDecodeException if the message is no term
     */
    public OtpErlangObject receive() throws OtpErlangExit, OtpErlangDecodeException {
        Object item = take(Long.MAX_VALUE);
        return item instanceof OtpErlangObject message
                ? message
                : orThrow(envelope(item)).getMsg();
    }

    /**
     * Waits for the next message within a time. Interrupts are kept for later.
     *
     * @param timeout milliseconds
     * @return the message, or null where none came in time
     * @throws OtpErlangExit if an exit signal is next
     * @throws OtpErlangDecodeException if the message is no term
     */
    public OtpErlangObject receive(long timeout) throws OtpErlangExit, OtpErlangDecodeException {
        OtpMsg message = envelope(take(TimeUnit.MILLISECONDS.toNanos(timeout)));
        return message == null ? null : message.orThrowExit().getMsg();
    }

    /**
     * Waits for the next message. Interrupts are kept for later.
     *
     * @return the message as bytes, with its version
     * @throws OtpErlangExit if an exit signal is next, or the mailbox is closed and empty
     */
    public OtpInputStream receiveBuf() throws OtpErlangExit {
        return receiveMsg().buffer();
    }

    /**
     * Waits for the next message within a time.
     *
     * @param timeout milliseconds
     * @return the message as bytes, with its version
     * @throws InterruptedException if none came in time
     * @throws OtpErlangExit if an exit signal is next
     */
    public OtpInputStream receiveBuf(long timeout) throws InterruptedException, OtpErlangExit {
        return receiveMsg(timeout).buffer();
    }

    /**
     * Waits for the next message. Interrupts are kept for later.
     *
     * @return the message with what is known of its way
     * @throws OtpErlangExit if an exit signal is next, or the mailbox is closed and empty
     */
    public OtpMsg receiveMsg() throws OtpErlangExit {
        return orThrow(envelope(take(Long.MAX_VALUE)));
    }

    /**
     * Waits for the next message within a time.
     *
     * @param timeout milliseconds
     * @return the message with what is known of its way
     * @throws InterruptedException if none came in time
     * @throws OtpErlangExit if an exit signal is next
     */
    public OtpMsg receiveMsg(long timeout) throws InterruptedException, OtpErlangExit {
        OtpMsg message = envelope(take(TimeUnit.MILLISECONDS.toNanos(timeout)));
        if (message == null) {
            throw new InterruptedException("Get operation timed out");
        }
        return message.orThrowExit();
    }

    private OtpMsg orThrow(OtpMsg message) throws OtpErlangExit {
        if (message == null) {
            throw new OtpErlangExit("noproc", self);
        }
        return message.orThrowExit();
    }

    /** Returns an item of the queue with what is known of its way. A message that stands there alone came to the pid from this node. */
    private OtpMsg envelope(Object item) {
        return item instanceof OtpErlangObject message ? new OtpMsg(self, message) : (OtpMsg) item;
    }

    private Object take(long nanos) {
        return MailboxReceiver.take(receiver.box(), nanos);
    }

    /**
     * Sends a message to a process. It is lost where the process or its node cannot be reached. Waits while too much is pending for that
     * node.
     *
     * @param to the process; for null the message is lost
     * @param message the message, not null
     */
    public void send(OtpErlangPid to, OtpErlangObject message) {
        if (to == null) {
            return; // as if whereis had found a process that has ended since
        }
        MailboxReceiver there = home.find(to); // before the names of the nodes are compared, which takes longer
        if (there != null) {
            there.put(Terms.delivered(message), bytes(message));
            return;
        }
        if (to.node().equals(home.node())) {
            return;
        }
        OtpOutputStream out = encode(message);
        try {
            receiver.box().send(to.ours(), out.array(), out.count());
        } catch (IOException | RuntimeException e) {
            home.attemptFailed(to.node(), e);
        }
    }

    /** Returns the bytes that a message of this node counts with. */
    private static int bytes(OtpErlangObject message) {
        return message instanceof OtpErlangBitstr bits ? bits.bytes() : 0;
    }

    private static OtpOutputStream encode(OtpErlangObject message) {
        OtpOutputStream out = new OtpOutputStream(FIRST_BYTES);
        out.write_any(message);
        return out;
    }

    /**
     * Sends a message to the mailbox of this node that has a name.
     *
     * @param to the name; for null the message is lost
     * @param message the message, not null
     */
    public void send(String to, OtpErlangObject message) {
        MailboxReceiver there = to == null ? null : home.find(to);
        if (there != null) {
            there.put(new OtpMsg(self, to, Terms.delivered(message)), bytes(message));
        }
    }

    /**
     * Sends a message to a name at a node. It is lost where the node cannot be reached or does not know the name.
     *
     * @param to the name; for null the message is lost
     * @param node the name of the node; without a host that of this machine is added; for null the message is lost
     * @param message the message, not null
     */
    public void send(String to, String node, OtpErlangObject message) {
        if (to == null || node == null) {
            return;
        }
        if (home.isSelf(node)) {
            send(to, message);
            return;
        }
        String at = home.fullName(node);
        OtpOutputStream out = encode(message);
        try {
            receiver.box().send(Atom.of(to), Atom.of(at), out.array(), out.count());
        } catch (IOException | RuntimeException e) {
            home.attemptFailed(at, e);
        }
    }

    /**
     * Closes this mailbox.
     *
     * @param reason the reason that linked processes are told
     */
    public void exit(OtpErlangObject reason) {
        home.closeMbox(this, reason);
    }

    /**
     * Closes this mailbox.
     *
     * @param reason the name of an atom, the reason that linked processes are told
     */
    public void exit(String reason) {
        exit(new OtpErlangAtom(reason));
    }

    /**
     * Sends an exit signal to a process, which need not be linked. Mailboxes of this node get it as well; with other implementations of
     * this package only linked ones do.
     *
     * @param to the process; for null the signal is lost
     * @param reason the reason, not null
     */
    public void exit(OtpErlangPid to, OtpErlangObject reason) {
        if (to == null) {
            return;
        }
        try {
            receiver.box().exit(to.ours(), Terms.toOurs(reason));
        } catch (RuntimeException e) {
            home.attemptFailed(to.node(), e);
        }
    }

    /**
     * Sends an exit signal to a process.
     *
     * @param to the process
     * @param reason the name of an atom, the reason
     */
    public void exit(OtpErlangPid to, String reason) {
        exit(to, new OtpErlangAtom(reason));
    }

    /**
     * Links this mailbox with a process. Where the process ends, a {@code receive} method throws its exit.
     *
     * @param to the process
     * @throws OtpErlangExit with {@code noproc} if there is no such mailbox here, its node cannot be reached, or this mailbox is closed
     */
    public synchronized void link(OtpErlangPid to) throws OtpErlangExit {
        boolean here = to.node().equals(home.node());
        if (here ? home.find(to) == null : !home.reach(to.node())) {
            throw new OtpErlangExit("noproc", to);
        }
        try {
            receiver.box().link(to.ours());
        } catch (MessagingException.Closed e) {
            OtpErlangExit closed = new OtpErlangExit("noproc", to);
            closed.initCause(e);
            throw closed;
        }
    }

    /**
     * Ends a link.
     *
     * @param to the process
     */
    public synchronized void unlink(OtpErlangPid to) {
        receiver.box().unlink(to.ours());
    }

    /**
     * Returns the processes that this mailbox is linked with.
     *
     * @return their pids, in no order; null where there are none
     */
    public synchronized OtpErlangPid[] linked() {
        List<dev.touchstone.messaging.term.Pid> links = receiver.box().links();
        return links.isEmpty() ? null : links.stream().map(OtpErlangPid::new).toArray(OtpErlangPid[]::new);
    }

    /**
     * Asks a node whether it is there.
     *
     * @param node the name of the node; without a host that of this machine is added
     * @param timeout milliseconds to wait for the answer
     * @return whether it answered in time
     */
    public boolean ping(String node, long timeout) {
        return home.ping(node, timeout);
    }

    /**
     * Returns all names of mailboxes of this node.
     *
     * @return the names, in no order
     */
    public String[] getNames() {
        return home.getNames();
    }

    /**
     * Returns the pid of the mailbox of this node that has a name.
     *
     * @param value the name
     * @return the pid, or null
     */
    public OtpErlangPid whereis(String value) {
        return home.whereis(value);
    }

    /** Closes this mailbox; linked processes are told {@code normal}. Messages that came before can still be received. */
    public void close() {
        home.closeMbox(this);
    }

    /**
     * Does nothing; a mailbox that nobody refers to is closed without it.
     *
     * @deprecated not called
     */
    @Deprecated
    @Override
    @SuppressWarnings({"removal", "checkstyle:NoFinalizer", "Finalize"})
    protected void finalize() {}

    @Override
    public boolean equals(Object other) {
        return other instanceof OtpMbox that && self.equals(that.self);
    }

    @Override
    public int hashCode() {
        return self.hashCode();
    }
}
