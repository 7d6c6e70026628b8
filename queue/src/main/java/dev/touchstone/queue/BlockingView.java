package dev.touchstone.queue;

import java.time.Duration;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A queue's {@link BlockingQueue} view: the same elements, with the waiting methods. */
final class BlockingView<T> extends AbstractQueue<T> implements BlockingQueue<T> {
    private final LogQueue<T> queue;

    BlockingView(LogQueue<T> queue) {
        this.queue = queue;
    }

    @Override
    public boolean offer(T element) {
        try {
            return queue.offer(element, 0);
        } catch (InterruptedException e) {
            throw new AssertionError("does not wait", e);
        }
    }

    @Override
    public boolean offer(T element, long timeout, TimeUnit unit) throws InterruptedException {
        return queue.offer(element, Math.min(unit.toNanos(timeout), ElementCursor.FOR_EVER.toNanos()));
    }

    @Override
    public void put(T element) throws InterruptedException {
        if (!queue.offer(element, ElementCursor.FOR_EVER.toNanos())) {
            throw new IllegalStateException("the oldest elements could not make room: all are on lease");
        }
    }

    @Override
    public T take() throws InterruptedException {
        T element = queue.poll(ElementCursor.FOR_EVER);
        while (element == null) {
            element = queue.poll(ElementCursor.FOR_EVER);
        }
        return element;
    }

    @Override
    public @Nullable T poll(long timeout, TimeUnit unit) throws InterruptedException {
        return queue.poll(Duration.ofNanos(unit.toNanos(timeout)));
    }

    @Override
    public @Nullable T poll() {
        return queue.poll();
    }

    @Override
    public @Nullable T peek() {
        return queue.peek();
    }

    @Override
    public int remainingCapacity() {
        return queue.remainingCapacity();
    }

    @Override
    public int drainTo(Collection<? super T> target) {
        return drainTo(target, Integer.MAX_VALUE);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the contract forbids these very objects
    public int drainTo(Collection<? super T> target, int most) {
        Objects.requireNonNull(target, "target");
        if (target == queue || (target instanceof BlockingView<?> view && view.queue == queue)) {
            throw new IllegalArgumentException("a queue cannot be drained to itself");
        }
        int drained = 0;
        while (drained < most) {
            T element = queue.poll();
            if (element == null) {
                break;
            }
            target.add(element);
            drained++;
        }
        return drained;
    }

    @Override
    public Iterator<T> iterator() {
        return queue.iterator();
    }

    @Override
    public Spliterator<T> spliterator() {
        return queue.spliterator();
    }

    @Override
    public boolean contains(Object sought) {
        return queue.contains(sought);
    }

    @Override
    public boolean remove(Object sought) {
        return queue.remove(sought);
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public void clear() {
        queue.clear();
    }
}
