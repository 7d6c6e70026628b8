package dev.touchstone.harness.paced;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/**
 * Learns from JMH when iterations begin and end. Of each measured one it writes a line to a file: for each benchmark method its name, a space and
 * its {@link ResponseTimes}, with tabs between.
 */
public final class PaceProfiler implements InternalProfiler {
    /** System property with the file that the lines go to. */
    public static final String FILE_PROPERTY = "touchstone.paced";

    /** System property with the calls a second of all threads together. */
    public static final String RATE_PROPERTY = "touchstone.rate";

    private @Nullable PacedIteration running;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        running = Pacing.next(Integer.getInteger(RATE_PROPERTY), benchmark.getThreads());
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        PacedIteration ended = running;
        String file = System.getProperty(FILE_PROPERTY);
        if (ended != null && file != null && iteration.getType() == IterationType.MEASUREMENT) {
            List<String> parts = new ArrayList<>();
            ended.times().forEach((method, times) -> parts.add(method + " " + times.line()));
            append(Path.of(file), String.join("\t", parts) + "\n");
        }
        return List.of();
    }

    @Override
    public String getDescription() {
        return "Calls at a fixed rate, timed from when each was due";
    }

    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
