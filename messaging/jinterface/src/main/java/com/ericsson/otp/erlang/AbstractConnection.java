package com.ericsson.otp.erlang;

import dev.touchstone.messaging.spi.MailboxAccess;
import dev.touchstone.messaging.term.Atom;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Random;

/**
 * A connection of a node of this program to another.
 *
 * <p>The messaging node shakes hands, reads and writes. So this thread is never started, the fields for the socket and the cookie have no
 * meaning, trace levels print nothing, and methods that were steps of the protocol throw an {@link UnsupportedOperationException}.
 */
public abstract class AbstractConnection extends Thread {
    /** Bytes that there was room for in a header. */
    protected static final int headerLen = 2048;

    /** First byte of a frame. */
    protected static final byte passThrough = 0x70;

    /** Version of the external term format. */
    protected static final byte version = (byte) 0x83;

    /** Operation of a link. */
    protected static final int linkTag = 1;

    /** Operation of a message to a pid. */
    protected static final int sendTag = 2;

    /** Operation of an exit of a linked process. */
    protected static final int exitTag = 3;

    /** Operation of an end of a link in the old form. */
    protected static final int unlinkTag = 4;

    /** Operation of a message to a name. */
    protected static final int regSendTag = 6;

    /** Operation of a new group leader. */
    protected static final int groupLeaderTag = 7;

    /** Operation of an exit signal. */
    protected static final int exit2Tag = 8;

    /** Operation of a message to a pid, with a trace token. */
    protected static final int sendTTTag = 12;

    /** Operation of an exit of a linked process, with a trace token. */
    protected static final int exitTTTag = 13;

    /** Operation of a message to a name, with a trace token. */
    protected static final int regSendTTTag = 16;

    /** Operation of an exit signal, with a trace token. */
    protected static final int exit2TTTag = 18;

    /** Operation of an end of a link. */
    protected static final int unlinkIdTag = 35;

    /** Operation of the answer to an end of a link. */
    protected static final int unlinkIdAckTag = 36;

    /** Tag of a handshake's challenge and digest. */
    protected static final int ChallengeReply = 114;

    /** Tag of a handshake's last digest. */
    protected static final int ChallengeAck = 97;

    /** Tag of a handshake's status. */
    protected static final int ChallengeStatus = 115;

    private static final int MAX_TRACE_LEVEL = 4;

    /** True while the connection is there. */
    protected volatile boolean connected;

    /** Null; the messaging node has the socket. */
    protected OtpTransport socket;

    /** The node at the other end. */
    protected OtpPeer peer;

    /** The node at this end. */
    protected OtpLocalNode localNode;

    /** True once the nodes know each other. */
    protected boolean cookieOk;

    /** Unused; cookies were sent in messages long ago. */
    protected boolean sendCookie;

    /** The trace level, which has no effect. */
    protected int traceLevel;

    /** The trace level of new connections. */
    protected static int defaultLevel;

    /** The trace level from which messages were printed. */
    protected static int sendThreshold = 1;

    /** The trace level from which control messages were printed. */
    protected static int ctrlThreshold = 2;

    /** The trace level from which handshakes were printed. */
    protected static int handshakeThreshold = 3;

    /** A source of random numbers. */
    protected static Random random = new SecureRandom();

    private int flags;

    /**
     * Throws an exception: the messaging node accepts connections itself.
     *
     * @param self the node of this program
     * @param transport the transport
     * @throws IOException always
     * @throws OtpAuthException never
     */
    protected AbstractConnection(OtpLocalNode self, OtpTransport transport) throws IOException, OtpAuthException {
        throw new IOException("connections are accepted by the node itself: node=" + self);
    }

    /**
     * Connects a node of this program to another.
     *
     * @param self the node of this program
     * @param other the other node
     * @throws IOException if there is no connection
     * @throws OtpAuthException if a node refused the other
     */
    @SuppressWarnings("this-escape") // to the setter of its own thread only
    protected AbstractConnection(OtpLocalNode self, OtpPeer other) throws IOException, OtpAuthException {
        this(self, other, true);
        self.engine().connect(other.node());
    }

    /** Creates a connection that is there. */
    @SuppressWarnings("this-escape") // to the setter of its own thread only
    AbstractConnection(OtpLocalNode self, OtpPeer other, boolean connected) {
        localNode = self;
        peer = other;
        traceLevel = defaultLevel;
        cookieOk = connected;
        this.connected = connected;
        setDaemon(true);
    }

    /** Returns the mailbox that messages are sent from. */
    MailboxAccess box() throws IOException {
        throw new IOException("connection has no mailbox: peer=" + peer);
    }

    private static UnsupportedOperationException hook(String name) {
        return new UnsupportedOperationException(
                "method is not supported, since the messaging node does its work: method=" + name);
    }

    private void checkConnected() throws IOException {
        if (!connected) {
            throw new IOException("not connected: node=" + localNode + " peer=" + peer);
        }
    }

    /**
     * Delivers an exception to the program.
     *
     * @param exception the exception, which a {@code receive} method throws
     */
    public abstract void deliver(Exception exception);

    /**
     * Delivers a message to the program.
     *
     * @param message the message
     */
    public abstract void deliver(OtpMsg message);

    /**
     * Sends a message to a name at the other node.
     *
     * @param from the sender
     * @param to the name
     * @param payload the message, encoded
     * @throws IOException if there is no connection
     */
    protected void sendBuf(OtpErlangPid from, String to, OtpOutputStream payload) throws IOException {
        checkConnected();
        byte[] message = withoutVersion(payload);
        box().send(Atom.of(to), Atom.of(peer.node()), message, message.length);
    }

    /**
     * Sends a message to a process of the other node.
     *
     * @param from the sender
     * @param to the process
     * @param payload the message, encoded
     * @throws IOException if there is no connection
     */
    protected void sendBuf(OtpErlangPid from, OtpErlangPid to, OtpOutputStream payload) throws IOException {
        checkConnected();
        byte[] message = withoutVersion(payload);
        box().send(to.ours(), message, message.length);
    }

    private static byte[] withoutVersion(OtpOutputStream payload) {
        byte[] bytes = payload.toByteArray();
        boolean versioned = bytes.length > 0 && bytes[0] == version;
        return versioned ? java.util.Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    /**
     * Links the node's process with one of the other node.
     *
     * @param from the node's process
     * @param to the other process
     * @throws IOException if there is no connection
     */
    protected void sendLink(OtpErlangPid from, OtpErlangPid to) throws IOException {
        checkConnected();
        box().link(to.ours());
    }

    /**
     * Ends a link.
     *
     * @param from the node's process
     * @param to the other process
     * @param unlinkId not used; the messaging node counts
     * @throws IOException if there is no connection
     */
    protected void sendUnlink(OtpErlangPid from, OtpErlangPid to, long unlinkId) throws IOException {
        checkConnected();
        box().unlink(to.ours());
    }

    /**
     * Does nothing; the messaging node answers ends of links itself.
     *
     * @param from the node's process
     * @param to the other process
     * @param unlinkId the number of the end
     * @throws IOException never
     */
    protected void sendUnlinkAck(OtpErlangPid from, OtpErlangPid to, long unlinkId) throws IOException {}

    /**
     * Sends an exit signal.
     *
     * @param from the node's process
     * @param to the other process
     * @param reason the reason
     * @throws IOException if there is no connection
     */
    protected void sendExit(OtpErlangPid from, OtpErlangPid to, OtpErlangObject reason) throws IOException {
        sendExit2(from, to, reason);
    }

    /**
     * Sends an exit signal.
     *
     * @param from the node's process
     * @param to the other process
     * @param reason the reason
     * @throws IOException if there is no connection
     */
    protected void sendExit2(OtpErlangPid from, OtpErlangPid to, OtpErlangObject reason) throws IOException {
        checkConnected();
        box().exit(to.ours(), Terms.toOurs(reason));
    }

    /** Does nothing; the messaging node reads. */
    @Override
    public void run() {}

    /**
     * Sets the trace level, which has no effect.
     *
     * @param level a number; one outside of 0 to 4 is taken to its nearer end
     * @return the level before
     */
    public int setTraceLevel(int level) {
        int before = traceLevel;
        traceLevel = Math.max(0, Math.min(level, MAX_TRACE_LEVEL));
        return before;
    }

    /**
     * Returns the trace level.
     *
     * @return the level
     */
    public int getTraceLevel() {
        return traceLevel;
    }

    /** Ends the connection. One that has ended is passed over, whether or not the nodes have another by now. */
    public void close() {
        if (!connected) {
            return;
        }
        connected = false;
        localNode.engine().disconnect(peer.node());
    }

    /**
     * Does nothing; close a connection.
     *
     * @deprecated not called
     */
    @Deprecated
    @Override
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {}

    /**
     * Returns whether the connection is there.
     *
     * @return whether it has not ended
     */
    public boolean isConnected() {
        return connected;
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param header the control message, not used
     * @param payload the message, not used
     * @throws IOException never
     */
    protected synchronized void do_send(OtpOutputStream header, OtpOutputStream payload) throws IOException {
        throw hook("do_send");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param header the control message, not used
     * @throws IOException never
     */
    protected synchronized void do_send(OtpOutputStream header) throws IOException {
        throw hook("do_send");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param header the control message, not used
     * @return nothing
     */
    protected String headerType(OtpErlangObject header) {
        throw hook("headerType");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param transport the transport, not used
     * @param target takes the bytes, not used
     * @return nothing
     * @throws IOException never
     */
    protected int readSock(OtpTransport transport, byte[] target) throws IOException {
        throw hook("readSock");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected void doAccept() throws IOException, OtpAuthException {
        throw hook("doAccept");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param port the port, not used
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected void doPortConnect(int port) throws IOException, OtpAuthException {
        throw hook("doPortConnect");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected void doConnect() throws IOException, OtpAuthException {
        throw hook("doConnect");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected void doGenericConnect() throws IOException, OtpAuthException {
        throw hook("doGenericConnect");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @return nothing
     */
    protected static int genChallenge() {
        throw hook("genChallenge");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param challenge the challenge, not used
     * @param cookie the cookie, not used
     * @return nothing
     */
    protected byte[] genDigest(int challenge, String cookie) {
        throw hook("genDigest");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param distribution the version, not used
     * @param flags the flags, not used
     * @param creation the creation, not used
     * @return nothing
     * @throws IOException never
     */
    protected int sendName(int distribution, long flags, int creation) throws IOException {
        throw hook("sendName");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param peerFlags the peer's flags, not used
     * @param flags the flags, not used
     * @param challenge the challenge, not used
     * @throws IOException never
     */
    protected void sendChallenge(long peerFlags, long flags, int challenge) throws IOException {
        throw hook("sendChallenge");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @return nothing
     * @throws IOException never
     * @throws OtpErlangDecodeException never
     */
    protected byte[] read2BytePackage() throws IOException, OtpErlangDecodeException {
        throw hook("read2BytePackage");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param from the peer, not used
     * @return nothing
     * @throws IOException never
     */
    protected int recvName(OtpPeer from) throws IOException {
        throw hook("recvName");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @return nothing
     * @throws IOException never
     */
    protected int recvChallenge() throws IOException {
        throw hook("recvChallenge");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param challenge the challenge, not used
     * @param digest the digest, not used
     * @throws IOException never
     */
    protected void sendChallengeReply(int challenge, byte[] digest) throws IOException {
        throw hook("sendChallengeReply");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param challenge the challenge, not used
     * @return nothing
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected int recvChallengeReply(int challenge) throws IOException, OtpAuthException {
        throw hook("recvChallengeReply");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param digest the digest, not used
     * @throws IOException never
     */
    protected void sendChallengeAck(byte[] digest) throws IOException {
        throw hook("sendChallengeAck");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param challenge the challenge, not used
     * @throws IOException never
     * @throws OtpAuthException never
     */
    protected void recvChallengeAck(int challenge) throws IOException, OtpAuthException {
        throw hook("recvChallengeAck");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @param status the status, not used
     * @throws IOException never
     */
    protected void sendStatus(String status) throws IOException {
        throw hook("sendStatus");
    }

    /**
     * Throws an exception: the messaging node does this itself.
     *
     * @throws IOException never
     */
    protected void recvStatus() throws IOException {
        throw hook("recvStatus");
    }

    /**
     * Sets a number that {@link #getFlags} returns; it has no effect.
     *
     * @param value the number
     */
    public void setFlags(int value) {
        flags = value;
    }

    /**
     * Returns the number that was set.
     *
     * @return the number
     */
    public int getFlags() {
        return flags;
    }
}
