package dev.touchstone.queue.log.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumption in turn without a lock: the next batch carries it, a force writes it, and at most 1,024 entries wait in memory. */
@Timeout(120)
class ConsumptionInTurnTest {
    private static final long TIMES = 200_000;
    private static final long MANY_TIMES = 2_000_000;
    private static final int MAX_LOST = 1024;
    private static final int MAX_SPINS = 1000;

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final AtomicLong consumed = new AtomicLong(); // returned
    private long times = TIMES;
    private ConsumptionJournal journal;
    private JournaledCursor own;

    @BeforeEach
    void open() throws IOException {
        journal = ConsumptionJournal.open(new DiskFileIo(), folder, true);
        journal.begin(journal.read(), 1, false);
        own = journal.cursors().iterator().next();
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdownNow();
        journal.close();
    }

    /** Consumes in turn, and waits now and then until {@code seen} has passed what was consumed. */
    private Future<Long> consume(AtomicLong seen) {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        long last = times;
        return threads.submit(() -> {
            for (long sequence = 1; sequence <= last; sequence++) {
                journal.consumedInTurn(own, sequence);
                consumed.set(sequence);
                boolean waits = random.nextInt(3) == 0; // so that the next call comes in the middle of a batch, too
                for (int spins = 0; waits && seen.get() <= sequence && !Thread.interrupted(); spins++) {
                    if (spins < MAX_SPINS) {
                        Thread.onSpinWait();
                    } else {
                        Thread.yield(); // the other thread may have no processor
                    }
                }
                for (int spins = random.nextInt(30); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
            }
            return last;
        });
    }

    private Future<Long> consume() {
        return consume(new AtomicLong(Long.MAX_VALUE));
    }

    private void untilDone(Future<Long> consumer, Callable<Void> step) throws Exception {
        boolean done;
        do {
            done = consumer.isDone();
            step.call();
        } while (!done);
        assertThat(consumer.get()).isEqualTo(times);
    }

    /** Returns the floor that the files tell of now. */
    private long floorOfFiles() throws IOException {
        ConsumptionJournal changing = journal; // which changes the files under its monitor
        synchronized (changing) {
            return Objects.requireNonNull(changing.read().cursors().get(ConsumptionJournal.OWN_ID))
                    .floor();
        }
    }

    /** Puts batches while others consume: each carries what was consumed before it began, and nothing twice. */
    private void putBatches() throws Exception {
        ByteBuffer batch = ByteBuffer.allocate(ConsumptionRecords.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        AtomicLong carried = new AtomicLong(1);
        ConsumptionEntries.Sink sink = new ConsumptionEntries.Sink() {
            @Override
            public void consumed(long cursor, long first, long end) {
                assertThat(end).as("carried twice, or back").isGreaterThan(carried.get());
                carried.set(end);
            }

            @Override
            public void attempted(long cursor, long sequence, Attempt attempt) {
                throw new AssertionError("nothing was attempted");
            }
        };
        untilDone(consume(carried), () -> {
            long before = consumed.get();
            int bytes = journal.put(batch, 0, 1, 1);
            if (bytes > 0) {
                ConsumptionEntries.readAll(
                        batch.duplicate().position(RecordFormat.HEADER_BYTES).limit(bytes), sink);
            }
            assertThat(carried.get()).isGreaterThan(before);
            return null;
        });
        assertThat(carried.get()).isEqualTo(times + 1);
    }

    /** Forces while others consume: the files tell of what was consumed before. */
    private void force() throws Exception {
        untilDone(consume(), () -> {
            long before = consumed.get();
            journal.force();
            assertThat(floorOfFiles()).isGreaterThan(before);
            return null;
        });
        assertThat(floorOfFiles()).isEqualTo(times + 1);
    }

    @Test
    void batch_begunAfterACall_carriesItUnlessAnEarlierOneDid() throws Exception {
        putBatches();
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void batch_begunAfterOneOfManyCalls_carriesItUnlessAnEarlierOneDid() throws Exception {
        times = MANY_TIMES;
        putBatches();
    }

    @Test
    void force_afterACall_hasWrittenIt() throws Exception {
        force();
    }

    @Test
    @Tag("slow")
    @Timeout(1200)
    void force_afterOneOfManyCalls_hasWrittenIt() throws Exception {
        times = MANY_TIMES;
        force();
    }

    @Test
    void files_whileNobodyForces_lackTheNewestOnly() throws IOException {
        for (long sequence = 1; sequence <= 200_000; sequence++) {
            journal.consumedInTurn(own, sequence);
            if (sequence % 97 == 0) {
                assertThat(floorOfFiles()).isGreaterThan(sequence - MAX_LOST);
            }
        }
    }

    @Test
    void closing_andOutOfTurnCalls_keepAllThatWasConsumed() throws IOException {
        for (long sequence = 1; sequence <= 3_000; sequence++) {
            if (sequence % 7 == 0) {
                journal.attempted(own, sequence + 2, new Attempt(1, 0));
                journal.consumed(own, sequence + 1, sequence + 2);
            }
            if (sequence % 7 != 1 || sequence == 1) {
                journal.consumedInTurn(own, sequence);
            }
        }
        journal.writeClosed();
        ConsumerState found = Objects.requireNonNull(journal.read().cursors().get(ConsumptionJournal.OWN_ID));
        assertThat(found.floor()).isEqualTo(3_001);
        assertThat(found.entries()).isZero();
    }
}
