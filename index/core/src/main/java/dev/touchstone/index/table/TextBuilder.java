package dev.touchstone.index.table;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A builder that collects the texts of a {@link TextColumn}. Not thread-safe. */
public final class TextBuilder {
    private int[] ends = new int[16];
    private byte[] bytes = new byte[256];
    private int rows;
    private int used;

    /**
     * Adds the text of the next row.
     *
     * @throws IllegalStateException if all texts together do not fit into an array
     */
    public void add(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (used > Integer.MAX_VALUE - 16 - utf8.length) {
            throw new IllegalStateException("texts of one offering are larger than 2 GiB: rows=" + rows);
        }
        if (used + utf8.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(used + utf8.length, (int)
                    Math.min(bytes.length * 2L, Integer.MAX_VALUE - 16)));
        }
        System.arraycopy(utf8, 0, bytes, used, utf8.length);
        used += utf8.length;
        if (rows == ends.length) {
            ends = Arrays.copyOf(ends, rows * 2);
        }
        ends[rows++] = used;
    }

    /** Returns a column of the texts that were added. */
    public TextColumn build() {
        return new TextColumn(IntBuffer.wrap(Arrays.copyOf(ends, rows)), ByteBuffer.wrap(Arrays.copyOf(bytes, used)));
    }
}
