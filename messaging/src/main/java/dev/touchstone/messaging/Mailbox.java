package dev.touchstone.messaging;

import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.time.Duration;
import java.util.List;
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
public interface Mailbox extends AutoCloseable {
    /**
     * Returns the pid that others know this mailbox by.
     *
     * @return pid, which no other mailbox of this node's life has
     */
    Pid pid();

    /**
     * Returns the node of this mailbox.
     *
     * @return node that made it
     */
    Node node();

    /**
     * Returns the name that this mailbox is registered under.
     *
     * @return name; empty where the mailbox has none
     */
    Optional<String> name();

    /**
     * Sends a message. Waits while too much is pending for that node, or in that mailbox of this node, and for a connection if there is
     * none.
     *
     * @param to process, of any node
     * @param message message
     * @throws MessagingException.Closed if this mailbox is closed
     * @throws MessagingException.Unreachable if there is no connection and none can be made
     */
    void send(Pid to, Term message);

    /**
     * Sends a message, unless it would have to wait.
     *
     * @param to process, of any node
     * @param message message
     * @return false, and nothing is sent, where too much is pending for that node or there is no connection
     */
    boolean trySend(Pid to, Term message);

    /**
     * Sends a message to what is registered under a name at a node, unless it would have to wait; see {@link #trySend(Pid, Term)}.
     *
     * @param to name of the process
     * @param at node of the process
     * @param message message
     * @return false, and nothing is sent, where too much is pending for that node or there is no connection
     */
    boolean trySend(String to, NodeName at, Term message);

    /**
     * Sends a message to the mailbox of this node that is registered under a name.
     *
     * @param to name of the mailbox
     * @param message message
     */
    default void send(String to, Term message) {
        send(to, node().name(), message);
    }

    /**
     * Sends a message to what is registered under a name at a node; see {@link #send(Pid, Term)}.
     *
     * @param to name of the process
     * @param at node of the process
     * @param message message
     * @throws MessagingException.Unreachable if there is no connection and none can be made
     */
    void send(String to, NodeName at, Term message);

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
    <T> void send(Pid to, Databind<T> type, T value);

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
    <T> void send(String to, NodeName at, Databind<T> type, T value);

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
    default <T> @Nullable T receive(Databind<T> type, Duration timeout) throws InterruptedException {
        Term message = receive(timeout);
        return message == null ? null : type.fromTerm(message);
    }

    /**
     * Takes the oldest message, and waits for one.
     *
     * @return message
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws MessagingException.Closed if the mailbox is closed and empty
     * @throws MessagingException.Malformed if what came cannot be read; the next can be received
     */
    Term receive() throws InterruptedException;

    /**
     * Takes the oldest message, and waits for one; see {@link #receive()}.
     *
     * @param timeout time to wait
     * @return message, or null where none comes in time
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Nullable
    Term receive(Duration timeout) throws InterruptedException;

    /**
     * Takes the oldest message that {@code wanted} is true for, and leaves the others.
     *
     * @param wanted condition, which may be asked more than once for a message
     * @param timeout time to wait
     * @return message, or null where none comes in time
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Nullable
    Term receive(Predicate<? super Term> wanted, Duration timeout) throws InterruptedException;

    /**
     * Returns whether the message that was received last is an exit signal: of a link that has ended, or sent by {@link #exit}. A
     * process can also send a message {@code {'EXIT', Pid, Reason}}, which looks the same.
     *
     * @param message message that a receiving method of this mailbox has just returned
     * @return true for a signal; false for a message
     */
    boolean isExitSignal(Term message);

    /**
     * Creates a reference that nobody has had.
     *
     * @return reference of this node
     */
    Ref newRef();

    /**
     * Calls a {@code gen_server}.
     *
     * @param server process, of any node
     * @param request request
     * @param timeout time that the answer may take
     * @return answer
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws MessagingException.CallFailed if the server is not there, or ends before it answers
     * @throws MessagingException.TimedOut if no answer comes in time
     */
    Term call(Pid server, Term request, Duration timeout) throws InterruptedException;

    /**
     * Calls the {@code gen_server} that is registered under a name at a node; see {@link #call(Pid, Term, Duration)}.
     *
     * @param server name of the process
     * @param at node of the process
     * @param request request
     * @param timeout time that the answer may take
     * @return answer
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Term call(String server, NodeName at, Term request, Duration timeout) throws InterruptedException;

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
    default <Q, A> A call(Pid server, Databind<Q> requests, Q request, Databind<A> answers, Duration timeout)
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
    default <Q, A> A call(
            String server, NodeName at, Databind<Q> requests, Q request, Databind<A> answers, Duration timeout)
            throws InterruptedException {
        return answers.fromTerm(call(server, at, requests.toTerm(request), timeout));
    }

    /**
     * Answers a call.
     *
     * @param from caller, as {@code {'$gen_call', From, Request}} has it
     * @param answer answer
     */
    void reply(Term from, Term answer);

    /**
     * Answers a call, unless that would have to wait.
     *
     * @param from caller, as {@code {'$gen_call', From, Request}} has it
     * @param answer answer
     * @return false, and nothing is sent, where too much is pending for the caller's node or there is no connection
     */
    boolean tryReply(Term from, Term answer);

    /**
     * Calls a function at another node through its {@code rex} server.
     *
     * @param at node
     * @param module module of the function
     * @param function name of the function
     * @param arguments arguments
     * @param timeout time that the answer may take
     * @return value of the function, or {@code {badrpc, Reason}}
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Term rpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException;

    /**
     * Calls a function at another node in a process of its own.
     *
     * @param at node
     * @param module module of the function
     * @param function name of the function
     * @param arguments arguments
     * @param timeout time that the answer may take
     * @return value of the function
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws MessagingException.CallFailed if the function fails
     */
    Term erpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException;

    /**
     * Asks to be told once, by {@code {'DOWN', Ref, process, Pid, Reason}}, that a process has ended, or is not there.
     *
     * @param watched process, of any node
     * @return reference that the message has
     */
    Ref monitor(Pid watched);

    /**
     * Monitors a process as {@link #monitor(Pid)} does, but neither connects to its node nor waits for room.
     *
     * @param watched process, of any node
     * @return reference that the message has; null, and nothing is monitored, where there is no connection to the process's node
     */
    @Nullable
    Ref tryMonitor(Pid watched);

    /**
     * Monitors what is registered under a name: {@code {'DOWN', Ref, process, {Name, Node}, Reason}}.
     *
     * @param name name of the process
     * @param at node of the process
     * @return reference that the message has
     */
    Ref monitor(String name, NodeName at);

    /**
     * Monitors a process, and makes the monitor's reference an {@linkplain #alias() alias} of this mailbox.
     *
     * @param watched process, of any node
     * @param alias when the alias ends: {@code EXPLICIT_UNALIAS}, {@code DEMONITOR} or {@code REPLY_DEMONITOR}
     * @return reference that the message has, and that others may send to
     */
    Ref monitor(Pid watched, AliasMode alias);

    /**
     * Monitors what is registered under a name, and makes the monitor's reference an {@linkplain #alias() alias} of this mailbox.
     *
     * @param name name of the process
     * @param at node of the process
     * @param alias when the alias ends: {@code EXPLICIT_UNALIAS}, {@code DEMONITOR} or {@code REPLY_DEMONITOR}
     * @return reference that the message has, and that others may send to
     */
    Ref monitor(String name, NodeName at, AliasMode alias);

    /**
     * Ends a monitor; a message of it that came before stays.
     *
     * @param monitor reference of the monitor
     */
    default void demonitor(Ref monitor) {
        boolean unused = demonitor(monitor, false);
    }

    /**
     * Ends a monitor, and removes its message if that came before. Where several threads receive from this mailbox, one of them may take
     * the message at the same time.
     *
     * @param monitor reference of the monitor
     * @param flush whether to remove the message
     * @return whether the monitor was there; if not, its message was delivered before, or there was no such monitor
     */
    boolean demonitor(Ref monitor, boolean flush);

    /**
     * Makes another address of this mailbox, which ends with {@link #unalias}; messages to it that arrive later are dropped.
     *
     * @return alias, which any process may send to with {@code erlang:send(Alias, Message)} or {@link #send(Ref, Term)}
     */
    default Ref alias() {
        return alias(AliasMode.EXPLICIT_UNALIAS);
    }

    /**
     * Makes another address of this mailbox; see {@link #alias()}.
     *
     * @param mode when the alias ends: {@code EXPLICIT_UNALIAS} or {@code REPLY}
     * @return alias
     */
    Ref alias(AliasMode mode);

    /**
     * Ends an alias of this mailbox.
     *
     * @param alias alias, or reference of a monitor with an alias
     * @return whether the alias was active
     */
    boolean unalias(Ref alias);

    /**
     * Sends a message to an alias of a process, of this node or another; see {@link #send(Pid, Term)}. The message is dropped if the
     * alias has ended.
     *
     * @param alias alias that its process has told
     * @param message message
     */
    void send(Ref alias, Term message);

    /**
     * Links this mailbox and a process: whichever ends first, the other is told by {@code {'EXIT', Pid, Reason}}.
     *
     * @param other process, of any node
     */
    void link(Pid other);

    /**
     * Ends a link; does nothing where there is none.
     *
     * @param other process, of any node
     */
    void unlink(Pid other);

    /**
     * Sends an exit signal.
     *
     * @param to process, of any node
     * @param reason reason that the process is told; {@code kill} ends it
     */
    void exit(Pid to, Term reason);

    /**
     * Starts or stops to be told of all nodes, visible or hidden, that connect and disconnect: {@code {nodeup, Node}} before the first
     * message of the node, {@code {nodedown, Node}} after the last one. Nodes that are connected already are not told of. Erlang's
     * {@code net_kernel:monitor_nodes(true)} tells of visible nodes only.
     *
     * @param on whether to be told
     */
    void monitorNodes(boolean on);

    /**
     * Starts or stops to be told of nodes of one type that connect and disconnect, with properties: {@code {nodeup, Node, [{node_type,
     * Type}]}} and {@code {nodedown, Node, [{nodedown_reason, Reason}, {node_type, Type}]}}, as {@code net_kernel:monitor_nodes/2} of
     * Erlang does. The reason is {@code disconnect}, {@code net_tick_timeout} or {@code connection_closed}.
     *
     * @param type nodes to tell of
     * @param on whether to be told
     */
    void monitorNodes(NodeType type, boolean on);

    /**
     * Asks to be told once, by {@code {nodedown, Node}}, that a node is no longer connected, or cannot be.
     *
     * @param watched node, which is connected to if need be
     */
    void monitorNode(NodeName watched);

    /** Closes this mailbox with the reason {@code normal}. */
    @Override
    default void close() {
        close(Atom.of("normal"));
    }

    /**
     * Gives up pid, name and aliases, and tells those that are linked to this mailbox or watch it. Messages that were not received can
     * still be.
     *
     * @param reason reason that they are told
     */
    void close(Term reason);

    /**
     * Returns whether the mailbox was closed: by {@link #close()}, by an exit signal with the reason {@code kill}, or with its node.
     *
     * @return whether it is closed
     */
    boolean isClosed();

    /**
     * Returns the number of messages that were dropped because the mailbox was full.
     *
     * @return count since the mailbox was made
     */
    long dropped();
}
