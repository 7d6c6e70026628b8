package dev.touchstone.benchmarks.builds.peer;

import java.io.Closeable;
import java.io.IOException;

/** A subject that runs builds, or a part of the work of a build. Called by one thread at a time. */
public interface BuildsUnderTest extends Closeable {
    /**
     * Does builds of the repository's branches, one of each after the other, and returns when the last has ended.
     *
     * @param inFlight how many are handed over before the first has ended, at most
     * @throws IOException if one of them did not do all it should
     */
    void build(int count, int inFlight) throws IOException;

    /** Has the next build of each branch find an empty workspace. */
    void emptyWorkspaces() throws IOException;

    /** Connects another client, to be closed by the caller; refused where there is no service. */
    default ServiceObserver observe() throws IOException {
        throw new UnsupportedOperationException("there is no service to observe");
    }
}
