package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.MemoryBudget;
import dev.touchstone.index.server.api.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Methods that compress answers where it pays. Stateless. */
final class Gzip {
    /** Minimum length of an answer that is compressed in bytes: a shorter one fits into one packet or two anyway. */
    static final int MIN_BYTES = 2 << 10;

    private static final int BUFFER_BYTES = 8 << 10;

    private Gzip() {}

    /** A stream that compresses as fast as possible. */
    private static final class FastStream extends GZIPOutputStream {
        FastStream(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Returns whether a client takes compressed answers, by the value of its header {@code Accept-Encoding}, which may be null. */
    static boolean isAccepted(@Nullable String accepted) {
        if (accepted == null) {
            return false;
        }
        boolean isAny = false;
        for (String item : accepted.split(",", -1)) {
            String[] words = item.split(";", -1);
            String coding = words[0].strip();
            boolean isTaken = words.length < 2 || !words[1].replace(" ", "").matches("[qQ]=0(\\.0*)?");
            if (coding.equalsIgnoreCase("gzip")) {
                return isTaken;
            }
            isAny |= coding.equals("*") && isTaken;
        }
        return isAny;
    }

    /**
     * Compresses an answer if it is long, if there is room for the compressed bytes, and if they are at least an eighth fewer.
     *
     * @param room shared memory budget
     */
    static void pack(Response answer, MemoryBudget room) {
        int size = answer.size();
        if (size < MIN_BYTES || !room.take(size)) {
            return;
        }
        try {
            ByteArrayOutputStream packed = new ByteArrayOutputStream(size / 4);
            try (FastStream stream = new FastStream(packed)) {
                stream.write(answer.bytes(), 0, size);
            }
            if (packed.size() <= size - size / 8) {
                answer.pack(packed.toByteArray());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never thrown, because both ends are in memory
        } finally {
            room.give(size);
        }
    }
}
