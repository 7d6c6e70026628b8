package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.LogEntry;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads beside a thread that changes the log. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentLogStorageReadingTest {

    /** A gate before each write that goes to the device. */
    private static final class Gate {
        private volatile CountDownLatch open = new CountDownLatch(0);
        private volatile CountDownLatch reached = new CountDownLatch(0);

        void close() {
            reached = new CountDownLatch(1);
            open = new CountDownLatch(1);
        }

        void open() {
            open.countDown();
        }

        private void pass() throws InterruptedException {
            reached.countDown();
            open.await();
        }

        FileIo before(FileIo io) {
            return proxy(FileIo.class, io, false);
        }

        private <T> T proxy(Class<T> type, T target, boolean writesThrough) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
                        if (writesThrough && method.getName().equals("write")) {
                            pass();
                        }
                        try {
                            Object result = method.invoke(target, args);
                            return result instanceof FileIo.DataFile file
                                    ? proxy(FileIo.DataFile.class, file, args[1] == FileIo.Access.WRITE_THROUGH)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }

    @Test
    void getEntry_whileAWriteIsForced_doesNotWait(@TempDir Path folder)
            throws InterruptedException, ExecutionException, TimeoutException {
        Gate gate = new Gate();
        SegmentLogStorage storage = new SegmentLogStorage(
                folder, gate.before(new DiskFileIo()), LogEntries.SMALL, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        LogEntries.append(storage, LogEntries.data(1, 5, 1));
        gate.close();
        CompletableFuture<Integer> appended =
                CompletableFuture.supplyAsync(() -> storage.appendEntries(LogEntries.data(6, 5, 1)));
        gate.reached.await();

        assertThat(storage.getEntry(5)).isEqualTo(LogEntries.data(5, 1));
        assertThat(storage.getTerm(5)).isEqualTo(1);
        assertThat(storage.getLastLogIndex()).isEqualTo(5);
        assertThat(storage.getEntry(6)).isNull();

        gate.open();
        assertThat(appended.get(60, TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(storage.getEntry(6)).isEqualTo(LogEntries.data(6, 1));
        storage.shutdown();
    }

    /** Files are used again all the time, so a reader often reads what is no entry any more. */
    @Test
    void getEntry_besideTruncationsAndFilesUsedAgain_isTheEntryOrNull(@TempDir Path folder)
            throws InterruptedException, ExecutionException, TimeoutException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        SegmentLogStorage storage = new SegmentLogStorage(
                folder,
                new DiskFileIo(),
                new StorageOptions(4 << 10, 64 << 10, 1),
                Runnable::run,
                Progress.ALL,
                term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong found = new AtomicLong();
        List<CompletableFuture<Void>> readers = List.of(
                CompletableFuture.runAsync(() -> read(storage, seed, done, found)),
                CompletableFuture.runAsync(() -> read(storage, seed + 1, done, found)));
        long term = 1;
        for (int step = 0; step < 1_000 || found.get() < 1_000; step++) {
            long last = storage.getLastLogIndex();
            LogEntries.append(storage, LogEntries.data(last + 1, 1 + random.nextInt(8), term));
            if (random.nextInt(4) == 0) {
                term++;
                assertThat(storage.truncateSuffix(Math.max(storage.getFirstLogIndex() - 1, last - random.nextInt(20))))
                        .isTrue();
            }
            if (random.nextInt(4) == 0) {
                long first = storage.getFirstLogIndex();
                assertThat(storage.truncatePrefix(first + (storage.getLastLogIndex() - first) / 2))
                        .isTrue();
            }
        }
        done.set(true);
        for (CompletableFuture<Void> reader : readers) {
            Void unused = reader.get(60, TimeUnit.SECONDS);
        }
        assertThat(storage.failure()).as("seed=%d", seed).isNull();
        storage.shutdown();
    }

    private static void read(SegmentLogStorage storage, long seed, AtomicBoolean done, AtomicLong found) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!done.get()) {
            long first = storage.getFirstLogIndex();
            long index = first + random.nextLong(Math.max(1, storage.getLastLogIndex() - first + 1));
            LogEntry entry = storage.getEntry(index);
            if (entry != null) {
                assertThat(entry).isEqualTo(LogEntries.data(index, entry.getId().getTerm()));
                found.incrementAndGet();
            }
            long unused = storage.getTerm(index);
        }
    }
}
