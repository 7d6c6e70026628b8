package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Settings of a session and its queue: small segments, so that they roll and are recycled all the time, and small batches. */
record Settings(Durability durability, int writers, long seed) {
    static final int SEGMENT_BYTES = 1 << 20;
    static final int BATCH_RECORDS = 1000;
    static final int BATCH_BYTES = 128 << 10;
    static final Duration BATCH_DELAY = Duration.ofMillis(5);

    /** More than all producers together keep in the queue. */
    static final int MAX_LEASES = 2 * Ledger.RING * Ledger.PRODUCERS;

    static Settings of(String durability, String writers, String seed) {
        return new Settings(durability(durability), Integer.parseInt(writers), Long.parseLong(seed));
    }

    static Durability durability(String name) {
        return Durability.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns a builder of this durability with the default settings. */
    static DiskQueueBuilder<byte[]> plain(Durability durability, Path folder) {
        DiskQueueBuilder<byte[]> builder = switch (durability) {
            case SYNCED -> DiskQueue.synced();
            case WRITTEN -> DiskQueue.written();
            case BATCHED -> DiskQueue.batched();
            case REPLICATED -> throw new IllegalArgumentException("not on one disk: durability=" + durability);
        };
        return builder.folder(folder)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO); // a reopened queue is drained at once
    }

    static DiskQueueBuilder<byte[]> small(Durability durability, Path folder) {
        return plain(durability, folder)
                .segmentBytes(SEGMENT_BYTES)
                .batch(BATCH_RECORDS, BATCH_BYTES, BATCH_DELAY)
                .lockTimeout(Duration.ofSeconds(10));
    }

    /** Opens a queue for consumers with leases, which end by acknowledgement and nack only. */
    DiskQueue<Payload> openForLeases(Path folder) {
        return small(durability, folder)
                .leases(MAX_LEASES, Duration.ofDays(1))
                .codec(Payload.CODEC)
                .open();
    }

    DiskQueue<byte[]> open(Path folder) {
        return small(durability, folder).open();
    }
}
