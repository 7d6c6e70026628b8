package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server that Erlang's {@code gen_server} and {@code sys} functions recognise: it answers {@code gen_server:call}, {@code cast},
 * {@code multi_call}, {@code abcast} and {@code stop}, and {@code sys:get_state}, {@code get_status}, {@code suspend}, {@code resume} and
 * {@code terminate}. Its state stands in the fields of the subclass.
 *
 * <p>All handlers run on one thread, one after the other, so the fields need no lock. An exception of a handler ends the server with the
 * reason {@code {Text, []}}, which callers, links and monitors see. {@link #terminate} runs at each end, also after {@code kill}.
 *
 * @see <a href="https://www.erlang.org/doc/apps/stdlib/gen_server.html">gen_server</a>
 */
public abstract class GenServer {
    /*
     * Who calls:  GenServer.start sets `loop` before the server's thread starts; everything else is the server's thread.
     * Invariants: an instance is started once.
     * Ordering:   starting the thread publishes the fields that the constructor has set.
     * Failure:    ServerLoop ends the server with the exception of a handler.
     */
    private @Nullable ServerLoop loop;

    /** Creates a server that does not run yet. */
    protected GenServer() {}

    /**
     * Prepares the server, before the first message. {@link #start} returns once this has returned, and fails where this throws or calls
     * {@link #stop}.
     *
     * @throws Exception if the server cannot start
     */
    protected void init() throws Exception {}

    /**
     * Handles {@code gen_server:call}.
     *
     * @param request the request, any term
     * @param from the caller; may be kept, to reply later
     * @return the reply, or null if it is sent later by {@link From#reply}
     * @throws Exception ends the server; the caller sees the reason
     */
    protected abstract @Nullable Term handleCall(Term request, From from) throws Exception;

    /** Returns whether replies wait for room, and for connections, as long as it takes. */
    boolean waitsToReply() {
        return true;
    }

    /**
     * Handles {@code gen_server:cast}. This method ignores the request.
     *
     * @param request the request, any term
     * @throws Exception ends the server
     */
    protected void handleCast(Term request) throws Exception {}

    /**
     * Handles any other message: {@code {'DOWN', ...}}, trapped exits, the atom {@code timeout} of {@link #timeout}. This method ignores
     * the message.
     *
     * @param message the message
     * @throws Exception ends the server
     */
    protected void handleInfo(Term message) throws Exception {}

    /**
     * Releases the server's resources, once, after the last message. Not called where {@link #init} failed.
     *
     * @param reason why the server ends; {@code shutdown} where its mailbox was closed by {@code kill} or with the node
     * @throws Exception is logged
     */
    protected void terminate(Term reason) throws Exception {}

    /**
     * Returns the state that {@code sys:get_state} and {@code sys:get_status} show. Runs on the server's thread.
     *
     * @return the state as a term; this method returns {@code undefined}
     */
    protected Term state() {
        return Atom.UNDEFINED;
    }

    /**
     * Returns the mailbox of the server, for sending, calling, linking and monitoring. Receiving from it takes messages from the server.
     *
     * @return the mailbox
     * @throws IllegalStateException if the server has not been started
     */
    protected final Mailbox mailbox() {
        return loop().mailbox();
    }

    /**
     * Ends the server when the present handler has returned; a reply that this handler returns is sent before. To be called by handlers.
     *
     * @param reason the reason for links and monitors: the atom {@code normal} where all is well
     * @throws IllegalStateException if the server has not been started
     */
    protected final void stop(Term reason) {
        loop().stop(reason);
    }

    /**
     * Has {@link #handleInfo} called with the atom {@code timeout} if no message comes for that long; a message cancels it. To be called
     * by handlers.
     *
     * @param idle how long, from the return of the present handler
     * @throws IllegalStateException if the server has not been started
     */
    protected final void timeout(Duration idle) {
        loop().timeout(idle);
    }

    /** Returns whether exits are messages whatever the options say. */
    boolean trapsExits() {
        return false;
    }

    private ServerLoop loop() {
        ServerLoop running = loop;
        if (running == null) {
            throw new IllegalStateException(
                    "server has not been started: server=" + getClass().getName());
        }
        return running;
    }

    /**
     * Starts a server with {@link ServerOptions#DEFAULT}.
     *
     * @param node the node that it belongs to
     * @param server a server that has not been started before
     * @return the server that runs, whose {@link #init} has returned
     * @throws InterruptedException if the thread is interrupted while {@link #init} runs; the server then ends
     * @throws StartFailedException if {@link #init} failed
     */
    public static RunningServer start(Node node, GenServer server) throws InterruptedException {
        return start(node, server, ServerOptions.DEFAULT);
    }

    /**
     * Starts a server.
     *
     * @param node the node that it belongs to
     * @param server a server that has not been started before
     * @param options name, parent and thread
     * @return the server that runs, whose {@link #init} has returned
     * @throws InterruptedException if the thread is interrupted while {@link #init} runs; the server then ends
     * @throws StartFailedException if {@link #init} failed
     * @throws dev.touchstone.messaging.MessagingException.NameTaken if another mailbox has the name
     * @throws IllegalStateException if this instance was started before
     */
    public static RunningServer start(Node node, GenServer server, ServerOptions options) throws InterruptedException {
        if (server.loop != null) {
            throw new IllegalStateException(
                    "server was started before: server=" + server.getClass().getName());
        }
        String name = options.name();
        Mailbox mailbox = name == null ? node.mailbox() : node.mailbox(name);
        ServerLoop started = new ServerLoop(server, mailbox, options);
        server.loop = started;
        return started.start();
    }

    /**
     * Sends a request that is not answered, as {@code gen_server:cast} does.
     *
     * @param from the sender
     * @param server a process, of any node
     * @param request the request, any term
     * @throws dev.touchstone.messaging.MessagingException.Unreachable if its node cannot be reached
     */
    public static void cast(Mailbox from, Pid server, Term request) {
        from.send(server, Tuple.of(OtpAtoms.GEN_CAST, request));
    }

    /**
     * Sends a request that is not answered to the server that has a name.
     *
     * @param from the sender
     * @param server the name that the server is registered under
     * @param at the server's node
     * @param request the request, any term
     * @throws dev.touchstone.messaging.MessagingException.Unreachable if the node cannot be reached
     */
    public static void cast(Mailbox from, String server, NodeName at, Term request) {
        from.send(server, at, Tuple.of(OtpAtoms.GEN_CAST, request));
    }
}
