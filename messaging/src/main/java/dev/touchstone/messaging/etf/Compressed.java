package dev.touchstone.messaging.etf;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The encoding of compressed terms, {@link Tag#COMPRESSED}: the number of bytes they are inflated to, and a zlib stream that must give
 * exactly these.
 */
final class Compressed {
    /** Length of version, tag and inflated size, in bytes. */
    static final int HEADER_BYTES = 6;

    /** Bytes that one byte of a deflated stream can become: a little more than the 1032 that zlib's format allows. */
    private static final int MAX_INFLATION = 1100;

    private static final int FIRST_BYTES = 64 << 10;

    private Compressed() {}

    /** Inflates the bytes after the tag, and passes them. Allocates memory only as bytes come out. */
    static byte[] inflate(Input in, DecodeLimits limits) {
        int start = in.position;
        int size = in.i32();
        if (size < 0 || size > limits.maxInflatedBytes()) {
            throw new TermLimitException("maxInflatedBytes", Integer.toUnsignedLong(size), limits.maxInflatedBytes());
        }
        if (size > (long) in.remaining() * MAX_INFLATION) {
            throw new MalformedTermException(
                    "too few compressed bytes for the inflated size: size=" + size + " left=" + in.remaining(), start);
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(in.buffer, in.position, in.remaining());
            byte[] inflated = inflate(inflater, size);
            if (inflated.length != size || !inflater.finished()) {
                throw new MalformedTermException("compressed term is not inflated to its size: size=" + size, start);
            }
            in.position = in.end - inflater.getRemaining();
            return inflated;
        } catch (DataFormatException e) {
            throw new MalformedTermException("compressed term is not a zlib stream: cause=" + e.getMessage(), start, e);
        } finally {
            inflater.end();
        }
    }

    /** Inflates at most one byte more than {@code size}. */
    private static byte[] inflate(Inflater inflater, int size) throws DataFormatException {
        long most = size + 1L;
        byte[] out = new byte[(int) Math.min(FIRST_BYTES, most)];
        int at = 0;
        for (; ; ) {
            int more = inflater.inflate(out, at, out.length - at);
            at += more;
            if (inflater.finished() || at == most || (more == 0 && at < out.length)) {
                return at == out.length ? out : Arrays.copyOf(out, at);
            }
            if (at == out.length) {
                out = Arrays.copyOf(out, (int) Math.min(2L * at, most));
            }
        }
    }

    /** Writes version, tag, size and stream. Returns false where that would not be shorter than {@code length} bytes and a version. */
    static boolean deflate(TermWriter out, byte[] term, int offset, int length, int level) {
        Deflater deflater = new Deflater(level);
        try {
            deflater.setInput(term, offset, length);
            deflater.finish();
            byte[] deflated = new byte[Math.max(0, length - HEADER_BYTES + 1)];
            int bytes = deflater.deflate(deflated);
            if (!deflater.finished()) {
                return false;
            }
            out.writeVersion();
            out.putByte(Tag.COMPRESSED);
            out.putInt(length);
            out.putBytes(deflated, 0, bytes);
            return true;
        } finally {
            deflater.end();
        }
    }
}
