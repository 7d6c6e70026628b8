package dev.touchstone.benchmarks.builds.peer;

import java.io.Closeable;
import java.io.IOException;

/** Builds that print much, whose logs are followed. One thread at a time. */
public interface LogsUnderTest extends Closeable {
    /** Has the script run, and reads its log while it does; returns how long that is. */
    long follow(int megabytes) throws IOException;

    /** Connects another client, to be closed by the caller. */
    ServiceObserver observe() throws IOException;
}
