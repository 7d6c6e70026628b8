package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.file.Path;

/** The factory of all sinks. Stateless. */
public final class Sinks {
    private Sinks() {}

    /** Returns a sink that drops everything, as the agent does already. */
    public static Sink discard() {
        return new LogSink(OutputMode.DISCARD);
    }

    /** Returns a sink that has nothing besides the master's log. */
    public static Sink stream() {
        return new LogSink(OutputMode.STREAM);
    }

    /** Returns a sink that writes a file {@code <job>.log} for each job to a folder, which is created if it is not there. */
    public static Sink files(Path folder) throws IOException {
        return new FileSink(folder);
    }

    /** Returns a sink that writes a string for each job to a Redis, and connects when there is something to write. */
    public static Sink redis(RedisOptions options) {
        return new RedisSink(options);
    }
}
