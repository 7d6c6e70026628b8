package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.UnknownHostException;

/** A node elsewhere. */
public class OtpPeer extends AbstractNode {
    /**
     * Creates the name of a node; nothing is connected.
     *
     * @param node its name; without a host that of this machine is added
     */
    public OtpPeer(String node) {
        super(node);
    }

    /**
     * Creates the name of a node; nothing is connected.
     *
     * @param node its name; without a host that of this machine is added
     * @param factory makes the connections
     */
    public OtpPeer(String node, OtpTransportFactory factory) {
        super(node, factory);
    }

    /**
     * Connects a node of this program to this one.
     *
     * @param self the node of this program
     * @return the connection
     * @throws IOException if there is no connection
     * @throws UnknownHostException if the host is unknown
     * @throws OtpAuthException if a node refused the other
     * @deprecated use {@link OtpSelf#connect}
     */
    @Deprecated
    public OtpConnection connect(OtpSelf self) throws IOException, UnknownHostException, OtpAuthException {
        return self.connect(this);
    }
}
