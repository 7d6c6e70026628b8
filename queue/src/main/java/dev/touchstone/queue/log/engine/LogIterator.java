package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.segment.DelayedPayload;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An iterator over the records that were in the log when it was made and have not been consumed since. Not thread-safe. */
public final class LogIterator implements RecordIterator {
    private final RecordLog log;
    private final @Nullable LogCursor cursor;
    private final LogReader reader;
    private final long last;
    private long sequence;
    private long found;

    /**
     * Creates an iterator over the records from {@code first} to {@code last}.
     *
     * @param cursor the cursor whose consumed records are left out, or null to read all that is still there
     */
    LogIterator(RecordLog log, @Nullable LogCursor cursor, long first, long last) {
        this.log = log;
        this.cursor = cursor;
        this.reader = log.newReader();
        this.last = last;
        this.sequence = first;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
        while (hasMore()) {
            try {
                byte[] payload = reader.read(sequence);
                boolean delayed = reader.isDelayed();
                passed();
                return delayed ? DelayedPayload.element(payload) : payload;
            } catch (IOException e) {
                tellUnlessGone(e);
            }
        }
        return null;
    }

    /** Returns the next payload as {@link #next} does, without copying: valid until the next call, in memory of the iterator. */
    @Nullable
    public ByteBuffer view() throws IOException {
        while (hasMore()) {
            try {
                ByteBuffer view = reader.view(sequence);
                boolean delayed = reader.isDelayed();
                passed();
                return delayed
                        ? view.slice(
                                view.position() + DelayedPayload.DELAY_BYTES,
                                view.remaining() - DelayedPayload.DELAY_BYTES)
                        : view;
            } catch (IOException e) {
                tellUnlessGone(e);
            }
        }
        return null;
    }

    private void passed() {
        found = sequence;
        reader.advance();
        sequence++;
    }

    @Override
    public long sequence() {
        return found;
    }

    /** Returns the sequence from which the next record is looked for. */
    public long position() {
        return sequence;
    }

    /** Returns the sequence behind which there is nothing for this iterator. */
    public long last() {
        return last;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private boolean hasMore() throws IOException {
        sequence = Math.max(sequence, cursor == null ? log.oldestSequence() : cursor.floor());
        while (cursor != null && sequence <= last && cursor.isConsumed(sequence)) {
            sequence++;
        }
        if (sequence > last) {
            reader.close();
        }
        return sequence <= last;
    }

    private void tellUnlessGone(IOException cause) throws IOException {
        Segment segment = log.segments().find(sequence);
        if (isGone()) {
            reader.close(); // consumed, and its file taken back, while we read
        } else if (segment != null && segment.isReleased()) {
            reader.close();
            sequence = segment.endSequence(); // consumed before
        } else {
            skip(cause);
        }
    }

    private boolean isGone() {
        Segment segment = reader.segment();
        return sequence < (cursor == null ? log.oldestSequence() : cursor.floor())
                || (segment != null && !log.segments().isLive(segment));
    }

    /** Throws damage once and passes it; passes it quietly where it is to be skipped. */
    private void skip(IOException cause) throws IOException {
        if (!(cause instanceof CorruptLogException damage)) {
            throw cause;
        }
        LogOptions.OnDamage decision = log.onDamage(damage);
        if (decision != LogOptions.OnDamage.STOP) {
            sequence = reader.skip(sequence);
        }
        if (decision != LogOptions.OnDamage.SKIP) {
            throw cause;
        }
    }
}
