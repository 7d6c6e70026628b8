package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.engine.LogIterator;
import dev.touchstone.queue.log.engine.RecordIterator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An iterator that goes on in the new state when a snapshot takes the place of the one that it reads. Not thread-safe. */
final class ReplicatedIterator implements RecordIterator {
    private final ReplicatedLog log;
    private final boolean unconsumed;
    private final long last;
    private ReplicaState state;
    private LogIterator records;
    private long next;
    private long found;

    /**
     * Creates an iterator.
     *
     * @param state the state that {@code records} reads
     * @param unconsumed whether records that the queue's own cursor has consumed are left out
     */
    ReplicatedIterator(ReplicatedLog log, ReplicaState state, LogIterator records, boolean unconsumed) {
        this.log = log;
        this.state = state;
        this.records = records;
        this.unconsumed = unconsumed;
        this.next = records.position();
        this.last = records.last();
    }

    @Override
    public byte @Nullable [] next() throws IOException {
        for (; ; ) {
            IOException failure = null;
            try {
                byte[] payload = records.next();
                if (payload != null) {
                    found = records.sequence();
                    next = found + 1;
                    return payload;
                }
            } catch (IOException e) { // also where its files are those of another state by now
                failure = e;
            }
            ReplicaState current = log.loadedState();
            if (current.equals(state)) {
                if (failure != null) {
                    throw failure;
                }
                return null;
            }
            goOnIn(current);
        }
    }

    private void goOnIn(ReplicaState current) throws IOException {
        records.close();
        state = current;
        try {
            records = current.log().iterator(unconsumed, next, last);
        } catch (LogClosedException e) {
            log.checkOpen(); // else there is another state by now
        }
    }

    @Override
    public long sequence() {
        return found;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
