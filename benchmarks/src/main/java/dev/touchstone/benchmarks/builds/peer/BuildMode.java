package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.OutputMode;

/** The seed's modes: where a build's output goes. */
public enum BuildMode {
    /** Nowhere: it is dropped where the script runs. */
    DISCARD(OutputMode.DISCARD),
    /** To the client, which reads all of it while the script runs. */
    STREAMING(OutputMode.STREAM),
    /** Into a string of a Redis, beside the master's log. */
    REDIS(OutputMode.REDIS),
    /** Into a file, beside the master's log. */
    FILES(OutputMode.FILES);

    private final OutputMode output;

    BuildMode(OutputMode output) {
        this.output = output;
    }

    /** As the service calls it. */
    public OutputMode output() {
        return output;
    }

    /** Whether it can run on this machine. */
    public boolean available() {
        return this != REDIS || RedisProcess.isThere();
    }
}
