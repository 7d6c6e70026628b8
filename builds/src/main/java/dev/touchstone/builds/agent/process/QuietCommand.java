package dev.touchstone.builds.agent.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A short helper of the system's, of which nothing but its exit code is wanted. */
public final class QuietCommand {
    private static final int FAILED = -1;

    private QuietCommand() {}

    /** Runs it, for at most so long; -1 if it did not end by itself. */
    public static int run(List<String> words, Duration most) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        boolean ended = false;
        try {
            ended = process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            process.destroyForcibly();
        }
        return ended ? process.exitValue() : FAILED;
    }
}
