package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Iterates over a million records of 512 bytes that a queue has on disk, without removing any.
 *
 * <p>The queue is written, forced, closed and opened anew before the first scan: records come from its files, through a page cache
 * that holds them all, and no write-back runs meanwhile. Every subject delivers each record in an array of its own. A scan that does
 * not deliver all of what was written fails.
 *
 * <p>tape isn't among the parameter's values: at 3 forces a record it needs many minutes to write a million, as the origin's document
 * says, too. JMH takes it by name where there are few: {@code -p subject=TAPE -p records=10000}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 5)
@Timeout(time = 10, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class QueueScanBenchmark {

    @Param("OURS_BATCHED")
    public String subject;

    @Param("1000000")
    public int records;

    private DataFolder data;
    private QueueUnderTest queue;
    private long checksum;

    @Setup(Level.Trial)
    public void fill() throws IOException {
        fill(DataFolder.create());
    }

    void fill(DataFolder empty) throws IOException {
        data = empty;
        Path folder = data.fresh();
        try (QueueUnderTest filling = QueueSubject.of(subject).open(folder)) {
            for (int i = 0; i < records; i++) {
                filling.write(Records.at(i));
                checksum += Records.checksum(Records.at(i));
            }
        }
        Folders.force(folder);
        queue = QueueSubject.of(subject).open(folder);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        queue.close();
        data.close();
    }

    /** Scans all records, and checks their number and checksum. */
    @Benchmark
    public long scan() throws IOException {
        Tally tally = new Tally();
        queue.scan(tally);
        if (tally.count != records || tally.sum != checksum) {
            throw new IllegalStateException("expected records=" + records + " checksum=" + checksum + ", got records="
                    + tally.count + " checksum=" + tally.sum);
        }
        return tally.sum;
    }

    private static final class Tally implements Consumer<byte[]> {

        private long count;
        private long sum;

        @Override
        public void accept(byte[] record) {
            count++;
            sum += Records.checksum(record);
        }
    }
}
