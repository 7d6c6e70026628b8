package dev.touchstone.harness.paced;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/** Learns from JMH when iterations begin and end, and writes down a line of {@link ResponseTimes} for each that is measured. */
public final class PaceProfiler implements InternalProfiler {
    /** System property with the file that the lines go to. */
    public static final String FILE_PROPERTY = "touchstone.paced";

    private @Nullable PacedIteration running;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        running = Pacing.next(benchmark.getThreads());
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        PacedIteration ended = running;
        String file = System.getProperty(FILE_PROPERTY);
        if (ended != null && file != null && iteration.getType() == IterationType.MEASUREMENT) {
            append(Path.of(file), ended.times().line() + "\n");
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
