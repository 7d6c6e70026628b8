package dev.touchstone.index.table;

import java.util.Arrays;
import java.util.List;

/**
 * A hash table from strings to codes, of pages that are copied when they change, so that a change costs a page and the directory of pages, however
 * many strings there are (extendible hashing: Fagin et al., "Extendible hashing - a fast access method for dynamic files", 1979). Immutable and
 * thread-safe.
 *
 * <p>The hash depends on a secret number of this process, so that nobody can choose strings whose hashes are equal.
 */
final class HashPages {
    /** The table without strings. */
    static final HashPages EMPTY = new HashPages(new Page[] {new Page(0, 16)}, 0);

    /** Number of slots of a page from which on it is divided instead of enlarged. */
    private static final int MAX_SLOTS = 256;

    /** Maximum number of bits of a hash that choose a page. */
    private static final int MAX_DEPTH = 24;

    /** Average number of strings of an entry of the directory below which a table is worth being built anew. */
    private static final int SPARSE = 8;

    private final Page[] directory; // by the first bits of the hash
    private final int depth; // number of these bits

    private HashPages(Page[] directory, int depth) {
        this.directory = directory;
        this.depth = depth;
    }

    /** A hash table with open addressing of strings whose hashes begin with the same bits. Not changed after the table that made it is complete. */
    private static final class Page {
        final int depth; // number of bits that all hashes of this page share
        int[] hashes;
        int[] codes; // 0 for a free slot
        int used;

        Page(int depth, int length) {
            this.depth = depth;
            hashes = new int[length];
            codes = new int[length];
        }

        Page copy() {
            Page copy = new Page(depth, 0);
            copy.hashes = hashes.clone();
            copy.codes = codes.clone();
            copy.used = used;
            return copy;
        }

        boolean isFull() {
            return used * 3 >= codes.length * 2;
        }

        void add(int hash, int code) {
            int mask = codes.length - 1;
            int at = hash & mask;
            while (codes[at] != 0) {
                at = (at + 1) & mask;
            }
            hashes[at] = hash;
            codes[at] = code;
            used++;
        }

        /** Removes a code, and moves those behind it up that a look-up would not find any more. */
        void remove(int hash, int code) {
            int mask = codes.length - 1;
            int hole = hash & mask;
            while (codes[hole] != code) {
                hole = (hole + 1) & mask;
            }
            for (int at = (hole + 1) & mask; codes[at] != 0; at = (at + 1) & mask) {
                if (((at - hashes[at]) & mask) >= ((at - hole) & mask)) {
                    codes[hole] = codes[at];
                    hashes[hole] = hashes[at];
                    hole = at;
                }
            }
            codes[hole] = 0;
            used--;
        }

        /** Returns a page with the codes of this one, or with those whose hash has a given bit after the shared ones. */
        Page with(int newDepth, int length, int wantedBit) {
            Page page = new Page(newDepth, length);
            for (int at = 0; at < codes.length; at++) {
                if (codes[at] != 0 && (newDepth == depth || bit(hashes[at]) == wantedBit)) {
                    page.add(hashes[at], codes[at]);
                }
            }
            return page;
        }

        private int bit(int hash) {
            return (hash >>> (Integer.SIZE - 1 - depth)) & 1;
        }
    }

    /** The next table while it is made. */
    private static final class Draft {
        Page[] directory;
        int depth;
        boolean[] isOwn; // by entry, whether its page was made for this table

        Draft(HashPages base) {
            directory = base.directory.clone();
            depth = base.depth;
            isOwn = new boolean[directory.length];
        }

        /** Returns the page of a hash, which may be changed. */
        Page page(int hash) {
            int at = place(hash, depth);
            if (!isOwn[at]) {
                replace(hash, directory[at].copy());
            }
            return directory[at];
        }

        /** Puts a page into all entries of the hashes that begin like a hash. */
        private void replace(int hash, Page page) {
            int count = 1 << (depth - page.depth);
            int first = place(hash, depth) & -count;
            Arrays.fill(directory, first, first + count, page);
            Arrays.fill(isOwn, first, first + count, true);
        }

        void add(int hash, int code) {
            Page page = page(hash);
            while (page.isFull()) {
                if (page.codes.length < MAX_SLOTS || page.depth == MAX_DEPTH) {
                    replace(hash, page.with(page.depth, page.codes.length * 2, 0));
                } else {
                    divide(hash, page);
                }
                page = page(hash);
            }
            page.add(hash, code);
        }

        private void divide(int hash, Page page) {
            if (page.depth == depth) {
                Page[] larger = new Page[directory.length * 2];
                boolean[] largerOwn = new boolean[larger.length];
                for (int i = 0; i < larger.length; i++) {
                    larger[i] = directory[i >> 1];
                    largerOwn[i] = isOwn[i >> 1];
                }
                directory = larger;
                isOwn = largerOwn;
                depth++;
            }
            int bit = 1 << (Integer.SIZE - 1 - page.depth);
            replace(hash & ~bit, page.with(page.depth + 1, page.codes.length, 0));
            replace(hash | bit, page.with(page.depth + 1, page.codes.length, 1));
        }
    }

    private static int place(int hash, int depth) {
        return (int) (Integer.toUnsignedLong(hash) >>> (Integer.SIZE - depth));
    }

    private static int hash(String value) {
        return (int) (IdTable.hash(value) >>> 32);
    }

    /** Returns the table after strings were added, and the strings of some codes, which {@code before} knows, were removed. */
    HashPages with(Dictionary before, int[] removed, List<String> added, int[] codes) {
        Draft draft = new Draft(this);
        for (int code : removed) {
            int hash = hash(before.value(code));
            draft.page(hash).remove(hash, code);
        }
        for (int i = 0; i < codes.length; i++) {
            draft.add(hash(added.get(i)), codes[i]);
        }
        return new HashPages(draft.directory, draft.depth);
    }

    /** Returns whether a table of so many strings takes much more memory than it needs. */
    boolean isSparse(int strings) {
        return directory.length > 1 && strings < directory.length * SPARSE;
    }

    /** Returns the code of a string, or 0. */
    int code(String value, Dictionary dictionary) {
        int hash = hash(value);
        Page page = directory[place(hash, depth)];
        int mask = page.codes.length - 1;
        for (int at = hash & mask; page.codes[at] != 0; at = (at + 1) & mask) {
            if (page.hashes[at] == hash && dictionary.value(page.codes[at]).equals(value)) {
                return page.codes[at];
            }
        }
        return 0;
    }
}
