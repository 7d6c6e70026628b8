package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.master.agent.AgentRegistry;
import dev.touchstone.builds.master.client.ClientRegistry;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.JournalCleaner;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.master.rpc.Inbox;
import dev.touchstone.builds.master.rpc.Supervisor;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that decides everything. A turn takes what has come, up to a bound, and ends with one record of the journal, one message for each
 * agent and a few for each client, so that many small jobs share the cost.
 */
final class Dispatcher implements Executor, AutoCloseable {
    /*
     * Who calls:      `execute` any thread, also after the end; everything else its own thread, or before that has started.
     */
    private static final int MAX_MESSAGES = 64;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Inbox inbox = new Inbox(MAX_MESSAGES);
    private final TimeSource timeSource;
    private final Thread thread;
    private @Nullable Parts parts;

    /** The parts that the dispatcher drives. */
    record Parts(Jobs jobs, AgentRegistry agentRegistry, ClientRegistry clientRegistry, JournalCleaner cleaner) {}

    Dispatcher(TimeSource timeSource, Supervisor supervisor) {
        this.timeSource = timeSource;
        this.thread = supervisor.thread("builds-dispatcher", this::run);
        thread.setDaemon(false);
    }

    void start(Parts driven) {
        parts = driven;
        thread.start();
    }

    /** Has a task run in the dispatcher's next turn. */
    @Override
    public void execute(Runnable task) {
        inbox.execute(task);
    }

    /** Returns where streams of guests put what they say. */
    Inbox inbox() {
        return inbox;
    }

    private void run() throws InterruptedException {
        Parts driven = parts;
        if (driven == null) {
            throw new IllegalStateException("not started");
        }
        long nextSweep = timeSource.nanos();
        Duration patience = PATIENCE;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = inbox.turn(patience);
            if (timeSource.nanos() - nextSweep >= 0) {
                sweep(driven);
                nextSweep = timeSource.nanos() + SWEEP_NANOS;
            }
            boolean more = driven.agentRegistry().schedule();
            driven.jobs().commit();
            boolean all = driven.agentRegistry().flush();
            all &= driven.clientRegistry().flush();
            patience = all && more ? Duration.ZERO : PATIENCE; // a stream that gets room again is a task
        }
    }

    private void sweep(Parts driven) {
        driven.agentRegistry().giveUp();
        driven.agentRegistry().askForLogs();
        driven.agentRegistry().endLate();
        timeOut(driven.jobs(), driven.agentRegistry());
        driven.jobs().forgetOld();
        driven.cleaner().step();
    }

    private void timeOut(Jobs jobs, AgentRegistry agentRegistry) {
        for (Job job : jobs.pending().late(timeSource.nanos())) {
            jobs.pending().remove(job);
            String reason = "waited for too long: " + agentRegistry.reason(job.route);
            jobs.finish(job, job.ended(BuildCode.QUEUE_TIMED_OUT, reason, 0));
        }
    }

    /** Ends the thread, behind its present turn. */
    @Override
    public void close() {
        inbox.close();
        Supervisor.join(thread);
    }
}
