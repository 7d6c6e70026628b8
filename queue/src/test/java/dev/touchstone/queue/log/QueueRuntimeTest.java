package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.BatchBound;
import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads and timers that many logs share: how few there are, that nothing is lost between them, and that logs do not stop each other. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueRuntimeTest {
    private static final int MAX_THREADS = 4;

    private final String name = "runtime-test-" + System.identityHashCode(this);
    private final QueueRuntime runtime = new QueueRuntime(name, Duration.ofMillis(50));

    /** Returns once the condition holds; the class's timeout ends a wait in vain. */
    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(50_000);
        }
    }

    private static LogOptions options(String folder, Commit commit, Duration delay) {
        LogOptions defaults = Logs.options(commit);
        return new LogOptions(
                Path.of(folder),
                commit,
                defaults.segmentBytes(),
                new BatchBound(64, 32 << 10, delay),
                defaults.lockTimeout(),
                defaults.limits(),
                defaults.retention(),
                defaults.leases(),
                false,
                defaults.onDamage());
    }

    private RecordLog open(Commit commit, Duration delay, FaultyFileIo disk) throws IOException {
        return RecordLog.open(options(name, commit, delay), disk, runtime);
    }

    /** Returns the live threads of this test's runtime and of its logs. */
    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains(name))
                .toList();
    }

    private void awaitNoThread() throws InterruptedException {
        for (Thread thread : threads()) {
            thread.join();
        }
        assertThat(threads()).isEmpty();
    }

    @Test
    void sixHundredIdleLogs_haveFewThreadsAndNoTimer() throws Exception {
        int each = 300;
        List<RecordLog> logs = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            logs.add(open(Commit.MEMORY, Duration.ofMillis(10), new FaultyFileIo()));
            logs.add(open(Commit.DEVICE, Duration.ofMillis(10), new FaultyFileIo()));
        }
        assertThat(threads()).hasSizeLessThanOrEqualTo(MAX_THREADS);
        assertThat(runtime.pendingTimers()).as("of logs that hold nothing").isZero();
        for (RecordLog log : logs) {
            Logs.append(log, new byte[100]);
        }
        until(() -> logs.stream().allMatch(log -> log.committed() == 1));
        until(() -> runtime.timersRun() >= each);
        assertThat(threads()).hasSizeLessThanOrEqualTo(MAX_THREADS);
        assertThat(runtime.pendingTimers()).as("of logs that are idle again").isZero();
        assertThat(runtime.timersRun())
                .as("one for each batched log that was written to")
                .isEqualTo(each);
        for (RecordLog log : logs) {
            log.close();
        }
        awaitNoThread();
    }

    @Test
    void logs_openedAndClosedAThousandTimes_leaveNoThread() throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        List<Commit> commits = List.of(Commit.values());
        for (int i = 0; i < 1000; i++) {
            try (RecordLog log = open(commits.get(i % commits.size()), Duration.ofMinutes(1), disk)) {
                Logs.append(log, new byte[100]);
                assertThat(log.appendAsync(0, new byte[100], failure -> {})).isTrue();
                log.flush();
                assertThat(Logs.poll(log)).isNotNull();
                assertThat(Logs.poll(log)).isNotNull();
            }
        }
        assertThat(runtime.pendingTimers()).as("of logs that are closed").isZero();
        awaitNoThread();
    }

    @Test
    void open_thatFails_leavesNoThread() throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = open(Commit.PAGE_CACHE, Duration.ofMinutes(1), disk)) {
            Logs.append(log, new byte[100]);
        }
        int opened = 0;
        for (int operation = 1; opened == 0; operation++) {
            FaultyFileIo failing = disk.afterKill();
            failing.failAt(operation, true);
            try (RecordLog log = open(Commit.PAGE_CACHE, Duration.ofMinutes(1), failing)) {
                assertThat(log.size()).isEqualTo(1);
                opened++;
                failing.failAt(Integer.MAX_VALUE / 2, false);
            } catch (IOException expected) {
                assertThat(expected).hasStackTraceContaining("injected");
            }
        }
        awaitNoThread();
    }

    /** Each append waits for its own write, so the timer has to be armed again and again while it fires. */
    @Test
    void append_whileTheTimerFires_isWrittenWithoutAnotherCall() throws Exception {
        int writers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try (RecordLog log = open(Commit.MEMORY, Duration.ofNanos(1), new FaultyFileIo())) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                ends.add(threads.submit(() -> {
                    for (int k = 0; k < 3000; k++) {
                        Logs.append(log, new byte[20]);
                        long own = log.visible();
                        while (log.committed() < own) {
                            Thread.yield(); // the timer's thread needs a core
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            assertThat(log.committed()).isEqualTo(writers * 3000L);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void append_ofAFullBatch_isWrittenWithoutAnotherCall() throws Exception {
        try (RecordLog log = open(Commit.MEMORY, Duration.ofMillis(1), new FaultyFileIo())) {
            for (int i = 0; i < 1000; i++) {
                Logs.append(log, new byte[1000]);
            }
            until(() -> log.committed() == 1000);
            assertThat(log.size()).isEqualTo(1000);
        }
    }

    @Test
    void append_whoseLateWriteIsRefused_isWrittenOnceThereIsRoom() throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = open(Commit.MEMORY, Duration.ofMillis(1), disk)) {
            disk.setFull(true);
            Logs.append(log, new byte[100]);
            until(() -> runtime.timersRun() >= 3);
            assertThat(log.committed()).isZero();
            disk.setFull(false);
            until(() -> log.committed() == 1);
        }
    }

    @Test
    void appendAsync_whileTheCompletingThreadEnds_isAlwaysCompleted() throws Exception {
        QueueRuntime hasty = new QueueRuntime(name, Duration.ofNanos(1));
        try (RecordLog log =
                RecordLog.open(options(name, Commit.PAGE_CACHE, Duration.ofMinutes(1)), new FaultyFileIo(), hasty)) {
            List<Integer> completed = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 2000; i++) {
                int number = i;
                CompletableFuture<Boolean> done = new CompletableFuture<>();
                assertThat(log.appendAsync(0, new byte[20], failure -> {
                            completed.add(number);
                            done.complete(failure == null);
                        }))
                        .isTrue();
                if (i % 7 != 0) {
                    assertThat(done.get()).isTrue();
                }
            }
            until(() -> completed.size() == 2000);
            assertThat(completed).isSorted();
        }
        awaitNoThread();
    }

    @Test
    void completingThread_withoutWork_endsAndComesBack() throws Exception {
        try (RecordLog log = open(Commit.DEVICE, Duration.ofMinutes(1), new FaultyFileIo())) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Thread> thread = new CompletableFuture<>();
                assertThat(log.appendAsync(0, new byte[20], failure -> thread.complete(Thread.currentThread())))
                        .isTrue();
                thread.get().join();
            }
            assertThat(log.committed()).isEqualTo(3);
        }
    }

    /** Work that a log's parts ask for while they are made must find a log with all of its parts. */
    @Test
    void start_workThatWasAskedForBefore_runsThenInOrder() throws Exception {
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch last = new CountDownLatch(1);
        try (Maintenance maintenance = new Maintenance(runtime, Path.of(name), failure -> {});
                Maintenance other = new Maintenance(runtime, Path.of(name + "-other"), failure -> {})) {
            other.start();
            maintenance.execute(() -> done.add(1));
            maintenance.execute(() -> done.add(2));
            CountDownLatch otherRan = new CountDownLatch(1);
            other.execute(otherRan::countDown);
            otherRan.await();
            assertThat(done).isEmpty();
            maintenance.start();
            maintenance.execute(last::countDown);
            last.await();
            assertThat(done).containsExactly(1, 2);
        }
    }

    @Test
    void close_neverStarted_dropsWhatWasAskedFor() throws Exception {
        List<Integer> done = new ArrayList<>();
        Maintenance maintenance = new Maintenance(runtime, Path.of(name), failure -> {});
        maintenance.execute(() -> done.add(1));
        maintenance.close();
        assertThat(done).isEmpty();
    }

    @Test
    void close_whileATaskRuns_waitsAndDoesTheRest() throws Exception {
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Maintenance maintenance = new Maintenance(runtime, Path.of(name), failures::add);
        maintenance.start();
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        Runnable blocks = () -> {
            begun.countDown();
            awaitQuietly(goOn);
            done.add("begun");
        };
        maintenance.execute(blocks);
        maintenance.execute(() -> done.add("queued"));
        maintenance.timer(blocks).arm(1);
        OneShotTimer late = maintenance.timer(() -> done.add("late"));
        late.arm(TimeUnit.HOURS.toNanos(1));
        begun.await();
        Thread closer = new Thread(() -> {
            try {
                maintenance.close();
            } catch (IOException e) {
                failures.add(e);
            }
        });
        closer.start();
        until(() -> closer.getState() == Thread.State.WAITING);
        closer.interrupt(); // must not end the wait
        assertThat(done).isEmpty();
        goOn.countDown();
        closer.join();
        assertThat(done).containsExactlyInAnyOrder("begun", "begun", "queued");
        maintenance.execute(() -> done.add("after the end"));
        maintenance.reclaim(() -> done.add("after the end"));
        late.arm(1);
        assertThat(runtime.pendingTimers()).isZero();
        awaitNoThread();
        assertThat(done).hasSize(3);
        assertThat(failures).isEmpty();
    }

    /** A disk that hangs holds all that its log may have at once: a force, a deletion and a late write. */
    @Test
    void maintenance_ofALogThatHangs_doesNotStopOthers() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(3);
        Runnable hangs = () -> {
            begun.countDown();
            awaitQuietly(hang);
        };
        try (Maintenance slow = new Maintenance(runtime, Path.of(name), failure -> {});
                RecordLog other = open(Commit.MEMORY, Duration.ofMillis(1), new FaultyFileIo())) {
            slow.start();
            OneShotTimer timer = slow.timer(hangs);
            for (int i = 0; i < 10; i++) {
                slow.execute(hangs);
                slow.reclaim(hangs);
                timer.arm(1);
            }
            begun.await();
            slow.execute(hangs);
            slow.reclaim(hangs);
            timer.arm(1);
            for (int i = 0; i < 1000; i++) {
                Logs.append(other, new byte[1000]);
            }
            until(() -> other.committed() == 1000);
            int removed = 0;
            while (Logs.poll(other) != null) {
                removed++;
            }
            assertThat(removed).isEqualTo(1000);
            until(() -> other.segments().live().size() == 1);
            hang.countDown();
        } finally {
            hang.countDown();
        }
    }

    @Test
    void error_inATask_failsItsLogAndNoOther() throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog failing = open(Commit.PAGE_CACHE, Duration.ofMinutes(1), disk);
        try (RecordLog other = open(Commit.PAGE_CACHE, Duration.ofMinutes(1), new FaultyFileIo())) {
            disk.afterFolderForce(() -> {
                throw new OutOfMemoryError("injected");
            });
            assertThatThrownBy(() -> {
                        while (true) {
                            Logs.append(failing, new byte[1000]);
                        }
                    })
                    .isInstanceOf(LogFailedException.class)
                    .hasStackTraceContaining("injected");
            disk.afterFolderForce(() -> {});
            for (int i = 0; i < 1000; i++) {
                Logs.append(other, new byte[1000]);
                assertThat(Logs.poll(other)).hasSize(1000);
            }
            until(() -> other.segments().live().size() == 1);
        } finally {
            assertThatThrownBy(failing::close).isInstanceOf(LogFailedException.class);
        }
        awaitNoThread();
    }

    @Test
    void errors_inEveryKindOfTask_areReportedAndTheNextTaskRuns() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Maintenance maintenance =
                new Maintenance(runtime, Path.of(name), e -> told.add(String.valueOf(e.getMessage())))) {
            maintenance.start();
            OneShotTimer timer = maintenance.timer(() -> {
                throw new StackOverflowError("timer");
            });
            for (int i = 0; i < 20; i++) {
                int before = told.size();
                maintenance.execute(() -> {
                    throw new OutOfMemoryError("execute");
                });
                maintenance.reclaim(() -> {
                    throw new IllegalStateException("reclaim");
                });
                timer.arm(1);
                until(() -> told.size() == before + 3);
                assertThat(told.subList(before, before + 3)).containsExactlyInAnyOrder("execute", "reclaim", "timer");
            }
        }
        awaitNoThread();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void checkedException_inATask_isReportedAndTheNextTaskRuns() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Maintenance maintenance =
                new Maintenance(runtime, Path.of(name), e -> told.add(String.valueOf(e.getMessage())))) {
            maintenance.start();
            maintenance.execute(() -> {
                throw QueueRuntimeTest.<RuntimeException>undeclared(new TimeoutException("undeclared"));
            });
            maintenance.execute(() -> told.add("next"));
            until(() -> told.contains("next"));
            assertThat(told).containsExactly("undeclared", "next");
        }
        awaitNoThread();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readAhead_whenNoThreadCanBeStarted_leavesTheReadToTheReader() {
        AtomicInteger reads = new AtomicInteger();
        QueueRuntime crowded = new QueueRuntime(name, Duration.ofSeconds(1), work -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        crowded.readAhead(reads::incrementAndGet);
        assertThat(reads).hasValue(0);
    }
}
