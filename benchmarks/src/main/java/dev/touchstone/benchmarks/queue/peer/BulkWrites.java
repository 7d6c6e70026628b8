package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.util.List;

/** A subject that stores several records with one commit. */
public interface BulkWrites extends QueueUnderTest {

    /** Appends copies of {@code records} in their order and returns once all have the durability that the subject promises. */
    void writeAll(List<byte[]> records) throws IOException;
}
