package com.ericsson.otp.erlang;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.Deflater;

/** A stream that terms are written to in the external term format. Not thread-safe. */
@SuppressWarnings("this-escape") // that constructors check by methods is jinterface's, whose users may subclass this
public class OtpOutputStream extends ByteArrayOutputStream {
    /** The number of bytes that there is room for at first. */
    public static final int defaultInitialSize = 2048;

    /** The number of bytes that room once grew by; it doubles now. */
    public static final int defaultIncrement = 2048;

    private static final int MAX_SMALL = 255;

    /**
     * Creates an empty stream.
     */
    public OtpOutputStream() {
        this(defaultInitialSize);
    }

    /**
     * Creates an empty stream.
     *
     * @param size the number of bytes that there is room for at first
     */
    public OtpOutputStream(int size) {
        super(size);
    }

    /**
     * Creates a stream with a term.
     *
     * @param term the term
     */
    public OtpOutputStream(OtpErlangObject term) {
        this();
        write_any(term);
    }

    /**
     * Returns the number of bytes written.
     *
     * @return the number of bytes
     */
    public int getPos() {
        return count;
    }

    /**
     * Gives up room that is not used.
     */
    public void trimToSize() {
        buf = toByteArray();
    }

    /**
     * Makes room.
     *
     * @param size the number of bytes that there is room for afterwards, with those written
     */
    public void ensureCapacity(int size) {
        if (size > buf.length) {
            buf = Arrays.copyOf(buf, Math.max(size, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * buf.length)));
        }
    }

    /** Makes room for bytes and counts them as written; returns the index of the first. */
    int claim(int bytes) {
        int at = count;
        if (bytes > buf.length - at) {
            ensureCapacity(Math.addExact(at, bytes));
        }
        count = at + bytes;
        return at;
    }

    /**
     * Writes a byte.
     *
     * @param value the byte
     */
    public void write(byte value) {
        int at = claim(1);
        buf[at] = value;
    }

    @Override
    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    @Override
    public synchronized void write(int value) {
        int at = claim(1);
        buf[at] = (byte) value;
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int at = claim(length);
        System.arraycopy(bytes, offset, buf, at, length);
    }

    @Override
    public synchronized void writeTo(OutputStream out) throws IOException {
        out.write(buf, 0, count);
    }

    /**
     * Writes all bytes to another stream and flushes that.
     *
     * @param out the other stream
     * @throws IOException if the other stream fails
     */
    public synchronized void writeToAndFlush(OutputStream out) throws IOException {
        writeTo(out);
        out.flush();
    }

    /**
     * Writes the lowest byte of a number.
     *
     * @param value the number
     */
    public void write1(long value) {
        int at = claim(1);
        buf[at] = (byte) value;
    }

    /**
     * Writes bytes.
     *
     * @param bytes the bytes
     */
    public void writeN(byte[] bytes) {
        int at =
                claim(bytes.length); // without the lock of write(byte[], int, int), which takes longer than a few bytes
        System.arraycopy(bytes, 0, buf, at, bytes.length);
    }

    /**
     * Returns the number of bytes written.
     *
     * @return the number of bytes
     */
    public int length() {
        return count;
    }

    /**
     * Returns the number of bytes written.
     *
     * @return the number of bytes
     */
    public int count() {
        return count;
    }

    /**
     * Writes the lowest two bytes of a number, the highest of them first.
     *
     * @param value the number
     */
    public void write2BE(long value) {
        putBE(claim(2), value, 2);
    }

    /**
     * Writes the lowest four bytes of a number, the highest of them first.
     *
     * @param value the number
     */
    public void write4BE(long value) {
        putBE(claim(4), value, 4);
    }

    /**
     * Writes the lowest eight bytes of a number, the highest of them first.
     *
     * @param value the number
     */
    public void write8BE(long value) {
        putBE(claim(8), value, 8);
    }

    byte[] array() {
        return buf;
    }

    void putBE(int at, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            buf[at + i] = (byte) (value >> ((bytes - 1 - i) * Byte.SIZE));
        }
    }

    /**
     * Writes the lowest bytes of a number, the lowest first.
     *
     * @param value the number
     * @param bytes the number of bytes
     */
    public void writeLE(long value, int bytes) {
        int at = claim(bytes);
        for (int i = 0; i < bytes; i++) {
            buf[at + i] = (byte) (value >> (i * Byte.SIZE));
        }
    }

    /**
     * Writes the lowest two bytes of a number, the lowest of them first.
     *
     * @param value the number
     */
    public void write2LE(long value) {
        writeLE(value, 2);
    }

    /**
     * Writes the lowest four bytes of a number, the lowest of them first.
     *
     * @param value the number
     */
    public void write4LE(long value) {
        writeLE(value, 4);
    }

    /**
     * Writes the lowest eight bytes of a number, the lowest of them first.
     *
     * @param value the number
     */
    public void write8LE(long value) {
        writeLE(value, 8);
    }

    /**
     * Replaces four bytes that were written; does nothing where there are fewer.
     *
     * @param offset the index of the first
     * @param value the number whose lowest four bytes are put there
     */
    public void poke4BE(int offset, long value) {
        if (offset >= 0 && offset <= count - Integer.BYTES) {
            putBE(offset, value, Integer.BYTES);
        }
    }

    /**
     * Writes an atom.
     *
     * @param atom its name, of at most 255 characters; a longer one is refused
     */
    public void write_atom(String atom) {
        TermEncoder.atom(this, atom);
    }

    /**
     * Writes a binary.
     *
     * @param bytes its bytes
     */
    public void write_binary(byte[] bytes) {
        head4(OtpExternal.binTag, bytes.length);
        writeN(bytes);
    }

    void head4(int tag, int number) {
        int at = claim(1 + Integer.BYTES);
        buf[at] = (byte) tag;
        putBE(at + 1, number, Integer.BYTES);
    }

    /**
     * Writes a bit string.
     *
     * @param bytes its bytes
     * @param padBits the number of unused bits in the last byte, from 0 to 7
     */
    public void write_bitstr(byte[] bytes, int padBits) {
        TermEncoder.bits(this, bytes, padBits);
    }

    /**
     * Writes the atom {@code true} or {@code false}.
     *
     * @param value the truth value
     */
    public void write_boolean(boolean value) {
        write_atom(String.valueOf(value));
    }

    /**
     * Writes a byte as an integer from 0 to 255.
     *
     * @param value the byte
     */
    public void write_byte(byte value) {
        write_long(value & 0xff);
    }

    /**
     * Writes a char as an integer.
     *
     * @param value the char
     */
    public void write_char(char value) {
        write_long(value);
    }

    /**
     * Writes a float.
     *
     * @param value its value
     */
    public void write_double(double value) {
        write1(OtpExternal.newFloatTag);
        write8BE(Double.doubleToRawLongBits(value));
    }

    /**
     * Writes a float.
     *
     * @param value its value
     */
    public void write_float(float value) {
        write_double(value);
    }

    /**
     * Writes an integer of any size.
     *
     * @param value its value
     */
    public void write_big_integer(BigInteger value) {
        TermEncoder.integer(this, value);
    }

    /**
     * Writes an integer.
     *
     * @param value its value
     */
    public void write_long(long value) {
        TermEncoder.integer(this, value);
    }

    /**
     * Writes an integer of 64 bits without a sign.
     *
     * @param value its bits
     */
    public void write_ulong(long value) {
        TermEncoder.unsigned(this, value);
    }

    /**
     * Writes an integer.
     *
     * @param value its value
     */
    public void write_int(int value) {
        write_long(value);
    }

    /**
     * Writes an integer of 32 bits without a sign.
     *
     * @param value its bits
     */
    public void write_uint(int value) {
        write_long(value & 0xffffffffL);
    }

    /**
     * Writes an integer.
     *
     * @param value its value
     */
    public void write_short(short value) {
        write_long(value);
    }

    /**
     * Writes an integer of 16 bits without a sign.
     *
     * @param value its bits
     */
    public void write_ushort(short value) {
        write_long(value & 0xffff);
    }

    /**
     * Writes the head of a list, behind which its elements and its tail are written; for 0 the whole empty list.
     *
     * @param arity the number of elements
     */
    public void write_list_head(int arity) {
        if (arity == 0) {
            write_nil();
        } else {
            head4(OtpExternal.listTag, arity);
        }
    }

    /**
     * Writes the empty list.
     */
    public void write_nil() {
        write1(OtpExternal.nilTag);
    }

    /**
     * Writes the head of a tuple, behind which its elements are written.
     *
     * @param arity the number of elements
     */
    public void write_tuple_head(int arity) {
        if (arity <= MAX_SMALL) {
            int at = claim(2);
            buf[at] = OtpExternal.smallTupleTag;
            buf[at + 1] = (byte) arity;
        } else {
            head4(OtpExternal.largeTupleTag, arity);
        }
    }

    /**
     * Writes a pid.
     *
     * @param node the name of the node
     * @param id the number of the process
     * @param serial the count of how often numbers were used up
     * @param creation the number of this life of the node
     */
    public void write_pid(String node, int id, int serial, int creation) {
        TermEncoder.pid(this, node, id, serial, creation);
    }

    /**
     * Writes a pid.
     *
     * @param pid the pid
     */
    public void write_pid(OtpErlangPid pid) {
        write_pid(pid.node(), pid.id(), pid.serial(), pid.creation());
    }

    /**
     * Writes a port.
     *
     * @param node the name of the node
     * @param id the number of the port
     * @param creation the number of this life of the node
     */
    public void write_port(String node, long id, int creation) {
        TermEncoder.port(this, node, id, creation);
    }

    /**
     * Writes a port.
     *
     * @param port the port
     */
    public void write_port(OtpErlangPort port) {
        write_port(port.node(), port.id(), port.creation());
    }

    /**
     * Writes a reference of one number.
     *
     * @param node the name of the node
     * @param id the number
     * @param creation the number of this life of the node
     */
    public void write_ref(String node, int id, int creation) {
        write_ref(node, new int[] {id}, creation);
    }

    /**
     * Writes a reference.
     *
     * @param node the name of the node
     * @param ids the numbers
     * @param creation the number of this life of the node
     */
    public void write_ref(String node, int[] ids, int creation) {
        TermEncoder.ref(this, node, ids, creation);
    }

    /**
     * Writes a reference.
     *
     * @param ref the reference
     */
    public void write_ref(OtpErlangRef ref) {
        write_ref(ref.node(), ref.ids(), ref.creation());
    }

    /**
     * Writes a list of the code points of a text, as bytes where the text is short and in ISO 8859-1.
     *
     * @param text the text
     */
    public void write_string(String text) {
        TermEncoder.string(this, text);
    }

    /**
     * Writes a term compressed, where that makes it shorter.
     *
     * @param term the term
     */
    public void write_compressed(OtpErlangObject term) {
        write_compressed(term, Deflater.DEFAULT_COMPRESSION);
    }

    /**
     * Writes a term compressed, where that makes it shorter.
     *
     * @param term the term
     * @param level the effort of {@link Deflater}, from 0 to 9, or -1
     */
    public void write_compressed(OtpErlangObject term, int level) {
        TermEncoder.compressed(this, term, level);
    }

    /**
     * Writes a term.
     *
     * @param term the term
     */
    public void write_any(OtpErlangObject term) {
        term.encode(this);
    }

    /**
     * Writes a function that was made at a node.
     *
     * @param pid the process that made it
     * @param module the name of the module
     * @param oldIndex the number of the function in the form before R9
     * @param arity the number of arguments; -1 for the form before R9
     * @param md5 the 16 bytes that identify the module's code
     * @param index the number of the function
     * @param uniq the hash of the function's code
     * @param freeVars the values of the free variables
     */
    public void write_fun(
            OtpErlangPid pid,
            String module,
            long oldIndex,
            int arity,
            byte[] md5,
            long index,
            long uniq,
            OtpErlangObject[] freeVars) {
        TermEncoder.fun(this, pid, module, oldIndex, arity, md5, index, uniq, freeVars);
    }

    /**
     * Writes an exported function.
     *
     * @param module the name of the module
     * @param function the name of the function
     * @param arity the number of arguments
     */
    public void write_external_fun(String module, String function, int arity) {
        write1(OtpExternal.externalFunTag);
        write_atom(module);
        write_atom(function);
        write_long(arity);
    }

    /**
     * Writes the head of a map, behind which keys and values are written in turn.
     *
     * @param arity the number of keys
     */
    public void write_map_head(int arity) {
        head4(OtpExternal.mapTag, arity);
    }
}
