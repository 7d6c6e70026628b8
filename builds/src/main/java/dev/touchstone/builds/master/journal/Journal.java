package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The events since the oldest one that matters, in a synced queue. Used by the dispatcher's thread, which is told when an event is on the device.
 * The requests of waiting jobs are read from here again, so that a long queue takes little memory.
 *
 * <p>Secrets of requests are encrypted before they are written, and decrypted where one request is loaded.
 */
public final class Journal implements AutoCloseable {
    /*
     * Who calls:  the dispatcher, and before that has started the thread that opens the master; any thread `size`; threads of the queue hand answers
     *             to the dispatcher.
     * Invariants: `next` counts answers of events that are stored, so that an event that is refused takes no number.
     * Failure:    `problem` is why the last event was not stored, until a later one is.
     */
    private static final int MAX_DECODED = 4;

    private final JournalFolder folder;
    private final SecretKey key;
    private final DiskQueue<byte[]> queue;
    private final Executor dispatcher;
    private final Map<Long, Event> decoded = new LinkedHashMap<>();
    private @Nullable Iterator<byte[]> reader;
    private long readerAt; // sequence of what the reader gives next
    private long next; // of the event that is stored next; one that is refused takes none
    private long oldest; // the queue's own figures count what is on its way, and one before the other
    private long appendedBytes;
    private @Nullable Throwable problem;
    private boolean isTrying;

    /** Is told that an event is on the device, or why it is not. */
    public interface Stored {
        /** Takes the event's sequence, and null for success; or 0 and the failure. */
        void done(long sequence, @Nullable Throwable failure);
    }

    /** Is given the events from the oldest on. */
    public interface Player {
        /** Takes one event. */
        void play(long sequence, Event event);
    }

    /**
     * Opens a journal, or creates one.
     *
     * @param folder where it is; not null
     * @param dispatcher runs the answers; not null
     * @throws JournalDamagedException if its files are not what was written
     * @throws IOException if the key of its secrets cannot be read or created
     * @throws QueueException if it cannot be opened, for instance because another master has it
     */
    public Journal(JournalFolder folder, Executor dispatcher) throws IOException {
        this.folder = folder;
        this.dispatcher = dispatcher;
        try {
            this.queue = JournalFolder.open(folder.path());
        } catch (CorruptQueueException e) {
            throw new JournalDamagedException(e);
        }
        this.next = queue.stats().nextSequence();
        this.oldest = next - queue.longSize();
        boolean hasKey = false;
        try {
            // under the queue's lock: two masters that start must not make two keys
            this.key = SecretKey.open(folder.root());
            hasKey = true;
        } finally {
            if (!hasKey) {
                queue.close();
            }
        }
    }

    /**
     * Gives all events to {@code player}.
     *
     * @return whether some event has secrets in clear, as journals of before 0.1.0 have; see {@link #sealAll}
     * @throws JournalDamagedException if an event cannot be read
     */
    public boolean play(Player player) throws JournalDamagedException {
        if (queue.isEmpty()) {
            return false;
        }
        boolean[] isClear = {false};
        try {
            long unused = queue.visit(oldest(), (sequence, payload) -> {
                Event event = whole(sequence, payload);
                isClear[0] |= isClear(event);
                player.play(sequence, event);
                return true;
            });
        } catch (CorruptQueueException | IllegalStateException e) {
            throw new JournalDamagedException(e);
        }
        return isClear[0];
    }

    private static boolean isClear(Event event) {
        if (event instanceof Event.Batch batch) {
            return batch.events().stream().anyMatch(Journal::isClear);
        }
        return event instanceof Event.Accepted accepted && accepted.hasSecrets() && !accepted.isSealed();
    }

    /**
     * Writes the journal anew with all secrets encrypted, deletes the files that had them in clear, and closes it. The events have other sequences
     * then.
     *
     * @throws IOException if a file cannot be written
     */
    public void sealAll() throws IOException {
        Iterator<byte[]> events = queue.iterator(oldest());
        folder.replace(
                to -> {
                    while (events.hasNext()) {
                        to.accept(SealedRequests.seal(Event.decode(ByteBuffer.wrap(events.next())), key)
                                .encode());
                    }
                },
                this::close);
    }

    private static Event whole(long sequence, ByteBuffer payload) {
        try {
            return Event.decodeWhole(payload);
        } catch (RuntimeException e) {
            throw damaged(sequence, e);
        }
    }

    private static Event decode(long sequence, ByteBuffer payload) {
        try {
            return Event.decode(payload);
        } catch (RuntimeException e) {
            throw damaged(sequence, e);
        }
    }

    private static IllegalStateException damaged(long sequence, RuntimeException cause) {
        return new IllegalStateException("journal has a record that is no event: sequence=" + sequence, cause);
    }

    /** Appends an event; the answer comes through the dispatcher, in the order of the calls for those that are stored. */
    public void append(Event event, Stored stored) {
        byte[] bytes = SealedRequests.seal(event, key).encode();
        appendedBytes += bytes.length;
        try {
            var unused = queue.offerAsync(bytes)
                    .whenComplete((added, failure) -> dispatcher.execute(() -> stored(stored, failure)));
        } catch (QueueException | IllegalArgumentException e) {
            dispatcher.execute(() -> stored(stored, e));
        }
    }

    private void stored(Stored stored, @Nullable Throwable failure) {
        problem = failure;
        stored.done(failure == null ? next++ : 0, failure);
    }

    /**
     * Appends an event that changes nothing, if the last event is not on the device. {@link #problem} then tells whether events can be stored again,
     * though nobody else appends one.
     */
    public void tryAgain() {
        if (problem != null && !isTrying) {
            isTrying = true;
            append(new Event.Batch(List.of()), (sequence, failure) -> isTrying = false);
        }
    }

    /** Returns why the last event is not on the device; null if it is. The dispatcher's. */
    public @Nullable Throwable problem() {
        return problem;
    }

    /**
     * Reads the request of a job.
     *
     * @param sequence of the record that has it
     * @return the request with its secrets; null if the record is not there any more
     * @throws SecretsLostException if the secrets cannot be decrypted
     */
    public @Nullable RequestMessage load(long sequence, long job) throws SecretsLostException {
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

    private @Nullable RequestMessage requestOf(Event event, long job) throws SecretsLostException {
        if (event instanceof Event.Batch batch) {
            for (Event part : batch.events()) {
                RequestMessage found = requestOf(part, job);
                if (found != null) {
                    return found;
                }
            }
        }
        if (event instanceof Event.Accepted accepted) {
            int row = accepted.jobs().rowOf(job);
            return row < 0 ? null : SealedRequests.open(accepted, row, key);
        }
        return null;
    }

    /** Reads a record with the reader of the last call, which may end before what was appended since, and else with a new one. */
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

    /** Returns the sequence of the oldest event; the next one's if there is none. */
    public long oldest() {
        return oldest;
    }

    /** Returns the number of events that are kept. May be called by any thread. */
    public long size() {
        return queue.longSize();
    }

    /** Returns the sequence of the event that is stored next. */
    public long nextSequence() {
        return next;
    }

    /** Returns the number of bytes appended since the last call of {@link #cleaned}. */
    public long appendedBytes() {
        return appendedBytes;
    }

    /** Begins to count appended bytes anew. */
    public void cleaned() {
        appendedBytes = 0;
    }

    /** Returns an iterator of the events from the oldest on, for the cleaner. */
    public Iterator<byte[]> iterator() {
        return queue.iterator(oldest());
    }

    /** Removes the oldest events. */
    public void remove(long events) {
        for (long i = 0; i < events && queue.poll() != null; i++) {
            oldest++;
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
