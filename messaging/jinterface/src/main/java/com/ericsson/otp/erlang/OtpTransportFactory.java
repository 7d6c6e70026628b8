package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.InetAddress;

/** Makes the connections of nodes, those to the port mapper included. */
public interface OtpTransportFactory {
    /**
     * Connects to a port of a host.
     *
     * @param address the name or the address of the host
     * @param port the port
     * @return the connection
     * @throws IOException if there is no connection
     */
    OtpTransport createTransport(String address, int port) throws IOException;

    /**
     * Connects to a port of a host.
     *
     * @param address the address of the host
     * @param port the port
     * @return the connection
     * @throws IOException if there is no connection
     */
    OtpTransport createTransport(InetAddress address, int port) throws IOException;

    /**
     * Accepts connections at a port.
     *
     * @param port the port; 0 for any that is free
     * @return the place where connections are accepted
     * @throws IOException if the port cannot be had
     */
    OtpServerTransport createServerTransport(int port) throws IOException;
}
