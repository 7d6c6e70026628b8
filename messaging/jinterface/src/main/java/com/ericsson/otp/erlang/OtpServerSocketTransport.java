package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** A place where connections over TCP are accepted: at loopback, unless {@code touchstone.jinterface.listen} names another address. */
public class OtpServerSocketTransport implements OtpServerTransport {
    private static final int BACKLOG = 50;

    private final ServerSocket socket;

    /**
     * Listens at a port.
     *
     * @param port the port; 0 for any that is free
     * @throws IOException if the port cannot be had
     */
    public OtpServerSocketTransport(int port) throws IOException {
        socket = new ServerSocket(port, BACKLOG, Listening.address());
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public OtpTransport accept() throws IOException {
        Socket accepted = socket.accept();
        accepted.setTcpNoDelay(true);
        return new OtpSocketTransport(accepted);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
