package dev.touchstone.builds.agent.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A short helper of the system's, of which little more than its exit code is wanted. */
public final class QuietCommand {
    private static final int FAILED = -1;
    private static final int MAX_OUTPUT = 4_000;

    private QuietCommand() {}

    /**
     * The end of a command.
     *
     * @param exitCode its exit code, or -1 if it did not end by itself
     * @param output its standard output and standard error, at most 4,000 bytes
     */
    public record Report(int exitCode, String output) {}

    /** Runs it, for at most so long; -1 if it did not end by itself. */
    public static int run(List<String> words, Duration most) throws IOException {
        return await(start(words, Redirect.DISCARD), most);
    }

    /** Runs a command for at most so long, and returns what it said too. A command that says more than a pipe holds does not end. */
    public static Report report(List<String> words, Duration most) throws IOException {
        return report(builder(words, Redirect.PIPE), most);
    }

    private static Report report(ProcessBuilder command, Duration most) throws IOException {
        Process process = command.start();
        int exitCode = await(process, most);
        try (InputStream output = process.getInputStream()) {
            String said = exitCode == FAILED ? "" : new String(output.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8);
            return new Report(exitCode, said);
        }
    }

    /** Runs a command as {@link #report} does, but returns nothing of its standard error, which may have names that scripts have chosen. */
    public static Report answer(List<String> words, Duration most) throws IOException {
        return report(builder(words, Redirect.PIPE).redirectErrorStream(false).redirectError(Redirect.DISCARD), most);
    }

    private static Process start(List<String> words, Redirect output) throws IOException {
        return builder(words, output).start();
    }

    private static ProcessBuilder builder(List<String> words, Redirect output) {
        return new ProcessBuilder(words)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(output);
    }

    private static int await(Process process, Duration most) {
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
