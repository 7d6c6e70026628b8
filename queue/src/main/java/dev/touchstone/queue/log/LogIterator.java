package dev.touchstone.queue.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads what was in the log when it was made and has not been removed since. Not thread-safe. */
public final class LogIterator {
    private final RecordLog log;
    private final LogReader reader;
    private final long last;
    private long sequence;

    LogIterator(RecordLog log, LogReader reader, long last) {
        this.log = log;
        this.reader = reader;
        this.last = last;
        this.sequence = log.head();
    }

    /** The next payload, or null at the end. */
    public byte @Nullable [] next() throws IOException {
        for (; ; ) {
            sequence = Math.max(sequence, log.head());
            if (sequence > last) {
                reader.close();
                return null;
            }
            try {
                byte[] payload = reader.read(sequence);
                reader.advance();
                sequence++;
                return payload;
            } catch (IOException e) {
                if (sequence >= log.head() && (reader.segment() == null || log.isLive(reader.segment()))) {
                    skip(e);
                    throw e;
                }
                reader.close(); // removed, and its file taken back, while we read
            }
        }
    }

    /** Damage is thrown once. */
    private void skip(IOException cause) throws IOException {
        if (cause instanceof CorruptLogException) {
            sequence = reader.skip(sequence);
        }
    }
}
