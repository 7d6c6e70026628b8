package dev.touchstone.builds.master.job;

import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.SinkPump;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The sinks that a master has, and what they need to know of its jobs. Thread-safe. */
public final class Outputs implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Outputs.class.getName());
    private static final Duration GIVE_UP = Duration.ofHours(1);

    private final Set<OutputMode> modes = EnumSet.noneOf(OutputMode.class);
    private final Map<OutputMode, SinkPump> pumps = new EnumMap<>(OutputMode.class);
    private final List<Sink> sinks;
    private final JobIds ids;

    /** Is told, on the dispatcher's thread, of outputs that have ended. */
    public interface Listener {
        /** Takes note that the sink has confirmed a job's output, or, with a problem, that the output was given up. */
        void outputDone(long job, @Nullable String problem);
    }

    /** Creates the outputs to these places, which it closes. */
    public Outputs(List<Sink> sinks, JobIds ids) {
        this.sinks = sinks;
        this.ids = ids;
        for (Sink sink : sinks) {
            modes.add(sink.mode());
        }
    }

    /**
     * Starts the threads that feed the places.
     *
     * @param listener told on the dispatcher's thread
     * @param failed told of a thread that has ended, and why
     */
    public void start(LogStore logs, Executor dispatcher, Listener listener, BiConsumer<String, Throwable> failed) {
        SinkPump.Listener through = (job, problem) -> dispatcher.execute(() -> listener.outputDone(job, problem));
        for (Sink sink : sinks) {
            if (sink.isFed()) {
                SinkPump pump = new SinkPump(sink, logs::read, through, GIVE_UP, failed);
                pumps.put(sink.mode(), pump);
                pump.start();
            }
        }
    }

    /** Returns the modes that requests may ask for. */
    public Set<OutputMode> modes() {
        return modes;
    }

    /** Returns whether a job's output is brought to a sink. */
    public boolean isFed(Job job) {
        return job.hasLog() && pumps.containsKey(job.output);
    }

    void begin(Job job) {
        SinkPump pump = pumps.get(job.output);
        if (pump != null && job.hasLog()) {
            pump.begin(job.number, ids.text(job.number));
        }
    }

    /** Notes that a log has grown. */
    public void grew(long job) {
        for (SinkPump pump : pumps.values()) {
            pump.grew(job);
        }
    }

    /** Has a job's output end at the length of its log. */
    public void end(Job job, long length) {
        SinkPump pump = pumps.get(job.output);
        if (pump != null && job.hasLog()) {
            pump.end(job.number, ids.text(job.number), length);
        }
    }

    /** Returns what is wrong with a job's output; empty only if the sink does not fail and, once there is a result, has confirmed the output. */
    public String problem(Job job) {
        SinkPump pump = pumps.get(job.output);
        String now = pump == null ? "" : pump.problem(job.number);
        if (now.isEmpty()) {
            now = job.outputProblem;
        }
        return now.isEmpty() && job.outputPending ? "not confirmed yet" : now;
    }

    @Override
    public void close() {
        for (Sink sink : sinks) {
            SinkPump pump = pumps.get(sink.mode());
            try {
                if (pump == null) {
                    sink.close();
                } else {
                    pump.close(); // closes its sink
                }
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, "sink cannot be closed", e);
            }
        }
    }
}
