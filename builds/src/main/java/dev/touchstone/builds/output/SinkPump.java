package dev.touchstone.builds.output;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the logs of jobs to one sink, on a thread of its own: whatever the sink does, no build, no log and no other sink waits for it. An output
 * is done when the sink has confirmed that the target has all of it. Thread-safe.
 */
public final class SinkPump implements AutoCloseable {
    /*
     * Who calls:      anybody begins, grows and ends flows; the pump's thread alone uses the sink, the chunk, and all fields of a flow but `length`,
     *                 `endedAt` and `problem`.
     * Invariants:     `offset` is where the sink was when it was last asked; any failure makes it unknown, so that the sink compares its target with
     *                 the log again. A flow leaves `flows` confirmed, or with a problem.
     * Failure:        retried with growing pauses, until the output has ended for as long as `giveUpNanos`.
     */
    private static final Logger LOG = System.getLogger(SinkPump.class.getName());
    private static final int CHUNK_BYTES = 256 << 10;
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Sink sink;
    private final Source source;
    private final Listener listener;
    private final long giveUpNanos;
    private final Map<Long, Flow> flows = new ConcurrentHashMap<>();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES); // the thread's
    private final Thread thread;
    private volatile boolean closed;

    /** The logs of all jobs. */
    public interface Source {
        /** Reads bytes of a job's log at an offset; returns how many, 0 where there are none yet. */
        int read(long job, long offset, ByteBuffer into) throws IOException;
    }

    /** Is told of outputs, by the pump's thread. */
    public interface Listener {
        /**
         * Takes note of an output's end.
         *
         * @param problem null if the sink has confirmed the output; else why it was given up
         */
        void done(long job, @Nullable String problem);
    }

    /** The output of a job. */
    private static final class Flow {
        final long job;
        final String jobId;
        final Sink.Log log;
        long offset = -1; // where the sink is; -1 for not known
        long backoff;
        long notBefore;
        boolean failing;
        volatile String problem = "";
        volatile long length = -1; // that it will have
        volatile long endedAt;

        Flow(long job, String jobId, Source source) {
            this.job = job;
            this.jobId = jobId;
            this.log = (offset, into) -> source.read(job, offset, into);
        }
    }

    /**
     * Creates a pump, and starts its thread.
     *
     * @param giveUp how long after the end of an output a sink that fails is tried again
     * @param failed told the name of the thread and its failure, if it ends by itself
     */
    public SinkPump(
            Sink sink, Source source, Listener listener, Duration giveUp, BiConsumer<String, Throwable> failed) {
        this.sink = sink;
        this.source = source;
        this.listener = listener;
        this.giveUpNanos = giveUp.toNanos();
        this.thread = new Thread(this::run, "builds-sink-" + sink.mode());
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, cause) -> failed.accept(ended.getName(), cause));
    }

    public void start() {
        thread.start();
    }

    /** Begins, or goes on, with the output of a job. */
    public void begin(long job, String jobId) {
        Flow unused = flows.computeIfAbsent(job, number -> new Flow(number, jobId, source));
    }

    /** Says that there is more. */
    public void grew(long job) {
        if (flows.containsKey(job)) {
            signal();
        }
    }

    /** Says how long the output is, now that it has ended. */
    public void end(long job, String jobId, long length) {
        begin(job, jobId);
        Flow flow = flows.get(job);
        if (flow != null && flow.length < 0) {
            flow.endedAt = System.nanoTime();
            flow.length = length;
            signal();
        }
    }

    /** Returns why an output is behind; empty if the sink does not fail. */
    public String problem(long job) {
        Flow flow = flows.get(job);
        return flow == null ? "" : flow.problem;
    }

    private void signal() {
        if (!signalled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            signalled.set(false);
            long wait = IDLE_NANOS;
            for (Flow flow : new ArrayList<>(flows.values())) {
                wait = Math.min(wait, advance(flow));
            }
            if (!signalled.get() && wait > 0) {
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    /** Brings one output on by one chunk; returns after how long there is more to do. */
    private long advance(Flow flow) {
        long now = System.nanoTime();
        if (flow.failing && flow.notBefore - now > 0) {
            return flow.notBefore - now;
        }
        try {
            boolean more = bring(flow);
            flow.failing = false;
            flow.backoff = FIRST_BACKOFF_NANOS;
            flow.problem = "";
            return more ? 0 : IDLE_NANOS;
        } catch (IOException | RuntimeException e) {
            fail(flow, e, now);
            return FIRST_BACKOFF_NANOS;
        }
    }

    /** Returns whether there may be more to bring at once. */
    private boolean bring(Flow flow) throws IOException {
        if (flow.offset < 0) {
            flow.offset = sink.locate(flow.jobId, flow.log);
        }
        long length = flow.length;
        if (length >= 0 && flow.offset >= length) {
            sink.confirm(flow.jobId, length, flow.log);
            finish(flow, null);
            return false;
        }
        chunk.clear();
        if (length >= 0) {
            chunk.limit((int) Math.min(CHUNK_BYTES, length - flow.offset));
        }
        int read = flow.log.read(flow.offset, chunk);
        if (read > 0) {
            sink.append(flow.jobId, flow.offset, chunk.flip());
            flow.offset += read;
        } else if (length >= 0) {
            throw new IOException("log is not there any more: offset=" + flow.offset + " length=" + length);
        }
        return read > 0;
    }

    private void finish(Flow flow, @Nullable String problem) {
        flows.remove(flow.job);
        listener.done(flow.job, problem);
    }

    private void fail(Flow flow, Exception cause, long now) {
        flow.problem = cause instanceof IOException ? String.valueOf(cause.getMessage()) : cause.toString();
        if (!flow.failing) {
            flow.failing = true;
            flow.backoff = FIRST_BACKOFF_NANOS;
            LOG.log(
                    Logger.Level.WARNING,
                    "sink fails, and is tried again: sink=" + sink.mode() + " job=" + flow.jobId + " cause="
                            + flow.problem,
                    cause instanceof IOException ? null : cause);
        }
        flow.offset = -1;
        flow.notBefore = now + flow.backoff;
        flow.backoff = Math.min(2 * flow.backoff, MAX_BACKOFF_NANOS);
        if (flow.length >= 0 && now - flow.endedAt > giveUpNanos) {
            LOG.log(
                    Logger.Level.ERROR,
                    "sink has failed for too long, output is not complete: sink=" + sink.mode() + " job=" + flow.jobId
                            + " cause=" + flow.problem);
            finish(flow, flow.problem);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        sink.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
