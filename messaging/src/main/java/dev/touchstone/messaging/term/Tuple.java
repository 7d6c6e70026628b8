package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fixed number of terms. */
public final class Tuple implements Term {
    public static final Tuple EMPTY = new Tuple(new Term[0]);

    private final Term[] elements;

    private Tuple(Term[] elements) {
        this.elements = elements;
    }

    /** A tuple of a copy of the array. */
    public static Tuple of(Term... elements) {
        Term[] copy = elements.clone();
        for (Term element : copy) {
            Objects.requireNonNull(element, "element");
        }
        return new Tuple(copy);
    }

    /** A tuple of the array itself, not of a copy: it must have no nulls and must not change from now on. */
    public static Tuple wrap(Term[] elements) {
        return new Tuple(elements);
    }

    public int size() {
        return elements.length;
    }

    /**
     * The element at {@code index}, counted from 0.
     *
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public Term get(int index) {
        return elements[index];
    }

    /** Whether the tuple has this size and begins with this atom. */
    public boolean is(Atom first, int size) {
        return elements.length == size && size > 0 && elements[0].equals(first);
    }

    /** A view that cannot be changed. */
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
