package dev.touchstone.index.server.store;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.PriceBatch;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.RecordVisitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The application of a log to a snapshot. Not thread-safe. */
final class Replay {
    /** Maximum distance of an entry's version from that of the snapshot; a larger one was never written. */
    private static final long MAX_VERSIONS = 1 << 20;

    private final BatchFormat format;
    private final PriceIndex snapshot;
    private final List<String> problems = new ArrayList<>();
    private final LogPlan plan = new LogPlan();
    private long bytes;

    /** The entries of a log that can be read, and are the same each time that they are visited. */
    @FunctionalInterface
    interface Entries {
        void visit(RecordVisitor visitor) throws IOException;
    }

    /**
     * The result of a replay.
     *
     * @param index index after all entries that were applied
     * @param firstKept sequence of the first entry that the snapshot does not contain
     * @param entries number of entries that were applied
     * @param bytes length of the entries that make versions after that of the snapshot
     * @param losses entries and versions that are lost
     * @param problems entries that could not be used, with their reasons
     */
    record Result(
            PriceIndex index,
            long firstKept,
            int entries,
            long bytes,
            List<LogPlan.Loss> losses,
            List<String> problems) {}

    Replay(PriceIndex snapshot) {
        this.snapshot = snapshot;
        format = new BatchFormat(snapshot);
    }

    /** Applies the log that is open to the snapshot. */
    static Result of(DiskQueue<byte[]> log, PriceIndex snapshot, StoreProgress progress) throws IOException {
        long next = log.stats().nextSequence();
        long first = next - log.longSize(); // entries are removed in order
        return new Replay(snapshot).run(visitor -> log.visit(first, visitor), first, next, progress);
    }

    /**
     * Applies the entries that count to the snapshot.
     *
     * @param first sequence of the first entry that was not removed
     * @param next sequence that the next entry will get
     * @return the result; where entries are lost, the entries behind them are applied all the same, and lost versions count as ones without changes
     */
    Result run(Entries entries, long first, long next, StoreProgress progress) throws IOException {
        entries.visit((sequence, entry) -> {
            try {
                long version = version(entry);
                plan.add(sequence, version);
                bytes += version > snapshot.version() ? entry.remaining() : 0;
            } catch (CorruptBatchException e) {
                problems.add("entry=" + sequence + ": " + e.getMessage());
            }
            return true;
        });
        LogPlan.Decision decision = plan.decide(snapshot.version(), first, next);
        List<LogPlan.Loss> losses = new ArrayList<>(decision.losses());
        Applier applier = new Applier(decision, losses, progress);
        entries.visit(applier);
        return new Result(
                applier.index,
                decision.firstKept(),
                applier.applied,
                bytes,
                List.copyOf(losses),
                List.copyOf(problems));
    }

    private long version(ByteBuffer entry) throws CorruptBatchException {
        long version = format.version(entry);
        if (version - snapshot.version() > MAX_VERSIONS) {
            throw new CorruptBatchException(
                    "entry has an impossible version: version=" + version + " snapshot=" + snapshot.version(), null);
        }
        return version;
    }

    /** The second pass, which decodes the entries that count. */
    private final class Applier implements RecordVisitor {
        private final LogPlan.Decision decision;
        private final List<LogPlan.Loss> losses;
        private final StoreProgress progress;
        private PriceIndex index = snapshot;
        private int seen;
        private int applied;

        Applier(LogPlan.Decision decision, List<LogPlan.Loss> losses, StoreProgress progress) {
            this.decision = decision;
            this.losses = losses;
            this.progress = progress;
        }

        @Override
        public boolean visit(long sequence, ByteBuffer entry) {
            try {
                long version = version(entry);
                if (decision.applied().get(seen++)) {
                    apply(sequence, version, decode(sequence, entry));
                    applied++;
                    progress.at("replayed entries", applied, decision.applied().cardinality());
                }
            } catch (CorruptBatchException e) {
                // the first pass has noted it
            }
            return true;
        }

        private @Nullable PriceBatch decode(long sequence, ByteBuffer entry) {
            try {
                return format.decode(entry);
            } catch (CorruptBatchException e) {
                problems.add("entry=" + sequence + ": " + e.getMessage());
                return null;
            }
        }

        private void apply(long sequence, long version, @Nullable PriceBatch batch) {
            while (index.version() < version - 1) {
                index = index.after(new PriceBatch()); // a lost version
            }
            PriceIndex next = null;
            try {
                next = batch == null ? null : index.after(batch);
            } catch (IndexException e) {
                problems.add("entry=" + sequence + ": the index refuses its batch: " + e.getMessage());
            }
            if (next == null) {
                losses.add(new LogPlan.Loss(sequence, sequence, version - 1, version));
                next = index.after(new PriceBatch());
            }
            index = next;
        }
    }
}
