package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.LogCounts;
import dev.touchstone.queue.log.commit.AppendCompletion;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.engine.QueueLog;
import dev.touchstone.queue.log.recover.RecoveryOutcome;
import dev.touchstone.queue.replica.ReplicatedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.StringJoiner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The queue over a log: codec, argument checks and exceptions; everything else is the log's. */
final class LogQueue<T> extends AbstractQueue<T> implements DiskQueue<T> {
    private static final int MAX_SHOWN = 1000;
    private static final Pattern CURSOR_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final QueueLog log;
    private final Codec<T> codec;
    private final Settings settings;
    private final Duration opening;
    private final long sizeAtOpen;
    private final ElementCursor<T> own;
    private final Map<String, ElementCursor<T>> cursors = new ConcurrentHashMap<>();
    private final @Nullable Replication<T> replication;

    /**
     * The queue's settings beside those of its log.
     *
     * @param maxRecordBytes longest encoded element, in bytes
     * @param waitNanos nanoseconds that an offer waits for room
     * @param namedCursorsOnly whether the queue's own cursor consumes nothing
     * @param onRejected told of elements for which there was no room
     * @param redelivery treatment of elements that are handed out again
     */
    record Settings(
            int maxRecordBytes,
            long waitNanos,
            boolean namedCursorsOnly,
            Consumer<Object> onRejected,
            ElementCursor.Redelivery redelivery) {}

    LogQueue(QueueLog log, Codec<T> codec, Settings settings, Duration opening) {
        this.log = log;
        this.codec = codec;
        this.settings = settings;
        this.opening = opening;
        this.sizeAtOpen = log.size();
        this.own = new ElementCursor<>(log.own(), codec, settings.redelivery);
        this.replication = log instanceof ReplicatedLog replicated
                ? new ReplicatedView<>(replicated, this::encode, settings.waitNanos)
                : null;
    }

    @Override
    public boolean offer(T element) {
        byte[] payload = encode(element);
        try {
            return log.append(settings.waitNanos, payload) > 0 || rejected(element);
        } catch (InterruptedException e) {
            return interrupted();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public boolean offer(T element, Duration delay) {
        Duration time = ElementCursor.notNegative(delay);
        if (time.isZero()) {
            return offer(element);
        }
        byte[] payload = encode(element);
        try {
            return log.append(settings.waitNanos, payload, time) > 0 || rejected(element);
        } catch (InterruptedException e) {
            return interrupted();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public long append(T element) {
        byte[] payload = encode(element);
        try {
            long sequence = log.append(settings.waitNanos, payload);
            if (sequence == 0) {
                boolean unused = rejected(element);
                throw new IllegalStateException("queue is full: elements=" + longSize());
            }
            return sequence;
        } catch (InterruptedException e) {
            boolean unused = interrupted();
            throw new IllegalStateException("interrupted while waiting for room: elements=" + longSize(), e);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public @Nullable T get(long sequence) {
        byte[] payload;
        try {
            payload = log.read(sequence, !settings.namedCursorsOnly);
        } catch (IOException e) {
            throw Failures.of(e);
        }
        return payload == null ? null : Elements.decode(codec, sequence, payload);
    }

    @Override
    public boolean remove(long sequence) {
        return own().remove(sequence);
    }

    /** Appends {@code element}, with a time to wait for room of its own. */
    boolean offer(T element, long waitNanos) throws InterruptedException {
        byte[] payload = encode(element);
        try {
            return log.append(waitNanos, payload) > 0;
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public boolean offerAll(Collection<? extends T> elements) {
        List<byte[]> payloads = new ArrayList<>(elements.size());
        for (T element : elements) {
            payloads.add(encode(element));
        }
        try {
            return payloads.isEmpty() || log.appendAll(settings.waitNanos, payloads) || rejected(elements);
        } catch (InterruptedException e) {
            return interrupted();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private boolean rejected(Object what) {
        settings.onRejected.accept(what);
        return false;
    }

    private static boolean interrupted() {
        Thread.currentThread().interrupt();
        return false;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the contract forbids this very object
    public boolean addAll(Collection<? extends T> elements) {
        if (elements == this) {
            throw new IllegalArgumentException("a queue cannot be added to itself");
        }
        if (!offerAll(elements)) {
            throw new IllegalStateException("queue is full: elements=" + elements.size());
        }
        return !elements.isEmpty();
    }

    @Override
    public CompletionStage<Boolean> offerAsync(T element) {
        OfferFuture answer = new OfferFuture();
        try {
            if (!log.appendAsync(settings.waitNanos, encode(element), answer)) {
                answer.complete(rejected(element));
            }
        } catch (InterruptedException e) {
            answer.complete(interrupted());
        } catch (IOException e) {
            answer.completeExceptionally(Failures.of(e));
        }
        return answer;
    }

    private byte[] encode(T element) {
        byte[] payload = codec.encode(requireNonNull(element, "element"));
        if (payload.length > settings.maxRecordBytes) {
            throw new IllegalArgumentException(
                    "element is too long: bytes=" + payload.length + " maxRecordBytes=" + settings.maxRecordBytes);
        }
        return payload;
    }

    private ElementCursor<T> own() {
        if (settings.namedCursorsOnly) {
            throw new UnsupportedOperationException(
                    "this queue is consumed by its named cursors only: see cursor(name)");
        }
        return own;
    }

    @Override
    public @Nullable T poll() {
        return own().poll();
    }

    @Override
    public @Nullable T poll(Duration timeout) throws InterruptedException {
        return own().poll(timeout);
    }

    @Override
    public @Nullable T peek() {
        return own().peek();
    }

    @Override
    public @Nullable Lease<T> lease() {
        return own().lease();
    }

    @Override
    public @Nullable Lease<T> lease(Duration timeout) throws InterruptedException {
        return own().lease(timeout);
    }

    @Override
    public int leased() {
        return own.leased();
    }

    @Override
    public void clear() {
        own().clear();
    }

    @Override
    public QueueCursor<T> cursor(String name) {
        if (!CURSOR_NAME.matcher(requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException("not a cursor's name: name=" + name + " expected=" + CURSOR_NAME);
        }
        try {
            return cursor(name, log.cursor(name));
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private QueueCursor<T> cursor(String name, RecordCursor cursor) {
        ElementCursor<T> found = new ElementCursor<>(cursor, codec, settings.redelivery);
        return cursors.merge(name, found, (old, now) -> old.log().equals(now.log()) ? old : now);
    }

    @Override
    public @Nullable QueueCursor<T> findCursor(String name) {
        RecordCursor found = log.findCursor(requireNonNull(name, "name"));
        return found == null ? null : cursor(name, found);
    }

    @Override
    public boolean dropCursor(String name) {
        try {
            cursors.remove(requireNonNull(name, "name"));
            return log.dropCursor(name);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public Set<String> cursorNames() {
        return log.cursorNames();
    }

    @Override
    public Iterator<T> iterator() {
        return elements();
    }

    /** Returns a spliterator without a size: producers may append between a count and the iteration. */
    @Override
    public Spliterator<T> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    }

    private Elements<T> elements() {
        try {
            return new Elements<>(log.iterator(), codec, settings.namedCursorsOnly ? null : log.own());
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public boolean contains(Object sought) {
        return find(sought, false);
    }

    @Override
    public boolean remove(Object sought) {
        return find(sought, true);
    }

    private boolean find(Object sought, boolean remove) {
        if (remove) {
            ElementCursor<T> unused = own();
        }
        Elements<T> elements = elements();
        try {
            while (elements.hasNextDecodable()) {
                if (elements.next().equals(sought) && (!remove || elements.tryRemove())) {
                    return true;
                }
            }
            return false;
        } finally {
            elements.close();
        }
    }

    @Override
    public Iterator<T> iterator(long sequence) {
        try {
            return new Elements<>(log.iterator(sequence), codec, null);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public long visit(long sequence, RecordVisitor visitor) {
        try {
            return log.visit(sequence, visitor::visit);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public BlockingQueue<T> blocking() {
        return new BlockingView<>(this);
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

    int remainingCapacity() {
        return (int) Math.min(Integer.MAX_VALUE, log.remainingRecords());
    }

    @Override
    public void flush() {
        try {
            log.flush();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public Replication<T> replication() {
        if (replication == null) {
            throw new UnsupportedOperationException("this queue is not replicated: see DiskQueue.replicated()");
        }
        return replication;
    }

    @Override
    public QueueStats stats() {
        LogCounts counts = log.counts();
        return new QueueStats(
                counts.appended(),
                log.own().removed() - log.own().skipped(),
                counts.refused(),
                counts.dropped(),
                log.own().skipped(),
                counts.writes(),
                counts.forces(),
                Duration.ofNanos(counts.writeNanos()),
                Duration.ofNanos(counts.worstWriteNanos()),
                longSize(),
                leased(),
                counts.oldestSequence(),
                counts.nextSequence(),
                counts.segments(),
                counts.spares(),
                counts.diskBytes());
    }

    @Override
    public RecoveryReport recovery() {
        RecoveryOutcome found = log.outcome();
        return new RecoveryReport(
                found.clean(),
                opening,
                sizeAtOpen,
                found.scannedRecords(),
                found.scannedBytes(),
                found.damagedPlaces());
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    /** Returns the elements in brackets as other collections do; of a queue with many the first {@value #MAX_SHOWN}. */
    @Override
    public String toString() {
        StringJoiner shown = new StringJoiner(", ", "[", "]");
        Elements<T> elements = elements();
        try {
            int count = 0;
            for (; count < MAX_SHOWN && elements.hasNext(); count++) {
                shown.add(String.valueOf(elements.next()));
            }
            if (elements.hasNext()) {
                shown.add("...");
            }
        } finally {
            elements.close();
        }
        return shown.toString();
    }

    /** The answer to one asynchronous offer. */
    private static final class OfferFuture extends CompletableFuture<Boolean> implements AppendCompletion {
        @Override
        public void done(@Nullable IOException failure) {
            if (failure == null) {
                complete(true);
            } else {
                completeExceptionally(Failures.of(failure));
            }
        }
    }
}
