package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of terms from bytes: of complete terms, or part by part without making terms. All bytes may be hostile: those that are no
 * term end in an {@link EtfException}, after which the reader is to be {@link #reset}. Not thread-safe; made to be used again and again.
 *
 * <p>The methods that read one kind of term throw a {@link MalformedTermException} if the next term is of another kind, and every method
 * that reads does if the bytes end too early.
 */
public final class TermReader {
    private static final AtomTable SHARED_ATOMS = new AtomTable();

    private final DecodeLimits limits;
    private final Input in = new Input();
    private final Atoms atoms;
    private final Identifiers identifiers;
    private final ScalarDecoder leaves;
    private final Decoder decoder;
    private int inflatedBytes;
    private final Skipper skipper = new Skipper(in);

    /**
     * Makes a reader without bytes: {@link #reset} gives it some.
     *
     * @param table where atoms are looked for; may be shared with other readers
     * @param limits limits for each term
     */
    public TermReader(AtomTable table, DecodeLimits limits) {
        this.limits = limits;
        this.atoms = new Atoms(in, table);
        this.identifiers = new Identifiers(in, atoms);
        this.leaves = new ScalarDecoder(in, atoms, identifiers);
        this.decoder = new Decoder(in, atoms, leaves, identifiers, limits);
    }

    /**
     * Decodes one term within {@link DecodeLimits#DEFAULT}.
     *
     * @param bytes a version byte and the term, which may be compressed, and nothing more; not changed
     * @return the term
     * @throws EtfException if the bytes are no term, or exceed a limit
     */
    public static Term decode(byte[] bytes) {
        return decode(bytes, DecodeLimits.DEFAULT);
    }

    /**
     * Decodes one term.
     *
     * @param bytes a version byte and the term, which may be compressed, and nothing more; not changed
     * @param limits limits for the term
     * @return the term
     * @throws EtfException if the bytes are no term, or exceed a limit
     */
    public static Term decode(byte[] bytes, DecodeLimits limits) {
        TermReader reader = new TermReader(SHARED_ATOMS, limits).reset(bytes, 0, bytes.length);
        Term term = reader.readVersioned();
        if (reader.remaining() > 0) {
            throw new MalformedTermException("bytes behind the term: left=" + reader.remaining(), reader.position());
        }
        return term;
    }

    /**
     * Goes to other bytes, which may change once they are read. Terms share none of them.
     *
     * @param buffer array that holds the bytes; not copied
     * @param offset index of the first byte
     * @param length bytes to read
     * @return this
     * @throws TermLimitException if there are more bytes than {@link DecodeLimits#maxBytes}
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public TermReader reset(byte[] buffer, int offset, int length) {
        return reset(buffer, offset, length, false);
    }

    /**
     * Goes to other bytes. References to atoms are kept: see {@link #atomCache}.
     *
     * @param buffer array that holds the bytes; not copied
     * @param offset index of the first byte
     * @param length bytes to read
     * @param retained true if the bytes will never change: then large binaries become slices of the array
     * @return this
     * @throws TermLimitException if there are more bytes than {@link DecodeLimits#maxBytes}
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    @SuppressWarnings("ReferenceEquality") // the same array or not
    public TermReader reset(byte[] buffer, int offset, int length, boolean retained) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > limits.maxBytes()) {
            throw new TermLimitException("maxBytes", length, limits.maxBytes());
        }
        if (in.buffer != buffer) { // mostly the same array, and writing a reference costs more than a comparison
            in.buffer = buffer;
        }
        in.position = offset;
        in.end = offset + length;
        in.retained = retained;
        inflatedBytes = 0;
        return this;
    }

    /**
     * Sets the atoms that {@link Tag#ATOM_CACHE_REF} refers to, until the next call.
     *
     * @param refs the atoms by index, null for none; not copied
     */
    public void atomCache(Atom @Nullable [] refs) {
        atoms.cache(refs);
    }

    /**
     * Returns the position of the next byte.
     *
     * @return index in the array
     */
    public int position() {
        return in.position;
    }

    /**
     * Goes back to where {@link #position} was, to read again.
     *
     * @param earlier a position of the same bytes
     * @throws IllegalArgumentException if the reader has not been there yet
     */
    public void rewind(int earlier) {
        if (earlier < 0 || earlier > in.position) {
            throw new IllegalArgumentException("not an earlier position: expected<=" + in.position + " got=" + earlier);
        }
        in.position = earlier;
    }

    /**
     * Returns how much the compressed terms that were read since {@link #reset} have been inflated to.
     *
     * @return bytes; 0 where none was compressed
     */
    public int inflatedBytes() {
        return inflatedBytes;
    }

    /**
     * Returns how many elements the term had that was read last as a whole.
     *
     * @return elements of its tuples, lists and maps together
     */
    public long elements() {
        return decoder.elements();
    }

    /**
     * Returns the number of bytes that are left.
     *
     * @return 0 or more
     */
    public int remaining() {
        return in.remaining();
    }

    /**
     * Reads a term that has no version byte before it.
     *
     * @return the term
     * @throws EtfException if there is no term, or it exceeds a limit
     */
    public Term read() {
        return decoder.read();
    }

    /**
     * Reads a version byte and a term, which may be compressed.
     *
     * @return the term
     * @throws EtfException if there is no term, or it exceeds a limit
     */
    public Term readVersioned() {
        readVersion();
        if (in.peek() != Tag.COMPRESSED) {
            return decoder.read();
        }
        in.position++;
        byte[] inflated = Compressed.inflate(in, limits);
        inflatedBytes += inflated.length;
        byte[] outer = in.buffer;
        int position = in.position;
        int end = in.end;
        boolean retained = in.retained;
        try {
            return readAll(inflated);
        } finally {
            in.buffer = outer;
            in.position = position;
            in.end = end;
            in.retained = retained;
        }
    }

    private Term readAll(byte[] inflated) {
        in.buffer = inflated;
        in.position = 0;
        in.end = inflated.length;
        in.retained = false;
        Term term = decoder.read();
        if (in.remaining() > 0) {
            throw new MalformedTermException("bytes behind a compressed term: left=" + in.remaining(), in.position);
        }
        return term;
    }

    /**
     * Passes a version byte.
     *
     * @throws MalformedTermException if there is another byte, or none
     */
    public void readVersion() {
        int version = in.u8();
        if (version != Tag.VERSION) {
            throw new MalformedTermException(
                    "not a version: got=" + version + " expected=" + Tag.VERSION, in.position - 1);
        }
    }

    /**
     * Returns the tag of the next term, and does not pass it.
     *
     * @return one of {@link Tag}, or any other byte
     */
    public int peekTag() {
        return in.peek();
    }

    /**
     * Passes one term, which need not be checked in full: names and keys of maps are not.
     *
     * @throws MalformedTermException if the term's bytes are not complete, or have an unknown tag
     */
    public void skip() {
        skipper.skip();
    }

    /**
     * Begins a tuple; its elements follow as terms.
     *
     * @return number of elements
     */
    public int readTupleHeader() {
        int tag = in.u8();
        if (tag == Tag.SMALL_TUPLE) {
            return checked(in.u8());
        }
        if (tag != Tag.LARGE_TUPLE) {
            throw in.unexpected("a tuple", tag);
        }
        return in.count();
    }

    /**
     * Begins a list; its elements follow as terms, and then, if there are any, the tail: see {@link #readNil}. Lists of small integers
     * may come as {@link Tag#STRING}: see {@link #readString}.
     *
     * @return number of elements
     */
    public int readListHeader() {
        int tag = in.u8();
        if (tag == Tag.NIL) {
            return 0;
        }
        if (tag != Tag.LIST) {
            throw in.unexpected("a list", tag);
        }
        int count = in.count();
        if (count == 0) {
            readNil();
        }
        return count;
    }

    /** Passes the empty list, which is also the tail of each proper list. */
    public void readNil() {
        int tag = in.u8();
        if (tag != Tag.NIL) {
            throw in.unexpected("the end of a list", tag);
        }
    }

    /**
     * Reads a list that came as {@link Tag#STRING}.
     *
     * @return its elements as unsigned bytes; a copy
     */
    public byte[] readString() {
        int tag = in.u8();
        if (tag != Tag.STRING) {
            throw in.unexpected("a string", tag);
        }
        return copy(in.u16());
    }

    /**
     * Begins a map; its entries follow, each as a key and a value.
     *
     * @return number of entries
     */
    public int readMapHeader() {
        int tag = in.u8();
        if (tag != Tag.MAP) {
            throw in.unexpected("a map", tag);
        }
        return checked(in.count());
    }

    /**
     * Reads an integer that fits a {@code long}.
     *
     * @return the integer
     */
    public long readLong() {
        return leaves.integer(in.u8());
    }

    /**
     * Reads a float.
     *
     * @return a finite number
     */
    public double readDouble() {
        return leaves.real(in.u8());
    }

    /**
     * Reads an atom of any encoding.
     *
     * @return the atom
     */
    public Atom readAtom() {
        return atoms.read(in.u8());
    }

    /**
     * Reads a pid.
     *
     * @return the pid
     */
    public Pid readPid() {
        return identifiers.pid(in.u8());
    }

    /**
     * Reads a reference.
     *
     * @return the reference
     */
    public Ref readRef() {
        return identifiers.ref(in.u8());
    }

    /**
     * Reads a binary.
     *
     * @return its bytes; a copy
     */
    public byte[] readBinary() {
        return copy(readBinaryHeader());
    }

    /**
     * Reads a binary as UTF-8; malformed sequences become U+FFFD.
     *
     * @return the text
     */
    public String readUtf8() {
        int length = readBinaryHeader();
        return new String(in.buffer, in.take(length), length, StandardCharsets.UTF_8);
    }

    private int readBinaryHeader() {
        int tag = in.u8();
        if (tag != Tag.BINARY) {
            throw in.unexpected("a binary", tag);
        }
        return in.count();
    }

    private byte[] copy(int length) {
        int at = in.take(length);
        return Arrays.copyOfRange(in.buffer, at, at + length);
    }

    private int checked(int count) {
        if (count > in.remaining()) {
            throw in.truncated(count);
        }
        return count;
    }
}
