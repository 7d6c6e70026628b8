package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.InetAddress;

/** The factory of connections over TCP, which nodes use unless they are given another. */
public class OtpSocketTransportFactory implements OtpTransportFactory {
    /** Creates a factory. */
    public OtpSocketTransportFactory() {}

    @Override
    public OtpTransport createTransport(String address, int port) throws IOException {
        return new OtpSocketTransport(address, port);
    }

    @Override
    public OtpTransport createTransport(InetAddress address, int port) throws IOException {
        return new OtpSocketTransport(address, port);
    }

    @Override
    public OtpServerTransport createServerTransport(int port) throws IOException {
        return new OtpServerSocketTransport(port);
    }
}
