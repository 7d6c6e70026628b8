package com.ericsson.otp.erlang;

import dev.touchstone.messaging.spi.MailboxAccess;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A connection of an {@link OtpSelf} to another node, with the messages that came over it. Thread-safe.
 *
 * <p>Where the connection ends, {@code receive} methods give the messages that came before, then throw an {@link OtpErlangExit} once, with
 * the reason {@code 'Remote has closed connection'} and the cause, and then an {@link IOException} each time.
 */
public class OtpConnection extends AbstractConnection {
    private static final OtpErlangAtom CALL = new OtpErlangAtom("call");
    private static final OtpErlangAtom USER = new OtpErlangAtom("user");
    private static final OtpErlangAtom REX = new OtpErlangAtom("rex");
    private static final OtpErlangAtom NORMAL = new OtpErlangAtom("normal");

    /** The node at this end. */
    protected OtpSelf self;

    /** Null; a mailbox of the messaging node has the messages. */
    protected GenericQueue queue;

    /** Links, which the messaging node keeps. */
    protected Links links;

    private static final int CONNECTION_BYTES = 4096; // what a connection counts with, beside its messages
    private static final int MESSAGE_BYTES = 256;

    private long bytes = CONNECTION_BYTES; // written by the thread that reads, which hands it on to the next
    private final MailboxAccess
            inbox; // messages and exceptions that nobody has received; closed once the connection has ended

    OtpConnection(OtpSelf self, OtpPeer peer, MailboxAccess inbox) {
        super(self, peer, true);
        this.self = self;
        this.inbox = inbox;
        links = new Links();
    }

    @Override
    MailboxAccess box() {
        return self.box();
    }

    void ended(Exception cause) {
        connected = false;
        OtpErlangExit exit = new OtpErlangExit("Remote has closed connection");
        exit.initCause(cause);
        deliver(exit);
        inbox.close(Terms.toOurs(NORMAL));
    }

    @Override
    public void deliver(Exception exception) {
        inbox.signal(Objects.requireNonNull(exception, "exception"));
    }

    /** Adds a message to those that are received; waits while there are too many. */
    @Override
    public void deliver(OtpMsg message) {
        deliver(message, 0);
    }

    /** Adds a message that counts with a number of bytes. Where there are too many the connection is not read for the time being. */
    void deliver(OtpMsg message, int length) {
        bytes += MESSAGE_BYTES + length;
        inbox.put(Objects.requireNonNull(message, "message"), length);
    }

    /** Returns about how many bytes this connection has in memory where nobody has received from it. */
    long bytes() {
        return bytes;
    }

    /**
     * Returns the node at the other end.
     *
     * @return the node
     */
    public OtpPeer peer() {
        return peer;
    }

    /**
     * Returns the node at this end.
     *
     * @return the node
     */
    public OtpSelf self() {
        return self;
    }

    /**
     * Returns the number of messages that nobody has received.
     *
     * @return the number, exceptions included
     */
    public int msgCount() {
        return (int) Math.min(Integer.MAX_VALUE, inbox.count());
    }

    /**
     * Waits for the next message.
     *
     * @return the message
     * @throws IOException if the connection has ended and that was told, or the message is no term
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpErlangObject receive() throws IOException, OtpErlangExit, OtpAuthException {
        return decoded(receiveMsg());
    }

    /**
     * Waits for the next message within a time.
     *
     * @param timeout milliseconds
     * @return the message
     * @throws InterruptedException if none came in time, or the thread was interrupted
     * @throws IOException if the connection has ended and that was told, or the message is no term
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpErlangObject receive(long timeout)
            throws InterruptedException, IOException, OtpErlangExit, OtpAuthException {
        return decoded(receiveMsg(timeout));
    }

    private static OtpErlangObject decoded(OtpMsg message) throws IOException {
        try {
            return message.getMsg();
        } catch (OtpErlangDecodeException e) {
            throw new IOException("message is no term: " + e.getMessage(), e);
        }
    }

    /**
     * Waits for the next message.
     *
     * @return the message as bytes, with its version
     * @throws IOException if the connection has ended and that was told
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpInputStream receiveBuf() throws IOException, OtpErlangExit, OtpAuthException {
        return receiveMsg().buffer();
    }

    /**
     * Waits for the next message within a time.
     *
     * @param timeout milliseconds
     * @return the message as bytes, with its version
     * @throws InterruptedException if none came in time, or the thread was interrupted
     * @throws IOException if the connection has ended and that was told
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpInputStream receiveBuf(long timeout)
            throws InterruptedException, IOException, OtpErlangExit, OtpAuthException {
        return receiveMsg(timeout).buffer();
    }

    /**
     * Waits for the next message.
     *
     * @return the message with what is known of its way
     * @throws IOException if the connection has ended and that was told
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpMsg receiveMsg() throws IOException, OtpErlangExit, OtpAuthException {
        return message(MailboxReceiver.take(inbox, Long.MAX_VALUE));
    }

    /**
     * Waits for the next message within a time.
     *
     * @param timeout milliseconds
     * @return the message with what is known of its way
     * @throws InterruptedException if none came in time, or the thread was interrupted
     * @throws IOException if the connection has ended and that was told
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpMsg receiveMsg(long timeout) throws InterruptedException, IOException, OtpErlangExit, OtpAuthException {
        Object item = inbox.take(TimeUnit.MILLISECONDS.toNanos(timeout));
        if (item == null && connected) {
            throw new InterruptedException("Get operation timed out");
        }
        return message(item);
    }

    private OtpMsg message(Object item) throws IOException, OtpErlangExit, OtpAuthException {
        if (item instanceof OtpMsg message) {
            return message;
        } else if (item instanceof OtpErlangExit exit) {
            throw exit;
        } else if (item instanceof OtpAuthException refused) {
            throw refused;
        } else if (item instanceof IOException failure) {
            throw failure;
        }
        throw new IOException("not connected: node=" + self + " peer=" + peer + (item == null ? "" : " cause=" + item));
    }

    /**
     * Sends a message to a process of the other node.
     *
     * @param to the process
     * @param message the message
     * @throws IOException if there is no connection
     */
    public void send(OtpErlangPid to, OtpErlangObject message) throws IOException {
        sendBuf(to, new OtpOutputStream(message));
    }

    /**
     * Sends a message to a name at the other node.
     *
     * @param to the name
     * @param message the message
     * @throws IOException if there is no connection
     */
    public void send(String to, OtpErlangObject message) throws IOException {
        sendBuf(to, new OtpOutputStream(message));
    }

    /**
     * Sends a message to a name at the other node.
     *
     * @param to the name
     * @param message the message, encoded
     * @throws IOException if there is no connection
     */
    public void sendBuf(String to, OtpOutputStream message) throws IOException {
        sendBuf(self.pid(), to, message);
    }

    /**
     * Sends a message to a process of the other node.
     *
     * @param to the process
     * @param message the message, encoded
     * @throws IOException if there is no connection
     */
    public void sendBuf(OtpErlangPid to, OtpOutputStream message) throws IOException {
        sendBuf(self.pid(), to, message);
    }

    /**
     * Asks the other node to call a function; {@link #receiveRPC} returns the result.
     *
     * @param module the name of the module
     * @param function the name of the function
     * @param arguments the arguments
     * @throws IOException if there is no connection
     */
    public void sendRPC(String module, String function, OtpErlangObject[] arguments) throws IOException {
        sendRPC(module, function, new OtpErlangList(arguments));
    }

    /**
     * Asks the other node to call a function; {@link #receiveRPC} returns the result.
     *
     * @param module the name of the module
     * @param function the name of the function
     * @param arguments the arguments
     * @throws IOException if there is no connection
     */
    public void sendRPC(String module, String function, OtpErlangList arguments) throws IOException {
        OtpErlangObject[] call = {CALL, new OtpErlangAtom(module), new OtpErlangAtom(function), arguments, USER};
        send("rex", new OtpErlangTuple(new OtpErlangObject[] {self.pid(), new OtpErlangTuple(call)}));
    }

    /**
     * Waits for the next message as the result of a call.
     *
     * @return the result, or null where the message is no result of a call
     * @throws IOException if the connection has ended and that was told, or the message is no term
     * @throws OtpErlangExit if an exit signal is next; without a pid and once, if the connection has ended
     * @throws OtpAuthException never; for programs that expect it
     */
    public OtpErlangObject receiveRPC() throws IOException, OtpErlangExit, OtpAuthException {
        return receive() instanceof OtpErlangTuple result
                        && result.arity() == 2
                        && result.elementAt(0).equals(REX)
                ? result.elementAt(1)
                : null;
    }

    /**
     * Links the node's process with one of the other node; its exit is thrown by a {@code receive} method.
     *
     * @param other the process
     * @throws IOException if there is no connection
     */
    public void link(OtpErlangPid other) throws IOException {
        sendLink(self.pid(), other);
    }

    /**
     * Ends a link.
     *
     * @param other the process
     * @throws IOException if there is no connection
     */
    public void unlink(OtpErlangPid other) throws IOException {
        sendUnlink(self.pid(), other, 0);
    }

    /**
     * Sends an exit signal.
     *
     * @param other the process
     * @param reason the reason
     * @throws IOException if there is no connection
     */
    public void exit(OtpErlangPid other, OtpErlangObject reason) throws IOException {
        sendExit2(self.pid(), other, reason);
    }
}
