package dev.touchstone.queue.log;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options to open a log with; checked by the builder that makes them.
 *
 * @param folder folder of this log alone
 * @param commit place that an append waits for
 * @param segmentBytes length of a log file, header included
 * @param batch bound on the records in memory, {@link Commit#MEMORY} only, and the size of the shared batches
 * @param lockTimeout longest time to wait for another owner of the folder
 * @param limits bounds on the log's growth
 * @param retention bounds on the consumed records that are kept
 * @param leases bounds on the records that are on lease
 * @param namedCursorsOnly whether the log's own cursor consumes nothing, so that records are kept for the named ones alone
 * @param onDamage asked for each damaged place that a consumer or iterator comes to, and at open for each file
 * @param codecs compress ended segments, and read compressed ones
 */
public record LogOptions(
        Path folder,
        Commit commit,
        int segmentBytes,
        BatchBound batch,
        Duration lockTimeout,
        Limits limits,
        Retention retention,
        Leases leases,
        boolean namedCursorsOnly,
        Function<CorruptLogException, OnDamage> onDamage,
        Codecs codecs) {

    /** Leaves segments as they are. */
    public LogOptions(
            Path folder,
            Commit commit,
            int segmentBytes,
            BatchBound batch,
            Duration lockTimeout,
            Limits limits,
            Retention retention,
            Leases leases,
            boolean namedCursorsOnly,
            Function<CorruptLogException, OnDamage> onDamage) {
        this(
                folder,
                commit,
                segmentBytes,
                batch,
                lockTimeout,
                limits,
                retention,
                leases,
                namedCursorsOnly,
                onDamage,
                Codecs.READING);
    }

    /** Returns the options for one of several replicas: its files need not last, and its answers must not depend on its disk. */
    public LogOptions ofReplica(Path newFolder) {
        return new LogOptions(
                newFolder,
                Commit.MEMORY,
                segmentBytes,
                batch,
                lockTimeout,
                new Limits(limits.records(), limits.bytes(), 0, limits.whenFull()),
                retention,
                leases,
                namedCursorsOnly,
                damage -> OnDamage.STOP,
                codecs);
    }

    /** A place where a record is when its append returns. */
    public enum Commit {
        MEMORY,
        PAGE_CACHE,
        DEVICE
    }

    /** A choice of what to do about a place that is not what was written. */
    public enum OnDamage {
        /** Go on with the next whole record. */
        SKIP,
        /** Throw once; the next call goes on behind it. */
        THROW,
        /** Throw, now and whenever it is come to. */
        STOP
    }

    /** A bound on what is in memory: records, bytes, and the time for which they are. */
    public record BatchBound(int records, int bytes, Duration delay) {}

    /** Bounds on the log's growth; {@link Long#MAX_VALUE} and 0 for no limit. */
    public record Limits(long records, long bytes, long minFreeBytes, WhenFull whenFull) {
        public static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE, 0, WhenFull.REFUSE);

        public boolean isAny() {
            return records != Long.MAX_VALUE || bytes != Long.MAX_VALUE || minFreeBytes != 0;
        }
    }

    /** A policy for an append that would go over a limit. */
    public enum WhenFull {
        WAIT,
        REFUSE,
        DROP_OLDEST
    }

    /** Bounds on the consumed records that stay for replay: at most so many bytes, and nothing older. */
    public record Retention(long bytes, Duration age) {
        public static final Retention NONE = new Retention(0, Duration.ZERO);

        public boolean isAny() {
            return bytes > 0;
        }
    }

    /** Leases of one cursor: at most so many at once, each back in the queue after the timeout. */
    public record Leases(int most, Duration timeout) {}

    /**
     * The compressions of segments.
     *
     * @param writer compresses segments that have ended; null leaves them as they are
     * @param readers read compressed segments, the first that has a segment's id
     */
    public record Codecs(@Nullable BlockCodec writer, List<BlockCodec> readers) {
        /** Reads what the library itself can decompress, and compresses nothing. */
        public static final Codecs READING = new Codecs(null, ofLibrary());

        /** Returns codecs that compress with {@code writer}, and read what it and the library itself can decompress. */
        public static Codecs writing(BlockCodec writer) {
            List<BlockCodec> readers = new ArrayList<>(List.of(writer));
            readers.addAll(READING.readers);
            return new Codecs(writer, List.copyOf(readers));
        }

        private static List<BlockCodec> ofLibrary() {
            try {
                return List.of(DeflateCodec.FASTEST, new Lz4Codec());
            } catch (LinkageError absent) { // its library is an optional dependency
                return List.of(DeflateCodec.FASTEST);
            }
        }
    }

    /** Returns options with these three values, and defaults for all others. */
    public static LogOptions of(Path folder, Commit commit, int segmentBytes) {
        return new LogOptions(
                folder,
                commit,
                segmentBytes,
                new BatchBound(10_000, 1 << 20, Duration.ofMillis(10)),
                Duration.ofSeconds(1),
                Limits.NONE,
                Retention.NONE,
                new Leases(10_000, Duration.ofSeconds(30)),
                false,
                damage -> OnDamage.THROW);
    }
}
