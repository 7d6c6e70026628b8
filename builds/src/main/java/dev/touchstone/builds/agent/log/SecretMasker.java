package dev.touchstone.builds.agent.log;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Masks secrets in a stream of bytes, wherever the stream is cut into chunks: every byte that is part of any form of a secret is left out, and
 * four stars stand for each run of such bytes. The output is never longer than the input. One thread at a time.
 */
public final class SecretMasker {
    /*
     * A byte is settled when no pattern that contains it can still end: the automatons' depths say how many of the last bytes are not. Those
     * are held back until the next chunk or the end. What is settled is masked where one of the matches covers it; matches are kept as runs
     * in order that do not overlap, so that a byte is looked at a constant number of times.
     *
     * Base64 is folded into lines by many programs, where depends on what was encoded before the secret. So its patterns are looked for in
     * the bytes without line ends; an empty line ends a match, which bounds what is held back.
     */
    private static final byte[] STARS = {'*', '*', '*', '*'};
    private static final int MAX_LINE_END = 2;

    private final PatternTrie plain;
    private final PatternTrie folded;
    private byte[] held = new byte[1 << 10]; // not settled, then the chunk
    private int heldBytes;
    private int plainState;
    private int foldedState;
    private int lineEnd; // bytes of line ends that were read last
    private boolean inSecret; // the last settled byte was masked
    private int[] runs = new int[16]; // from, to (exclusive), from, to ... by position in held
    private int runEnds;

    public SecretMasker(Secrets secrets) {
        plain = secrets.plain();
        folded = secrets.folded();
    }

    /** Takes the first bytes of {@code chunk}; returns what is settled by now, valid until the next call. */
    public ByteBuffer mask(byte[] chunk, int length) {
        if (held.length < heldBytes + length) {
            held = Arrays.copyOf(held, Math.max(heldBytes + length, 2 * held.length));
        }
        System.arraycopy(chunk, 0, held, heldBytes, length);
        int end = heldBytes + length;
        for (int i = heldBytes; i < end; i++) {
            int value = held[i] & 0xff;
            plainState = plain.step(plainState, value);
            int matched = plain.matched(plainState);
            if (matched > 0) {
                cover(i + 1 - matched, i + 1);
            }
            stepFolded(value, i + 1);
        }
        int open = Math.min(end - plain.depth(plainState), foldedStart(folded.depth(foldedState), end));
        return settle(open, end);
    }

    private void stepFolded(int value, int end) {
        if (value == '\n' || value == '\r') {
            lineEnd++;
            if (lineEnd > MAX_LINE_END) {
                foldedState = 0;
            }
            return;
        }
        lineEnd = 0;
        foldedState = folded.step(foldedState, value);
        int matched = folded.matched(foldedState);
        if (matched > 0) {
            cover(foldedStart(matched, end), end);
        }
    }

    /** Returns where the last {@code count} bytes before {@code end} begin that are no line ends. */
    private int foldedStart(int count, int end) {
        int at = end;
        for (int left = count; left > 0; ) {
            at--;
            if (held[at] != '\n' && held[at] != '\r') {
                left--;
            }
        }
        return at;
    }

    /** Returns what was held back, since nothing follows. */
    public ByteBuffer finish() {
        ByteBuffer rest = settle(heldBytes, heldBytes);
        plainState = 0;
        foldedState = 0;
        return rest;
    }

    /** Masks what was held back: what follows is cut off, and this may be the beginning of a secret. */
    public ByteBuffer cut() {
        if (heldBytes > 0) {
            cover(0, heldBytes);
        }
        return finish();
    }

    private void cover(int from, int to) {
        int start = from;
        while (runEnds > 0 && runs[runEnds - 1] >= start) {
            start = Math.min(start, runs[runEnds - 2]);
            runEnds -= 2;
        }
        if (runs.length == runEnds) {
            runs = Arrays.copyOf(runs, 2 * runs.length);
        }
        runs[runEnds++] = start;
        runs[runEnds++] = to;
    }

    private ByteBuffer settle(int settled, int end) {
        ByteBuffer out = ByteBuffer.allocate(settled + STARS.length);
        int at = 0;
        int run = 0;
        while (at < settled) {
            int from = run < runEnds ? Math.min(runs[run], settled) : settled;
            if (at < from) {
                out.put(held, at, from - at);
                inSecret = false;
                at = from;
            } else {
                if (!inSecret) {
                    out.put(STARS);
                    inSecret = true;
                }
                at = Math.min(runs[run + 1], settled);
                run += runs[run + 1] <= settled ? 2 : 0;
            }
        }
        keep(run, settled, end);
        return out.flip();
    }

    /** Moves what is not settled, and the runs in it, to the front. */
    private void keep(int run, int settled, int end) {
        System.arraycopy(held, settled, held, 0, end - settled);
        heldBytes = end - settled;
        int kept = 0;
        for (int i = run; i < runEnds; i += 2) {
            runs[kept++] = Math.max(0, runs[i] - settled);
            runs[kept++] = runs[i + 1] - settled;
        }
        runEnds = kept;
    }
}
