package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.wire.FromAgent;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.Refusals;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The thread that decides everything. A turn takes what has come, up to a bound, and ends with one record of the journal, one message for each
 * agent and a few for each client, so that many small jobs share the cost.
 */
final class Dispatcher implements Executor, AutoCloseable {
    /*
     * Who calls:      `execute` any thread, also after the end; everything else its own thread, or before that has started.
     * Wake-ups:       a task is added before `woken` is looked at, and `woken` is cleared before the tasks are taken.
     */
    private static final Logger LOG = System.getLogger(Dispatcher.class.getName());
    private static final int MAX_MESSAGES = 64;
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(2);
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final Atom WAKE = Atom.of("wake");
    private static final Atom DOWN = Atom.of("DOWN");

    private final Mailbox mailbox;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Clocks clocks;
    private final Thread thread;
    private @Nullable Parts parts;
    private volatile boolean closed;

    /** What it drives. */
    record Parts(Jobs jobs, Fleet fleet, Intake intake, Sessions sessions, Cleaner cleaner) {}

    Dispatcher(Mailbox mailbox, Clocks clocks, Master.Supervisor supervisor) {
        this.mailbox = mailbox;
        this.clocks = clocks;
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
        tasks.add(task);
        wake();
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            try {
                mailbox.send(mailbox.pid(), WAKE);
            } catch (MessagingException.Closed e) {
                // nobody is there to wake
            }
        }
    }

    private void run() throws InterruptedException {
        Parts driven = parts;
        if (driven == null) {
            throw new IllegalStateException("not started");
        }
        long nextSweep = clocks.nanos();
        Duration patience = PATIENCE;
        while (!closed) {
            take(driven, patience);
            if (clocks.nanos() - nextSweep >= 0) {
                sweep(driven);
                nextSweep = clocks.nanos() + SWEEP_NANOS;
            }
            boolean more = driven.fleet().schedule();
            driven.jobs().commit();
            boolean all = driven.fleet().flush();
            all &= driven.intake().flush();
            patience = !all ? SHORT_PATIENCE : more ? Duration.ZERO : PATIENCE;
        }
    }

    private void take(Parts driven, Duration patience) throws InterruptedException {
        Term message = receive(driven, patience);
        for (int i = 0; message != null && i < MAX_MESSAGES; i++) {
            handle(driven, message);
            message = receive(driven, Duration.ZERO);
        }
        if (message != null) {
            handle(driven, message);
        }
        woken.set(false);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private @Nullable Term receive(Parts driven, Duration patience) throws InterruptedException {
        try {
            return mailbox.receive(patience);
        } catch (MessagingException.Malformed e) {
            driven.sessions().countMalformed(e.getMessage());
            return WAKE;
        }
    }

    private void handle(Parts driven, Term message) {
        if (message.equals(WAKE)) {
            return;
        }
        if (message instanceof Tuple tuple && tuple.is(DOWN, 5) && tuple.get(1) instanceof Ref monitor) {
            boolean unused = driven.fleet().down(monitor) || driven.intake().down(monitor);
            return;
        }
        try {
            parse(driven, message);
        } catch (Versions.Mismatch e) {
            LOG.log(Logger.Level.WARNING, "refused: " + e.getMessage());
            if (e.sender() != null) {
                boolean unused =
                        mailbox.trySend(e.sender(), Refusals.of(BuildCode.REFUSED, String.valueOf(e.getMessage())));
            }
        } catch (WireException e) {
            driven.sessions().countMalformed(e.getMessage());
        }
    }

    private static void parse(Parts driven, Term message) {
        if (FromClient.isOne(message)) { // throws where it is no message
            FromClient from = FromClient.parse(message);
            Intake intake = driven.intake();
            if (from instanceof FromClient.Submit submit) {
                intake.submit(submit);
            } else if (from instanceof FromClient.Hello hello) {
                intake.hello(hello);
            } else if (from instanceof FromClient.Cancel cancel) {
                intake.cancel(cancel);
            } else if (from instanceof FromClient.Watch watch) {
                intake.watch(watch);
            } else if (from instanceof FromClient.Ask ask) {
                intake.ask(ask);
            }
            return;
        }
        FromAgent from = FromAgent.parse(message);
        Fleet fleet = driven.fleet();
        if (from instanceof FromAgent.Noops noops) {
            fleet.noops(noops);
        } else if (from instanceof FromAgent.Finished finished) {
            fleet.finished(finished);
        } else if (from instanceof FromAgent.Stage stage) {
            fleet.stage(stage);
        } else if (from instanceof FromAgent.Hello hello) {
            fleet.hello(hello);
        }
    }

    private void sweep(Parts driven) {
        driven.fleet().giveUp();
        driven.fleet().askForLogs();
        driven.fleet().endLate();
        timeOut(driven.jobs(), driven.fleet());
        driven.jobs().forgetOld();
        driven.cleaner().step();
    }

    private void timeOut(Jobs jobs, Fleet fleet) {
        long now = clocks.nanos();
        List<Job> late = new ArrayList<>();
        for (Iterable<Job> line : jobs.lines().all()) {
            for (Job job : line) {
                if (job.queueDeadlineNanos - now <= 0) {
                    late.add(job);
                }
            }
        }
        for (Job job : late) {
            jobs.lines().remove(job);
            String reason = "waited for too long: " + Lines.reason(job.route, fleet.connected());
            jobs.finish(job, job.ended(BuildCode.QUEUE_TIMED_OUT, reason, 0));
        }
    }

    /** Ends the thread, behind its present turn. */
    @Override
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public void close() {
        closed = true;
        wake();
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
