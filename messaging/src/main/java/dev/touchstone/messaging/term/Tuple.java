package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fixed number of terms. */
public final class Tuple implements Term {
    /** The tuple without elements. */
    public static final Tuple EMPTY = new Tuple(new Term[0]);

    private final Term[] elements;

    private Tuple(Term[] elements) {
        this.elements = elements;
    }

    /**
     * Returns a tuple.
     *
     * @param elements the elements, none null; the array is copied
     * @return the tuple
     */
    public static Tuple of(Term... elements) {
        Term[] copy = elements.clone();
        for (Term element : copy) {
            Objects.requireNonNull(element, "element");
        }
        return new Tuple(copy);
    }

    /**
     * Returns a tuple that shares the array.
     *
     * @param elements the elements, none null; not copied, and must not change from now on
     * @return the tuple
     */
    public static Tuple wrap(Term[] elements) {
        return new Tuple(elements);
    }

    /**
     * Returns the number of elements.
     *
     * @return 0 or more
     */
    public int size() {
        return elements.length;
    }

    /**
     * Returns one element.
     *
     * @param index counted from 0
     * @return the element
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public Term get(int index) {
        return elements[index];
    }

    /**
     * Returns whether the tuple has a size and begins with an atom, as tagged tuples do.
     *
     * @param first the expected first element
     * @param size the expected number of elements
     * @return true if both are as expected; false for a size of 0
     */
    public boolean is(Atom first, int size) {
        return elements.length == size && size > 0 && elements[0].equals(first);
    }

    /**
     * Returns a view of the elements.
     *
     * @return an unmodifiable list
     */
    public List<Term> asList() {
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Tuple tuple
                        && elements.length == tuple.elements.length
                        && TermComparator.equal(this, tuple));
    }

    @Override
    public int hashCode() {
        return TermHash.of(this);
    }

    @Override
    public String toString() {
        return Printer.print(this);
    }
}
