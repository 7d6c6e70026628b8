package dev.touchstone.queue;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is appended to a queue that may be open in another process: every element in order, consumed or not. It takes no lock, writes
 * nothing and is unknown to the queue: elements that consumers have removed may be gone before they are read, which {@link #skipped} counts.
 *
 * <p>An element can be read as soon as the operating system has its bytes: of a batched queue when its batch is written, of a synced queue
 * possibly before its {@code offer} returns, so that a power cut may still undo it, and of a written queue when it is copied. Delayed elements are given at once.
 *
 * <p>There is no notification: call {@link #next} again after a while. A call at the end lists the queue's folder.
 *
 * <p>Not thread-safe. Holds up to 256 KiB of memory outside the heap and one open file.
 *
 * @param <T> element type
 */
public interface QueueReader<T> extends AutoCloseable {

    /**
     * Opens a reader that begins with the oldest element that is there.
     *
     * @param folder where the queue's files are; looked at when the first element is asked for, and must exist then; not null
     * @param codec the codec that the queue has; not null
     * @param <T> element type
     * @return a new reader
     */
    static <T> QueueReader<T> open(Path folder, Codec<T> codec) {
        return Elements.follow(folder, codec, 0, null);
    }

    /**
     * Opens a reader that begins with a given element.
     *
     * @param folder where the queue's files are; looked at when the first element is asked for, and must exist then; not null
     * @param codec the codec that the queue has; not null
     * @param sequence number of an element, at least 1; it may be one that is not appended yet
     * @param <T> element type
     * @return a new reader
     */
    static <T> QueueReader<T> open(Path folder, Codec<T> codec, long sequence) {
        requireFirst(sequence);
        return Elements.follow(folder, codec, sequence, null);
    }

    /**
     * Opens a reader of a queue whose {@linkplain DiskQueueBuilder#compression compression} is not {@linkplain Compression#deflate() deflate}.
     *
     * @param folder where the queue's files are; looked at when the first element is asked for, and must exist then; not null
     * @param codec the codec that the queue has; not null
     * @param sequence number of an element, at least 1; it may be one that is not appended yet
     * @param compression the compression that the queue has; not null
     * @param <T> element type
     * @return a new reader
     */
    static <T> QueueReader<T> open(Path folder, Codec<T> codec, long sequence, Compression compression) {
        requireFirst(sequence);
        return Elements.follow(folder, codec, sequence, Objects.requireNonNull(compression, "compression"));
    }

    private static void requireFirst(long sequence) {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence=" + sequence + " is less than 1");
        }
    }

    /**
     * Returns the next element.
     *
     * @return the element, or null where no further one has been written yet
     * @throws CorruptQueueException if elements are damaged; the next call goes on behind them
     * @throws UndecodableElementException if the codec throws; the next call goes on behind the element
     * @throws UnknownCompressionException if the next element's file is compressed by a compression that was not given
     * @throws QueueException if the file system refuses; the next call tries again
     */
    @Nullable
    T next();

    /**
     * Returns the number of the last element.
     *
     * @return the sequence of the element that {@link #next} gave last, from 1; 0 before the first
     */
    long sequence();

    /**
     * Returns the number of elements that were removed, with their files, before they could be read.
     *
     * @return a number of elements, counted from the sequence that was asked for, if one was
     */
    long skipped();

    /** Closes the open file. */
    @Override
    void close();
}
