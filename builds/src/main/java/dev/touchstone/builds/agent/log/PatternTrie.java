package dev.touchstone.builds.agent.log;

import java.util.Arrays;
import java.util.Collection;

/**
 * Finds many patterns in one pass over bytes: the automaton of Aho and Corasick ("Efficient string matching", 1975). A state stands for the
 * longest end of what was read that some pattern begins with. Immutable; memory is linear in the patterns, not 256 times that.
 */
final class PatternTrie {
    private static final int ROOT = 0;
    private static final int NONE = -1;

    private final int[] first = new int[256]; // the root's transitions; ROOT where there is none
    private final int[] keys; // open addressing: state * 256 + byte, or NONE
    private final int[] targets;
    private final int mask;
    private final int[] depth;
    private final int[] failure; // the next longest end that some pattern begins with
    private final int[] longest; // of the patterns that end here, or 0

    PatternTrie(Collection<byte[]> patterns) {
        int most = 1;
        for (byte[] pattern : patterns) {
            most += pattern.length;
        }
        mask = Math.max(2, Integer.highestOneBit(most) * 4) - 1;
        keys = new int[mask + 1];
        targets = new int[mask + 1];
        Arrays.fill(keys, NONE);
        depth = new int[most];
        failure = new int[most];
        longest = new int[most];
        int[] parent = new int[most];
        byte[] last = new byte[most];
        int states = 1;
        for (byte[] pattern : patterns) {
            int state = ROOT;
            for (byte value : pattern) {
                int next = child(state, value & 0xff);
                if (next == NONE) {
                    next = states++;
                    parent[next] = state;
                    last[next] = value;
                    depth[next] = depth[state] + 1;
                    put(state, value & 0xff, next);
                }
                state = next;
            }
            longest[state] = depth[state];
        }
        linkFailures(byDepth(states), parent, last);
    }

    /** Returns the state after one more byte. */
    int step(int state, int value) {
        int from = state;
        while (from != ROOT) {
            int next = child(from, value);
            if (next != NONE) {
                return next;
            }
            from = failure[from];
        }
        return first[value];
    }

    /** Returns the number of last bytes that may be the beginning of a pattern. */
    int depth(int state) {
        return depth[state];
    }

    /** Returns the length of the longest pattern that ends with the last byte; 0 if none does. */
    int matched(int state) {
        return longest[state];
    }

    private int child(int state, int value) {
        if (state == ROOT) {
            return first[value] == ROOT ? NONE : first[value];
        }
        int key = (state << 8) | value;
        for (int slot = slot(key); keys[slot] != NONE; slot = (slot + 1) & mask) {
            if (keys[slot] == key) {
                return targets[slot];
            }
        }
        return NONE;
    }

    private void put(int state, int value, int target) {
        if (state == ROOT) {
            first[value] = target;
            return;
        }
        int key = (state << 8) | value;
        int slot = slot(key);
        while (keys[slot] != NONE) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        targets[slot] = target;
    }

    private int slot(int key) {
        int mixed = key * 0x9E3779B9;
        return (mixed ^ (mixed >>> 15)) & mask;
    }

    /** Returns the states, the shallow ones first: a failure leads to a state that is less deep. */
    private int[] byDepth(int states) {
        int[] counts = new int[states + 1];
        for (int state = 1; state < states; state++) {
            counts[depth[state]]++;
        }
        for (int i = 1; i <= states; i++) {
            counts[i] += counts[i - 1];
        }
        int[] order = new int[states - 1];
        for (int state = states - 1; state > 0; state--) {
            order[--counts[depth[state]]] = state;
        }
        return order;
    }

    private void linkFailures(int[] order, int[] parent, byte[] last) {
        for (int state : order) {
            if (parent[state] != ROOT) {
                failure[state] = step(failure[parent[state]], last[state] & 0xff);
            }
            longest[state] = Math.max(longest[state], longest[failure[state]]);
        }
    }
}
