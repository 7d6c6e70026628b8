package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Port;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer that grows, and terms written to it: whole ones, or part by part. Writes what Erlang's {@code term_to_binary} does. Not
 * thread-safe; made to be used again and again, with {@code position(0)}.
 */
public final class TermWriter {
    /** The most bytes where the constructor is not told another number. */
    public static final int DEFAULT_MAX_BYTES = 64 << 20;

    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final int MAX_SMALL = 255;
    private static final int NEW_PORT_ID_BITS = 28;
    /** The most bytes of an integer that fits a {@code long}. */
    static final int LONG_BYTES = 3 + Long.BYTES; // as SMALL_BIG

    private final int maxBytes;
    private int limit; // maxBytes at first
    private final Encoder encoder = new Encoder(this);
    private byte[] buffer;
    private int position;

    public TermWriter(int capacity) {
        this(capacity, DEFAULT_MAX_BYTES);
    }

    /**
     * @param capacity bytes at first
     * @param maxBytes the most bytes that may be written
     */
    public TermWriter(int capacity, int maxBytes) {
        if (capacity < 0 || maxBytes < capacity) {
            throw new IllegalArgumentException(
                    "capacity is out of range: capacity=" + capacity + "; expected=0.." + maxBytes);
        }
        this.maxBytes = maxBytes;
        this.limit = maxBytes;
        this.buffer = new byte[capacity];
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    /** The term behind a version byte. */
    public static byte[] encode(Term term) {
        TermWriter out = new TermWriter(128);
        out.writeVersion();
        out.write(term);
        return Arrays.copyOf(out.buffer, out.position);
    }

    /**
     * As {@link #encode}, compressed where that makes it shorter.
     *
     * @param level from 0 to 9, or -1: as of {@link java.util.zip.Deflater}
     */
    public static byte[] encodeCompressed(Term term, int level) {
        byte[] plain = encode(term);
        TermWriter out = new TermWriter(plain.length);
        return Compressed.deflate(out, plain, 1, plain.length - 1, level)
                ? Arrays.copyOf(out.buffer, out.position)
                : plain;
    }

    /** What has been written, up to {@link #position}: the array itself, until it has to grow. */
    public byte[] array() {
        return buffer;
    }

    public int position() {
        return position;
    }

    /** Goes back, or forth over bytes that are left as they are. */
    public void position(int newPosition) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position is negative: expected>=0 got=" + newPosition);
        }
        if (newPosition > buffer.length) {
            grow(newPosition - position);
        }
        position = newPosition;
    }

    /** Makes room: {@link #array} stays the same while {@code bytes} are written. */
    public void ensure(int bytes) {
        if (bytes > buffer.length - position) {
            grow(bytes);
        }
    }

    /**
     * Sets where the buffer ends to grow: a writer of many terms can so refuse one that is too large before it is all written.
     *
     * @param bytes the largest position that the buffer may grow to, at most what the constructor was told; bytes for which there is room
     *     anyway are written beyond it as well
     */
    public void limit(int bytes) {
        limit = Math.min(bytes, maxBytes);
    }

    private void grow(int bytes) {
        long needed = (long) position + bytes;
        if (bytes < 0 || needed > limit) {
            throw new TermTooLargeException(needed, limit);
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(Math.max(needed, 2L * buffer.length), maxBytes));
    }

    public void putByte(int value) {
        ensure(1);
        buffer[position++] = (byte) value;
    }

    public void putShort(int value) {
        ensure(2);
        SHORTS.set(buffer, position, (short) value);
        position += 2;
    }

    public void putInt(int value) {
        ensure(4);
        INTS.set(buffer, position, value);
        position += 4;
    }

    /** Puts a number where there are already bytes. */
    public void putIntAt(int at, int value) {
        INTS.set(buffer, at, value);
    }

    public void putLong(long value) {
        ensure(8);
        LONGS.set(buffer, position, value);
        position += 8;
    }

    public void putBytes(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, buffer, position, length);
        position += length;
    }

    /** Leaves room for bytes that the caller puts into {@link #array}: where they begin. */
    int reserve(int bytes) {
        ensure(bytes);
        int at = position;
        position = at + bytes;
        return at;
    }

    /** Goes to where the caller has put bytes up to, in {@link #array}. */
    void advance(int to) {
        position = to;
    }

    public void writeVersion() {
        putByte(Tag.VERSION);
    }

    /** Writes a term of any depth. */
    public void write(Term term) {
        encoder.write(term);
    }

    public void writeAtom(Atom atom) {
        int at = reserve(atom.encodedLength());
        atom.copyEncoded(buffer, at);
    }

    public void writeInt(long value) {
        position = buffer.length - position >= LONG_BYTES ? put(buffer, position, value) : putAtEnd(value);
    }

    /** Writes the integers of a packed list, one after the other. */
    void writeInts(ErlList packed) {
        int size = packed.size();
        int i = 0;
        while (i < size) {
            int end = Math.min(size, i + (buffer.length - position) / LONG_BYTES);
            byte[] to = buffer;
            int at = position;
            while (i < end) {
                at = put(to, at, packed.longAt(i++));
            }
            position = at;
            if (i < size) {
                writeInt(packed.longAt(i++)); // makes room
            }
        }
    }

    /** As {@link #put}, where there may not be room for the longest integer. */
    private int putAtEnd(long value) {
        byte[] bytes = new byte[LONG_BYTES];
        putBytes(bytes, 0, put(bytes, 0, value));
        return position;
    }

    /** Puts an integer in at most {@link #LONG_BYTES}: where it ends. */
    static int put(byte[] to, int at, long value) {
        if ((value & ~0xffL) == 0) {
            to[at] = Tag.SMALL_INTEGER;
            to[at + 1] = (byte) value;
            return at + 2;
        }
        if (value == (int) value) {
            to[at] = Tag.INTEGER;
            INTS.set(to, at + 1, (int) value);
            return at + 5;
        }
        long magnitude = Math.abs(value); // of the least long, unsigned
        int length = Long.BYTES - (Long.numberOfLeadingZeros(magnitude) >> 3);
        to[at] = Tag.SMALL_BIG;
        to[at + 1] = (byte) length;
        to[at + 2] = (byte) (value < 0 ? 1 : 0);
        for (int i = 0; i < length; i++) {
            to[at + 3 + i] = (byte) (magnitude >>> (8 * i));
        }
        return at + 3 + length;
    }

    /** Writes a finite number. */
    public void writeDouble(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a finite number: value=" + value);
        }
        int at = reserve(9);
        buffer[at] = Tag.NEW_FLOAT;
        LONGS.set(buffer, at + 1, Double.doubleToRawLongBits(value));
    }

    public void writePid(Pid pid) {
        Atom node = pid.node();
        int length = node.encodedLength();
        int start = reserve(1 + length + 12);
        byte[] to = buffer;
        to[start] = Tag.NEW_PID;
        node.copyEncoded(to, start + 1);
        int at = start + 1 + length;
        INTS.set(to, at, pid.id());
        INTS.set(to, at + 4, pid.serial());
        INTS.set(to, at + 8, pid.creation());
    }

    public void writePort(Port port) {
        boolean small = port.id() >>> NEW_PORT_ID_BITS == 0;
        putByte(small ? Tag.NEW_PORT : Tag.V4_PORT);
        writeAtom(port.node());
        if (small) {
            putInt((int) port.id());
        } else {
            putLong(port.id());
        }
        putInt(port.creation());
    }

    public void writeRef(Ref ref) {
        int count = ref.idCount();
        putByte(Tag.NEWER_REFERENCE);
        putShort(count);
        writeAtom(ref.node());
        int at = reserve(4 + 4 * count);
        INTS.set(buffer, at, ref.creation());
        for (int i = 0; i < count; i++) {
            INTS.set(buffer, at + 4 + 4 * i, ref.id(i));
        }
    }

    public void writeBinary(byte[] source, int offset, int length) {
        writeHeader(Tag.BINARY, length);
        putBytes(source, offset, length);
    }

    /** Begins a tuple: its elements are to be written next. */
    public void writeTupleHeader(int arity) {
        if (arity > MAX_SMALL) {
            writeHeader(Tag.LARGE_TUPLE, arity);
            return;
        }
        int at = reserve(2);
        buffer[at] = Tag.SMALL_TUPLE;
        buffer[at + 1] = (byte) arity;
    }

    /** Begins a list of {@code length} elements, 1 at least: these are to be written next, and then the tail, {@link #writeNil}. */
    public void writeListHeader(int length) {
        writeHeader(Tag.LIST, length);
    }

    /** Writes the empty list, which is also the tail of each proper list. */
    public void writeNil() {
        putByte(Tag.NIL);
    }

    /** Begins a map: {@code size} times a key, different ones, and its value are to be written next. */
    public void writeMapHeader(int size) {
        writeHeader(Tag.MAP, size);
    }

    /** A tag, and a number of 32 bits. */
    void writeHeader(int tag, int count) {
        int at = reserve(5);
        buffer[at] = (byte) tag;
        INTS.set(buffer, at + 1, count);
    }
}
