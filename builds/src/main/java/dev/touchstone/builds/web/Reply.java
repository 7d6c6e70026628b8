package dev.touchstone.builds.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request and its answer. For one thread. */
final class Reply implements AutoCloseable {
    static final String JSON = "application/json";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NUMBER = "[0-9]{1,18}";
    private static final int DRAINED_AT_ONCE = 1 << 10;
    private static final int MAX_DRAINED = 8 << 20;

    private final HttpExchange exchange;
    private final String path;
    private boolean isBegun; // an answer that is sent in pieces, and not whole yet

    Reply(HttpExchange exchange) {
        this.exchange = exchange;
        this.path = String.valueOf(exchange.getRequestURI().getPath());
    }

    Headers headers() {
        return exchange.getRequestHeaders();
    }

    @Nullable
    String header(String name) {
        return headers().getFirst(name);
    }

    String method() {
        return exchange.getRequestMethod();
    }

    String path() {
        return path;
    }

    /** Adds a header to the answer. */
    void set(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
    }

    /** Removes a header of the answer. */
    void remove(String name) {
        exchange.getResponseHeaders().remove(name);
    }

    /**
     * Reads the body.
     *
     * @param most maximum number of bytes
     * @return the bytes; never more than there are, whatever the header says
     * @throws Problem if there are more
     */
    byte[] body(int most) throws IOException, Problem {
        return rest(begin(most, most), most);
    }

    /**
     * Reads the first bytes of the body, or all of it if there are fewer.
     *
     * @param bytes maximum number of bytes that are read
     * @param most maximum number of bytes of the whole body
     * @throws Problem if the header says that there are more
     */
    byte[] begin(int bytes, int most) throws IOException, Problem {
        String length = header("Content-Length");
        if (length != null && (!length.matches(NUMBER) || Long.parseLong(length) > most)) {
            throw tooLarge(length, most);
        }
        return exchange.getRequestBody().readNBytes(bytes);
    }

    /**
     * Reads the rest of the body, and returns it behind what was read before.
     *
     * @throws Problem if there are more bytes than the maximum
     */
    byte[] rest(byte[] first, int most) throws IOException, Problem {
        byte[] rest = exchange.getRequestBody().readNBytes(most + 1 - first.length);
        if (rest.length > most - first.length) {
            throw tooLarge(header("Content-Length"), most);
        }
        byte[] whole = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, whole, first.length, rest.length);
        return whole;
    }

    /** Ends the connection of a request that is being read. Any thread's. */
    void cut() {
        exchange.close();
    }

    private Problem tooLarge(@Nullable String length, int most) {
        set("Connection", "close");
        return Problem.of(
                413,
                "body is too large: expected at most " + most + " bytes",
                Problem.Place.HEADER,
                "Content-Length",
                length);
    }

    /**
     * Returns the query by names.
     *
     * @throws Problem if a name is none of these, or stands twice
     */
    Map<String, String> query(Set<String> names) throws Problem {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!names.contains(name)) {
                throw Problem.of(400, "no such parameter: expected one of " + names, Problem.Place.QUERY, name, value);
            }
            if (query.put(name, value) != null) {
                throw Problem.of(400, "parameter stands twice", Problem.Place.QUERY, name, value);
            }
        }
        return query;
    }

    /**
     * Returns a number.
     *
     * @param text null for the default
     * @throws Problem if it is no number
     */
    static long number(Problem.Place place, String name, @Nullable String text, long byDefault) throws Problem {
        if (text == null) {
            return byDefault;
        }
        if (!text.matches(NUMBER)) {
            throw Problem.of(400, "not a number: expected 1 to 18 digits", place, name, text);
        }
        return Long.parseLong(text);
    }

    /** Answers with a value as JSON. */
    void json(int status, Object value) throws IOException {
        json(status, JSON, value);
    }

    private void json(int status, String type, Object value) throws IOException {
        byte[] bytes = MAPPER.writeValueAsBytes(value);
        send(status, type, bytes, bytes.length);
    }

    /** Answers with a problem. */
    void problem(Problem problem) throws IOException {
        json(problem.status(), Problem.TYPE, problem.toJson());
    }

    /** Returns a value as JSON in one line. */
    static byte[] line(Object value) throws IOException {
        return MAPPER.writeValueAsBytes(value);
    }

    /** Answers with text. */
    void text(int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        send(status, type, bytes, bytes.length);
    }

    /** Answers with bytes. */
    void send(int status, String type, byte[] bytes, int length) throws IOException {
        head(type);
        exchange.sendResponseHeaders(status, length == 0 ? -1 : length);
        if (length > 0) {
            exchange.getResponseBody().write(bytes, 0, length);
            exchange.getResponseBody().flush();
            drain();
        }
    }

    /** Reads what the client still sends, up to a bound: a connection that is closed before takes the answer with it. */
    private void drain() {
        byte[] chunk = new byte[DRAINED_AT_ONCE];
        try {
            InputStream rest = exchange.getRequestBody();
            for (int left = MAX_DRAINED; left > 0; ) {
                int read = rest.read(chunk, 0, Math.min(chunk.length, left));
                if (read < 0) {
                    return;
                }
                left -= read;
            }
        } catch (IOException e) {
            // the answer is sent
        }
    }

    /** Returns whether an answer has begun that is not whole: whatever the handler throws now ends the connection. */
    boolean isBegun() {
        return isBegun;
    }

    /** Ends the exchange; an answer that is not whole is left to the server, since this would end it as if it were. */
    @Override
    public void close() {
        if (!isBegun) {
            exchange.close();
        }
    }

    /** Begins an answer whose length is not known; the caller closes the stream when, and only when, the answer is whole. */
    OutputStream stream(String type) throws IOException {
        head(type);
        exchange.sendResponseHeaders(200, 0);
        isBegun = true;
        return new FilterOutputStream(exchange.getResponseBody()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                isBegun = false;
                super.close();
            }
        };
    }

    private void head(String type) {
        set("Content-Type", type);
        set("Cache-Control", "no-store");
        set("X-Content-Type-Options", "nosniff");
        set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'");
    }
}
