package com.ericsson.otp.erlang;

import java.io.IOException;

/** A place where connections are accepted. */
public interface OtpServerTransport {
    /**
     * Returns the number that others connect to.
     *
     * @return the port
     */
    int getLocalPort();

    /**
     * Waits for the next connection.
     *
     * @return the connection
     * @throws IOException if the place was closed, or failed
     */
    OtpTransport accept() throws IOException;

    /**
     * Accepts no more connections; a waiting {@link #accept} ends with an exception.
     *
     * @throws IOException if that failed
     */
    void close() throws IOException;
}
