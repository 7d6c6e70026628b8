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
 * A buffer that grows, and a writer of terms to it: complete ones, or part by part. Writes the bytes that Erlang's
 * {@code term_to_binary} does. Not thread-safe; made to be used again and again, with {@code position(0)}.
 *
 * <p>Every method that writes throws a {@link TermTooLargeException} where the buffer may not grow any more.
 */
public final class TermWriter {
    /** Most bytes of a writer whose constructor is given no other number: 64 MiB. */
    public static final int DEFAULT_MAX_BYTES = 64 << 20;

    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final int MAX_SMALL = 255;
    private static final int NEW_PORT_ID_BITS = 28;
    /** Most bytes of an integer that fits a {@code long}. */
    static final int LONG_BYTES = 3 + Long.BYTES; // as SMALL_BIG

    private final int maxBytes;
    private int limit; // at most maxBytes
    private final Encoder encoder = new Encoder(this);
    private byte[] buffer;
    private int position;

    /**
     * Makes an empty writer of at most {@link #DEFAULT_MAX_BYTES}.
     *
     * @param capacity bytes at first, 0 or more
     * @throws IllegalArgumentException if the capacity is negative or above that limit
     */
    public TermWriter(int capacity) {
        this(capacity, DEFAULT_MAX_BYTES);
    }

    /**
     * Makes an empty writer.
     *
     * @param capacity bytes at first, 0 or more
     * @param maxBytes most bytes that may be written
     * @throws IllegalArgumentException if the capacity is negative or above {@code maxBytes}
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

    /**
     * Encodes a term with a version byte before it.
     *
     * @param term the term
     * @return a new array
     * @throws TermTooLargeException if that takes more than {@link #DEFAULT_MAX_BYTES}
     */
    public static byte[] encode(Term term) {
        TermWriter out = new TermWriter(128);
        out.writeVersion();
        out.write(term);
        return Arrays.copyOf(out.buffer, out.position);
    }

    /**
     * Encodes a term with a version byte before it, compressed where that makes it shorter.
     *
     * @param term the term
     * @param level from 0 to 9, or -1 for the default, as in {@link java.util.zip.Deflater}
     * @return a new array
     * @throws TermTooLargeException if the term takes more than {@link #DEFAULT_MAX_BYTES} uncompressed
     */
    public static byte[] encodeCompressed(Term term, int level) {
        byte[] plain = encode(term);
        TermWriter out = new TermWriter(plain.length);
        return Compressed.deflate(out, plain, 1, plain.length - 1, level)
                ? Arrays.copyOf(out.buffer, out.position)
                : plain;
    }

    /**
     * Returns the buffer, which holds the written bytes up to {@link #position}.
     *
     * @return the array itself, until it has to grow
     */
    public byte[] array() {
        return buffer;
    }

    /**
     * Returns the position of the next byte to write.
     *
     * @return index in {@link #array}
     */
    public int position() {
        return position;
    }

    /**
     * Goes back, or forth over bytes that are left as they are.
     *
     * @param newPosition index in {@link #array}, which grows if need be
     * @throws IllegalArgumentException if the position is negative
     */
    public void position(int newPosition) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position is negative: expected>=0 got=" + newPosition);
        }
        if (newPosition > buffer.length) {
            grow(newPosition - position);
        }
        position = newPosition;
    }

    /**
     * Makes room: {@link #array} stays the same while so many bytes are written.
     *
     * @param bytes 0 or more
     */
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

    /**
     * Puts one byte.
     *
     * @param value the lowest 8 bits count
     */
    public void putByte(int value) {
        ensure(1);
        buffer[position++] = (byte) value;
    }

    /**
     * Puts two bytes, big-endian.
     *
     * @param value the lowest 16 bits count
     */
    public void putShort(int value) {
        ensure(2);
        SHORTS.set(buffer, position, (short) value);
        position += 2;
    }

    /**
     * Puts four bytes, big-endian.
     *
     * @param value the number
     */
    public void putInt(int value) {
        ensure(4);
        INTS.set(buffer, position, value);
        position += 4;
    }

    /**
     * Puts four bytes, big-endian, over bytes that were written before; the position stays.
     *
     * @param at index in {@link #array}
     * @param value the number
     */
    public void putIntAt(int at, int value) {
        INTS.set(buffer, at, value);
    }

    /**
     * Puts eight bytes, big-endian.
     *
     * @param value the number
     */
    public void putLong(long value) {
        ensure(8);
        LONGS.set(buffer, position, value);
        position += 8;
    }

    /**
     * Puts bytes as they are.
     *
     * @param source array that holds the bytes
     * @param offset index of the first byte
     * @param length bytes to put
     */
    public void putBytes(byte[] source, int offset, int length) {
        ensure(length);
        System.arraycopy(source, offset, buffer, position, length);
        position += length;
    }

    /** Leaves room for bytes that the caller puts into {@link #array}; returns the index of the first. */
    int reserve(int bytes) {
        ensure(bytes);
        int at = position;
        position = at + bytes;
        return at;
    }

    /** Goes to the end of bytes that the caller has put into {@link #array}. */
    void advance(int to) {
        position = to;
    }

    /** Writes the version byte, which stands before a term that is stored or sent by itself. */
    public void writeVersion() {
        putByte(Tag.VERSION);
    }

    /**
     * Writes a term of any depth, without a version byte.
     *
     * @param term the term
     */
    public void write(Term term) {
        encoder.write(term);
    }

    /**
     * Writes an atom, in UTF-8.
     *
     * @param atom the atom
     */
    public void writeAtom(Atom atom) {
        int at = reserve(atom.encodedLength());
        atom.copyEncoded(buffer, at);
    }

    /**
     * Writes an integer, in the shortest encoding.
     *
     * @param value any value
     */
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

    /** Puts an integer where there may not be room for the longest one; returns the index after it. */
    private int putAtEnd(long value) {
        byte[] bytes = new byte[LONG_BYTES];
        putBytes(bytes, 0, put(bytes, 0, value));
        return position;
    }

    /** Puts an integer in at most {@link #LONG_BYTES}; returns the index after it. */
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
        long magnitude = Math.abs(value); // unsigned, for Long.MIN_VALUE
        int length = Long.BYTES - (Long.numberOfLeadingZeros(magnitude) >> 3);
        to[at] = Tag.SMALL_BIG;
        to[at + 1] = (byte) length;
        to[at + 2] = (byte) (value < 0 ? 1 : 0);
        for (int i = 0; i < length; i++) {
            to[at + 3 + i] = (byte) (magnitude >>> (8 * i));
        }
        return at + 3 + length;
    }

    /**
     * Writes a float.
     *
     * @param value a finite number
     * @throws IllegalArgumentException for NaN and the infinities, which Erlang does not have
     */
    public void writeDouble(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a finite number: value=" + value);
        }
        int at = reserve(9);
        buffer[at] = Tag.NEW_FLOAT;
        LONGS.set(buffer, at + 1, Double.doubleToRawLongBits(value));
    }

    /**
     * Writes a pid.
     *
     * @param pid the pid
     */
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

    /**
     * Writes a port, as {@link Tag#NEW_PORT} where its number has at most 28 bits.
     *
     * @param port the port
     */
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

    /**
     * Writes a reference.
     *
     * @param ref the reference
     */
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

    /**
     * Writes a binary.
     *
     * @param source array that holds its bytes
     * @param offset index of the first byte
     * @param length bytes of the binary
     */
    public void writeBinary(byte[] source, int offset, int length) {
        writeHeader(Tag.BINARY, length);
        putBytes(source, offset, length);
    }

    /**
     * Begins a tuple; its elements are to be written next.
     *
     * @param arity number of elements, 0 or more
     */
    public void writeTupleHeader(int arity) {
        if (arity > MAX_SMALL) {
            writeHeader(Tag.LARGE_TUPLE, arity);
            return;
        }
        int at = reserve(2);
        buffer[at] = Tag.SMALL_TUPLE;
        buffer[at + 1] = (byte) arity;
    }

    /**
     * Begins a list; its elements are to be written next, and then its tail: see {@link #writeNil}.
     *
     * @param length number of elements, 1 or more
     */
    public void writeListHeader(int length) {
        writeHeader(Tag.LIST, length);
    }

    /** Writes the empty list, which is also the tail of each proper list. */
    public void writeNil() {
        putByte(Tag.NIL);
    }

    /**
     * Begins a map; its entries are to be written next, each as a key, different from the others, and a value.
     *
     * @param size number of entries, 0 or more
     */
    public void writeMapHeader(int size) {
        writeHeader(Tag.MAP, size);
    }

    /** Writes a tag, and a number of 32 bits. */
    void writeHeader(int tag, int count) {
        int at = reserve(5);
        buffer[at] = (byte) tag;
        INTS.set(buffer, at + 1, count);
    }
}
