package com.ericsson.otp.erlang;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;

/** A connection over TCP. */
public class OtpSocketTransport implements OtpTransport {
    private final Socket socket;

    /**
     * Connects to a port of a host.
     *
     * @param address the name or the address of the host
     * @param port the port
     * @throws UnknownHostException if there is no such host
     * @throws IOException if there is no connection
     */
    public OtpSocketTransport(String address, int port) throws UnknownHostException, IOException {
        this(InetAddress.getByName(address), port);
    }

    /**
     * Connects to a port of a host.
     *
     * @param address the address of the host
     * @param port the port
     * @throws UnknownHostException never; for programs that expect it
     * @throws IOException if there is no connection
     */
    public OtpSocketTransport(InetAddress address, int port) throws UnknownHostException, IOException {
        socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
    }

    /**
     * Creates a connection of a socket.
     *
     * @param socket a socket that is connected
     */
    public OtpSocketTransport(Socket socket) {
        this.socket = socket;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return socket.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
