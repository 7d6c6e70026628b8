package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandles;

/**
 * A binding of one type of Java to terms, straight from and to bytes. Thread-safe; made once per type, as {@code static final
 * Databind<Order> ORDERS = Databind.of(Order.class, MethodHandles.lookup())}.
 *
 * <p>A record is a tuple of its components; {@link ErlangRecord} puts a leading atom before them, and {@link ErlangMap} makes it a map.
 *
 * <table>
 * <caption>Components</caption>
 * <tr><th>Java</th><th>Erlang</th></tr>
 * <tr><td>int, long and their boxes</td><td>integer; refused where it does not fit</td></tr>
 * <tr><td>BigInteger</td><td>integer of any size</td></tr>
 * <tr><td>double, Double</td><td>float; an integer is taken too</td></tr>
 * <tr><td>boolean, Boolean</td><td>true, false</td></tr>
 * <tr><td>String</td><td>binary of UTF-8; other bytes are refused. {@link ErlangAtom}: atom; {@link ErlangString}: list of code
 * points</td></tr>
 * <tr><td>byte[]</td><td>binary</td></tr>
 * <tr><td>an enum</td><td>atom: the constant's name in lower case, or its {@link ErlangName}</td></tr>
 * <tr><td>List, or an array, of any of these</td><td>list; a list that is read is unmodifiable</td></tr>
 * <tr><td>Set of any of these</td><td>list, in the set's order; an element that stands twice is refused</td></tr>
 * <tr><td>Map of any of these</td><td>map; what is read keeps the order and is unmodifiable; keys that are distinct
 * in Java and equal when encoded, as arrays may be, are refused, and so are 0.0 beside -0.0</td></tr>
 * <tr><td>Optional of any of these</td><td>undefined, or the value, which is not undefined itself</td></tr>
 * <tr><td>another record</td><td>as that record says; type variables are bound by the component that names them</td></tr>
 * <tr><td>a sealed type</td><td>a permitted record with a tag of {@link ErlangRecord}: its own tuple, told by the tag; any other permitted
 * class: {@code {Name, Value}}, with the class's simple name as an atom</td></tr>
 * <tr><td>a class that has a constructor without arguments</td><td>map of its fields, but static and transient ones, by getters and
 * setters where it has them; a field that is null is left out, and one that is left out keeps what the constructor gave it</td></tr>
 * <tr><td>{@link Term} and its kinds</td><td>itself</td></tr>
 * </table>
 *
 * <p>Types may hold themselves, as trees do; such values may nest 200 deep, as far as the thread's stack suffices. No component of a record
 * may be null: a null is a {@link NullPointerException} when it is written, and is never read.
 *
 * <p>A {@link DatabindException} tells the place from the outside in: {@code Order.items: [3]: Item.count: expected=int got=...}.
 *
 * @param <T> the type: a record, a sealed type, an enum, or a class that has a constructor without arguments
 */
public final class Databind<T> {
    static final AtomTable ATOMS = new AtomTable();
    private static final int FIRST_CAPACITY_BYTES = 256;

    private final Class<T> type;
    private final RecordAccess access;

    private Databind(Class<T> type, RecordAccess access) {
        this.type = type;
        this.access = access;
    }

    /**
     * Generates the code for a type, and for the types in it. Unknown keys of maps are ignored.
     *
     * @param <T> the type
     * @param type a record, a sealed type, an enum, or a class that has a constructor without arguments
     * @param lookup of a class that sees constructors and accessors: {@code MethodHandles.lookup()}
     * @return the binding
     * @throws IllegalArgumentException if a component's type has no term, or the lookup does not see a type
     */
    public static <T> Databind<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        return of(type, lookup, UnknownKeys.IGNORE);
    }

    /**
     * Generates the code for a type, and for the types in it.
     *
     * @param <T> the type
     * @param type a record, a sealed type, an enum, or a class that has a constructor without arguments
     * @param lookup of a class that sees constructors and accessors: {@code MethodHandles.lookup()}
     * @param unknown what becomes of keys of maps that the type, or a type in it, does not have
     * @return the binding
     * @throws IllegalArgumentException if a component's type has no term, or the lookup does not see a type
     */
    public static <T> Databind<T> of(Class<T> type, MethodHandles.Lookup lookup, UnknownKeys unknown) {
        return new Databind<>(type, AccessGenerator.generate(new CodecFinder(lookup, unknown).root(type)));
    }

    /**
     * Appends a value's term, with no version byte; nothing is appended when that fails.
     *
     * @param value the value
     * @param writer the writer that the term is appended to
     * @throws DatabindException if the value has no term, as a float that is not finite or a map with a key twice, or is nested too deep for
     *     the thread's stack
     * @throws IllegalArgumentException if a string of {@link ErlangAtom} has more than 255 characters
     * @throws NullPointerException if the value has a null where none may be
     * @throws dev.touchstone.messaging.etf.TermTooLargeException if the writer may not hold the term
     */
    public void write(T value, TermWriter writer) {
        int start = writer.position();
        boolean written = false;
        try {
            access.write(writer, type.cast(value));
            written = true;
        } catch (StackOverflowError e) {
            throw tooDeep(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DatabindException("type=" + type.getName() + " was not written", e);
        } finally {
            if (!written) {
                writer.position(start);
            }
        }
    }

    /**
     * Reads the next term, with no version byte. Afterwards the reader stands behind it, or anywhere in it when an exception was thrown.
     *
     * @param reader the reader of the term
     * @return the value
     * @throws DatabindException if there is a term, but not one of this type, or it is nested too deep for the thread's stack
     * @throws dev.touchstone.messaging.etf.EtfException if there is no term
     */
    public T read(TermReader reader) {
        int start = reader.position();
        try {
            return type.cast(access.read(reader));
        } catch (EtfException e) {
            throw refusal(reader, start, e);
        } catch (StackOverflowError e) {
            throw tooDeep(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new DatabindException("type=" + type.getName() + " was not read", e);
        }
    }

    private DatabindException tooDeep(StackOverflowError cause) {
        return new DatabindException(
                type.getSimpleName()
                        + ": the value is nested too deep for the thread's stack: expected=less nesting, or a thread with a larger stack",
                cause);
    }

    /** Returns the exception for what cannot be read: that of the reader if there is no term, and else one that names the type. */
    private RuntimeException refusal(TermReader reader, int start, EtfException cause) {
        Term got;
        try {
            reader.rewind(start);
            got = reader.read();
        } catch (EtfException e) {
            return cause;
        }
        return new DatabindException(
                "expected=" + type.getSimpleName() + " got=" + Kinds.of(got) + ": " + cause.getMessage(), cause);
    }

    /**
     * Converts a value to a term.
     *
     * @param value the value
     * @return the term, to be sent or compared
     * @throws DatabindException if the value has no term, or is nested too deep for the thread's stack
     * @throws NullPointerException if the value has a null where none may be
     */
    public Term toTerm(T value) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        write(value, writer);
        return reader(writer).read();
    }

    /**
     * Converts a term to a value.
     *
     * @param term a term, as a received message
     * @return the value
     * @throws DatabindException if the term is not one of this type, or is nested too deep for the thread's stack
     */
    public T fromTerm(Term term) {
        TermWriter writer = new TermWriter(FIRST_CAPACITY_BYTES);
        writer.write(term);
        try {
            return read(reader(writer));
        } catch (EtfException e) { // the term is one, but beyond the limits of a reader
            throw new DatabindException(
                    "expected=" + type.getSimpleName() + " got=" + Kinds.of(term) + ": " + e.getMessage(), e);
        }
    }

    private static TermReader reader(TermWriter writer) {
        return new TermReader(ATOMS, DecodeLimits.DEFAULT).reset(writer.array(), 0, writer.position(), true);
    }
}
