package dev.touchstone.messaging.term;

import java.util.Arrays;

/**
 * A hasher of terms of any depth: terms whose parts are not all hashed are kept on the heap. All parts count, in their order for lists,
 * tuples and funs and in any order for maps. Not thread-safe; may be used again.
 */
final class TermHash {
    private static final int TUPLE = 1;
    private static final int LIST = 2;
    private static final int MAP = 3;

    private Term[] terms = new Term[8];
    private int[] nexts = new int[8]; // the part to be hashed next
    private int[] sums = new int[8]; // the hash of the parts before that one
    private int[] keys = new int[8]; // where the term is a map: the hash of the key before that part
    private int depth;
    private int inKeys; // terms above the lowest that are a key of the map below them
    private int keyNesting;

    static int of(Term term) {
        if (term instanceof ErlList list && list.isPacked()) {
            return ofPacked(list);
        }
        if (term instanceof Tuple tuple) {
            int sum = TUPLE;
            for (int i = 0; i < tuple.size(); i++) {
                Term part = tuple.get(i);
                if (TermComparator.isDeep(part)) {
                    return new TermHash().hash(term);
                }
                sum = HashFunction.add(sum, part.hashCode());
            }
            return HashFunction.of(sum);
        }
        return new TermHash().hash(term);
    }

    private static int ofPacked(ErlList list) {
        int sum = LIST;
        for (int i = 0; i < list.size(); i++) {
            sum = HashFunction.add(sum, Int.hash(list.longAt(i)));
        }
        return HashFunction.of(sum);
    }

    /** Returns the same as {@code term.hashCode()}. */
    int hash(Term term) {
        depth = 0;
        inKeys = 0;
        keyNesting = 0;
        if (!TermComparator.isDeep(term)) {
            return term.hashCode();
        }
        push(term);
        for (; ; ) {
            int top = depth - 1;
            Term whole = terms[top];
            if (!addParts(whole, top)) {
                continue; // with a part that has parts
            }
            int hash = HashFunction.of(sums[top]);
            depth = top;
            if (top == 0) {
                return hash;
            }
            Term parent = terms[top - 1];
            if (isKey(parent, nexts[top - 1])) {
                inKeys--;
            }
            add(parent, top - 1, hash);
        }
    }

    /** Returns how deep maps were nested through keys in the term that was hashed last. */
    int keyNesting() {
        return keyNesting;
    }

    /** Adds parts until one has parts itself: pushes that one and returns false. Returns true when all parts are added. */
    private boolean addParts(Term whole, int top) {
        int count = parts(whole);
        while (nexts[top] < count) {
            Term part = part(whole, nexts[top]);
            if (TermComparator.isDeep(part)) {
                if (isKey(whole, nexts[top])) {
                    keyNesting = Math.max(keyNesting, ++inKeys);
                }
                push(part);
                return false;
            }
            add(whole, top, part.hashCode());
        }
        return true;
    }

    private void add(Term whole, int top, int hash) {
        int at = nexts[top]++;
        if (!(whole instanceof ErlMap)) {
            sums[top] = HashFunction.add(sums[top], hash);
        } else if ((at & 1) == 0) {
            keys[top] = hash;
        } else {
            sums[top] += HashFunction.of(keys[top], hash);
        }
    }

    private static boolean isKey(Term whole, int at) {
        return whole instanceof ErlMap && (at & 1) == 0;
    }

    private static int parts(Term whole) {
        if (whole instanceof Tuple tuple) {
            return tuple.size();
        }
        if (whole instanceof ErlList list) {
            return list.isProper() ? list.size() : list.size() + 1;
        }
        return whole instanceof ErlMap map ? 2 * map.size() : ((Fun) whole).freeCount();
    }

    private static Term part(Term whole, int at) {
        if (whole instanceof Tuple tuple) {
            return tuple.get(at);
        }
        if (whole instanceof ErlList list) {
            return at == list.size() ? list.tail() : list.get(at);
        }
        return whole instanceof ErlMap map ? map.entryAt(at) : ((Fun) whole).free(at);
    }

    private static int start(Term whole) {
        if (whole instanceof Tuple) {
            return TUPLE;
        }
        if (whole instanceof ErlList) {
            return LIST;
        }
        return whole instanceof ErlMap ? MAP : ((Fun) whole).headHash();
    }

    private void push(Term term) {
        if (depth == terms.length) {
            int more = 2 * depth;
            terms = Arrays.copyOf(terms, more);
            nexts = Arrays.copyOf(nexts, more);
            sums = Arrays.copyOf(sums, more);
            keys = Arrays.copyOf(keys, more);
        }
        terms[depth] = term;
        nexts[depth] = 0;
        sums[depth++] = start(term);
    }
}
