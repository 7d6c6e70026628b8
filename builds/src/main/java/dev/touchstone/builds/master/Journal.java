package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The events since the oldest one that matters, in a synced queue. The dispatcher's, which is told when an event is on the device. What a job waits
 * for is read from here again, so that a long queue takes little memory.
 */
final class Journal implements AutoCloseable {
    private static final int SEGMENT_BYTES = 32 << 20;
    private static final int MAX_DECODED = 4;

    private final DiskQueue<byte[]> queue;
    private final Executor dispatcher;
    private final Map<Long, Event> decoded = new LinkedHashMap<>();
    private @Nullable Iterator<byte[]> reader;
    private long readerAt; // sequence of what the reader gives next
    private long next;
    private long appendedBytes;

    /** Is told that an event is on the device, or why it is not. */
    interface Stored {
        void done(@Nullable Throwable failure);
    }

    /** Is given the events from the oldest on. */
    interface Player {
        void play(long sequence, Event event);
    }

    Journal(Path folder, Executor dispatcher) {
        this.queue =
                DiskQueue.synced().folder(folder).segmentBytes(SEGMENT_BYTES).open();
        this.dispatcher = dispatcher;
        this.next = queue.stats().nextSequence();
    }

    void play(Player player) {
        if (queue.isEmpty()) {
            return;
        }
        long first = next - queue.longSize();
        long unused = queue.visit(first, (sequence, payload) -> {
            player.play(sequence, decode(sequence, payload));
            return true;
        });
    }

    private static Event decode(long sequence, ByteBuffer payload) {
        try {
            return Event.decode(payload);
        } catch (RuntimeException e) {
            throw new IllegalStateException("journal has a record that is no event: sequence=" + sequence, e);
        }
    }

    /** Appends an event, and returns its sequence; the answer comes through the dispatcher. */
    long append(Event event, Stored stored) {
        byte[] bytes = event.encode();
        long sequence = next++;
        appendedBytes += bytes.length;
        try {
            var unused = queue.offerAsync(bytes)
                    .whenComplete((added, failure) -> dispatcher.execute(() -> stored.done(failure)));
        } catch (QueueException e) {
            dispatcher.execute(() -> stored.done(e));
        }
        return sequence;
    }

    /** The request of a job, which the record at {@code sequence} has; null if it is not to be found. */
    @Nullable
    BuildRequest load(long sequence, long job) {
        Event event = decoded.get(sequence);
        if (event == null) {
            event = read(sequence);
            if (event == null) {
                return null;
            }
            remember(sequence, event);
        }
        return requestOf(event, job);
    }

    private void remember(long sequence, Event event) {
        if (decoded.size() >= MAX_DECODED) {
            Iterator<Long> oldest = decoded.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        decoded.put(sequence, event);
    }

    private static @Nullable BuildRequest requestOf(Event event, long job) {
        if (event instanceof Event.Batch batch) {
            for (Event part : batch.events()) {
                BuildRequest found = requestOf(part, job);
                if (found != null) {
                    return found;
                }
            }
        }
        if (event instanceof Event.Accepted accepted) {
            int row = accepted.jobs().rowOf(job);
            return row < 0
                    ? null
                    : accepted.requests().get((int) accepted.which().get(row));
        }
        return null;
    }

    /** With the reader of the last call, which may end before what was appended since, and else with a new one. */
    private @Nullable Event read(long sequence) {
        Event found = readOn(sequence);
        if (found == null) {
            reader = queue.iterator(sequence);
            readerAt = Math.max(sequence, queue.stats().oldestSequence());
            found = readOn(sequence);
        }
        return found;
    }

    private @Nullable Event readOn(long sequence) {
        Iterator<byte[]> from = reader;
        if (from == null || sequence < readerAt) {
            return null;
        }
        for (; readerAt < sequence && from.hasNext(); readerAt++) {
            byte[] unused = from.next();
        }
        if (readerAt != sequence || !from.hasNext()) {
            reader = null;
            return null;
        }
        readerAt++;
        return decode(sequence, ByteBuffer.wrap(from.next()));
    }

    /** The sequence of the oldest event; the next one's if there is none. */
    long oldest() {
        return queue.stats().nextSequence() - queue.longSize();
    }

    /** Events that are kept. Any thread's. */
    long size() {
        return queue.longSize();
    }

    long nextSequence() {
        return next;
    }

    /** Bytes appended since the last call of {@link #cleaned}. */
    long appendedBytes() {
        return appendedBytes;
    }

    void cleaned() {
        appendedBytes = 0;
    }

    /** Gives events from the oldest on, for the cleaner. */
    Iterator<byte[]> iterator() {
        return queue.iterator(oldest());
    }

    /** Removes the oldest events. */
    void remove(long events) {
        for (long i = 0; i < events; i++) {
            byte[] unused = queue.poll();
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
