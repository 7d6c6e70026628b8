package dev.touchstone.benchmarks.queue;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/** A benchmark that only writes, as its semantic check uses it: through the method that JMH would time. */
interface WritingBenchmark {

    /** Takes over the folder; first of all. */
    void use(DataFolder folder);

    /** Begins an iteration. */
    void openQueue(int writers) throws IOException;

    /** Makes one thread's way through the timed method. */
    Calls calls(ThreadParams thread, Control control);

    /** Records that one call writes. */
    default int recordsPerCall() {
        return 1;
    }

    /** Ends the iteration. */
    void closeQueue() throws IOException;

    /** Records written in the iteration, once it is over. */
    long written();

    /** Last of all. */
    void deleteFolder() throws IOException;

    /**
     * A thread's calls of the timed method.
     *
     * @param timed calls it once
     * @param forces what the thread reports of the forces, once the iteration is over
     */
    record Calls(Call timed, LongSupplier forces) {}

    /** A call of the timed method. */
    @FunctionalInterface
    interface Call {
        void run() throws IOException;
    }
}
