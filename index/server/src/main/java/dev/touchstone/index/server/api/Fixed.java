package dev.touchstone.index.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A handler whose answer never changes. */
final class Fixed implements Handler {
    private final int status;
    private final ContentType type;
    private final byte[] content;

    private Fixed(int status, ContentType type, byte[] content) {
        this.status = status;
        this.type = type;
        this.content = content;
    }

    static Handler text(int status, String line) {
        return new Fixed(status, ContentType.TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a handler that answers with a resource of the package of this class. */
    static Handler resource(ContentType type, String name) {
        return new Fixed(200, type, read(name));
    }

    /** Returns the bytes of a resource of the package of this class. */
    static byte[] read(String name) {
        try (InputStream in = Fixed.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource is missing: name=" + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        answer.status(status);
        answer.type(type);
        answer.put(content);
    }
}
