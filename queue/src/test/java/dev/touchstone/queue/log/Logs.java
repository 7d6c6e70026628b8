package dev.touchstone.queue.log;

import dev.touchstone.queue.Compression;
import dev.touchstone.queue.log.LogOptions.BatchBound;
import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Small logs for tests, and the calls that tests make most. */
final class Logs {
    static final Path FOLDER = Path.of("queue");

    private Logs() {}

    static LogOptions options(Commit commit) {
        LogOptions defaults = LogOptions.of(FOLDER, commit, 64 << 10);
        return new LogOptions(
                FOLDER,
                commit,
                64 << 10,
                new BatchBound(64, 32 << 10, Duration.ofMinutes(1)),
                Duration.ZERO,
                defaults.limits(),
                defaults.retention(),
                defaults.leases(),
                false,
                defaults.onDamage());
    }

    /** Returns options with another answer to damage. */
    static LogOptions onDamage(LogOptions options, Function<CorruptLogException, LogOptions.OnDamage> handler) {
        return new LogOptions(
                options.folder(),
                options.commit(),
                options.segmentBytes(),
                options.batch(),
                options.lockTimeout(),
                options.limits(),
                options.retention(),
                options.leases(),
                options.namedCursorsOnly(),
                handler);
    }

    /** Returns the JDK's deflate under an id. */
    static BlockCodec deflate(int id) {
        Compression deflate = Compression.deflate();
        return new BlockCodec() {
            @Override
            public int id() {
                return id;
            }

            @Override
            public byte[] compress(byte[] block) {
                return deflate.compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return deflate.decompress(compressed, bytes);
            }
        };
    }

    /** Returns options that compress segments, or only read what is compressed. */
    static LogOptions compressing(LogOptions options, boolean writing) {
        BlockCodec codec = deflate(1);
        return new LogOptions(
                options.folder(),
                options.commit(),
                options.segmentBytes(),
                options.batch(),
                options.lockTimeout(),
                options.limits(),
                options.retention(),
                options.leases(),
                options.namedCursorsOnly(),
                options.onDamage(),
                new LogOptions.Codecs(writing ? codec : null, List.of(codec)));
    }

    /** Returns the number of records with so many bytes of payload that a segment has room for. */
    static int recordsPerSegment(Commit commit, int payloadBytes) {
        int room = options(commit).segmentBytes() - SegmentHeader.BYTES - ConsumptionRecords.MAX_BYTES;
        return room / RecordFormat.recordBytes(payloadBytes);
    }

    static void append(RecordLog log, byte[] record) throws IOException {
        try {
            if (log.append(0, record) == 0) {
                throw new AssertionError("refused");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static byte @Nullable [] poll(RecordLog log) throws IOException {
        return log.cursors().own().poll();
    }
}
