package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Checks of a subject's work, without which its figures mean nothing. Records are numbered by producer, so that one lost, doubled,
 * changed or out of order shows. Each check takes an empty folder.
 */
final class QueueChecks {

    private final QueueSubject subject;
    private final Path folder;

    QueueChecks(QueueSubject subject, Path folder) {
        this.subject = subject;
        this.folder = folder;
    }

    /** Writes of one thread come back in order: by a scan, by a scan after a reopening, and by reads, which then find nothing. */
    void fifo(int count) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            writeAll(queue, 0, count);
            demand(scan(queue), count, 1, "scan");
        }
        try (QueueUnderTest queue = subject.open(folder)) {
            demand(scan(queue), count, 1, "scan after reopening");
            demand(drain(queue), count, 1, "reads");
            demandNothingLeft(queue);
        }
    }

    /** Writes of several threads come back complete, those of each in their order; a cleared queue is empty and works on. */
    void producers(int writers, int each) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            together(writes(queue, writers, each));
            demand(drain(queue), writers * each, writers, "reads");
            writeAll(queue, 0, each);
            queue.clear();
            demandNothingLeft(queue);
            writeAll(queue, 0, each);
            demand(drain(queue), each, 1, "reads after clearing");
        }
    }

    /**
     * Checks a subject that is not read one by one: writes of several threads are found by scans, complete and those of each in their
     * order, before and after a reopening; once it is cleared it is empty and works on.
     */
    void stored(int writers, int each) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            together(writes(queue, writers, each));
            demand(scan(queue), writers * each, writers, "scan");
        }
        try (QueueUnderTest queue = subject.open(folder)) {
            demand(scan(queue), writers * each, writers, "scan after reopening");
            queue.clear();
            demand(scan(queue), 0, 1, "scan after clearing");
            writeAll(queue, 0, each);
            demand(scan(queue), each, 1, "scan of what was written after clearing");
        }
    }

    /** Writes that are not waited for come back in order after their end, also after a reopening. */
    void async(int count) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            InFlight inFlight = new InFlight(count);
            for (int i = 0; i < count; i++) {
                inFlight.begin();
                ((AsyncWrites) queue).writeAsync(numbered(0, i), inFlight::end);
            }
            inFlight.awaitAll();
            demand(scan(queue), count, 1, "scan");
        }
        try (QueueUnderTest queue = subject.open(folder)) {
            demand(scan(queue), count, 1, "scan after reopening");
        }
    }

    /** Bulks come back in order, also after a reopening. */
    void bulks(int count) throws CheckFailedException, IOException {
        int records = count * Records.BULK_RECORDS;
        try (QueueUnderTest queue = subject.open(folder)) {
            for (int first = 0; first < records; first += Records.BULK_RECORDS) {
                List<byte[]> bulk = new ArrayList<>();
                for (int i = 0; i < Records.BULK_RECORDS; i++) {
                    bulk.add(numbered(0, first + i));
                }
                ((BulkWrites) queue).writeAll(bulk);
            }
            demand(scan(queue), records, 1, "scan");
        }
        try (QueueUnderTest queue = subject.open(folder)) {
            demand(scan(queue), records, 1, "scan after reopening");
        }
    }

    /** Reads beside writes of several threads give the same records as reads after them. */
    void mixed(int writers, int each) throws CheckFailedException, IOException {
        List<byte[]> seen = new ArrayList<>();
        try (QueueUnderTest queue = subject.open(folder)) {
            List<Callable<Void>> tasks = writes(queue, writers, each);
            tasks.add(() -> {
                while (seen.size() < writers * each && !Thread.currentThread().isInterrupted()) {
                    byte[] record = queue.read();
                    if (record != null) {
                        seen.add(record);
                    }
                }
                return null;
            });
            together(tasks);
            demandNothingLeft(queue);
        }
        demand(seen, writers * each, writers, "reads beside writes");
    }

    /** A subject that is scanned only gives what was written, in order, as often as it is asked. */
    void scanned(int count) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            writeAll(queue, 0, count);
        }
        try (QueueUnderTest queue = subject.open(folder)) {
            demand(scan(queue), count, 1, "first scan");
            demand(scan(queue), count, 1, "second scan");
        }
    }

    /** A subject that only writes has put as many bytes into its files. */
    void written(int count, int inMemoryBytes) throws CheckFailedException, IOException {
        try (QueueUnderTest queue = subject.open(folder)) {
            writeAll(queue, 0, count);
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        long expected = (long) count * Records.RECORD_BYTES - inMemoryBytes;
        if (bytes < expected) {
            throw new CheckFailedException("expected at least " + expected + " bytes in files, got " + bytes);
        }
    }

    private static void demandNothingLeft(QueueUnderTest queue) throws CheckFailedException, IOException {
        if (queue.read() != null) {
            throw new CheckFailedException("expected an empty queue, got one more record");
        }
    }

    static void demand(List<byte[]> records, int count, int producers, String what) throws CheckFailedException {
        if (records.size() != count) {
            throw new CheckFailedException(what + ": expected records=" + count + ", got " + records.size());
        }
        int[] next = new int[producers];
        for (byte[] record : records) {
            int producer = ByteBuffer.wrap(record).getInt();
            if (producer < 0 || producer >= producers || !Arrays.equals(record, numbered(producer, next[producer]))) {
                throw new CheckFailedException(what + ": expected the next record of a producer, got producer="
                        + producer + " number=" + ByteBuffer.wrap(record).getInt(Integer.BYTES));
            }
            next[producer]++;
        }
    }

    static List<byte[]> scan(QueueUnderTest queue) throws IOException {
        List<byte[]> records = new ArrayList<>();
        queue.scan(records::add);
        return records;
    }

    private static List<byte[]> drain(QueueUnderTest queue) throws IOException {
        List<byte[]> records = new ArrayList<>();
        byte[] record = queue.read();
        while (record != null) {
            records.add(record);
            record = queue.read();
        }
        return records;
    }

    private static List<Callable<Void>> writes(QueueUnderTest queue, int writers, int each) {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            int producer = i;
            tasks.add(() -> {
                writeAll(queue, producer, each);
                return null;
            });
        }
        return tasks;
    }

    private static void writeAll(QueueUnderTest queue, int producer, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            queue.write(numbered(producer, i));
        }
    }

    /** Returns record {@code number} of a producer, which begins with both. */
    static byte[] numbered(int producer, int number) {
        byte[] record = Records.at(producer * 31L + number).clone();
        ByteBuffer.wrap(record).putInt(producer).putInt(number);
        return record;
    }

    /** Runs all at once and waits; the first failure ends the others. */
    static void together(List<Callable<Void>> tasks) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<Void>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(threads.submit(task)));
            for (Future<Void> task : running) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a thread of the check failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
