package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Brings one output through a pump to a sink, and lets something happen to the target at a chosen step. */
final class Disturbance implements Sink {
    private final Sink sink;
    private final byte[] log;
    private final Between between;
    private volatile int length; // of the log so far
    private volatile int appended;

    /** Steps of a sink at which something may happen. */
    enum Step {
        BEFORE_LOCATE,
        BEFORE_APPEND,
        BEFORE_CONFIRM,
        /** After the target's length was looked at, before its bytes are read. */
        WHILE_CONFIRMING
    }

    /** Is told of each step. */
    interface Between {
        void step(Step step, long offset) throws Exception;
    }

    Disturbance(Sink sink, byte[] log, Between between) {
        this.sink = sink;
        this.log = log;
        this.between = between;
    }

    /** Grows the log in steps; each waits for what was there before. */
    interface Writing {
        void write(Disturbance log) throws Exception;
    }

    void grow(int to) {
        length = Math.max(length, Math.min(to, log.length));
    }

    /** Returns how far the sink has come at least once. */
    int appended() {
        return appended;
    }

    private int read(long offset, ByteBuffer into) {
        int bytes = (int) Math.max(0, Math.min(into.remaining(), length - offset));
        if (bytes > 0) {
            into.put(log, (int) offset, bytes);
        }
        return bytes;
    }

    /** Returns what the pump says at the end: empty if all is confirmed, else why not. */
    String bring(String jobId, Duration giveUp, Writing writing) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        String[] verdict = {""};
        SinkPump.Listener listener = (job, problem) -> {
            verdict[0] = problem == null ? "" : problem;
            ended.countDown();
        };
        try (SinkPump pump =
                new SinkPump(this, (job, offset, into) -> read(offset, into), listener, giveUp, (thread, cause) -> {
                    throw new AssertionError(thread, cause);
                })) {
            pump.begin(1, jobId);
            pump.start();
            writing.write(this);
            grow(log.length);
            pump.end(1, jobId, log.length);
            if (!ended.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("no verdict: problem=" + pump.problem(1) + " appended=" + appended);
            }
        }
        return verdict[0];
    }

    private void tell(Step step, long offset) throws IOException {
        try {
            between.step(step, offset);
        } catch (Exception e) {
            throw new IOException("the test failed: " + e, e);
        }
    }

    @Override
    public OutputMode mode() {
        return sink.mode();
    }

    @Override
    public boolean isFed() {
        return true;
    }

    @Override
    public long locate(String jobId, Log from) throws IOException {
        tell(Step.BEFORE_LOCATE, 0);
        return sink.locate(jobId, from);
    }

    @Override
    public void append(String jobId, long offset, ByteBuffer bytes) throws IOException {
        tell(Step.BEFORE_APPEND, offset);
        int end = (int) offset + bytes.remaining();
        sink.append(jobId, offset, bytes);
        appended = Math.max(appended, end);
    }

    @Override
    public void confirm(String jobId, long bytes, Log from) throws IOException {
        tell(Step.BEFORE_CONFIRM, bytes);
        boolean[] told = {false};
        sink.confirm(jobId, bytes, (offset, into) -> {
            if (!told[0]) {
                told[0] = true;
                tell(Step.WHILE_CONFIRMING, offset);
            }
            return from.read(offset, into);
        });
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
