package dev.touchstone.benchmarks.queue.replicated;

import dev.touchstone.benchmarks.queue.peer.JournalUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A log of three processes: a record is on the devices of two of them when {@link #write} returns. */
public interface ReplicatedUnderTest extends JournalUnderTest {

    /** Returns the folder of each process, which has all of its files. */
    List<Path> folders();

    /**
     * Kills all processes. What they had in the page cache stays, and another subject that is opened in the same folder finds it; this one can only be
     * closed.
     */
    void kill() throws IOException;

    /** Returns a number below 0: forces in other processes are not counted by the subject. */
    @Override
    default long forces() {
        return UNKNOWN;
    }
}
