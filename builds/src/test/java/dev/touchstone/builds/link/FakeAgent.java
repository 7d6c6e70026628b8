package dev.touchstone.builds.link;

import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.LogMode;
import dev.touchstone.builds.agent.artefact.Collected;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent that runs what a test says in place of scripts, and keeps logs in memory. Also what an agent's next life finds, where it is given on. */
@SuppressWarnings("NullAway") // set before the first use
public final class FakeAgent implements LocalAgent, AutoCloseable {
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final ExecutorService threads;
    private final int executors;
    private final Set<String> labels;
    private final Set<String> runners;
    private final Script script;
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long mostOfBundles = Long.MAX_VALUE;

    /** What runs in place of a script. */
    public interface Script {
        /** Returns the exit code. */
        int run(Run run) throws InterruptedException;
    }

    /** One attempt. */
    public final class Run {
        public final Assignment assignment;
        private final BuildListener listener;
        private byte[] log = new byte[64]; // guarded by this
        private int length;
        private volatile String cancelled = "";
        private volatile Thread thread;
        private volatile boolean forgotten;
        private volatile byte[] bundle = new byte[0];

        private Run(Assignment assignment, BuildListener listener) {
            this.assignment = assignment;
            this.listener = listener;
        }

        public void print(String text) {
            print(text.getBytes(StandardCharsets.UTF_8));
        }

        public void print(byte[] bytes) {
            long now;
            synchronized (this) {
                if (assignment.log() == LogMode.KEEP) {
                    log = length + bytes.length > log.length ? Arrays.copyOf(log, 2 * (length + bytes.length)) : log;
                    System.arraycopy(bytes, 0, log, length, bytes.length);
                    length += bytes.length;
                }
                now = length;
            }
            listener.logGrew(assignment, now);
        }

        /** Has the run hand bytes to the master as its artefacts. */
        public void handOn(byte[] bytes) {
            bundle = bytes;
        }

        synchronized int read(long offset, ByteBuffer into) {
            int bytes = (int) Math.min(into.remaining(), length - offset);
            into.put(log, (int) offset, bytes);
            return bytes;
        }

        synchronized int printed() {
            return length;
        }

        /** Thousands of logs are more than a test's memory. */
        private synchronized void forget() {
            forgotten = true;
            log = new byte[0];
        }

        public boolean isForgotten() {
            return forgotten;
        }

        private void execute() {
            thread = Thread.currentThread();
            begun.incrementAndGet();
            listener.started(assignment, BuildListener.RUNNING);
            int exitCode = -1;
            if (cancelled.isEmpty()) {
                try {
                    exitCode = script.run(this);
                } catch (InterruptedException e) {
                    // cancelled
                }
            }
            OutcomeCode code = exitCode == 0 ? OutcomeCode.SUCCEEDED : OutcomeCode.SCRIPT_FAILED;
            code = cancelled.isEmpty() ? code : OutcomeCode.CANCELLED;
            listener.finished(
                    assignment,
                    new Outcome(
                            code,
                            exitCode,
                            cancelled,
                            Duration.ofMillis(1),
                            Duration.ofMillis(2),
                            printed(),
                            false,
                            new Collected(0, 0, bundle.length)));
        }
    }

    public FakeAgent(int executors, Set<String> labels, Set<String> runners, Script script) {
        this.executors = executors;
        this.labels = labels;
        this.runners = runners;
        this.script = script;
        this.threads = Executors.newFixedThreadPool(executors, task -> {
            Thread thread = new Thread(task, "fake-executor");
            thread.setDaemon(true);
            return thread;
        });
    }

    public FakeAgent(Script script) {
        this(2, Set.of("any"), Set.of("bash"), script);
    }

    /** Gives no more of each bundle: reading on waits until the agent is closed. */
    public void holdBundlesAt(long bytes) {
        mostOfBundles = bytes;
    }

    private void awaitEnd() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many scripts were begun. */
    public int begun() {
        return begun.get();
    }

    public Run run(String jobId, int attempt) {
        return runs.get(jobId + "/" + attempt);
    }

    public List<Run> runs() {
        return new ArrayList<>(runs.values());
    }

    @Override
    public Set<String> runners() {
        return runners;
    }

    @Override
    public Set<String> labels() {
        return labels;
    }

    @Override
    public int executors() {
        return executors;
    }

    @Override
    public List<RecoveredAttempt> leftovers() {
        return List.of();
    }

    @Override
    public long moment() {
        return 1;
    }

    @Override
    public void start(Assignment assignment, BuildListener listener) {
        Run run = new Run(assignment, listener);
        if (runs.putIfAbsent(assignment.jobId() + "/" + assignment.attempt(), run) != null) {
            throw new IllegalStateException("started twice: " + assignment);
        }
        listener.started(assignment, BuildListener.WAITING);
        threads.execute(run::execute);
    }

    @Override
    public boolean cancel(String jobId, String reason) {
        boolean found = false;
        for (Run run : runs.values()) {
            if (run.assignment.jobId().equals(jobId)) {
                run.cancelled = reason;
                Thread thread = run.thread;
                if (thread != null) {
                    thread.interrupt();
                }
                found = true;
            }
        }
        return found;
    }

    @Override
    public int readLog(String jobId, int attempt, long offset, ByteBuffer into) {
        return run(jobId, attempt).read(offset, into);
    }

    @Override
    public int readBundle(String jobId, int attempt, long offset, ByteBuffer into) {
        if (offset >= mostOfBundles) {
            awaitEnd();
        }
        byte[] bundle = run(jobId, attempt).bundle;
        int bytes = (int) Math.min(into.remaining(), bundle.length - offset);
        into.put(bundle, (int) offset, bytes);
        return bytes == 0 ? -1 : bytes;
    }

    @Override
    public void forget(String jobId, int attempt) {
        Run run = run(jobId, attempt);
        if (run != null) {
            run.forget();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        threads.shutdownNow();
    }
}
