package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Offers in every way there is, in order: an element that an interrupt kept out is offered again, or left out for good. */
final class SoakWriter {
    private static final int MAX_PENDING = 200;
    private static final int MAX_AT_ONCE = 30;

    private final Soak soak;
    private final DiskQueue<byte[]> queue;
    private final Calls calls;
    private final int producer;
    private final SplittableRandom random;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private long index;

    private record Pending(long index, CompletableFuture<Boolean> answer) {}

    SoakWriter(Soak soak, Calls calls, int producer) {
        this.soak = soak;
        this.queue = soak.queue();
        this.calls = calls;
        this.producer = producer;
        this.random = new SplittableRandom(soak.seed() + producer);
    }

    void run() {
        while (soak.goesOn()) {
            step(random.nextInt(4000));
            boolean unused = Thread.interrupted();
            while (pending.size() > MAX_PENDING) {
                settleOldest();
            }
        }
        while (!pending.isEmpty()) {
            settleOldest();
        }
    }

    private void step(int choice) {
        if (choice < 4) {
            calls.call("flush", () -> {
                queue.flush();
                return true;
            });
        } else if (choice < 20) {
            calls.call("stats", queue::stats);
        } else if (choice < 200) {
            offerAll(1 + random.nextInt(MAX_AT_ONCE));
        } else if (choice < 1200) {
            offerAsync(1 + random.nextInt(MAX_AT_ONCE));
        } else {
            offerOne(choice);
        }
    }

    private void offerOne(int choice) {
        byte[] payload = soak.element(producer, ++index);
        boolean done = false;
        while (!done && !soak.isBroken()) {
            if (choice < 1400) {
                done = Boolean.TRUE.equals(calls.waiting("put", () -> {
                    queue.blocking().put(payload);
                    return true;
                }));
            } else if (choice < 1600) {
                done = Boolean.TRUE.equals(
                        calls.waiting("offer timed", () -> queue.blocking().offer(payload, 10, TimeUnit.MILLISECONDS)));
            } else {
                done = calls.call("offer", () -> queue.offer(payload));
            }
            boolean unused = Thread.interrupted();
        }
        soak.offered(producer, index);
    }

    private void offerAll(int count) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(soak.element(producer, ++index));
        }
        while (!soak.isBroken() && !calls.call("offerAll", () -> queue.offerAll(all))) {
            boolean unused = Thread.interrupted();
        }
        soak.offered(producer, index);
    }

    private void offerAsync(int count) {
        for (int i = 0; i < count; i++) {
            byte[] payload = soak.element(producer, ++index);
            CompletableFuture<Boolean> answer =
                    calls.call("offerAsync", () -> queue.offerAsync(payload)).toCompletableFuture();
            pending.add(new Pending(index, answer));
            soak.offered(producer, index);
        }
    }

    private void settleOldest() {
        Pending oldest = pending.remove();
        Boolean accepted = null;
        while (accepted == null && !soak.isBroken()) {
            accepted = calls.waiting("async answer", () -> {
                try {
                    return oldest.answer().get(2 * Watchdog.MAX_NANOS, TimeUnit.NANOSECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    throw new IllegalStateException("producer=" + producer + " index=" + oldest.index(), e);
                }
            });
        }
        if (Boolean.FALSE.equals(accepted)) {
            soak.leftOut(producer, oldest.index());
        }
    }
}
