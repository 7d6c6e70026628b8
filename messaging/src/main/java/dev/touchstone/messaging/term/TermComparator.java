package dev.touchstone.messaging.term;

import java.util.Arrays;

/**
 * A comparison of terms of any depth: pairs of parts that are still to be compared are kept on the heap. Recurses into keys of maps
 * only, at most {@link ErlMap#MAX_KEY_NESTING} times.
 */
final class TermComparator {
    private static final Term[] NONE = new Term[0];

    private Term[] left = NONE;
    private Term[] right = NONE;
    private int size;

    private TermComparator() {}

    static boolean equal(Term a, Term b) {
        TermComparator pending = new TermComparator();
        Term one = a;
        Term other = b;
        while (pending.same(one, other)) {
            if (pending.size == 0) {
                return true;
            }
            int top = --pending.size;
            one = pending.left[top];
            other = pending.right[top];
        }
        return false;
    }

    /** Returns whether parts of the term may have parts themselves. */
    static boolean isDeep(Term term) {
        return term instanceof Tuple
                || term instanceof ErlMap
                || (term instanceof ErlList list && !list.isPacked())
                || term instanceof Fun;
    }

    /** Returns whether two terms are equal, but for pairs of parts that this call adds to the pending ones. */
    private boolean same(Term a, Term b) {
        if (a instanceof Tuple one) {
            return b instanceof Tuple other && sameTuple(one, other);
        }
        if (a instanceof ErlList one) {
            return b instanceof ErlList other && sameList(one, other);
        }
        if (a instanceof ErlMap one) {
            return b instanceof ErlMap other && sameMap(one, other);
        }
        return a instanceof Fun one ? b instanceof Fun other && sameFun(one, other) : a.equals(b);
    }

    @SuppressWarnings("ReferenceEquality") // the same object is equal to itself
    private boolean samePart(Term a, Term b) {
        if (a == b) {
            return true;
        }
        if (!isDeep(a)) {
            return a.equals(b);
        }
        if (!a.getClass().equals(b.getClass())) {
            return false;
        }
        push(a, b);
        return true;
    }

    private boolean sameTuple(Tuple a, Tuple b) {
        boolean same = a.size() == b.size();
        for (int i = 0; same && i < a.size(); i++) {
            same = samePart(a.get(i), b.get(i));
        }
        return same;
    }

    private boolean sameList(ErlList a, ErlList b) {
        if (a.size() != b.size() || a.isProper() != b.isProper()) {
            return false;
        }
        if (a.isPacked() && b.isPacked()) {
            return a.equalsPacked(b);
        }
        boolean same = a.isProper() || samePart(a.tail(), b.tail());
        for (int i = 0; same && i < a.size(); i++) {
            same = samePart(a.get(i), b.get(i));
        }
        return same;
    }

    private boolean sameMap(ErlMap a, ErlMap b) {
        boolean same = a.size() == b.size();
        for (int i = 0; same && i < a.size(); i++) {
            int found = b.find(a.keyAt(i));
            same = found >= 0 && samePart(a.valueAt(i), b.valueAt(found));
        }
        return same;
    }

    private boolean sameFun(Fun a, Fun b) {
        boolean same = a.freeCount() == b.freeCount() && a.equalsHead(b);
        for (int i = 0; same && i < a.freeCount(); i++) {
            same = samePart(a.free(i), b.free(i));
        }
        return same;
    }

    private void push(Term a, Term b) {
        if (size == left.length) {
            int more = Math.max(16, 2 * size);
            left = Arrays.copyOf(left, more);
            right = Arrays.copyOf(right, more);
        }
        left[size] = a;
        right[size++] = b;
    }
}
