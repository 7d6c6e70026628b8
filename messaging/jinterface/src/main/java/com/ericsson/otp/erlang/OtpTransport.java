package com.ericsson.otp.erlang;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A connection that carries bytes both ways. */
public interface OtpTransport {
    /**
     * Returns the stream of the bytes that come in.
     *
     * @return the stream, the same at each call
     * @throws IOException if the connection failed
     */
    InputStream getInputStream() throws IOException;

    /**
     * Returns the stream for the bytes that go out.
     *
     * @return the stream, the same at each call
     * @throws IOException if the connection failed
     */
    OutputStream getOutputStream() throws IOException;

    /**
     * Ends the connection; reads that wait end too.
     *
     * @throws IOException if that failed
     */
    void close() throws IOException;
}
