package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.MeasuredCount;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The common part of benchmarks that only write: a queue in an empty folder for each iteration. Called by the thread of JMH's set-ups. */
@SuppressWarnings("NullAway.Init") // open comes before anything else
final class WriteRun implements Closeable {

    private final DataFolder data;
    private CappedQueue queue;
    private MeasuredCount forces;

    /** Takes over the folder. */
    WriteRun(DataFolder data) {
        this.data = data;
    }

    /** Opens the subject anew; the one before is closed. */
    void open(Opening subject, int writers) throws IOException {
        queue = new CappedQueue(subject.open(data.fresh()), writers, false);
        forces = new MeasuredCount(queue::forces);
    }

    CappedQueue queue() {
        return queue;
    }

    MeasuredCount forces() {
        return forces;
    }

    /** Ends the iteration. */
    void closeQueue() throws IOException {
        queue.close();
    }

    /** Deletes the folder. */
    @Override
    public void close() throws IOException {
        data.close();
    }

    /** A way to open a subject in an empty folder. */
    @FunctionalInterface
    interface Opening {
        QueueUnderTest open(Path folder) throws IOException;
    }
}
