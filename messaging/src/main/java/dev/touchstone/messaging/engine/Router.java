package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.FrameFormat;
import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.TermLimitException;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The ways of messages to mailboxes of this node and to other nodes, and of signals to {@link SignalDispatcher}. Sending is thread-safe. */
final class Router implements Connection.Frames {
    /*
     * Who calls:      any thread sends. frame() is called by the leader; refused() too; ended() by whoever ends a connection.
     * Invariants:     `reader`, `versioned`, `frame` and `frameBytes` belong to the leader and describe the frame that it reads.
     * Ordering:       frames of a connection are read in their order. Messages of one sender to one receiver keep theirs, for each goes
     *                 the same way.
     * Failure:        what is thrown while a frame is read ends its connection. A message that cannot be read does not: its mailbox gets
     *                 what receive() then throws. Nor does the reason of an exit, or a request to the node.
     */
    private static final int FIRST_CAPACITY_BYTES = 256; // of a value that is sent
    private static final int FEW_ELEMENTS = 16; // so many add little to the bytes of a message
    private static final int ELEMENT_BYTES = 48; // of a small term in memory, with its place in an array

    private final LocalNode node;
    private final Mailboxes mailboxes;
    private final SignalDispatcher signals;
    private final SystemProcesses services;
    private final TermReader reader;
    private boolean versioned; // whether a version stands before the message of the frame
    private byte[] frame = {}; // the array that holds the frame
    private int frameBytes;
    private volatile @Nullable Receiver others; // of messages for no mailbox
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong ignored = new AtomicLong();
    private final AtomicLong malformed = new AtomicLong();

    Router(LocalNode node, Mailboxes mailboxes, SignalDispatcher signals, SystemProcesses services, TermReader reader) {
        this.node = node;
        this.mailboxes = mailboxes;
        this.signals = signals;
        this.services = services;
        this.reader = reader;
    }

    /** Sends a message by {@code by}; returns false where that would have to wait and may not. */
    boolean send(Pid by, @Nullable Inbox from, Pid to, Term message, boolean wait) {
        LocalMailbox here = mailboxes.find(to);
        if (here != null || node.isSelf(to)) {
            if (!wait) {
                return deliverWithin(here, message, 0);
            }
            deliver(here, message, localBytes(message));
            return true;
        }
        Connection connection = node.peers().findOpen(to.node());
        if (connection == null) {
            if (!wait) {
                return false;
            }
            connection = node.peers().connectOrThrow(to.node());
        }
        return send(by, from, connection, wait, out -> out.send(to, message));
    }

    /** Returns the bytes of a value. Runs the user's code. */
    static <T> TermWriter encoded(Databind<T> type, T value) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        type.write(value, writer);
        return writer;
    }

    /**
     * Sends a message to another node that the caller has encoded: outside the connection's lock, since encoding may run a user's code.
     *
     * @param encoded a term without a version byte
     */
    void sendEncoded(Pid by, Inbox from, Pid to, TermWriter encoded) {
        Connection connection = node.peers().connectOrThrow(to.node());
        boolean unused =
                send(by, from, connection, true, out -> out.sendEncoded(to, encoded.array(), encoded.position()));
    }

    /** Sends as {@link #sendEncoded(Pid, Inbox, Pid, TermWriter)}, to what is registered under a name at another node. */
    void sendEncoded(LocalMailbox from, Atom name, NodeName at, TermWriter encoded) {
        Connection connection = node.peers().connectOrThrow(at.atom());
        Pid sender = from.pid();
        boolean unused = send(
                sender,
                from.inbox(),
                connection,
                true,
                out -> out.regSendEncoded(sender, name, encoded.array(), encoded.position()));
    }

    void send(LocalMailbox from, Atom name, NodeName at, Term message) {
        if (node.isSelf(at)) {
            LocalMailbox mailbox = mailboxes.find(name);
            int bytes = localBytes(message);
            if (mailbox != null || !services.serve(at.atom(), name, message, bytes)) {
                deliver(mailbox, message, bytes);
            }
            return;
        }
        Connection connection = node.peers().connectOrThrow(at.atom());
        Pid sender = from.pid();
        boolean unused = send(sender, from.inbox(), connection, true, out -> out.regSend(sender, name, message));
    }

    /** Sends to an alias. A peer that does not know aliases cannot have made one, so what is sent to one of its references is lost. */
    void send(LocalMailbox from, Ref alias, Term message) {
        if (node.isSelf(alias.node())) {
            deliverTo(alias, message, localBytes(message));
            return;
        }
        Connection connection = node.peers().connectOrThrow(alias.node());
        if (connection.capabilities().has(Capability.ALIAS)) {
            Pid sender = from.pid();
            boolean unused = send(sender, from.inbox(), connection, true, out -> out.aliasSend(sender, alias, message));
        } else {
            dropped.getAndIncrement();
        }
    }

    /** Sends a frame; a receiver with more messages to take flushes once it has none, so that what it answers meanwhile goes together. */
    static boolean send(Pid by, @Nullable Inbox from, Connection connection, boolean wait, Connection.FrameBody body) {
        if (!wait) {
            return connection.trySend(by, body, 0);
        }
        if (from == null || !from.hasMore()) {
            connection.send(by, body);
        } else if (connection.sendLater(by, body)) {
            from.owe(connection);
        }
        return true;
    }

    /** Answers {@code from} of a {@code {'$gen_call', From, Request}}: a pid and a tag, which may have the caller's alias. */
    void reply(Pid by, @Nullable Inbox receiver, Term from, Term answer) {
        Tuple caller = caller(from);
        Pid to = (Pid) caller.get(0);
        Term tag = caller.get(1);
        Tuple message = Tuple.of(tag, answer);
        Ref alias = aliasOf(tag);
        if (alias == null) {
            boolean unused = send(by, receiver, to, message, true);
        } else if (node.isSelf(to)) {
            deliverTo(alias, message, localBytes(message));
        } else {
            Connection connection = node.peers().find(to.node());
            if (connection != null) {
                boolean unused = send(by, receiver, connection, true, out -> {
                    if (connection.capabilities().has(Capability.ALIAS)) {
                        out.aliasSend(by, alias, message);
                    } else {
                        out.send(to, message);
                    }
                });
            }
        }
    }

    /** Answers a call; returns false where that would have to wait, or the caller's node is not connected. */
    boolean tryReply(Term from, Term answer) {
        Tuple caller = caller(from);
        Pid to = (Pid) caller.get(0);
        Term tag = caller.get(1);
        return (node.isSelf(to) || node.peers().find(to.node()) != null)
                && answer(to, aliasOf(tag), Tuple.of(tag, answer), Room.TRIED);
    }

    private static Tuple caller(Term from) {
        if (from instanceof Tuple caller && caller.size() == 2 && caller.get(0) instanceof Pid) {
            return caller;
        }
        throw new IllegalArgumentException("not a caller: expected={Pid, Tag} got=" + from);
    }

    /** The room that an answer needs. */
    enum Room {
        /** None: the answer is owed, and has a bound of its own. */
        OWED,
        /** The answer is not sent where there is none. */
        TRIED,
        /** The sender waits for it. */
        AWAITED
    }

    /**
     * Sends an answer of the node itself, over a connection that is there; where there is none the answer is lost, and counted.
     *
     * @param alias of the receiver; null for none
     * @return false where there is no room
     * @throws IllegalArgumentException if no frame can hold the answer
     */
    boolean answer(Pid to, @Nullable Ref alias, Term message, Room room) {
        if (node.isSelf(to)) {
            return answerHere(to, alias, message, room);
        }
        Connection connection = node.peers().find(to.node());
        if (connection == null) {
            node.countRejected();
            return true;
        }
        boolean toAlias = alias != null && connection.capabilities().has(Capability.ALIAS);
        Connection.FrameBody body = out -> {
            if (toAlias) {
                out.aliasSend(node.pid(), Objects.requireNonNull(alias), message);
            } else {
                out.send(to, message);
            }
        };
        if (room == Room.TRIED) {
            return connection.trySend(null, body, 0);
        }
        if (room == Room.OWED) {
            connection.sendOwed(null, body);
        } else {
            connection.send(null, body);
        }
        return true;
    }

    private boolean answerHere(Pid to, @Nullable Ref alias, Term message, Room room) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (room != Room.AWAITED && mailbox != null && !mailbox.inbox().awaitRoom(0)) {
            return false;
        }
        if (alias == null) {
            deliver(mailbox, message, localBytes(message));
        } else {
            deliverTo(alias, message, localBytes(message));
        }
        return true;
    }

    static @Nullable Ref aliasOf(Term tag) {
        boolean hasAlias =
                tag instanceof ErlList list && list.size() == 1 && list.get(0).equals(WellKnownAtoms.ALIAS);
        return hasAlias && ((ErlList) tag).tail() instanceof Ref alias ? alias : null;
    }

    /** Sends to a name of this node; returns false where the mailbox has no room in time, or the thread is interrupted. */
    boolean sendNamed(Atom name, Term message, long waitNanos) {
        LocalMailbox mailbox = mailboxes.find(name);
        boolean isServed = mailbox == null && services.serve(node.name().atom(), name, message, localBytes(message));
        return isServed || deliverWithin(mailbox, message, waitNanos);
    }

    /** Delivers a message of this node; returns false where the mailbox has no room in time, or the thread is interrupted. */
    boolean deliverWithin(@Nullable LocalMailbox mailbox, Term message, long waitNanos) {
        if (mailbox != null && !mailbox.inbox().awaitRoom(waitNanos)) {
            return false;
        }
        if (mailbox == null || !mailbox.inbox().deliverNow(message, localBytes(message))) {
            dropped.getAndIncrement();
        }
        return true;
    }

    private void deliver(@Nullable LocalMailbox mailbox, Object message, int bytes) {
        if (mailbox == null || !mailbox.accept(message, bytes)) {
            dropped.getAndIncrement();
        }
    }

    private void deliverTo(Ref alias, Object message, int bytes) {
        Mailboxes.Alias to = mailboxes.take(alias);
        if (to != null && to.mode() == AliasMode.REPLY_DEMONITOR) {
            boolean unused = signals.demonitor(to.mailbox(), alias);
        }
        deliver(to == null ? null : to.mailbox(), message, bytes);
    }

    /** Delivers the message behind the control tuple to what is registered under a name, or to the node itself. */
    private void deliverNamed(Connection connection, Pid from, Atom name) {
        LocalMailbox named = mailboxes.find(name);
        boolean isTheirs = others != null && !name.equals(WellKnownAtoms.NET_KERNEL);
        if (named != null || isTheirs || !SystemProcesses.isService(name)) {
            deliver(connection, named, from, name);
            return;
        }
        int begin = reader.position();
        if (message(connection) instanceof Term term) {
            boolean unused = services.serve(connection.peer().atom(), name, term, heapBytes());
        } else {
            refuse(begin);
        }
    }

    /** Answers a request that cannot be read as a whole, where its caller can be. */
    private void refuse(int begin) {
        try {
            reader.rewind(begin);
            if (versioned) {
                reader.readVersion();
            }
            int arity = reader.readTupleHeader();
            Term first = reader.read();
            if (arity == 3 && first.equals(WellKnownAtoms.GEN_CALL)) {
                services.refuse(reader.read());
            } else if (arity == 2 && first instanceof Pid sender) {
                services.refuse(Tuple.of(sender, WellKnownAtoms.REX));
            }
        } catch (EtfException e) {
            // nobody is known who waits for an answer
        }
    }

    /** Returns the bytes that a message of this node counts with: a binary's, and 0 for others, which share what they consist of. */
    private static int localBytes(Term message) {
        return message instanceof Binary binary ? binary.length() : 0;
    }

    /** Delivers the message behind the control tuple: to a front end as bytes, where one takes it. */
    private void deliver(Connection connection, @Nullable LocalMailbox mailbox, @Nullable Pid from, Term to) {
        Receiver receiver = mailbox == null ? others : mailbox.inbox().receiver();
        if (receiver != null) {
            receiver.message(connection.peer().toString(), from, to, payloadBytes());
        } else if (mailbox == null) {
            dropped.getAndIncrement(); // for nobody: not even decoded
        } else {
            Object message = message(connection);
            boolean isLate =
                    !connection.capabilities().has(Capability.ALIAS) && mailboxes.isLateAnswer(mailbox, message);
            deliver(isLate ? null : mailbox, message, messageBytes());
        }
    }

    private void deliverTo(Connection connection, Ref alias) {
        if (mailboxes.isAlias(alias)) {
            deliverTo(alias, message(connection), messageBytes());
        } else {
            dropped.getAndIncrement();
        }
    }

    /** Returns the message behind the control tuple with its version; one that cannot be read is its receiver's concern. */
    private byte[] payloadBytes() {
        int begin = reader.position();
        byte[] bytes = Arrays.copyOfRange(frame, begin, begin + reader.remaining());
        if (versioned) {
            return bytes;
        }
        try {
            return TermWriter.encode(reader.read());
        } catch (EtfException e) {
            return bytes;
        }
    }

    /** Has messages for no mailbox taken. */
    void others(Receiver receiver) {
        others = receiver;
    }

    long dropped() {
        return dropped.get();
    }

    long malformed() {
        return malformed.get();
    }

    long ignored() {
        return ignored.get();
    }

    @Override
    public void refused(Connection connection, long bytes) {
        dropped.getAndIncrement();
        node.log().tooLong(connection.peer(), bytes, connection.maxFrameBytes());
    }

    @Override
    public void ended(Connection connection, IOException cause) {
        node.peers().ended(connection, cause);
    }

    @Override
    public void frame(Connection connection, byte[] buffer, int offset, int length, boolean retained) {
        FrameFormat.Terms terms = connection.format().terms(buffer, offset, length);
        if (terms == null) {
            return;
        }
        boolean keepable = retained || terms.isOwn();
        TermReader in;
        try {
            in = reader.reset(terms.buffer(), terms.offset(), terms.length(), keepable);
        } catch (TermLimitException tooLong) {
            connection.refused(terms.length());
            return;
        }
        frame = terms.buffer();
        versioned = terms.atoms() == null;
        frameBytes = terms.length();
        in.atomCache(terms.atoms());
        int arity = in.readTupleHeader();
        int operation = arity < 1 ? 0 : (int) in.readLong();
        switch (operation) {
            case Control.SEND, Control.SEND_TT, Control.SEND_SENDER, Control.SEND_SENDER_TT -> {
                in.skip();
                Pid to = in.readPid();
                skip(arity - 3);
                deliver(connection, mailboxes.find(to), null, to);
            }
            case Control.REG_SEND, Control.REG_SEND_TT -> {
                Pid from = in.readPid();
                in.skip();
                Atom name = in.readAtom();
                skip(arity - 4);
                deliverNamed(connection, from, name);
            }
            case Control.ALIAS_SEND, Control.ALIAS_SEND_TT -> {
                in.skip();
                Ref alias = in.readRef();
                skip(arity - 3);
                deliverTo(connection, alias);
            }
            case Control.ALTACT_SIG_SEND -> altact(connection, arity);
            default -> signal(connection, operation, arity);
        }
    }

    /** Delivers a {@code {37, Flags, From, To}} of OTP 28: to a pid, a name or an alias. */
    private void altact(Connection connection, int arity) {
        reader.skip();
        Term from = reader.read();
        Term to = reader.read();
        skip(arity - 4);
        if (to instanceof Pid pid) {
            deliver(connection, mailboxes.find(pid), null, to);
        } else if (to instanceof Ref alias) {
            deliverTo(connection, alias);
        } else if (to instanceof Atom name && from instanceof Pid pid) {
            deliverNamed(connection, pid, name);
        }
    }

    private void signal(Connection connection, int operation, int arity) {
        TermReader in = reader;
        switch (operation) {
            case Control.LINK -> signals.onLink(peersPid(connection), in.readPid());
            case Control.UNLINK -> signals.onUnlink(peersPid(connection), in.readPid());
            case Control.UNLINK_ID -> signals.onUnlinkId(connection, in.read(), peersPid(connection), in.readPid());
            case Control.EXIT, Control.EXIT_TT, Control.PAYLOAD_EXIT, Control.PAYLOAD_EXIT_TT -> {
                Pid from = peersPid(connection);
                signals.onExit(from, in.readPid(), reason(connection, operation, arity, 3));
            }
            case Control.EXIT2, Control.EXIT2_TT, Control.PAYLOAD_EXIT2, Control.PAYLOAD_EXIT2_TT -> {
                Pid from = in.readPid();
                signals.onExit2(from, in.readPid(), reason(connection, operation, arity, 3));
            }
            case Control.MONITOR_P -> monitor(connection);
            case Control.DEMONITOR_P -> {
                in.skip();
                signals.onDemonitor(connection.peer().atom(), in.read(), in.readRef());
            }
            case Control.MONITOR_P_EXIT, Control.PAYLOAD_MONITOR_P_EXIT -> {
                Term process = in.read();
                Pid to = in.readPid();
                Ref monitor = in.readRef();
                Term reason = reason(connection, operation, arity, 4);
                signals.onDown(connection.peer().atom(), to, monitor, process, reason);
            }
            case Control.SPAWN_REQUEST, Control.SPAWN_REQUEST_TT -> spawn(connection, arity);
            case Control.SPAWN_REPLY, Control.SPAWN_REPLY_TT -> {
                Ref request = in.readRef();
                Pid to = in.readPid();
                in.skip();
                signals.onSpawnReply(connection.peer().atom(), to, request, in.read());
            }
            case Control.UNLINK_ID_ACK -> signals.onUnlinkAck(in.read(), peersPid(connection), in.readPid());
            case Control.NODE_LINK, Control.GROUP_LEADER -> {}
            default -> ignored.getAndIncrement();
        }
    }

    /** Makes a monitor; a peer that has not announced such monitors cannot read the answer, and gets none. */
    private void monitor(Connection connection) {
        Pid from = peersPid(connection);
        Term process = reader.read();
        if (connection.capabilities().canMonitor(process)) {
            signals.onMonitor(from, process, reader.readRef());
        } else {
            ignored.getAndIncrement();
        }
    }

    /** Reads the sender of a signal that asks for an answer or is about a link, which only a process of the peer may be. */
    private Pid peersPid(Connection connection) {
        Pid pid = reader.readPid();
        if (!pid.node().equals(connection.peer().atom())) {
            throw new IllegalStateException(
                    "signal of another node's process: peer=" + connection.peer() + " process=" + pid);
        }
        return pid;
    }

    /** Asks for a process; a peer that has not announced such requests cannot read the answer, and gets none. */
    private void spawn(Connection connection, int arity) {
        if (!connection.capabilities().has(Capability.SPAWN)) {
            ignored.getAndIncrement();
            return;
        }
        Ref request = reader.readRef();
        Pid from = peersPid(connection);
        try {
            reader.skip();
            Term function = reader.read();
            Term options = reader.read();
            skip(arity - 6);
            Term arguments = payload();
            services.spawn(connection, request, from, function, options, arguments, heapBytes());
        } catch (EtfException e) {
            unreadable(connection, e);
            connection.sendOwed(null, out -> out.spawnReply(request, from, 0, WellKnownAtoms.SYSTEM_LIMIT));
        }
    }

    /**
     * Reads the reason of an exit: behind the control tuple, or its last element, before which a trace token may stand. A reason that
     * cannot be read, such as one beyond a limit of this node, becomes {@code system_limit}: the end itself is told.
     */
    private Term reason(Connection connection, int operation, int arity, int elementsBefore) {
        boolean behind = operation >= Control.PAYLOAD_EXIT && operation <= Control.PAYLOAD_MONITOR_P_EXIT;
        skip(arity - elementsBefore - (behind ? 0 : 1));
        try {
            return behind ? payload() : reader.read();
        } catch (EtfException e) {
            unreadable(connection, e);
            return WellKnownAtoms.SYSTEM_LIMIT;
        }
    }

    private void unreadable(Connection connection, EtfException cause) {
        malformed.getAndIncrement();
        node.log().malformed(connection.peer(), cause);
    }

    private void skip(int elements) {
        for (int i = 0; i < elements; i++) {
            reader.skip();
        }
    }

    private Term payload() {
        return versioned ? reader.readVersioned() : reader.read();
    }

    /**
     * Returns the bytes that the message read last counts with at its mailbox: of its frame, of what that was inflated to, or of the
     * memory that it takes.
     */
    private int messageBytes() {
        return Math.max(Math.max(frameBytes, reader.inflatedBytes()), decodedBytes());
    }

    /** Returns about how much memory the term read last takes; 0 where it has few elements. Called by the leader. */
    int decodedBytes() {
        long elements = reader.elements();
        return elements <= FEW_ELEMENTS ? 0 : (int) Math.min(Integer.MAX_VALUE, ELEMENT_BYTES * elements);
    }

    /** Returns about how much memory the message read last takes. */
    private long heapBytes() {
        return Math.max(frameBytes, reader.inflatedBytes()) + (long) ELEMENT_BYTES * reader.elements();
    }

    /** Reads the message behind the control tuple; returns what the receiver throws where it cannot be read, which concerns nobody else. */
    private Object message(Connection connection) {
        try {
            return payload();
        } catch (EtfException e) {
            unreadable(connection, e);
            return new MessagingException.Malformed(connection.peer(), e);
        }
    }
}
