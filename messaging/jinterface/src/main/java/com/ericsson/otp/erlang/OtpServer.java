package com.ericsson.otp.erlang;

import java.io.IOException;

/**
 * A node that accepts connections.
 *
 * @deprecated {@link OtpSelf} does all that this does
 */
@Deprecated
public class OtpServer extends OtpSelf {
    /**
     * Starts a node with the name and the cookie of another, at a port of its own.
     *
     * @param self the other node
     * @throws IOException if it cannot listen
     */
    public OtpServer(OtpSelf self) throws IOException {
        super(self.node(), self.cookie());
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @throws IOException if it cannot listen
     */
    public OtpServer(String node, String cookie) throws IOException {
        super(node, cookie);
    }

    /**
     * Starts a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param port the port that it listens at; 0 for any that is free
     * @throws IOException if it cannot listen
     */
    public OtpServer(String node, String cookie, int port) throws IOException {
        super(node, cookie, port);
    }
}
