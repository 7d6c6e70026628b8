package dev.touchstone.benchmarks.queue.peer;

/** A subject that tells when it goes over to its next file. */
public interface RollingFiles extends QueueUnderTest {

    /** A number that differs from the one before once another file has been begun, where nothing is removed. */
    long currentFile();
}
