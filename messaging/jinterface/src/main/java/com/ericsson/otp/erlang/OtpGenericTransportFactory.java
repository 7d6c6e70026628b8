package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.InetAddress;

/** A factory of connections that are not found by hosts and ports: it is asked with the node itself. */
public abstract class OtpGenericTransportFactory implements OtpTransportFactory {
    /** Creates a factory. */
    public OtpGenericTransportFactory() {}

    /**
     * Connects to a node.
     *
     * @param peer the node
     * @return the connection
     * @throws IOException if there is no connection
     */
    public abstract OtpTransport createTransport(OtpPeer peer) throws IOException;

    /**
     * Accepts connections for a node.
     *
     * @param node the node
     * @return the place where connections are accepted
     * @throws IOException if there is none
     */
    public abstract OtpServerTransport createServerTransport(OtpLocalNode node) throws IOException;

    @Override
    public OtpTransport createTransport(String address, int port) throws IOException {
        throw new IOException("transport has no ports: factory=" + getClass().getName());
    }

    @Override
    public OtpTransport createTransport(InetAddress address, int port) throws IOException {
        throw new IOException("transport has no ports: factory=" + getClass().getName());
    }

    @Override
    public OtpServerTransport createServerTransport(int port) throws IOException {
        throw new IOException("transport has no ports: factory=" + getClass().getName());
    }
}
