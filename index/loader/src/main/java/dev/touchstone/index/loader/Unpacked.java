package dev.touchstone.index.loader;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A stream that decompresses gzip and passes on everything else unchanged. Gzip is recognised by its first two bytes, which no text in UTF-8 begins
 * with. Nothing is read before the first call of {@code read}. Not thread-safe.
 */
final class Unpacked extends InputStream {
    private static final int MAGIC_1 = 0x1F;
    private static final int MAGIC_2 = 0x8B;
    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream source;
    private final long maxBytes;
    private @Nullable InputStream content; // null before the first read
    private boolean isPacked;
    private long count; // decompressed bytes that were passed on

    /**
     * Creates a stream.
     *
     * @param source stream to read from, closed with this stream
     * @param maxBytes maximum number of bytes that gzip may decompress to; text that is not compressed has no limit
     */
    Unpacked(InputStream source, long maxBytes) {
        this.source = source;
        this.maxBytes = maxBytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /**
     * Reads up to {@code length} bytes.
     *
     * @return number of bytes, or -1 at the end
     * @throws LoadException if the compressed data is damaged, or decompresses to more bytes than allowed
     * @throws IOException if the source cannot be read
     */
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            if (content == null) {
                content = open();
            }
            int read = content.read(target, offset, length);
            count += Math.max(read, 0);
            if (read < 0 && content instanceof Members members) {
                members.requireEnd();
            }
            if (isPacked && count > maxBytes) {
                throw new LoadException(
                        "gzip holds more bytes than maxUnpackedBytes=" + maxBytes
                                + "; split the file, or raise maxUnpackedBytes",
                        null);
            }
            return read;
        } catch (ZipException | EOFException e) {
            throw new LoadException(
                    "gzip is damaged: unpackedBytes=" + count + " reason=" + e.getMessage()
                            + "; copy or compress the file again",
                    e);
        }
    }

    private InputStream open() throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(source, BUFFER_BYTES);
        buffered.mark(2);
        isPacked = buffered.read() == MAGIC_1 && buffered.read() == MAGIC_2;
        buffered.reset();
        return isPacked ? new Members(buffered) : buffered;
    }

    /** The members of a file of gzip, one after the other. The library takes what is no member as the end, a damaged head too. */
    private static final class Members extends GZIPInputStream {
        private static final int TRAILER_BYTES = 8;

        private final InputStream source;

        Members(InputStream source) throws IOException {
            super(source, BUFFER_BYTES);
            this.source = source;
        }

        /** Checks that nothing is behind the trailer of the last member; the stream must be at its end. */
        void requireEnd() throws IOException {
            if (inf.getRemaining() > TRAILER_BYTES || source.read() >= 0) {
                throw new ZipException("bytes behind the end of the compressed data");
            }
        }
    }

    @Override
    public void close() throws IOException {
        source.close();
        if (isPacked && content != null) {
            content.close(); // releases the memory of the decompressor
        }
    }
}
