package dev.touchstone.builds;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A connection that says whatever HTTP/2 frames a test wants. For one thread. */
final class RawHttp2 implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int CONTINUATION = 9;
    static final int END_HEADERS = 4;
    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int PADDED = 8;

    private final Socket socket;

    /** Connects and says nothing. */
    RawHttp2(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Sends what each connection begins with. */
    void begin() throws IOException {
        send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    /** Sends bytes that may be no frame. */
    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        send(ByteBuffer.allocate(9 + payload.length)
                .putShort((short) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array());
    }

    /** Returns the header block (RFC 7541) of a call with a token. */
    static byte[] call(String token) {
        return call("/touchstone.builds.v1.Clients/Session", token);
    }

    /** Returns the header block of a call of a method with a token. */
    static byte[] call(String path, String token) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x83); // POST
        block.write(0x86); // http
        field(block, ":path", path);
        field(block, "content-type", "application/grpc");
        field(block, "te", "trailers");
        field(block, "authorization", "Bearer " + token);
        return block.toByteArray();
    }

    /** Adds a field that is not indexed. */
    static void field(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        for (String text : new String[] {name, value}) {
            block.write(text.length()); // less than 127
            block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Returns whether the other end has closed the connection, after it has read and answered what is there; waits for a moment. */
    boolean isClosed() throws IOException {
        socket.setSoTimeout(1);
        try {
            byte[] bytes = new byte[9];
            while (true) {
                int first = socket.getInputStream().read();
                if (first < 0) {
                    return true;
                }
                socket.setSoTimeout(10_000);
                bytes[0] = (byte) first;
                read(bytes, 1);
                byte[] payload = new byte[(bytes[0] & 0xff) << 16 | (bytes[1] & 0xff) << 8 | (bytes[2] & 0xff)];
                read(payload, 0);
                if (bytes[3] == PING && bytes[4] == 0) {
                    send(PING, ACK, 0, payload);
                }
                socket.setSoTimeout(1);
            }
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns once a header block of the stream has come. */
    void awaitHeaders(int stream) throws IOException {
        socket.setSoTimeout(120_000);
        byte[] frame = new byte[9];
        do {
            read(frame, 0);
            read(new byte[(frame[0] & 0xff) << 16 | (frame[1] & 0xff) << 8 | (frame[2] & 0xff)], 0);
        } while (frame[3] != HEADERS || ByteBuffer.wrap(frame).getInt(5) != stream);
    }

    private void read(byte[] into, int from) throws IOException {
        int got = socket.getInputStream().readNBytes(into, from, into.length - from);
        if (got < into.length - from) {
            throw new IOException("the connection has ended in a frame");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
