package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.web.AgentSummary;
import dev.touchstone.builds.web.BuildsView;
import dev.touchstone.builds.web.JobSummary;
import dev.touchstone.builds.wire.Ending;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of a master: asked of the dispatcher on its own thread, but for logs, which are read from their files. Noops are not listed.
 * Thread-safe.
 */
final class MasterView implements BuildsView {
    private static final long PATIENCE_SECONDS = 10;

    private final Jobs jobs;
    private final Fleet fleet;
    private final Intake intake;
    private final LogStore logs;
    private final JobIds ids;
    private final Dispatcher dispatcher;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Object grown = new Object();
    private long changes; // guarded by grown

    MasterView(Jobs jobs, Fleet fleet, Intake intake, LogStore logs, JobIds ids, Dispatcher dispatcher) {
        this.jobs = jobs;
        this.fleet = fleet;
        this.intake = intake;
        this.logs = logs;
        this.ids = ids;
        this.dispatcher = dispatcher;
    }

    /** Some log has grown, or some job has gone on. Any thread's; cheap where nobody waits. */
    void changed() {
        if (waiting.get() > 0) {
            synchronized (grown) {
                changes++;
                grown.notifyAll();
            }
        }
    }

    @Override
    public List<JobSummary> jobs(Caller caller, int most) {
        return ask(() -> jobs.builds().stream()
                .filter(job -> caller.maySee(job.submitter.owner()))
                .limit(most)
                .map(this::summary)
                .toList());
    }

    @Override
    public Optional<JobSummary> job(Caller caller, String id) {
        return job(id).filter(job -> caller.maySee(job.owner()));
    }

    private Optional<JobSummary> job(String id) {
        long number = ids.number(id);
        return ask(() -> Optional.ofNullable(jobs.find(number)).map(this::summary));
    }

    @Override
    public List<AgentSummary> agents() {
        return ask(() -> fleet.connected().stream()
                .map(agent -> new AgentSummary(
                        agent.identity,
                        agent.labels.stream().sorted().toList(),
                        agent.runners.stream().sorted().toList(),
                        agent.executors,
                        agent.busy,
                        !agent.lost))
                .sorted(Comparator.comparing(AgentSummary::identity))
                .toList());
    }

    @Override
    public int readLog(String id, long offset, ByteBuffer into) throws IOException {
        long number = ids.number(id);
        return number < 0 ? 0 : Math.max(0, logs.read(number, offset, into));
    }

    @Override
    public void awaitLog(String id, long offset, Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        waiting.incrementAndGet();
        try {
            while (deadline - System.nanoTime() > 0) {
                long seen = changes();
                if (job(id).filter(job -> !job.over() && job.logBytes() <= offset)
                        .isEmpty()) {
                    return;
                }
                awaitChange(seen, deadline);
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    private long changes() {
        synchronized (grown) {
            return changes;
        }
    }

    /** The dispatcher is never asked with the lock held: it takes it, too. */
    private void awaitChange(long seen, long deadline) throws InterruptedException {
        synchronized (grown) {
            for (long left = deadline - System.nanoTime();
                    left > 0 && changes == seen;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(grown, left);
            }
        }
    }

    @Override
    public boolean cancel(Caller caller, String id) {
        long number = ids.number(id);
        return ask(() -> {
            Job job = jobs.find(number);
            return job != null
                    && caller.mayCancel(job.submitter.owner())
                    && intake.cancel(job, "cancelled on the page by " + caller);
        });
    }

    private JobSummary summary(Job job) {
        Ending ending = job.ending;
        boolean over = job.state == Job.State.ENDED && ending != null;
        long started = over && ending != null
                ? job.endedMillis - TimeUnit.NANOSECONDS.toMillis(ending.pullNanos() + ending.buildNanos())
                : 0;
        return new JobSummary(
                ids.text(job.number),
                job.submitter.owner(),
                job.source.repository(),
                job.source.branch(),
                job.source.script(),
                job.route.runner(),
                job.route.label(),
                over && ending != null ? status(ending.code()) : job.state.name(),
                over,
                job.attempt,
                job.agent.isEmpty() ? null : job.agent,
                job.acceptedMillis,
                started,
                over ? job.endedMillis : 0,
                over && ending != null && ending.code() == BuildCode.SCRIPT_FAILED ? (Integer) ending.exitCode() : null,
                job.hasLog() ? logs.size(job.number) : 0,
                message(job, ending));
    }

    private static String status(BuildCode code) {
        return code == BuildCode.OK ? "SUCCEEDED" : code.name();
    }

    private static String message(Job job, @Nullable Ending ending) {
        if (ending != null) {
            return ending.message();
        }
        return job.stage.isEmpty() ? "" : "stage: " + job.stage.toLowerCase(Locale.ROOT);
    }

    private <T> T ask(Supplier<T> question) {
        try {
            return CompletableFuture.supplyAsync(question, dispatcher).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the master does not answer", e);
        }
    }
}
