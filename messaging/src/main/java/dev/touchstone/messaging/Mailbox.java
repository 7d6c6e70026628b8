package dev.touchstone.messaging;

import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A process of this node, to other processes: it has a pid, receives messages in order, and is told of what happens to those that it is
 * linked to or watches, as messages, as if it trapped exits. Thread-safe; if several threads receive, each message goes to one of them.
 *
 * <p><b>Order.</b> Messages from one mailbox or process to another arrive in the order in which they were sent. What a thread did before
 * it sent a message happens-before what another does after it received it from a mailbox of the same node.
 *
 * <p><b>Loss.</b> A message to a mailbox or process that is not there is lost, and so is one that was on its way over a connection that
 * broke; a monitor tells of both.
 */
public final class Mailbox implements AutoCloseable {
    private static final int FIRST_CAPACITY_BYTES = 256; // of a value that is sent

    private final Node node;
    private final Pid pid;
    private final @Nullable Atom name;
    private final Inbox inbox;
    private final LinksAndMonitors bonds = new LinksAndMonitors();
    private volatile boolean closed;

    Mailbox(Node node, Pid pid, @Nullable Atom name, Inbox inbox) {
        this.node = node;
        this.pid = pid;
        this.name = name;
        this.inbox = inbox;
    }

    /** What others know it by. */
    public Pid pid() {
        return pid;
    }

    public Node node() {
        return node;
    }

    /** The name that it is registered under, if any. */
    public Optional<String> name() {
        return name == null ? Optional.empty() : Optional.of(name.name());
    }

    /**
     * Sends a message. Waits while too much is pending for that node, and for a connection if there is none.
     *
     * @throws MessagingException.Unreachable if there is no connection and none can be made
     */
    public void send(Pid to, Term message) {
        checkOpen();
        node.router().send(pid, inbox, to, message, true);
    }

    /** As {@link #send(Pid, Term)}, without waiting: false, and nothing is sent, where that would be needed. */
    public boolean trySend(Pid to, Term message) {
        checkOpen();
        return node.router().send(pid, inbox, to, message, false);
    }

    /** Sends a message to the mailbox of this node that is registered under a name. */
    public void send(String to, Term message) {
        send(to, node.name(), message);
    }

    /** Sends a message to what is registered under a name at a node; see {@link #send(Pid, Term)}. */
    public void send(String to, NodeName at, Term message) {
        checkOpen();
        node.router().send(this, Atom.of(to), at, message);
    }

    /**
     * Sends a value as a message. To another node it is written as bytes at once, with no term in between.
     *
     * @param <T> the type of the value
     * @param to the receiver
     * @param type the binding of the type
     * @param value the value
     * @throws dev.touchstone.messaging.databind.DatabindException if the value has no term
     * @throws MessagingException.Unreachable if there is no connection and none can be made
     */
    public <T> void send(Pid to, Databind<T> type, T value) {
        if (node.isSelf(to)) {
            send(to, type.toTerm(value));
        } else {
            checkOpen();
            node.router().sendEncoded(pid, inbox, to, encoded(type, value));
        }
    }

    /**
     * Sends a value as a message to what is registered under a name at a node; see {@link #send(Pid, Databind, Object)}.
     *
     * @param <T> the type of the value
     * @param to the name of the receiver
     * @param at the receiver's node
     * @param type the binding of the type
     * @param value the value
     * @throws dev.touchstone.messaging.databind.DatabindException if the value has no term
     * @throws MessagingException.Unreachable if there is no connection and none can be made
     */
    public <T> void send(String to, NodeName at, Databind<T> type, T value) {
        if (node.isSelf(at)) {
            send(to, at, type.toTerm(value));
        } else {
            checkOpen();
            node.router().sendEncoded(this, Atom.of(to), at, encoded(type, value));
        }
    }

    private static <T> TermWriter encoded(Databind<T> type, T value) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        type.write(value, writer);
        return writer;
    }

    /**
     * Takes the oldest message as a value. The thread that reads the sockets has made a term of it, which is bound here, so that a
     * constructor that throws or blocks is the receiver's concern alone.
     *
     * @param <T> the type of the value
     * @param type the binding of the type
     * @param timeout the longest wait
     * @return the value, or null if no message comes in time
     * @throws InterruptedException if the thread is interrupted
     * @throws dev.touchstone.messaging.databind.DatabindException if the message is of another type; it is taken all the same
     * @throws MessagingException.Closed if the mailbox is closed and empty
     * @throws MessagingException.Malformed if what came cannot be read; the next can be received
     */
    public <T> @Nullable T receive(Databind<T> type, Duration timeout) throws InterruptedException {
        Term message = receive(timeout);
        return message == null ? null : type.fromTerm(message);
    }

    /**
     * Takes the oldest message, and waits for one.
     *
     * @throws MessagingException.Closed if the mailbox is closed and empty
     * @throws MessagingException.Malformed if what came cannot be read; the next can be received
     */
    public Term receive() throws InterruptedException {
        return Objects.requireNonNull(take(Long.MAX_VALUE));
    }

    /** As {@link #receive()}; null where no message comes in time. */
    public @Nullable Term receive(Duration timeout) throws InterruptedException {
        return take(nanos(timeout));
    }

    /** Takes the oldest message that {@code wanted} is true for, and leaves the others; null where none comes in time. */
    public @Nullable Term receive(Predicate<? super Term> wanted, Duration timeout) throws InterruptedException {
        return openOr(inbox.take(wanted, false, nanos(timeout)));
    }

    /** As {@link #receive(Predicate, Duration)}, for the answer to what was asked after all messages passed over so far had come. */
    @Nullable
    Term receiveNew(Predicate<? super Term> wanted, long nanos) throws InterruptedException {
        return openOr(inbox.take(wanted, true, nanos));
    }

    private @Nullable Term take(long nanos) throws InterruptedException {
        return openOr(inbox.take(nanos));
    }

    private @Nullable Term openOr(@Nullable Term message) {
        if (message == null) {
            checkOpen();
        }
        return message;
    }

    static long nanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** A reference that nobody has had. */
    public Ref newRef() {
        return node.newRef();
    }

    /** Calls a {@code gen_server}; the answer. */
    public Term call(Pid server, Term request, Duration timeout) throws InterruptedException {
        return new Call(this, timeout).genServer(server, request);
    }

    /** Calls the {@code gen_server} that is registered under a name at a node; the answer. */
    public Term call(String server, NodeName at, Term request, Duration timeout) throws InterruptedException {
        return new Call(this, timeout).genServer(Atom.of(server), at, request);
    }

    /**
     * Calls a {@code gen_server} with a value, for a value.
     *
     * @param <Q> the type of the request
     * @param <A> the type of the answer
     * @param server the server
     * @param requests the binding of the request's type
     * @param request the request
     * @param answers the binding of the answer's type
     * @param timeout the longest wait
     * @return the answer
     * @throws InterruptedException if the thread is interrupted
     * @throws dev.touchstone.messaging.databind.DatabindException if the answer is of another type
     * @throws MessagingException.CallFailed if the server ends, or is not there
     * @throws MessagingException.TimedOut if no answer comes in time
     */
    public <Q, A> A call(Pid server, Databind<Q> requests, Q request, Databind<A> answers, Duration timeout)
            throws InterruptedException {
        return answers.fromTerm(call(server, requests.toTerm(request), timeout));
    }

    /**
     * Calls the {@code gen_server} that is registered under a name with a value, for a value; see {@link #call(Pid, Databind, Object,
     * Databind, Duration)}.
     *
     * @param <Q> the type of the request
     * @param <A> the type of the answer
     * @param server the name of the server
     * @param at the server's node
     * @param requests the binding of the request's type
     * @param request the request
     * @param answers the binding of the answer's type
     * @param timeout the longest wait
     * @return the answer
     * @throws InterruptedException if the thread is interrupted
     */
    public <Q, A> A call(
            String server, NodeName at, Databind<Q> requests, Q request, Databind<A> answers, Duration timeout)
            throws InterruptedException {
        return answers.fromTerm(call(server, at, requests.toTerm(request), timeout));
    }

    /** Answers a call: {@code from} is what {@code {'$gen_call', From, Request}} has. */
    public void reply(Term from, Term answer) {
        node.router().reply(pid, inbox, from, answer);
    }

    /** Calls a function at another node through its {@code rex} server; what the function returns, {@code {badrpc, Reason}} included. */
    public Term rpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException {
        return new Call(this, timeout).rpc(at, Atom.of(module), Atom.of(function), arguments);
    }

    /** Calls a function at another node in a process of its own; what the function returns. */
    public Term erpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException {
        return new Call(this, timeout).erpc(at, Atom.of(module), Atom.of(function), arguments);
    }

    /** Asks to be told once, by {@code {'DOWN', Ref, process, Pid, Reason}}, that a process has ended, or is not there. */
    public Ref monitor(Pid watched) {
        checkOpen();
        return node.signals()
                .monitor(this, watched, NodeName.parse(watched.node().name()));
    }

    /** As {@link #monitor(Pid)}, of what is registered under a name: {@code {'DOWN', Ref, process, {Name, Node}, Reason}}. */
    public Ref monitor(String name, NodeName at) {
        checkOpen();
        return node.signals().monitor(this, Atom.of(name), at);
    }

    /** Ends a monitor; a message of it that came before stays. */
    public void demonitor(Ref monitor) {
        node.signals().demonitor(this, monitor);
    }

    /** Links both: whichever ends first, the other is told by {@code {'EXIT', Pid, Reason}}. */
    public void link(Pid other) {
        checkOpen();
        node.signals().link(this, other);
    }

    public void unlink(Pid other) {
        node.signals().unlink(this, other);
    }

    /** Sends an exit signal. */
    public void exit(Pid to, Term reason) {
        checkOpen();
        node.signals().exit(this, to, reason);
    }

    /** Asks to be told once, by {@code {nodedown, Node}}, that a node is no longer connected, or cannot be. */
    public void monitorNode(NodeName watched) {
        checkOpen();
        node.signals().monitorNode(this, watched);
    }

    /** Closes with the reason {@code normal}. */
    @Override
    public void close() {
        close(Atom.of("normal"));
    }

    /** Gives up pid and name, and tells those that are linked to it or watch it. Messages that were not received can still be. */
    public void close(Term reason) {
        node.signals().closed(this, reason);
    }

    /** Marks it closed. */
    void shut() {
        closed = true;
        inbox.flush();
        inbox.close();
    }

    /**
     * Returns whether the mailbox was closed: by {@link #close()}, by an exit signal with the reason {@code kill}, or with its node.
     *
     * @return whether it is closed
     */
    public boolean isClosed() {
        return closed;
    }

    void deliver(Object messageOrProblem) {
        inbox.put(messageOrProblem);
    }

    Inbox inbox() {
        return inbox;
    }

    /** Guarded by {@link SignalDispatcher}. */
    LinksAndMonitors bonds() {
        return bonds;
    }

    private void checkOpen() {
        if (closed) {
            throw new MessagingException.Closed("mailbox=" + pid);
        }
    }

    @Override
    public String toString() {
        return pid + (name == null ? "" : " " + name);
    }
}
