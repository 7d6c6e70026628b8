package dev.touchstone.index.table;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;

/** A text for each row, contiguous in UTF-8; in the heap or in a mapped file. Immutable and thread-safe. */
public final class TextColumn {
    private final IntBuffer ends;
    private final ByteBuffer bytes;

    /** Creates a column of the texts that end at given offsets. */
    public TextColumn(IntBuffer ends, ByteBuffer bytes) {
        this.ends = ends;
        this.bytes = bytes;
    }

    /** Returns the text of a row. */
    public String get(int row) {
        byte[] text = utf8(row);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Returns whether the text of a row has no characters. */
    public boolean isEmpty(int row) {
        return ends.get(row) == from(row);
    }

    /** Returns whether the texts are in a mapped file. */
    public boolean isMapped() {
        return bytes.isDirect();
    }

    private int from(int row) {
        return row == 0 ? 0 : ends.get(row - 1);
    }

    /** Returns the bytes of a text, in a new array. */
    public byte[] utf8(int row) {
        int from = from(row);
        byte[] text = new byte[ends.get(row) - from];
        bytes.get(from, text);
        return text;
    }

    /** Returns the offset behind each text, as a view. */
    public IntBuffer ends() {
        return ends.duplicate().rewind();
    }

    /** Returns the bytes of all texts, as a view. */
    public ByteBuffer bytes() {
        return bytes.duplicate().rewind();
    }
}
