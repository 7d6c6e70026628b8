package com.ericsson.otp.erlang;

import java.io.IOException;
import java.net.InetAddress;

/** The address at which nodes accept connections. */
final class Listening {
    private static final String PROPERTY = "touchstone.jinterface.listen";

    private Listening() {}

    /** Returns loopback, or the address that the system property names, such as {@code 0.0.0.0}. */
    static InetAddress address() throws IOException {
        String named = System.getProperty(PROPERTY, "");
        return named.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(named);
    }
}
