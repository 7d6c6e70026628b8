package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.infra.Control;

@Timeout(60)
final class CappedQueueTest {

    private static final int CAP = 1_024;
    private static final int WRITERS = 4;
    private static final int CLEARINGS = 20;

    private final Control control = new Control();
    private final InMemory memory = new InMemory(control);

    @Test
    void write_manyThreads_clearedAtEachCapAndNeverDuringAWrite() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        run(writers(queue));
        assertThat(memory.clearings).isEqualTo(CLEARINGS);
        assertThat(memory.largest).isEqualTo(CAP);
        assertThat(memory.intruded).isFalse();
        queue.close();
    }

    @Test
    void writeAsync_manyThreads_clearedAtEachCapAndNeverWhileARecordIsUnderWay() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        List<Task> tasks = writers(queue, (writer, record) -> writer.writeAsync(record, control));
        tasks.add(memory::endAll);
        run(tasks);
        assertThat(memory.clearings).isEqualTo(CLEARINGS);
        assertThat(memory.largest).isEqualTo(CAP);
        assertThat(memory.intruded).isFalse();
        control.stopMeasurement = true;
        queue.close();
    }

    @Test
    void writeAsync_recordFails_everyWriterFails() throws Exception {
        memory.refusing = true;
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        List<Task> tasks = writers(queue, (writer, record) -> writer.writeAsync(record, control));
        tasks.add(memory::endAll);
        assertThatThrownBy(() -> run(tasks)).hasRootCauseMessage("refused");
    }

    @Test
    void writeAll_manyThreads_clearedAtEachCap() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        run(writers(queue, (writer, record) -> writer.writeAll(Records.bulkAt(0), control)));
        assertThat(memory.clearings).isEqualTo(CLEARINGS);
        assertThat(memory.largest).isEqualTo(CAP);
        queue.close();
    }

    @Test
    void write_withReader_clearedOnlyWhenEverythingWasRead() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, true, CAP);
        List<Task> tasks = writers(queue);
        tasks.add(() -> {
            while (!control.stopMeasurement) {
                queue.read();
            }
        });
        run(tasks);
        assertThat(memory.clearings).isEqualTo(CLEARINGS);
        assertThat(memory.largest).isZero();
        assertThat(memory.intruded).isFalse();
        queue.close();
    }

    @Test
    void write_afterTheEndOfTheIteration_doesNotWaitForWritersThatHaveLeft() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        control.stopMeasurement = true;
        CappedQueue.Writer writer = queue.newWriter();
        for (int i = 0; i < 3 * CAP; i++) {
            writer.write(Records.at(i), control);
        }
        assertThat(memory.clearings).isZero();
    }

    @Test
    void write_clearingFails_everyWriterFails() throws Exception {
        memory.failing = true;
        CappedQueue queue = new CappedQueue(memory, WRITERS, false, CAP);
        assertThatThrownBy(() -> run(writers(queue))).hasRootCauseMessage("no clearing");
    }

    @Test
    void close_moreReadThanWritten_fails() throws Exception {
        CappedQueue queue = new CappedQueue(memory, 1, true, CAP);
        memory.write(Records.at(0));
        queue.read();
        assertThatThrownBy(queue::close)
                .hasMessage("expected reads + cleared + left = written, got reads=1 cleared=0 left=0 written=0");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void close_recordLost_fails(boolean withReader) throws Exception {
        CappedQueue queue = new CappedQueue(memory, 1, withReader, CAP);
        CappedQueue.Writer writer = queue.newWriter();
        writer.write(Records.at(0), control);
        writer.write(Records.at(1), control);
        memory.read();
        assertThatThrownBy(queue::close)
                .hasMessage("expected reads + cleared + left = written, got reads=0 cleared=0 left=1 written=2");
        assertThat(memory.closed).isTrue();
    }

    @Test
    void read_allWaitButRecordsAreLost_failsInsteadOfClearing() throws Exception {
        CappedQueue queue = new CappedQueue(memory, WRITERS, true, CAP);
        List<Task> tasks = writers(queue);
        tasks.add(() -> {
            while (!control.stopMeasurement) {
                memory.read();
                queue.read();
            }
        });
        assertThatThrownBy(() -> run(tasks))
                .rootCause()
                .hasMessageStartingWith("expected every record to be read, got reads=");
        assertThat(memory.clearings).isZero();
    }

    private List<Task> writers(CappedQueue queue) {
        return writers(queue, (writer, record) -> writer.write(record, control));
    }

    private List<Task> writers(CappedQueue queue, Way way) {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            CappedQueue.Writer writer = queue.newWriter();
            tasks.add(() -> {
                for (int n = 0; !control.stopMeasurement; n++) {
                    way.write(writer, Records.at(n));
                }
            });
        }
        return tasks;
    }

    private static void run(List<Task> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Task task : tasks) {
                running.add(threads.submit(() -> {
                    task.run();
                    return null;
                }));
            }
            for (Future<?> future : running) {
                future.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    @FunctionalInterface
    private interface Way {
        void write(CappedQueue.Writer writer, byte[] record) throws IOException;
    }

    /** A queue that notices when it is cleared while it is written, and that ends the iteration after some clearings. */
    private static final class InMemory implements AsyncWrites, BulkWrites {

        private final Control control;
        private final Queue<byte[]> records = new ConcurrentLinkedQueue<>();
        private final BlockingQueue<Runnable> ends = new LinkedBlockingQueue<>();
        private final AtomicBoolean clearing = new AtomicBoolean();
        private volatile boolean intruded;
        private int clearings;
        private int largest;
        private volatile boolean refusing;
        private boolean failing;
        private boolean closed;

        InMemory(Control control) {
            this.control = control;
        }

        @Override
        public void write(byte[] record) {
            intruded |= clearing.get();
            records.add(record);
        }

        @Override
        public void writeAsync(byte[] record, End end) {
            ends.add(() -> {
                write(record);
                end.end(refusing ? new IOException("refused") : null);
            });
        }

        @Override
        public void writeAll(List<byte[]> bulk) {
            bulk.forEach(this::write);
        }

        /** Stores and ends what is under way, until some time after the iteration's end nothing is. */
        void endAll() throws IOException {
            try {
                Runnable end = ends.poll(1, TimeUnit.SECONDS);
                while (end != null) {
                    end.run();
                    end = ends.poll(1, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public byte @Nullable [] read() {
            return records.poll();
        }

        @Override
        public void scan(Consumer<byte[]> sink) {
            records.forEach(sink);
        }

        @Override
        public void clear() throws IOException {
            if (failing) {
                throw new IOException("no clearing");
            }
            clearing.set(true);
            largest = Math.max(largest, records.size());
            records.clear();
            clearing.set(false);
            clearings++;
            control.stopMeasurement = clearings == CLEARINGS;
        }

        @Override
        public long forces() {
            return 0;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
