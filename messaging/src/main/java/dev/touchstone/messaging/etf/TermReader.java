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
 * Reads terms from bytes: whole ones, or part by part without making terms. Everything it reads may be hostile: what is no term ends in
 * an {@link EtfException}, after which the reader is to be {@link #reset}. Not thread-safe; made to be used again and again.
 *
 * <p>The methods that read one kind of term throw a {@link MalformedTermException} if the next term is of another kind.
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

    /** @param table may be shared with other readers */
    public TermReader(AtomTable table, DecodeLimits limits) {
        this.limits = limits;
        this.atoms = new Atoms(in, table);
        this.identifiers = new Identifiers(in, atoms);
        this.leaves = new ScalarDecoder(in, atoms, identifiers);
        this.decoder = new Decoder(in, atoms, leaves, identifiers, limits);
    }

    /** The term that the bytes are, from their version byte on, within {@link DecodeLimits#DEFAULT}. */
    public static Term decode(byte[] bytes) {
        return decode(bytes, DecodeLimits.DEFAULT);
    }

    /** As {@link #decode(byte[])}, within other limits. Other bytes behind the term are refused. */
    public static Term decode(byte[] bytes, DecodeLimits limits) {
        TermReader reader = new TermReader(SHARED_ATOMS, limits).reset(bytes, 0, bytes.length);
        Term term = reader.readVersioned();
        if (reader.remaining() > 0) {
            throw new MalformedTermException("bytes behind the term: left=" + reader.remaining(), reader.position());
        }
        return term;
    }

    /** As {@link #reset(byte[], int, int, boolean)}, of bytes that may change later. */
    public TermReader reset(byte[] buffer, int offset, int length) {
        return reset(buffer, offset, length, false);
    }

    /**
     * Goes to other bytes. References to atoms are kept: see {@link #atomCache}.
     *
     * @param retained whether the bytes will never change: then large binaries become slices of the array
     * @return this
     * @throws TermLimitException if there are more bytes than {@link DecodeLimits#maxBytes}
     */
    @SuppressWarnings("ReferenceEquality") // the same array or not
    public TermReader reset(byte[] buffer, int offset, int length, boolean retained) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > limits.maxBytes()) {
            throw new TermLimitException("maxBytes", length, limits.maxBytes());
        }
        if (in.buffer != buffer) { // most often it is the same, and writing a reference costs more than to look
            in.buffer = buffer;
        }
        in.position = offset;
        in.end = offset + length;
        in.retained = retained;
        inflatedBytes = 0;
        return this;
    }

    /** What the references to atoms in the bytes are to, until the next call; null for none. The array is not copied. */
    public void atomCache(Atom @Nullable [] refs) {
        atoms.cache(refs);
    }

    /** Where the next byte is, in the array. */
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

    /** Bytes that are left. */
    public int remaining() {
        return in.remaining();
    }

    /** The next term, without a version byte. */
    public Term read() {
        return decoder.read();
    }

    /** The next term, from its version byte on; it may be compressed. */
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

    /** Passes a version byte. */
    public void readVersion() {
        int version = in.u8();
        if (version != Tag.VERSION) {
            throw new MalformedTermException(
                    "not a version: got=" + version + " expected=" + Tag.VERSION, in.position - 1);
        }
    }

    /** The next term's tag, one of {@link Tag}, which is not passed. */
    public int peekTag() {
        return in.peek();
    }

    /** Passes one term. What is in it is not looked at more than that takes. */
    public void skip() {
        skipper.skip();
    }

    /** Begins a tuple: how many terms follow that are its elements. */
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
     * Begins a list: how many terms follow that are its elements. Where these are more than 0, the tail follows them: see {@link
     * #readNil}. Lists of small integers may come as {@link Tag#STRING}: see {@link #readString}.
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

    /** The elements of a list that came as {@link Tag#STRING}: unsigned bytes. */
    public byte[] readString() {
        int tag = in.u8();
        if (tag != Tag.STRING) {
            throw in.unexpected("a string", tag);
        }
        return copy(in.u16());
    }

    /** Begins a map: how many keys follow, each with its value behind it. */
    public int readMapHeader() {
        int tag = in.u8();
        if (tag != Tag.MAP) {
            throw in.unexpected("a map", tag);
        }
        return checked(in.count());
    }

    /** An integer that fits a {@code long}. */
    public long readLong() {
        return leaves.integer(in.u8());
    }

    public double readDouble() {
        return leaves.real(in.u8());
    }

    public Atom readAtom() {
        return atoms.read(in.u8());
    }

    public Pid readPid() {
        return identifiers.pid(in.u8());
    }

    public Ref readRef() {
        return identifiers.ref(in.u8());
    }

    /** The bytes of a binary: a copy. */
    public byte[] readBinary() {
        return copy(readBinaryHeader());
    }

    /** The text that a binary is in UTF-8; what is no UTF-8 becomes U+FFFD. */
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
