package com.ericsson.otp.erlang;

import dev.touchstone.messaging.term.Ref;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A node of this program. */
public class OtpLocalNode extends AbstractNode {
    /** The port that other nodes connect to; 0 before the node listens. */
    protected int port;

    /** The connection to the port mapper that keeps the node registered; null where it is not. */
    protected OtpTransport epmd;

    private Engine engine;
    private int ports;

    /**
     * Creates a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     */
    protected OtpLocalNode(String node) {
        super(node);
    }

    /**
     * Creates a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @param factory makes the connections
     */
    protected OtpLocalNode(String node, OtpTransportFactory factory) {
        super(node, factory);
    }

    /**
     * Creates a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     */
    protected OtpLocalNode(String node, String cookie) {
        super(node, cookie);
    }

    /**
     * Creates a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param factory makes the connections
     */
    protected OtpLocalNode(String node, String cookie, OtpTransportFactory factory) {
        super(node, cookie, factory);
    }

    /** Starts the node behind this one. */
    synchronized Engine listen(int atPort) throws IOException {
        engine = Engine.start(this, atPort);
        port = engine.port();
        return engine;
    }

    synchronized Engine engine() {
        try {
            return engine == null ? listen(0) : engine;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start: node=" + node(), e);
        }
    }

    @Override
    synchronized void cookieChanged() {
        if (engine != null) {
            engine.cookieChanged();
        }
    }

    /**
     * Returns the port that other nodes connect to.
     *
     * @return the port; 0 before the node listens
     */
    public int port() {
        return port;
    }

    /**
     * Keeps the connection that makes the port mapper know the node.
     *
     * @param connection the connection, or null
     */
    protected void setEpmd(OtpTransport connection) {
        epmd = connection;
    }

    /**
     * Returns the connection that makes the port mapper know the node.
     *
     * @return the connection, or null
     */
    protected OtpTransport getEpmd() {
        return epmd;
    }

    /**
     * Creates a pid that no mailbox has.
     *
     * @return the pid
     */
    public synchronized OtpErlangPid createPid() {
        return new OtpErlangPid(engine().access().newPid());
    }

    /**
     * Creates a port that was not created before.
     *
     * @return the port
     */
    public synchronized OtpErlangPort createPort() {
        return new OtpErlangPort(node(), ++ports, engine().creation());
    }

    /**
     * Creates a reference that was not created before.
     *
     * @return the reference
     */
    public synchronized OtpErlangRef createRef() {
        Ref made = engine().access().newRef();
        return (OtpErlangRef) Terms.fromOurs(made);
    }
}
