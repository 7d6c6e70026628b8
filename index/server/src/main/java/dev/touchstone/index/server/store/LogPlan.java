package dev.touchstone.index.server.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision which entries of a log make the versions after that of a snapshot, from their sequences and versions alone. Not thread-safe.
 *
 * <p>An append that failed may have left entries whose versions were given again to later ones. So an entry counts only if no later entry has its
 * version or a lower one. Entries up to the snapshot's version are in the snapshot. What is missing does no harm if all that stands before it is in
 * the snapshot, too; otherwise it is lost, also where the versions around it follow each other: what is missing may have replaced one of them.
 */
final class LogPlan {
    private long[] sequences = new long[64];
    private long[] versions = new long[64];
    private int count;

    /** The entries that are applied, by their order in the log, the first sequence that is kept, and what is lost. */
    record Decision(BitSet applied, long firstKept, List<Loss> losses) {}

    /**
     * Entries that were lost, or versions that no entry has.
     *
     * @param firstSequence first entry that is missing; 0 if no entry is missing, but versions are
     * @param lastSequence last entry that is missing, or 0
     * @param afterVersion version that the missing entries follow
     * @param beforeVersion version of the next entry that is there; 0 if there is none
     */
    record Loss(long firstSequence, long lastSequence, long afterVersion, long beforeVersion) {
        @Override
        public String toString() {
            String entries = firstSequence == 0 ? "" : " entries=" + firstSequence + ".." + lastSequence;
            return "lost:" + entries + " after version=" + afterVersion
                    + (beforeVersion == 0 ? ", up to the end" : " before version=" + beforeVersion);
        }
    }

    /** Adds the next entry of the log that can be read. */
    void add(long sequence, long version) {
        if (count == sequences.length) {
            sequences = Arrays.copyOf(sequences, 2 * count);
            versions = Arrays.copyOf(versions, 2 * count);
        }
        sequences[count] = sequence;
        versions[count++] = version;
    }

    int count() {
        return count;
    }

    long version(int entry) {
        return versions[entry];
    }

    /**
     * Returns the decision about the entries that were added.
     *
     * @param snapshotVersion version of the snapshot
     * @param first sequence of the first entry that was not removed
     * @param next sequence that the next entry will get
     */
    Decision decide(long snapshotVersion, long first, long next) {
        long[] lowestFrom = new long[count + 1]; // lowest version of an entry and all behind it
        lowestFrom[count] = Long.MAX_VALUE;
        BitSet applied = new BitSet(count);
        for (int i = count - 1; i >= 0; i--) {
            applied.set(i, versions[i] < lowestFrom[i + 1] && versions[i] > snapshotVersion);
            lowestFrom[i] = Math.min(versions[i], lowestFrom[i + 1]);
        }
        List<Loss> losses = new ArrayList<>();
        long expected = first;
        long reached = snapshotVersion;
        Loss open = null; // entries are missing, and no entry behind them was applied yet
        for (int i = 0; i < count; i++) {
            if (sequences[i] > expected && lowestFrom[i] > snapshotVersion + 1) {
                open = join(open, new Loss(expected, sequences[i] - 1, reached, 0));
            }
            expected = Math.max(expected, sequences[i] + 1);
            if (applied.get(i)) {
                if (open != null) {
                    losses.add(new Loss(open.firstSequence, open.lastSequence, reached, versions[i]));
                } else if (versions[i] > reached + 1) {
                    losses.add(new Loss(0, 0, reached, versions[i]));
                }
                open = null;
                reached = versions[i];
            }
        }
        if (expected < next) {
            open = join(open, new Loss(expected, next - 1, reached, 0));
        }
        if (open != null) {
            losses.add(open);
        }
        int firstApplied = applied.nextSetBit(0);
        return new Decision(applied, firstApplied < 0 ? next : sequences[firstApplied], losses);
    }

    private static Loss join(@Nullable Loss before, Loss more) {
        return before == null ? more : new Loss(before.firstSequence, more.lastSequence, before.afterVersion, 0);
    }
}
