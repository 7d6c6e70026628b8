package dev.touchstone.index.table;

import java.util.Arrays;

/**
 * The numbers of uses of the codes of a {@link Dictionary}, and a chain of the codes that have no string any more. Immutable and thread-safe. Counts
 * are in pages, which are copied when they change.
 */
public final class RefCounts {
    private static final int PAGE_BITS = 8;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final RefCounts NONE = new RefCounts(new int[0][], 0);

    private final int[][] pages; // by code: number of uses; for a free code, -1 - the next free code
    private final int firstFree; // 0 if no code is free

    private RefCounts(int[][] pages, int firstFree) {
        this.pages = pages;
        this.firstFree = firstFree;
    }

    /** Returns the counts without a use. */
    public static RefCounts none() {
        return NONE;
    }

    /** Returns the number of uses of a code. */
    public int uses(int code) {
        int page = code >>> PAGE_BITS;
        return page < pages.length ? Math.max(0, pages[page][code & (PAGE - 1)]) : 0;
    }

    /** Counts that are being changed. Not thread-safe. */
    static final class Draft {
        private int[][] pages;
        private boolean[] isOwn;
        private int firstFree;

        Draft(RefCounts base) {
            pages = base.pages.clone();
            isOwn = new boolean[pages.length];
            firstFree = base.firstFree;
        }

        private int get(int code) {
            int page = code >>> PAGE_BITS;
            return page < pages.length ? pages[page][code & (PAGE - 1)] : 0;
        }

        private void set(int code, int value) {
            int page = code >>> PAGE_BITS;
            if (page >= pages.length) {
                int known = pages.length;
                pages = Arrays.copyOf(pages, Math.max(page + 1, known + (known >> 1)));
                isOwn = Arrays.copyOf(isOwn, pages.length);
                for (int i = known; i < pages.length; i++) {
                    pages[i] = new int[PAGE];
                    isOwn[i] = true;
                }
            }
            if (!isOwn[page]) {
                pages[page] = pages[page].clone();
                isOwn[page] = true;
            }
            pages[page][code & (PAGE - 1)] = value;
        }

        /** Adds to the number of uses of a code, and returns the sum. */
        int add(int code, int uses) {
            int sum = get(code) + uses;
            if (sum < 0) {
                throw new IllegalStateException(
                        "a code has fewer uses than were removed: code=" + code + " uses=" + sum);
            }
            set(code, sum);
            return sum;
        }

        boolean isUsed(int code) {
            return get(code) > 0;
        }

        /** Adds a code without uses to the chain of free codes. */
        void free(int code) {
            set(code, -1 - firstFree);
            firstFree = code;
        }

        /** Returns a free code, which is no longer free then; 0 if there is none. */
        int take() {
            int code = firstFree;
            if (code != 0) {
                firstFree = -1 - get(code);
                set(code, 0);
            }
            return code;
        }

        /** Returns the counts. The draft must not be used any more. */
        RefCounts build() {
            return new RefCounts(pages, firstFree);
        }
    }
}
