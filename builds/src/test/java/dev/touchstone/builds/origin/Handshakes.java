package dev.touchstone.builds.origin;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes of WebSocket connections whose ends a test holds itself. */
final class Handshakes {
    private Handshakes() {}

    /** Does the handshake of a client, and reads the answer's header. */
    static void open(Socket socket, String token, String identity) throws IOException {
        String header = "GET /connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://localhost\r\n"
                + "X-Meeko-Token: " + token + "\r\nX-Meeko-Identity: " + identity + "\r\n\r\n";
        socket.getOutputStream().write(header.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("handshake is refused: " + answer);
            }
            answer.append((char) next);
        }
        if (!answer.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("handshake is refused: " + answer);
        }
    }

    /** Returns the frame of a binary message, as a client sends it. */
    static byte[] masked(ByteBuffer message) {
        int length = message.remaining();
        ByteBuffer frame = ByteBuffer.allocate(length + 8).put((byte) 0x82);
        if (length < 126) {
            frame.put((byte) (0x80 | length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) length);
        }
        frame.putInt(0).put(message);
        byte[] bytes = new byte[frame.position()];
        frame.flip().get(bytes);
        return bytes;
    }

    /** Returns the bytes that come until the other end closes. */
    static int readToEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (SocketException e) {
            return 0; // reset
        }
    }

    /** Writes the same bytes until the other end closes. */
    static void writeUntilClosed(Socket socket, byte[] bytes) {
        try {
            while (true) {
                socket.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            // closed
        }
    }
}
