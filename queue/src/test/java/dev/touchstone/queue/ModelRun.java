package dev.touchstone.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A random use of a queue beside its model; every answer of the queue must be the model's. */
final class ModelRun implements AutoCloseable {
    private static final List<String> NAMES = List.of("a", "b-2", "C.3_");

    private static final int MAX_ENDED_LEASES_KEPT = 40;

    private final DiskQueueBuilder<String> builder;
    private final QueueModel model;
    private final boolean retains;
    private final long seed;
    private final SplittableRandom random;
    private final Map<String, QueueCursor<String>> cursors = new TreeMap<>();
    private final List<Held> held = new ArrayList<>();
    private DiskQueue<String> queue;
    private int step;
    private long acceptedAtOpen;
    private long rejected;

    /** A lease that was handed out since the queue was opened. */
    private static final class Held {
        final Lease<String> lease;
        final QueueModel.Cursor cursor;
        final int delivery;
        boolean ended;

        Held(Lease<String> lease, QueueModel.Cursor cursor) {
            this.lease = lease;
            this.cursor = cursor;
            this.delivery = lease.deliveries();
        }

        /** Returns whether the queue must accept the end of this lease. */
        boolean isOut() {
            return !ended
                    && cursor.deliveries(lease.sequence()) == delivery
                    && cursor.left.containsKey(lease.sequence());
        }
    }

    private record Position(QueueCursor<String> real, QueueModel.Cursor model) {}

    /** @param retains whether everything that was ever accepted is to be replayed */
    ModelRun(DiskQueueBuilder<String> builder, QueueModel model, boolean retains, long seed) {
        this.builder = builder;
        this.model = model;
        this.retains = retains;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.queue = builder.open();
    }

    void steps(int count) {
        try {
            for (step = 0; step < count; step++) {
                operation(random.nextInt(1000));
                check();
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed=" + seed + " step=" + step, e);
        }
    }

    @Override
    public void close() {
        queue.close();
    }

    private void operation(int choice) {
        if (choice < 400) {
            offer(choice);
        } else if (choice < 600) {
            Position at = anyCursor();
            assertThat(at.real().poll()).isEqualTo(at.model().poll());
        } else if (choice < 650) {
            Position at = anyCursor();
            assertThat(at.real().peek()).isEqualTo(at.model().peek());
        } else if (choice < 770) {
            Position at = anyCursor();
            for (int left = burst(); left > 0; left--) {
                lease(at);
            }
        } else if (choice < 930) {
            for (int left = burst(); left > 0; left--) {
                endLease();
            }
        } else {
            rareOperation(choice);
        }
    }

    private void rareOperation(int choice) {
        if (choice < 945) {
            iterate();
        } else if (choice < 955) {
            removeObject();
        } else if (choice < 965) {
            replay();
        } else if (choice < 970) {
            queue.flush();
        } else if (choice < 980) {
            makeCursor();
        } else if (choice < 983) {
            dropCursor();
        } else if (choice < 985) {
            Position at = anyCursor();
            at.real().clear();
            at.model().clear();
        } else if (choice < 993) {
            reopen();
        } else {
            assertThat(queue.contains(element())).isFalse();
        }
    }

    /** Returns 1 mostly, and now and then a random part of the lease window. */
    private int burst() {
        return random.nextInt(8) == 0 ? 1 + random.nextInt(model.maxLeases()) : 1;
    }

    private String element() {
        int length = random.nextInt(40) == 0 ? random.nextInt(30_000) : random.nextInt(600);
        return step + ":" + "x".repeat(length);
    }

    private void offer(int choice) {
        if (choice < 300) {
            String element = element();
            said(queue.offer(element), List.of(element));
        } else if (choice < 370) {
            String element = element();
            said(queue.offerAsync(element).toCompletableFuture().join(), List.of(element));
        } else {
            List<String> elements = IntStream.range(
                            0, (int) Math.min((long) random.nextInt(8) * burst(), model.maxElements()))
                    .mapToObj(i -> i + "/" + element())
                    .toList();
            said(queue.offerAll(elements), elements);
        }
    }

    private void said(boolean stored, List<String> elements) {
        boolean expected = elements.isEmpty() || model.offer(elements);
        assertThat(stored).isEqualTo(expected);
        rejected += expected ? 0 : 1;
    }

    private Position anyCursor() {
        List<String> names = new ArrayList<>(model.named.keySet());
        int chosen = random.nextInt(names.size() + 3);
        return chosen < names.size() ? named(names.get(chosen)) : new Position(queue, model.own);
    }

    private Position named(String name) {
        QueueCursor<String> real = cursors.computeIfAbsent(name, queue::cursor);
        assertThat(queue.cursor(name)).isSameAs(real);
        return new Position(real, model.cursor(name));
    }

    private void lease(Position at) {
        Lease<String> lease = at.real().lease();
        Long sequence = at.model().lease();
        if (lease == null || sequence == null) {
            assertThat(lease == null ? null : lease.sequence()).isEqualTo(sequence);
            return;
        }
        assertThat(lease.sequence()).isEqualTo(sequence);
        assertThat(lease.element()).isEqualTo(at.model().left.get(sequence));
        assertThat(lease.deliveries()).isEqualTo(at.model().deliveries(sequence));
        held.add(new Held(lease, at.model()));
    }

    /** Ends any lease that was ever handed out, so that many have ended before. */
    private void endLease() {
        if (held.isEmpty()) {
            return;
        }
        Held one = held.get(random.nextInt(held.size()));
        boolean out = one.isOut();
        long sequence = one.lease.sequence();
        if (random.nextInt(3) != 0) {
            assertThat(one.lease.ack()).as("ack of %d", sequence).isEqualTo(out);
            if (out) {
                one.cursor.remove(sequence);
            }
        } else {
            assertThat(one.lease.nack()).as("nack of %d", sequence).isEqualTo(out);
            if (out) {
                one.cursor.nack(sequence);
            }
        }
        one.ended = true;
        if (held.size() > MAX_ENDED_LEASES_KEPT) {
            held.removeIf(each -> each.ended);
        }
    }

    private void iterate() {
        Iterator<String> real = queue.iterator();
        for (Map.Entry<Long, String> entry : new ArrayList<>(model.own.left.entrySet())) {
            if (random.nextBoolean()) {
                assertThat(real.hasNext()).isTrue();
            }
            assertThat(real.next()).isEqualTo(entry.getValue());
            if (random.nextInt(20) == 0) {
                real.remove();
                model.own.remove(entry.getKey());
            }
        }
        assertThat(real.hasNext()).isFalse();
    }

    private void removeObject() {
        if (model.own.left.isEmpty()) {
            return;
        }
        List<Long> sequences = new ArrayList<>(model.own.left.keySet());
        String element = model.own.remove(sequences.get(random.nextInt(sequences.size())));
        assertThat(queue.remove(element)).isTrue();
        assertThat(queue.remove(element)).isFalse();
    }

    /** Checks that replay gives accepted elements in order, with at least all that some cursor has left, or that are retained. */
    private void replay() {
        long from = random.nextLong(model.nextSequence() + 3);
        long oldest = queue.stats().oldestSequence();
        assertThat(oldest).isBetween(1L, retains ? 1L : model.lowestFloor());
        List<String> replayed = new ArrayList<>();
        queue.iterator(from).forEachRemaining(replayed::add);
        long least = Math.min(model.nextSequence(), Math.max(oldest, from));
        List<String> may = model.accepted.subList((int) least - 1, model.accepted.size());
        assertThat(isSubsequence(replayed, may)).isTrue();
        List<String> must = retains ? may : model.left(from);
        assertThat(isSubsequence(must, replayed)).isTrue();
        visit(from, must.size());
    }

    private static boolean isSubsequence(List<String> part, List<String> whole) {
        Iterator<String> rest = whole.iterator();
        for (String element : part) {
            boolean found = false;
            while (!found && rest.hasNext()) {
                found = rest.next().equals(element);
            }
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private void visit(long from, int least) {
        int limit = 1 + random.nextInt(50);
        List<String> visited = new ArrayList<>();
        long[] last = {0};
        long count = queue.visit(from, (sequence, payload) -> {
            assertThat(payload.isReadOnly()).isTrue();
            assertThat(sequence).isGreaterThan(last[0]);
            last[0] = sequence;
            String element = UTF_8.decode(payload).toString();
            assertThat(element).isEqualTo(model.accepted.get((int) sequence - 1));
            visited.add(element);
            return visited.size() < limit;
        });
        assertThat(count).isEqualTo(visited.size());
        assertThat(visited).hasSizeGreaterThanOrEqualTo(Math.min(limit, least));
    }

    private void makeCursor() {
        named(NAMES.get(random.nextInt(NAMES.size())));
    }

    private void dropCursor() {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        QueueModel.Cursor gone = model.named.remove(name);
        QueueCursor<String> real = cursors.remove(name);
        assertThat(queue.dropCursor(name)).isEqualTo(gone != null);
        if (real != null) {
            assertThatThrownBy(real::poll).isInstanceOf(QueueClosedException.class);
        }
        held.removeIf(each -> each.cursor == gone);
    }

    private void reopen() {
        queue.close();
        queue = builder.open();
        model.reopen();
        cursors.clear();
        held.clear();
        acceptedAtOpen = model.accepted.size();
        rejected = 0;
        RecoveryReport found = queue.recovery();
        assertThat(found.clean()).isTrue();
        assertThat(found.elements()).isEqualTo(model.own.left.size());
        assertThat(found.damagedPlaces()).isZero();
    }

    private void check() {
        assertThat(queue.cursorNames()).isEqualTo(model.named.keySet());
        assertThat(queue.size()).isEqualTo(model.own.left.size());
        assertThat(queue.isEmpty()).isEqualTo(model.own.left.isEmpty());
        checkCursor(queue, model.own);
        cursors.forEach((name, real) -> checkCursor(real, model.cursor(name)));
        if (step % 10 == 0) {
            checkStats(queue.stats());
        }
    }

    private static void checkCursor(QueueCursor<String> real, QueueModel.Cursor cursor) {
        assertThat(real.longSize()).as("longSize").isEqualTo(cursor.left.size());
        assertThat(real.leased()).as("leased").isEqualTo(cursor.leased());
    }

    private void checkStats(QueueStats stats) {
        assertThat(stats.appended()).as("appended").isEqualTo(model.accepted.size() - acceptedAtOpen);
        assertThat(stats.polled()).as("polled").isEqualTo(model.own.removed);
        assertThat(stats.rejected()).as("rejected").isEqualTo(rejected);
        assertThat(stats.dropped()).as("dropped").isEqualTo(model.dropped);
        assertThat(stats.skipped()).as("skipped").isZero();
        assertThat(stats.size()).as("size").isEqualTo(model.own.left.size());
        assertThat(stats.leased()).as("leased").isEqualTo(model.own.leased());
        assertThat(stats.nextSequence()).as("nextSequence").isEqualTo(model.nextSequence());
        assertThat(stats.oldestSequence()).as("oldestSequence").isLessThanOrEqualTo(model.lowestFloor());
        assertThat(stats.segments()).as("segments").isPositive();
        assertThat(stats.diskBytes()).as("diskBytes").isGreaterThanOrEqualTo(64L << 10);
    }
}
