package dev.touchstone.harness.paced;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * A histogram as text: HdrHistogram's own compressed form (version 2) in Base64, which its other tools read. What is read may come from anywhere:
 * nothing is believed of its size.
 *
 * <pre>
 * compressed: cookie(4) length(4) deflated
 * inflated:   cookie(4) length of counts(4) index offset(4) digits(4) lowest(8) highest(8) ratio(8) counts
 * </pre>
 */
public final class HistogramText {
    private static final int COMPRESSED_HEADER = 8;
    private static final int HEADER = 40;
    private static final int LENGTH_AT = 4;
    private static final int DIGITS_AT = 12;
    private static final int LOWEST_AT = 16;
    private static final int HIGHEST_AT = 24;
    /** A count of each bucket takes nine bytes at most, and ours have fewer than 35 000 buckets. */
    private static final int MAX_INFLATED = HEADER + 9 * 35_000;

    private static final int MAX_CHARS = 4 * MAX_INFLATED / 3;

    private HistogramText() {}

    /** Returns the histogram as compressed Base64 text, without a line break. */
    public static String of(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /** Reads it. @throws IllegalArgumentException if it is not the text of a histogram as this package makes them */
    public static Histogram read(String text) {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "histogram: expected at most " + MAX_CHARS + " characters, got " + text.length());
        }
        byte[] inflated = inflate(Base64.getDecoder().decode(text));
        ByteBuffer header = ByteBuffer.wrap(inflated);
        long highest = header.getLong(HIGHEST_AT);
        if (header.getInt(DIGITS_AT) != Caller.DIGITS
                || header.getLong(LOWEST_AT) != 1
                || highest != Caller.LONGEST_NANOS
                || header.getInt(LENGTH_AT) != inflated.length - HEADER) {
            throw new IllegalArgumentException("histogram: expected " + Caller.DIGITS + " digits of 1.."
                    + Caller.LONGEST_NANOS + " ns, got " + header.getInt(DIGITS_AT) + " of " + header.getLong(LOWEST_AT)
                    + ".." + highest);
        }
        try {
            return Histogram.decodeFromByteBuffer(ByteBuffer.wrap(inflated), Caller.LONGEST_NANOS);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("histogram: " + e.getMessage(), e);
        }
    }

    private static byte[] inflate(byte[] compressed) {
        if (compressed.length <= COMPRESSED_HEADER) {
            throw new IllegalArgumentException("histogram: got " + compressed.length + " bytes");
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(compressed, COMPRESSED_HEADER, compressed.length - COMPRESSED_HEADER);
            byte[] room = new byte[MAX_INFLATED];
            int length = inflater.inflate(room);
            if (!inflater.finished() || length < HEADER) {
                throw new IllegalArgumentException("histogram: torn, or longer than any, at " + length + " bytes");
            }
            return Arrays.copyOf(room, length);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("histogram: " + e.getMessage(), e);
        } finally {
            inflater.end();
        }
    }
}
