package dev.touchstone.queue.log;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The JDK's deflate, without zlib's frame. Immutable.
 *
 * @param level level from 1, the fastest, to 9, the shortest
 */
public record DeflateCodec(int level) implements BlockCodec {
    /** Compresses at the fastest level, and decompresses blocks of every level. */
    public static final DeflateCodec FASTEST = new DeflateCodec(Deflater.BEST_SPEED);

    @Override
    public int id() {
        return 1;
    }

    @Override
    public byte[] compress(byte[] block) {
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(block);
            deflater.finish();
            byte[] chunk = new byte[block.length];
            ByteArrayOutputStream out = new ByteArrayOutputStream(block.length / 2);
            while (!deflater.finished()) {
                out.write(chunk, 0, deflater.deflate(chunk));
            }
            return out.toByteArray();
        } finally {
            deflater.end(); // native memory that does not wait for a collection
        }
    }

    @Override
    public byte[] decompress(byte[] compressed, int bytes) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(compressed);
            byte[] block = new byte[bytes];
            int count = inflater.inflate(block);
            if (count != bytes) {
                throw new IllegalArgumentException("deflated bytes: expected=" + bytes + " got=" + count);
            }
            return block;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("deflated bytes are malformed: expected=" + bytes, e);
        } finally {
            inflater.end();
        }
    }
}
