package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandles;

/**
 * Java records to and from terms, with no terms in between. Thread-safe; made once per record, as
 * {@code static final Databind<Order> ORDERS = Databind.of(Order.class, MethodHandles.lookup())}.
 *
 * <p>A record is a tuple of its components; {@link ErlangRecord} puts a leading atom before them, and {@link ErlangMap} makes it a map.
 *
 * <table>
 * <caption>Components</caption>
 * <tr><th>Java</th><th>Erlang</th></tr>
 * <tr><td>int, long and their boxes</td><td>integer; refused where it does not fit</td></tr>
 * <tr><td>double, Double</td><td>float; an integer is taken too</td></tr>
 * <tr><td>boolean, Boolean</td><td>true, false</td></tr>
 * <tr><td>String</td><td>binary of UTF-8; {@link ErlangAtom}: atom; {@link ErlangString}: list of code points</td></tr>
 * <tr><td>byte[]</td><td>binary</td></tr>
 * <tr><td>an enum</td><td>atom: the constant's name in lower case, or its {@link ErlangName}</td></tr>
 * <tr><td>List of any of these</td><td>list; what is read is unmodifiable</td></tr>
 * <tr><td>Optional of any of these</td><td>undefined, or the value</td></tr>
 * <tr><td>another record</td><td>as that record says; a record can't hold itself</td></tr>
 * <tr><td>{@link Term} and its kinds</td><td>itself</td></tr>
 * </table>
 *
 * <p>No component may be null: a null is a {@link NullPointerException} when it is written, and is never read.
 *
 * @param <T> the record
 */
public final class Databind<T extends Record> {
    private static final AtomTable ATOMS = new AtomTable();
    private static final int FIRST_CAPACITY_BYTES = 256;

    private final Class<T> type;
    private final RecordAccess access;

    private Databind(Class<T> type, RecordAccess access) {
        this.type = type;
        this.access = access;
    }

    /**
     * Generates the code for a record, and for the records in it.
     *
     * @param lookup of a class that sees the record's constructor and accessors: {@code MethodHandles.lookup()}
     * @throws IllegalArgumentException if a component's type has no term, or the lookup does not see the record
     */
    public static <T extends Record> Databind<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        return new Databind<>(type, AccessGenerator.generate(new CodecFinder(lookup).record(type)));
    }

    /** Appends a record's term, with no version byte; nothing is appended when that fails. */
    public void write(T value, TermWriter writer) {
        int start = writer.position();
        boolean written = false;
        try {
            access.write(writer, type.cast(value));
            written = true;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DatabindException("record=" + type.getName() + " was not written", e);
        } finally {
            if (!written) {
                writer.position(start);
            }
        }
    }

    /**
     * Takes the next term, with no version byte. Afterwards the reader stands behind it, or anywhere in it when an exception was thrown.
     *
     * @throws DatabindException if it is a term, but not this record
     * @throws dev.touchstone.messaging.etf.EtfException if it is no term
     */
    public T read(TermReader reader) {
        try {
            return type.cast(access.read(reader));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DatabindException("record=" + type.getName() + " was not read", e);
        }
    }

    /** The record as a term to send. */
    public Term toTerm(T value) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        write(value, writer);
        return reader(writer).read();
    }

    /** The record that a received term is. */
    public T fromTerm(Term term) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        writer.write(term);
        return read(reader(writer));
    }

    private static TermReader reader(TermWriter writer) {
        return new TermReader(ATOMS, DecodeLimits.DEFAULT).reset(writer.array(), 0, writer.position(), true);
    }
}
