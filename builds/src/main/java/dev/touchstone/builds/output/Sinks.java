package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.file.Path;

/** The sinks there are. */
public final class Sinks {
    private Sinks() {}

    /** Drops all; the script's machine does. */
    public static Sink discard() {
        return new LogSink(OutputMode.DISCARD);
    }

    /** The master's log, for viewers. */
    public static Sink stream() {
        return new LogSink(OutputMode.STREAM);
    }

    /** A file {@code <job>.log} for each job in a folder, which is made where absent. */
    public static Sink files(Path folder) throws IOException {
        return new FileSink(folder);
    }

    /** A string for each job in a Redis; connects when there is something to write. */
    public static Sink redis(RedisOptions options) {
        return new RedisSink(options);
    }
}
