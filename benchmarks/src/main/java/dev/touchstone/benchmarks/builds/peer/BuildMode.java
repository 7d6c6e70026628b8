package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.OutputMode;

/** The seed's modes: where a build's output goes. */
public enum BuildMode {
    /** Nowhere: it is dropped where the script runs. */
    DISCARD(OutputMode.DISCARD),
    /** The output goes to the client, which reads all of it while the script runs. */
    STREAMING(OutputMode.STREAM),
    /** Into a string of a Redis, beside the master's log. */
    REDIS(OutputMode.REDIS),
    /** Into a file, beside the master's log. */
    FILES(OutputMode.FILES);

    private final OutputMode output;

    BuildMode(OutputMode output) {
        this.output = output;
    }

    /** Returns the service's own constant for this mode. */
    public OutputMode output() {
        return output;
    }

    /** Returns whether the mode can run on this machine: only one of them needs an installed Redis. */
    public boolean available() {
        return this != REDIS || RedisProcess.isThere();
    }
}
