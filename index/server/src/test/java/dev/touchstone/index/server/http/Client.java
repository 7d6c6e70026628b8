package dev.touchstone.index.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends what it is told, byte for byte. */
public final class Client implements Closeable {
    private final Socket socket;
    private final InputStream in;

    /** What came back. */
    public record Reply(int status, Map<String, String> headers, String body) {}

    public Client(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(30_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    public static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    public static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nhost: localhost\r\n\r\n";
    }

    public Client send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public Reply ask(String text) throws IOException {
        return send(text).read();
    }

    /** The first line of an answer. */
    public String readHead() throws IOException {
        return line();
    }

    /** Whether the server has closed. */
    public boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true; // without looking at all that was sent
        }
    }

    /** All that comes until the server closes. */
    public void readAll(StringBuilder into) throws IOException {
        into.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = in.read(); one != '\n'; one = in.read()) {
            if (one < 0) {
                throw new EOFException("connection ended: line=" + line);
            }
            line.write(one);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    public Reply read() throws IOException {
        return readRest(Integer.parseInt(line().substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())));
    }

    /** The rest of an answer whose first line was read. */
    public Reply readRest(int status) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (headers.containsKey("transfer-encoding")) {
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                body.write(in.readNBytes(size));
                line();
            }
            line();
        } else if (status != 100) {
            body.write(in.readNBytes(Integer.parseInt(headers.get("content-length"))));
        }
        return new Reply(status, headers, body.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
