package dev.touchstone.queue;

import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.engine.RecordIterator;
import dev.touchstone.queue.log.inspect.LogTail;
import dev.touchstone.queue.log.segment.SegmentReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The elements of a log's iterator. Not thread-safe. Looks one element ahead when it is asked, so that {@code hasNext} is the truth. */
final class Elements<T> implements Iterator<T> {
    /** Hands over the bytes as they are. */
    static final Codec<byte[]> BYTES = new Codec<>() {
        @Override
        public byte[] encode(byte[] element) {
            return element;
        }

        @Override
        public byte[] decode(byte[] payload) {
            return payload;
        }
    };

    private final RecordIterator records;
    private final Codec<T> codec;
    private final @Nullable RecordCursor consumer;
    private @Nullable T ahead;
    private long aheadSequence;
    private long given;

    /**
     * Creates an iterator.
     *
     * @param consumer removes elements; null if the iterator does not
     */
    Elements(RecordIterator records, Codec<T> codec, @Nullable RecordCursor consumer) {
        this.records = records;
        this.codec = codec;
        this.consumer = consumer;
    }

    @Override
    public boolean hasNext() {
        if (ahead == null) {
            ahead = read();
            aheadSequence = records.sequence();
        }
        return ahead != null;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        T element = Objects.requireNonNull(ahead);
        ahead = null;
        given = aheadSequence;
        return element;
    }

    /** Moves to the next element that can be decoded; returns whether there is one. */
    boolean hasNextDecodable() {
        for (; ; ) {
            try {
                return hasNext();
            } catch (UndecodableElementException passed) {
                // the iteration is behind it
            }
        }
    }

    /** Decodes an element that is only read. */
    static <T> T decode(Codec<T> codec, long sequence, byte[] payload) {
        try {
            return Objects.requireNonNull(codec.decode(payload), "codec returned null");
        } catch (Error e) {
            throw e;
        } catch (Throwable undecodable) { // also a checked exception: no compiler sees what other languages throw
            throw new UndecodableElementException(sequence, 0, undecodable);
        }
    }

    /** Opens a reader of a queue that may be open elsewhere, from a sequence on; 0 for the oldest. */
    static <T> QueueReader<T> follow(Path folder, Codec<T> codec, long sequence, @Nullable Compression compression) {
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(codec, "codec");
        return new Tail<>(
                new LogTail(
                        new DiskFileIo(),
                        folder,
                        sequence,
                        SegmentReader.ConsumptionSink.NONE,
                        DiskQueueBuilder.codecs(compression)),
                codec);
    }

    /** A reader over the tail of a log. */
    private record Tail<T>(LogTail tail, Codec<T> codec) implements QueueReader<T> {
        @Override
        public @Nullable T next() {
            try {
                byte[] payload = tail.next();
                return payload == null ? null : decode(codec, tail.sequence(), payload);
            } catch (IOException e) {
                throw Failures.of(e);
            }
        }

        @Override
        public long sequence() {
            return tail.sequence();
        }

        @Override
        public long skipped() {
            return tail.skipped();
        }

        @Override
        public void close() {
            try {
                tail.close();
            } catch (IOException e) {
                throw Failures.of(e);
            }
        }
    }

    @Override
    public void remove() {
        if (consumer == null) {
            throw new UnsupportedOperationException(
                    "this iterator does not remove: it also gives what is removed already");
        }
        if (given == 0) {
            throw new IllegalStateException("no element to remove: next was not called since the last remove");
        }
        boolean unused = tryRemove();
    }

    /** Removes the element that {@link #next} gave; returns false where somebody else has removed it. */
    boolean tryRemove() {
        try {
            long last = given;
            given = 0;
            return consumer != null && consumer.remove(last);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    /** Releases the file that is open. */
    void close() {
        try {
            records.close();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private @Nullable T read() {
        try {
            byte[] payload = records.next();
            return payload == null ? null : decode(codec, records.sequence(), payload);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }
}
