package dev.touchstone.index.server.store;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.RecordVisitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The application of a log to a snapshot. Not thread-safe. */
final class Replay {
    /** Maximum number of versions that are missing before an entry. Each entry makes one version, so more are missing only if its version is wrong. */
    private static final long MAX_MISSING = 1 << 20;

    private static final int MAX_DESCRIBED = 5;

    /** Maximum numbers of batches, and of bytes of their entries, of which one version is built. */
    private static final int MAX_GROUP = 1024;

    private static final long MAX_GROUP_BYTES = 4 << 20;

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
            List<String> problems) {
        /** Returns the first losses and problems, and damages of the log, separated by semicolons. */
        String described(List<String> damages) {
            return Stream.of(losses.stream().map(LogPlan.Loss::toString), problems.stream(), damages.stream())
                    .flatMap(all -> all.distinct().limit(MAX_DESCRIBED))
                    .collect(Collectors.joining("; "));
        }
    }

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
                long version = version(sequence - first + 1, entry);
                plan.add(sequence, version);
                bytes += version > snapshot.version() ? entry.remaining() : 0;
            } catch (CorruptEncodingException e) {
                problems.add("entry=" + sequence + ": " + e.getMessage());
            }
            return true;
        });
        LogPlan.Decision decision = plan.decide(snapshot.version(), first, next);
        List<LogPlan.Loss> losses = new ArrayList<>(decision.losses());
        Applier applier = new Applier(first, decision, losses, progress);
        entries.visit(applier);
        applier.flush();
        return new Result(
                applier.index,
                decision.firstKept(),
                applier.applied,
                bytes,
                List.copyOf(losses),
                List.copyOf(problems));
    }

    /**
     * Returns the version of an entry.
     *
     * @param ordinal number of the entry in the log, from 1
     * @throws CorruptEncodingException if the entry has no version, or one that it cannot have
     */
    private long version(long ordinal, ByteBuffer entry) throws CorruptEncodingException {
        long version = format.version(entry);
        if (version - snapshot.version() - ordinal > MAX_MISSING) {
            throw new CorruptEncodingException(
                    "entry has an impossible version: version=" + version + " snapshot=" + snapshot.version(), null);
        }
        return version;
    }

    /** The second pass, which decodes the entries that count and applies them in groups: one version is built for each group. */
    private final class Applier implements RecordVisitor {
        private final long first;
        private final LogPlan.Decision decision;
        private final int toApply;
        private final List<LogPlan.Loss> losses;
        private final StoreProgress progress;
        private final List<PriceBatch> group = new ArrayList<>();
        private final List<Long> sequences = new ArrayList<>(); // of the group
        private PriceIndex index = snapshot;
        private long groupBytes;
        private int seen;
        private int applied;

        Applier(long first, LogPlan.Decision decision, List<LogPlan.Loss> losses, StoreProgress progress) {
            this.first = first;
            this.decision = decision;
            toApply = decision.applied().cardinality();
            this.losses = losses;
            this.progress = progress;
        }

        @Override
        public boolean visit(long sequence, ByteBuffer entry) {
            try {
                long version = version(sequence - first + 1, entry);
                if (decision.applied().get(seen++)) {
                    add(sequence, version, decode(sequence, entry), entry.remaining());
                    applied++;
                    progress.at("replayed entries", applied, toApply);
                }
            } catch (CorruptEncodingException e) {
                // the first pass has noted it
            }
            return true;
        }

        private @Nullable PriceBatch decode(long sequence, ByteBuffer entry) {
            try {
                return format.decode(entry);
            } catch (CorruptEncodingException e) {
                problems.add("entry=" + sequence + ": " + e.getMessage());
                return null;
            }
        }

        private void add(long sequence, long version, @Nullable PriceBatch batch, int bytes) {
            while (index.version() + group.size() < version - 1) {
                add(new PriceBatch(), sequence, 0); // a lost version
            }
            if (batch == null) {
                lose(sequence, version);
            }
            add(batch == null ? new PriceBatch() : batch, sequence, bytes);
        }

        private void add(PriceBatch batch, long sequence, int bytes) {
            group.add(batch);
            sequences.add(sequence);
            groupBytes += bytes;
            if (group.size() >= MAX_GROUP || groupBytes >= MAX_GROUP_BYTES) {
                flush();
            }
        }

        /** Applies the group; one by one if the index refuses a batch, to tell which. */
        void flush() {
            try {
                index = index.after(group);
            } catch (IndexException e) {
                for (int i = 0; i < group.size(); i++) {
                    index = afterOne(group.get(i), sequences.get(i));
                }
            }
            group.clear();
            sequences.clear();
            groupBytes = 0;
        }

        private PriceIndex afterOne(PriceBatch batch, long sequence) {
            try {
                return index.after(batch);
            } catch (IndexException e) {
                problems.add("entry=" + sequence + ": the index refuses its batch: " + e.getMessage());
                lose(sequence, index.version() + 1);
                return index.after(new PriceBatch());
            }
        }

        private void lose(long sequence, long version) {
            losses.add(new LogPlan.Loss(sequence, sequence, version - 1, version));
        }
    }
}
