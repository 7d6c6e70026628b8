package com.ericsson.otp.erlang;

import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * A stream that reads terms in the external term format.
 *
 * <p>Bytes that are no term give an {@link OtpErlangDecodeException}, also where other implementations of this package end in another
 * exception or an error: no array is made that is longer than the bytes that are left, and terms that are nested deeper than 1,000 levels
 * are refused.
 */
public class OtpInputStream extends ByteArrayInputStream {
    /** Flag: a list is read as a string where all elements are code points. */
    public static int DECODE_INT_LISTS_AS_STRINGS = 1;

    final int flags;
    int depth; // of the terms that are being read

    /**
     * Creates a stream of all bytes of an array, which is not copied.
     *
     * @param buf the array
     */
    public OtpInputStream(byte[] buf) {
        this(buf, 0);
    }

    /**
     * Creates a stream of all bytes of an array, which is not copied.
     *
     * @param buf the array
     * @param flags 0 or {@link #DECODE_INT_LISTS_AS_STRINGS}
     */
    public OtpInputStream(byte[] buf, int flags) {
        super(buf);
        this.flags = flags;
    }

    /**
     * Creates a stream of a part of an array, which is not copied.
     *
     * @param buf the array
     * @param offset the index of the first byte
     * @param length the number of bytes
     * @param flags 0 or {@link #DECODE_INT_LISTS_AS_STRINGS}
     */
    public OtpInputStream(byte[] buf, int offset, int length, int flags) {
        super(buf, offset, length);
        this.flags = flags;
    }

    /**
     * Returns the index of the next byte in the array.
     *
     * @return the position
     */
    public int getPos() {
        return pos;
    }

    /**
     * Moves to a byte of the array. A position outside of it is taken to its nearer end.
     *
     * @param position the index of the byte that is read next
     * @return the position before
     */
    public int setPos(int position) {
        int before = pos;
        pos = Math.max(0, Math.min(position, count));
        return before;
    }

    /**
     * Reads bytes into an array.
     *
     * @param target the array
     * @return the number of bytes read: as many as the array has, or as are left
     * @throws OtpErlangDecodeException if there are none
     */
    public int readN(byte[] target) throws OtpErlangDecodeException {
        return readN(target, 0, target.length);
    }

    /**
     * Reads bytes into a part of an array.
     *
     * @param target the array
     * @param offset the index of the first
     * @param length the number of bytes at most
     * @return the number of bytes read
     * @throws OtpErlangDecodeException if bytes are wanted and there are none
     */
    public int readN(byte[] target, int offset, int length) throws OtpErlangDecodeException {
        if (length == 0) {
            return 0;
        }
        require(1);
        return read(target, offset, length);
    }

    /**
     * Returns the next byte without moving.
     *
     * @return the byte, from 0 to 255
     * @throws OtpErlangDecodeException if there is none
     */
    public int peek() throws OtpErlangDecodeException {
        return peek1();
    }

    /**
     * Returns the next byte without moving.
     *
     * @return the byte, from 0 to 255
     * @throws OtpErlangDecodeException if there is none
     */
    public int peek1() throws OtpErlangDecodeException {
        require(1);
        return buf[pos] & 0xff;
    }

    /**
     * Passes a version byte if there is one, and returns the byte behind it without moving further.
     *
     * @return the byte, from 0 to 255
     * @throws OtpErlangDecodeException if there is none
     */
    public int peek1skip_version() throws OtpErlangDecodeException {
        if (peek1() == OtpExternal.versionTag) {
            pos++;
        }
        return peek1();
    }

    /**
     * Reads a byte.
     *
     * @return the byte, from 0 to 255
     * @throws OtpErlangDecodeException if there is none
     */
    public int read1() throws OtpErlangDecodeException {
        require(1);
        return buf[pos++] & 0xff;
    }

    /**
     * Reads a byte, and if that is a version the byte behind it.
     *
     * @return the byte, from 0 to 255
     * @throws OtpErlangDecodeException if there is none
     */
    public int read1skip_version() throws OtpErlangDecodeException {
        peek1skip_version();
        return read1();
    }

    private void require(int bytes) throws OtpErlangDecodeException {
        if (bytes > count - pos) {
            throw new OtpErlangDecodeException("Cannot read from input stream");
        }
    }

    /** Checks a number of elements, of which each takes some bytes, against the bytes that are left. */
    int checked(int elements, int minBytes) throws OtpErlangDecodeException {
        if (elements < 0 || (long) elements * minBytes > count - pos) {
            throw new OtpErlangDecodeException("Cannot read from input stream: elements=" + (elements & 0xffffffffL)
                    + " bytes left=" + (count - pos));
        }
        return elements;
    }

    byte[] readBytes(int length) throws OtpErlangDecodeException {
        byte[] bytes = Arrays.copyOfRange(buf, pos, pos + checked(length, 1));
        pos += length;
        return bytes;
    }

    String text(int length, Charset charset) throws OtpErlangDecodeException {
        pos += checked(length, 1);
        return new String(buf, pos - length, length, charset);
    }

    /** Inflates the bytes that follow, to exactly so many. */
    byte[] inflate(int size) throws OtpErlangDecodeException {
        Deflated deflated = new Deflated(buf, pos, count - pos, size);
        pos += deflated.consumed();
        return deflated.bytes();
    }

    /**
     * Reads two bytes, the high one first.
     *
     * @return a number from 0 to 65535
     * @throws OtpErlangDecodeException if there are fewer
     */
    public int read2BE() throws OtpErlangDecodeException {
        return (int) readBE(Short.BYTES);
    }

    /**
     * Reads four bytes, the highest first.
     *
     * @return the number, with its sign
     * @throws OtpErlangDecodeException if there are fewer
     */
    public int read4BE() throws OtpErlangDecodeException {
        require(Integer.BYTES);
        int value = buf[pos] << 24 | (buf[pos + 1] & 0xff) << 16 | (buf[pos + 2] & 0xff) << 8 | (buf[pos + 3] & 0xff);
        pos += Integer.BYTES;
        return value;
    }

    /**
     * Reads eight bytes, the highest first.
     *
     * @return the number, with its sign
     * @throws OtpErlangDecodeException if there are fewer
     */
    public long read8BE() throws OtpErlangDecodeException {
        return readBE(Long.BYTES);
    }

    /**
     * Reads two bytes, the low one first.
     *
     * @return a number from 0 to 65535
     * @throws OtpErlangDecodeException if there are fewer
     */
    public int read2LE() throws OtpErlangDecodeException {
        return (int) readLE(Short.BYTES);
    }

    /**
     * Reads four bytes, the lowest first.
     *
     * @return the number, with its sign
     * @throws OtpErlangDecodeException if there are fewer
     */
    public int read4LE() throws OtpErlangDecodeException {
        return (int) readLE(Integer.BYTES);
    }

    /**
     * Reads bytes, the lowest first.
     *
     * @param bytes the number of bytes; of more than eight the lowest count
     * @return the number, which has a sign only where eight bytes are read
     * @throws OtpErlangDecodeException if there are fewer
     */
    public long readLE(int bytes) throws OtpErlangDecodeException {
        require(bytes);
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << Byte.SIZE | (buf[pos + i] & 0xff);
        }
        pos += bytes;
        return value;
    }

    /**
     * Reads bytes, the highest first.
     *
     * @param bytes the number of bytes; of more than eight the lowest count
     * @return the number, which has a sign only where eight bytes are read
     * @throws OtpErlangDecodeException if there are fewer
     */
    public long readBE(int bytes) throws OtpErlangDecodeException {
        require(bytes);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << Byte.SIZE | (buf[pos++] & 0xff);
        }
        return value;
    }

    /**
     * Reads an atom as a truth value.
     *
     * @return whether the atom is {@code true}
     * @throws OtpErlangDecodeException if no atom is next
     */
    public boolean read_boolean() throws OtpErlangDecodeException {
        return Boolean.parseBoolean(read_atom());
    }

    /**
     * Reads an atom. One that is too long is refused; other implementations of this package cut it off.
     *
     * @return its name
     * @throws OtpErlangDecodeException if no atom is next
     */
    public String read_atom() throws OtpErlangDecodeException {
        return TermDecoder.atom(this);
    }

    /**
     * Reads a binary.
     *
     * @return its bytes
     * @throws OtpErlangDecodeException if no binary is next
     */
    public byte[] read_binary() throws OtpErlangDecodeException {
        TermDecoder.expect(read1skip_version(), OtpExternal.binTag);
        return readBytes(read4BE());
    }

    /**
     * Reads a bit string whose last byte may be incomplete; a binary is none.
     *
     * @param padBits takes the number of unused bits of the last byte, at index 0
     * @return its bytes
     * @throws OtpErlangDecodeException if no bit string is next
     */
    public byte[] read_bitstr(int[] padBits) throws OtpErlangDecodeException {
        return TermDecoder.bits(this, padBits);
    }

    /**
     * Reads a float.
     *
     * @return its value, rounded to a float of Java
     * @throws OtpErlangDecodeException if no float is next
     */
    public float read_float() throws OtpErlangDecodeException {
        return (float) read_double();
    }

    /**
     * Reads a float.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no float is next
     */
    public double read_double() throws OtpErlangDecodeException {
        return TermDecoder.decimal(this);
    }

    /**
     * Reads an integer that a byte can hold.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public byte read_byte() throws OtpErlangDecodeException {
        return (byte) TermDecoder.ranged(this, Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
    }

    /**
     * Reads an integer that a char can hold.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public char read_char() throws OtpErlangDecodeException {
        return (char) TermDecoder.unsigned(this, Character.MAX_VALUE, "char");
    }

    /**
     * Reads an integer of 32 bits without a sign.
     *
     * @return its bits
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public int read_uint() throws OtpErlangDecodeException {
        return (int) TermDecoder.unsigned(this, 0xffffffffL, "uint");
    }

    /**
     * Reads an integer that an int can hold.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public int read_int() throws OtpErlangDecodeException {
        return (int) TermDecoder.ranged(this, Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
    }

    /**
     * Reads an integer of 16 bits without a sign.
     *
     * @return its bits
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public short read_ushort() throws OtpErlangDecodeException {
        return (short) TermDecoder.unsigned(this, 0xffff, "ushort");
    }

    /**
     * Reads an integer that a short can hold.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public short read_short() throws OtpErlangDecodeException {
        return (short) TermDecoder.ranged(this, Short.MIN_VALUE, Short.MAX_VALUE, "short");
    }

    /**
     * Reads an integer of 64 bits without a sign.
     *
     * @return its bits
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public long read_ulong() throws OtpErlangDecodeException {
        return read_long(true);
    }

    /**
     * Reads an integer that a long can hold.
     *
     * @return its value
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public long read_long() throws OtpErlangDecodeException {
        return read_long(false);
    }

    /**
     * Reads an integer of 64 bits.
     *
     * @param unsigned whether it has no sign
     * @return its bits
     * @throws OtpErlangDecodeException if no such integer is next
     */
    public long read_long(boolean unsigned) throws OtpErlangDecodeException {
        int tag = peek1skip_version();
        if (tag == OtpExternal.smallIntTag) {
            pos++;
            return read1();
        }
        return byte_array_to_long(read_integer_byte_array(), unsigned);
    }

    /**
     * Reads an integer.
     *
     * @return its bytes in two's complement, the highest first
     * @throws OtpErlangDecodeException if no integer is next
     */
    public byte[] read_integer_byte_array() throws OtpErlangDecodeException {
        return TermDecoder.integer(this);
    }

    /**
     * Returns the number that bytes are in two's complement.
     *
     * @param bytes the bytes, the highest first; may be empty
     * @param unsigned whether the number has no sign
     * @return the number, or its lowest 64 bits where it has no sign
     * @throws OtpErlangDecodeException if 64 bits cannot hold it, or it is negative and must not be
     */
    public static long byte_array_to_long(byte[] bytes, boolean unsigned) throws OtpErlangDecodeException {
        return TermDecoder.toLong(bytes, unsigned);
    }

    /**
     * Reads the head of a list; its elements and its tail follow, but for the empty list.
     *
     * @return the number of elements
     * @throws OtpErlangDecodeException if no list is next
     */
    public int read_list_head() throws OtpErlangDecodeException {
        int tag = read1skip_version();
        return switch (tag) {
            case OtpExternal.nilTag -> 0;
            case OtpExternal.stringTag -> read2BE();
            case OtpExternal.listTag -> read4BE();
            default -> throw new OtpErlangDecodeException("Not valid list tag: " + tag);
        };
    }

    /**
     * Reads the head of a tuple; its elements follow.
     *
     * @return the number of elements
     * @throws OtpErlangDecodeException if no tuple is next
     */
    public int read_tuple_head() throws OtpErlangDecodeException {
        int tag = read1skip_version();
        return switch (tag) {
            case OtpExternal.smallTupleTag -> read1();
            case OtpExternal.largeTupleTag -> read4BE();
            default -> throw new OtpErlangDecodeException("Not valid tuple tag: " + tag);
        };
    }

    /**
     * Reads the empty list.
     *
     * @return 0
     * @throws OtpErlangDecodeException if it is not next
     */
    public int read_nil() throws OtpErlangDecodeException {
        int tag = read1skip_version();
        if (tag != OtpExternal.nilTag) {
            throw new OtpErlangDecodeException("Not valid nil tag: " + tag);
        }
        return 0;
    }

    /**
     * Reads a pid.
     *
     * @return the pid
     * @throws OtpErlangDecodeException if no pid is next
     */
    public OtpErlangPid read_pid() throws OtpErlangDecodeException {
        return TermDecoder.pid(this);
    }

    /**
     * Reads a port.
     *
     * @return the port
     * @throws OtpErlangDecodeException if no port is next
     */
    public OtpErlangPort read_port() throws OtpErlangDecodeException {
        return TermDecoder.port(this);
    }

    /**
     * Reads a reference.
     *
     * @return the reference
     * @throws OtpErlangDecodeException if no reference is next
     */
    public OtpErlangRef read_ref() throws OtpErlangDecodeException {
        return TermDecoder.ref(this);
    }

    /**
     * Reads a function that was made at a node.
     *
     * @return the function
     * @throws OtpErlangDecodeException if none is next
     */
    public OtpErlangFun read_fun() throws OtpErlangDecodeException {
        return TermDecoder.fun(this);
    }

    /**
     * Reads an exported function.
     *
     * @return the function
     * @throws OtpErlangDecodeException if none is next
     */
    public OtpErlangExternalFun read_external_fun() throws OtpErlangDecodeException {
        return TermDecoder.externalFun(this);
    }

    /**
     * Reads a list of code points as text.
     *
     * @return the text
     * @throws OtpErlangDecodeException if no such list is next
     */
    public String read_string() throws OtpErlangDecodeException {
        return TermDecoder.string(this);
    }

    /**
     * Reads a compressed term, of at most 64 MiB.
     *
     * @return the term
     * @throws OtpErlangDecodeException if none is next
     */
    public OtpErlangObject read_compressed() throws OtpErlangDecodeException {
        return TermDecoder.compressed(this);
    }

    /**
     * Reads the next term.
     *
     * @return the term
     * @throws OtpErlangDecodeException if the bytes are no term
     */
    public OtpErlangObject read_any() throws OtpErlangDecodeException {
        return TermDecoder.any(this);
    }

    /**
     * Reads the head of a map; keys and values follow in turn.
     *
     * @return the number of keys
     * @throws OtpErlangDecodeException if no map is next
     */
    public int read_map_head() throws OtpErlangDecodeException {
        int tag = read1skip_version();
        if (tag != OtpExternal.mapTag) {
            throw new OtpErlangDecodeException("Not valid map tag: " + tag);
        }
        return read4BE();
    }
}
