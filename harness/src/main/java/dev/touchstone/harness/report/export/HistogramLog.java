package dev.touchstone.harness.report.export;

import dev.touchstone.harness.report.CountedForks;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Response times at fixed rates in HdrHistogram's log format, which its own tools read: an interval for each fork, in nanoseconds, with the fork's cell
 * as its tag. Empty but for the head if the run measured nothing at a fixed rate.
 */
public final class HistogramLog {
    private HistogramLog() {}

    /** Returns the whole log. */
    public static String render(ReportInput input) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(bytes);
        log.outputLogFormatVersion();
        log.outputStartTime(Instant.parse(input.run().startedAt()).toEpochMilli());
        log.outputLegend();
        for (ForkResult fork : CountedForks.counted(input.forks())) {
            Latency latency = fork.latency();
            if (latency != null) {
                long start = Instant.parse(fork.startedAt()).toEpochMilli();
                Histogram nanos = latency.times().nanos();
                nanos.setTag(fork.cell().replaceAll("[\\s,\\p{Cntrl}]+", "_"));
                nanos.setStartTimeStamp(start);
                nanos.setEndTimeStamp(start + fork.wallMillis());
                log.outputIntervalHistogram(nanos);
            }
        }
        log.close();
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
