package dev.touchstone.index.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A handler whose answer never changes. */
final class Fixed implements Handler {
    private final ContentType type;
    private final byte[] content;

    private Fixed(ContentType type, byte[] content) {
        this.type = type;
        this.content = content;
    }

    /** Returns a handler that answers with a resource of the package of this class. */
    static Handler resource(ContentType type, String name) {
        return new Fixed(type, read(name));
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
        answer.type(type);
        answer.put(content);
    }
}
