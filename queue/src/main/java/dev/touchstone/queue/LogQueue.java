package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.LogIterator;
import dev.touchstone.queue.log.RecordLog;
import java.io.IOException;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The queue over a log: codec, argument checks and exceptions; everything else is the log's. */
final class LogQueue<T> extends AbstractQueue<T> implements DiskQueue<T> {
    private final RecordLog log;
    private final Codec<T> codec;
    private final int maxRecordBytes;

    LogQueue(RecordLog log, Codec<T> codec, int maxRecordBytes) {
        this.log = log;
        this.codec = codec;
        this.maxRecordBytes = maxRecordBytes;
    }

    @Override
    public boolean offer(T element) {
        byte[] payload = codec.encode(requireNonNull(element, "element"));
        if (payload.length > maxRecordBytes) {
            throw new IllegalArgumentException(
                    "element is too long: bytes=" + payload.length + " maxRecordBytes=" + maxRecordBytes);
        }
        try {
            log.append(payload);
            return true;
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    @Override
    public @Nullable T poll() {
        return next(true);
    }

    @Override
    public @Nullable T peek() {
        return next(false);
    }

    @Override
    public Iterator<T> iterator() {
        try {
            return new Elements<>(log.iterator(), codec);
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    @Override
    public int size() {
        return (int) Math.min(Integer.MAX_VALUE, longSize());
    }

    @Override
    public long longSize() {
        return log.size();
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0;
    }

    @Override
    public void flush() {
        try {
            log.flush();
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    @Override
    public void clear() {
        try {
            log.clear();
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    @Override
    public QueueStats stats() {
        return new QueueStats(
                log.appended(),
                log.removed(),
                log.writes(),
                log.forces(),
                log.size(),
                log.segmentCount(),
                log.segmentBytes());
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    /** What it is and holds, without reading it. */
    @Override
    public String toString() {
        return "DiskQueue[" + log + ", size=" + longSize() + "]";
    }

    private @Nullable T next(boolean remove) {
        try {
            return log.next(codec::decode, remove);
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    /** Looks one element ahead when it is asked, so that {@code hasNext} is the truth. */
    private static final class Elements<T> implements Iterator<T> {
        private final LogIterator records;
        private final Codec<T> codec;
        private @Nullable T ahead;

        Elements(LogIterator records, Codec<T> codec) {
            this.records = records;
            this.codec = codec;
        }

        @Override
        public boolean hasNext() {
            if (ahead == null) {
                ahead = read();
            }
            return ahead != null;
        }

        @Override
        public T next() {
            T element = ahead == null ? read() : ahead;
            if (element == null) {
                throw new NoSuchElementException();
            }
            ahead = null;
            return element;
        }

        private @Nullable T read() {
            try {
                byte[] payload = records.next();
                return payload == null ? null : codec.decode(payload);
            } catch (IOException e) {
                throw QueueException.of(e);
            }
        }
    }
}
