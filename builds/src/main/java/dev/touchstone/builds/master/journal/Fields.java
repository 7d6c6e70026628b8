package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The elements of a received tuple, each checked when it is taken, in order. Values are not in the messages of exceptions. */
final class Fields {
    /** Bytes of a text that is not said to be longer. */
    static final int MAX_TEXT = 4096;

    /** Rows of a batch. */
    static final int MAX_ROWS = 64 << 10;

    private final String name;
    private final Tuple tuple;
    private int next;

    private Fields(String name, Tuple tuple, int first) {
        this.name = name;
        this.tuple = tuple;
        this.next = first;
    }

    /** Returns the elements behind the tag of a message with so many elements, the tag included. */
    public static Fields of(Tuple message, int size) {
        String name = tag(message);
        return of(name, message, size, 1);
    }

    /** Returns the elements of a tuple without a tag. */
    public static Fields untagged(String name, Term term, int size) {
        if (!(term instanceof Tuple tuple)) {
            throw new WireException(name + ": expected=tuple got=" + kind(term));
        }
        return of(name, tuple, size, 0);
    }

    /** Returns the elements of a tuple without a tag that has at least {@code least} and at most {@code most}. */
    static Fields untagged(String name, Term term, int least, int most) {
        int size = term instanceof Tuple tuple ? tuple.size() : least;
        return untagged(name, term, Math.max(least, Math.min(most, size)));
    }

    /** Returns whether an element is left. */
    boolean hasMore() {
        return next < tuple.size();
    }

    private static Fields of(String name, Tuple tuple, int size, int first) {
        if (tuple.size() != size) {
            throw new WireException(name + ": expected elements=" + size + " got=" + tuple.size());
        }
        return new Fields(name, tuple, first);
    }

    /** Returns the name of the atom that a message begins with. */
    public static String tag(Term message) {
        if (message instanceof Tuple tuple && tuple.size() > 0 && tuple.get(0) instanceof Atom tag) {
            return tag.name();
        }
        throw new WireException("no message: expected=tuple that begins with an atom got=" + kind(message));
    }

    public static WireException unknown(Term message) {
        return new WireException("unknown message: tag=" + tag(message));
    }

    private Term take() {
        return tuple.get(next++);
    }

    public Term term() {
        return take();
    }

    private WireException wrong(String expected, Term got) {
        return new WireException(name + " element " + (next - 1) + ": expected=" + expected + " got=" + kind(got));
    }

    private static String kind(Term term) {
        return term.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    public long number(long least, long most) {
        Term term = take();
        if (!(term instanceof Int number)) {
            throw wrong("integer", term);
        }
        if (number.value() < least || number.value() > most) {
            throw new WireException(
                    name + " element " + (next - 1) + ": expected=" + least + ".." + most + " got=" + number.value());
        }
        return number.value();
    }

    public int count(int most) {
        return (int) number(0, most);
    }

    /** Reads a number that is not negative. */
    public long natural() {
        return number(0, Long.MAX_VALUE);
    }

    public boolean flag() {
        Term term = take();
        if (term.equals(Atom.TRUE)) {
            return true;
        }
        if (term.equals(Atom.FALSE)) {
            return false;
        }
        throw wrong("true|false", term);
    }

    public String text() {
        return text(MAX_TEXT);
    }

    public String text(int mostBytes) {
        return text(take(), mostBytes);
    }

    private String text(Term term, int mostBytes) {
        Binary binary = binary(term, mostBytes);
        String text = binary.utf8String();
        if (text.indexOf('\ufffd') >= 0
                && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), binary.toByteArray())) {
            throw wrong("UTF-8", term);
        }
        return text;
    }

    public Optional<String> optionalText() {
        Term term = take();
        return term.equals(Atom.UNDEFINED) ? Optional.empty() : Optional.of(text(term, MAX_TEXT));
    }

    private Binary binary(Term term, int mostBytes) {
        if (!(term instanceof Binary binary)) {
            throw wrong("binary", term);
        }
        if (binary.length() > mostBytes) {
            throw new WireException(name + " element " + (next - 1) + ": expected at most " + mostBytes + " bytes got="
                    + binary.length());
        }
        return binary;
    }

    public ErlList list(int most) {
        Term term = take();
        if (!(term instanceof ErlList list) || !list.isProper()) {
            throw wrong("list", term);
        }
        if (list.size() > most) {
            throw new WireException(
                    name + " element " + (next - 1) + ": expected at most " + most + " elements got=" + list.size());
        }
        return list;
    }

    /** Reads a list of integers, each at least {@code least}. */
    public LongArrayList column(long least) {
        ErlList list = list(MAX_ROWS);
        long[] values = new long[list.size()];
        for (int i = 0; i < values.length; i++) {
            if (!list.isPacked() && !(list.get(i) instanceof Int)) {
                throw wrong("list of integers", list.get(i));
            }
            values[i] = list.isPacked() ? list.longAt(i) : ((Int) list.get(i)).value();
            if (values[i] < least) {
                throw new WireException(
                        name + " element " + (next - 1) + ": expected at least " + least + " got=" + values[i]);
            }
        }
        return LongArrayList.wrap(values);
    }

    /** Reads a column of as many numbers as the first column of the batch has. */
    public LongArrayList column(LongArrayList first, long least, long most) {
        LongArrayList column = column(least);
        if (column.size() != first.size()) {
            throw new WireException(
                    name + " element " + (next - 1) + ": expected rows=" + first.size() + " got=" + column.size());
        }
        for (int i = 0; i < column.size(); i++) {
            if (column.get(i) > most) {
                throw new WireException(
                        name + " element " + (next - 1) + ": expected at most " + most + " got=" + column.get(i));
            }
        }
        return column;
    }

    /** Returns a list of binaries, as arrays that nobody else has. */
    public List<byte[]> binaries(int most) {
        ErlList list = list(most);
        List<byte[]> values = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            values.add(binary(list.get(i), Integer.MAX_VALUE).toByteArray());
        }
        return values;
    }

    public String[] texts(int most, int mostBytes) {
        ErlList list = list(most);
        String[] values = new String[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = text(list.get(i), mostBytes);
        }
        return values;
    }
}
