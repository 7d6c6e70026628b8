package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs without room, without files, and ended ones: what still works, and what goes on afterwards. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StallRegressionTest {
    private static final int HALF_SEGMENT_BYTES = 40_000;

    /** Something that the file system may refuse. */
    private interface Call {
        void run() throws IOException;
    }

    /** Calls, and returns whether it was refused in the one way in which the log goes on. */
    private static boolean isRefused(Call call) throws IOException {
        try {
            call.run();
            return false;
        } catch (LogRefusedException expected) {
            return true;
        }
    }

    private static byte[] record(int number, int bytes) {
        return ByteBuffer.allocate(bytes).putInt(number).array();
    }

    private static List<Integer> drain(LogCursor cursor) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (byte[] p = cursor.poll(); p != null; p = cursor.poll()) {
            numbers.add(ByteBuffer.wrap(p).getInt());
        }
        return numbers;
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void append_triedForATerabyteOnAFullDisk_isRefusedUntilThereIsRoom(Commit commit) throws IOException {
        int tries = 70_000;
        byte[] large = record(7, 16 << 20);
        assertThat((long) tries * large.length).isGreaterThan(1L << 40);
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(LogOptions.of(Logs.FOLDER, commit, 40 << 20), disk)) {
            Logs.append(log, large);
            Logs.append(log, large);
            log.flush();
            disk.setFull(true);
            for (int i = 0; i < tries; i++) {
                if (!isRefused(() -> Logs.append(log, large))) {
                    throw new AssertionError("accepted on a full disk: try=" + i);
                }
            }
            disk.setFull(false);
            Logs.append(log, large);
            assertThat(log.size()).isEqualTo(3);
            assertThat(drain(log.cursors().own())).containsExactly(7, 7, 7);
        }
    }

    /** A log with one record whose segment has no room for the next, on a full disk; who tried to append that is gone. */
    private static RecordLog stalled(FaultyFileIo disk, Commit commit) throws Exception {
        RecordLog log = RecordLog.open(Logs.options(commit), disk);
        disk.setFull(commit == Commit.DEVICE); // whose segment is filled ahead, and whose next one must not be
        Logs.append(log, record(1, HALF_SEGMENT_BYTES));
        log.flush();
        disk.setFull(true);
        ExecutorService producer = Executors.newSingleThreadExecutor();
        try {
            boolean refused = producer.submit(() -> isRefused(() -> Logs.append(log, record(2, HALF_SEGMENT_BYTES))))
                    .get(30, TimeUnit.SECONDS);
            assertThat(refused).isTrue();
        } finally {
            producer.shutdown();
        }
        assertThat(producer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        return log;
    }

    @ParameterizedTest
    @EnumSource
    void everyCall_onALogWhoseProducersWereAllRefused_returns(Commit commit) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = stalled(disk, commit)) {
            assertThat(log.size()).isEqualTo(1);
            boolean unused = isRefused(log::flush);
            unused = isRefused(
                    () -> assertThat(log.iterator().next()).isNotNull().hasSize(HALF_SEGMENT_BYTES));
            unused = isRefused(
                    () -> assertThat(log.visit(0, (sequence, payload) -> true)).isEqualTo(1));
            assertThat(log.counts().appended()).isEqualTo(1);
            assertThat(drain(log.cursors().own())).containsExactly(1);
            assertThat(log.size()).isZero();
            assertThat(Logs.poll(log)).isNull();
            unused = log.cursors().own().awaitRecord(System.nanoTime() + 1, false);
            disk.setFull(false);
            Logs.append(log, record(3, HALF_SEGMENT_BYTES));
            assertThat(drain(log.cursors().own())).containsExactly(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void clear_onALogWhoseProducersWereAllRefused_returns(Commit commit) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = stalled(disk, commit)) {
            log.cursors().own().clear();
            assertThat(log.size()).isZero();
            assertThat(Logs.poll(log)).isNull();
            disk.setFull(false);
            Logs.append(log, record(3, HALF_SEGMENT_BYTES));
            assertThat(drain(log.cursors().own())).containsExactly(3);
        }
    }

    @Test
    void clear_withABatchForWhichThereIsNoRoom_doesNotEndTheLog() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(Commit.MEMORY), disk)) {
            Logs.append(log, record(1, 100));
            disk.setFull(true);
            boolean refused = isRefused(() -> log.cursors().own().clear());
            disk.setFull(false);
            Logs.append(log, record(2, 100));
            assertThat(drain(log.cursors().own())).isEqualTo(refused ? List.of(1, 2) : List.of(2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void reading_withoutFreeFiles_isRefusedAndLosesNothing(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            LogCursor own = log.cursors().own();
            for (int number = 0; number < 300; number++) {
                Logs.append(log, record(number, 1000));
            }
            log.flush();
            List<LogLease> leases = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                leases.add(Objects.requireNonNull(own.lease()));
            }
            assertThat(leases.remove(130).giveBack(Duration.ZERO)).isTrue();
            List<Integer> consumed = new ArrayList<>();
            disk.setNoFiles(true);
            int refused = readWithoutFiles(log, consumed);
            for (int i = leases.size() - 1; i >= 0; i -= 2) { // out of order: what is at the floor comes last
                int number = ByteBuffer.wrap(leases.get(i).payload()).getInt();
                assertThat(leases.get(i).acknowledge()).isTrue();
                consumed.add(number);
                refused += i % 20 == 0 ? readWithoutFiles(log, consumed) : 0;
            }
            assertThat(refused).isPositive();
            disk.setNoFiles(false);
            for (int i = leases.size() - 2; i >= 0; i -= 2) {
                assertThat(leases.get(i).giveBack(Duration.ZERO)).isTrue();
            }
            Logs.append(log, record(300, 1000));
            consumed.addAll(drain(own));
            Collections.sort(consumed);
            assertThat(consumed).isEqualTo(numbers(0, 301));
            assertThat(own.size()).isZero();
        }
    }

    /** Every way to read; each is refused, or does what it should. Returns how many were refused. */
    private static int readWithoutFiles(RecordLog log, List<Integer> consumed) throws IOException {
        LogCursor own = log.cursors().own();
        List<Call> calls = List.of(
                () -> consumed.addAll(drain(own)),
                () -> own.peek(),
                () -> {
                    LogLease lease = own.lease();
                    if (lease != null && lease.acknowledge()) {
                        consumed.add(ByteBuffer.wrap(lease.payload()).getInt());
                    }
                },
                () -> log.iterator().next(),
                () -> log.iterator(1).next(),
                () -> log.visit(1, (sequence, payload) -> true),
                () -> log.cursors().get("late"));
        int refused = 0;
        for (Call call : calls) {
            refused += isRefused(call) ? 1 : 0;
        }
        return refused;
    }

    @Test
    void clear_withoutFreeFiles_doesNotEndTheLog() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(Commit.PAGE_CACHE), disk)) {
            for (int number = 0; number < 300; number++) {
                Logs.append(log, record(number, 1000));
            }
            disk.setNoFiles(true);
            boolean refused = isRefused(() -> log.cursors().own().clear());
            disk.setNoFiles(false);
            Logs.append(log, record(300, 1000));
            assertThat(drain(log.cursors().own())).isEqualTo(refused ? numbers(0, 301) : List.of(300));
        }
    }

    @ParameterizedTest
    @EnumSource
    void awaitRecord_whenTheLogFails_throws(Commit commit) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog log = RecordLog.open(Logs.options(commit), disk);
        LogCursor own = log.cursors().own();
        Logs.append(log, record(0, 100)); // so that there is something to force
        assertThat(drain(own)).containsExactly(0);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<?> waiter = threads.submit(() -> {
                thread.complete(Thread.currentThread());
                while (own.poll() == null) {
                    boolean unused = own.awaitRecord(System.nanoTime() + TimeUnit.HOURS.toNanos(1), false);
                }
                return null;
            });
            while (thread.get(30, TimeUnit.SECONDS).getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(100_000);
            }
            disk.failAt(1, true);
            assertThatThrownBy(log::flush).hasMessageContaining("injected");
            assertThatThrownBy(() -> waiter.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LogFailedException.class);
            assertThatThrownBy(() -> own.awaitRecord(System.nanoTime() + TimeUnit.HOURS.toNanos(1), true))
                    .isInstanceOf(LogFailedException.class);
        } finally {
            threads.shutdownNow();
            assertThatThrownBy(log::close).isInstanceOf(IOException.class);
        }
    }

    /** @param refuses the operation of a roll that is refused: the spare's name, or its header */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void append_refusedManyTimes_leavesNoFilesBehind(int refuses) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(Commit.PAGE_CACHE), disk)) {
            Logs.append(log, record(0, HALF_SEGMENT_BYTES));
            int before = disk.list(Logs.FOLDER).size();
            for (int i = 0; i < 200; i++) {
                boolean hasSpare = log.segments().spareCount() > 0; // then it need not be made and named first
                disk.failAt(hasSpare ? Math.max(1, refuses - 2) : refuses, false);
                assertThat(isRefused(() -> Logs.append(log, record(1, HALF_SEGMENT_BYTES))))
                        .as("try %d", i)
                        .isTrue();
            }
            disk.failAt(Integer.MAX_VALUE / 2, false);
            assertThat(disk.list(Logs.FOLDER)).hasSizeLessThanOrEqualTo(before + 2);
            Logs.append(log, record(2, HALF_SEGMENT_BYTES));
            assertThat(drain(log.cursors().own())).containsExactly(0, 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_onAFullDisk_canBeDrainedAndGoesOnWhenThereIsRoom(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            for (int number = 0; number < 200; number++) {
                Logs.append(log, record(number, 1000));
            }
            log.flush();
            image = disk.afterKill();
        }
        for (FaultyFileIo full : List.of(image, disk)) {
            full.setFull(true);
            try (RecordLog log = RecordLog.open(Logs.options(commit), full)) {
                assertThat(log.size()).isEqualTo(200);
                boolean unused = isRefused(() -> Logs.append(log, record(200, 1000)));
            }
            int first;
            try (RecordLog log = RecordLog.open(Logs.options(commit), full)) {
                List<Integer> left = drain(log.cursors().own());
                assertThat(left).startsWith(numbers(0, 200).toArray(new Integer[0]));
                first = left.size();
                boolean accepted = !isRefused(() -> Logs.append(log, record(first, 1000)));
                full.setFull(false);
                Logs.append(log, record(first + 1, 1000));
                assertThat(drain(log.cursors().own()))
                        .isEqualTo(accepted ? List.of(first, first + 1) : List.of(first + 1));
            }
        }
    }

    /** Appends from ever deeper frames until the stack's end is found. */
    private static void appendFromTheStacksEnd(RecordLog log) {
        int depth = 500;
        for (int step = 256; step > 0; ) {
            try {
                appendAt(log, depth);
                depth += step;
            } catch (StackOverflowError e) {
                depth -= step;
                step /= 2;
            } catch (IOException e) {
                return; // the log has failed
            }
        }
    }

    private static int appendAt(RecordLog log, int depth) throws IOException {
        if (depth == 0) {
            Logs.append(log, new byte[20]);
            return 0;
        }
        return 1 + appendAt(log, depth - 1);
    }

    @ParameterizedTest
    @EnumSource
    void append_whereTheStackOverflows_leavesALogThatGoesOnOrSaysThatItFailed(Commit commit) throws Exception {
        for (int round = 0; round < 24; round++) {
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(commit), disk);
            Thread deep = new Thread(null, () -> appendFromTheStacksEnd(log), "deep", (256 + 3L * round) << 10);
            deep.start();
            deep.join();
            int acknowledged = 0;
            boolean failed = false;
            try {
                for (; acknowledged < 100; acknowledged++) {
                    Logs.append(log, record(acknowledged, 8));
                }
                log.flush();
            } catch (LogFailedException e) {
                failed = true;
            }
            if (failed && commit == Commit.MEMORY) {
                continue; // nothing was promised
            }
            int found = 0;
            try (RecordLog again = RecordLog.open(Logs.options(commit), disk.afterKill())) {
                for (byte[] p = Logs.poll(again); p != null; p = Logs.poll(again)) {
                    found += p.length == 8 ? 1 : 0;
                }
            }
            assertThat(found).as("round %d", round).isGreaterThanOrEqualTo(acknowledged);
        }
    }

    /** A call on a cursor, at the end of the stack. */
    enum Consumption {
        POLL {
            @Override
            void call(LogCursor cursor) throws IOException {
                byte[] unused = cursor.poll();
            }
        },
        ACKNOWLEDGE {
            @Override
            void call(LogCursor cursor) throws IOException {
                LogLease lease = cursor.lease();
                boolean unused = lease != null && lease.acknowledge();
            }
        },
        GIVE_BACK {
            @Override
            void call(LogCursor cursor) throws IOException {
                LogLease lease = cursor.lease();
                boolean unused = lease != null && lease.giveBack(Duration.ZERO);
            }
        },
        REMOVE {
            @Override
            void call(LogCursor cursor) throws IOException {
                boolean unused = cursor.remove(cursor.floor() + 1);
            }
        },
        CLEAR {
            @Override
            void call(LogCursor cursor) throws IOException {
                cursor.clear();
            }
        };

        abstract void call(LogCursor cursor) throws IOException;
    }

    /** Calls in each frame on the way back from the end of the stack, so that each depth at which a call may overflow is met. */
    @SuppressWarnings("InfiniteRecursion") // ends where the stack does
    private static void consumeFromTheStacksEnd(LogCursor cursor, Consumption call, int[] calls) {
        try {
            consumeFromTheStacksEnd(cursor, call, calls);
        } catch (StackOverflowError e) {
            if (calls[0]-- > 0) {
                try {
                    call.call(cursor);
                } catch (IOException failed) {
                    calls[0] = 0;
                } catch (StackOverflowError again) {
                    // the next frame has more
                }
                throw e;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void consumption_whereTheStackOverflows_leavesACursorThatGoesOnOrALogThatSaysThatItFailed(Consumption call)
            throws Exception {
        List<Commit> commits = List.of(Commit.values());
        for (int round = 0; round < 12; round++) {
            Commit commit = commits.get(round % commits.size());
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(commit), disk);
            Logs.append(log, record(0, 8));
            LogCursor cursor = log.cursors().own();
            call.call(cursor); // the JVM remembers for good that a lambda could not be linked
            for (int number = 1; number < 300; number++) {
                Logs.append(log, record(number, 8));
            }
            int[] calls = {600};
            Thread deep = new Thread(
                    null, () -> consumeFromTheStacksEnd(cursor, call, calls), "deep", (256 + 3L * round) << 10);
            deep.start();
            deep.join();
            CompletableFuture<Void> after = CompletableFuture.runAsync(() -> {
                try {
                    Logs.append(log, record(1000, 8));
                    while (cursor.poll() != null) {
                        // each is handed out, or the log says that it has failed
                    }
                    log.flush();
                } catch (LogFailedException loud) {
                    // what it is to say
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    closeQuietly(log);
                }
            });
            assertThat(after).as("round %d", round).succeedsWithin(Duration.ofSeconds(60));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DEVICE", "PAGE_CACHE"})
    void completion_thatFindsNoMemory_isToldAgainAndHoldsUpNeitherOthersNorTheClose(Commit commit) throws Exception {
        RecordLog log = RecordLog.open(Logs.options(commit), new FaultyFileIo());
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger failures = new AtomicInteger(3);
        for (int i = 0; i < 100; i++) {
            int number = i;
            assertThat(log.appendAsync(0, record(number, 8), failure -> {
                        if (number == 50 && failures.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("injected");
                        }
                        told.add(number);
                    }))
                    .isTrue();
        }
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> closeQuietly(log));
        assertThat(closed).succeedsWithin(Duration.ofSeconds(60));
        assertThat(told).isEqualTo(numbers(0, 100));
        assertThat(failures).hasNegativeValue();
    }

    private static void closeQuietly(RecordLog log) {
        try {
            log.close();
        } catch (IOException failed) {
            // it said so before
        }
    }
}
