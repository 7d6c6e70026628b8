package dev.touchstone.builds.link;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.AssignmentRefusedException;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.LogMode;
import dev.touchstone.builds.agent.Outcome;
import dev.touchstone.builds.agent.OutcomeCode;
import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.Fields;
import dev.touchstone.builds.wire.FromAgent;
import dev.touchstone.builds.wire.Nodes;
import dev.touchstone.builds.wire.ToAgent;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an agent connected to its master: connects again whenever the connection is lost, and goes on where it was. What runs, runs on meanwhile.
 * Thread-safe.
 */
public final class AgentLink implements AutoCloseable {
    /*
     * Threads:        `receiver` connects and takes what the master says; `sender` sends what the agent has to say; executors of the agent
     *                 call the listener. Noops are finished by the receiver, which sends them itself at the end of the message.
     * Sessions:       what one connection was told is void in the next: a session has a mailbox and a queue of its own.
     */
    private static final Logger LOG = System.getLogger(AgentLink.class.getName());
    private static final Duration WELCOME = Duration.ofSeconds(10);
    private static final Atom DOWN = Atom.of("DOWN");

    private final LocalAgent agent;
    private final LinkOptions options;
    private final Node node;
    private final long life = new SecureRandom().nextLong() >>> 4;
    private final Tasks tasks = new Tasks();
    private final Moments moments = new Moments(); // the receiver's
    private final Outbound outbound;
    private final ExecutorService janitor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "builds-link-janitor");
        thread.setDaemon(true);
        return thread;
    });
    private final Listener listener = new Listener();
    private final Thread receiver = new Thread(this::run, "builds-link");
    private volatile boolean closed;
    private volatile @Nullable String refusal;
    private volatile String prefix = "";

    private AgentLink(LocalAgent agent, LinkOptions options, Node node) {
        this.agent = agent;
        this.options = options;
        this.node = node;
        this.outbound = new Outbound(agent, tasks);
        tasks.add(agent.leftovers());
        receiver.setDaemon(true);
    }

    /**
     * Begins to connect, and returns.
     *
     * @throws IOException if this machine has no sockets for it
     */
    public static AgentLink start(LocalAgent agent, LinkOptions options) throws IOException {
        AgentLink link = new AgentLink(agent, options, Nodes.guest(options.security(), options.master(), "agent"));
        link.outbound.start();
        link.receiver.start();
        return link;
    }

    /** Whether the master has welcomed it, and the connection holds. */
    public boolean isConnected() {
        return outbound.hasSession();
    }

    /** Why the master refused it last; null if it did not. */
    public @Nullable String refusal() {
        return refusal;
    }

    private void run() {
        long backoff = options.firstBackoff().toNanos();
        while (!closed) {
            boolean welcome = false;
            try (Mailbox mailbox = node.mailbox()) {
                welcome = session(mailbox);
            } catch (IOException | MessagingException e) {
                LOG.log(Logger.Level.INFO, "master is not reached: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                outbound.endSession();
            }
            backoff = welcome ? options.firstBackoff().toNanos() : backoff;
            if (!closed) {
                LockSupport.parkNanos(this, backoff);
            }
            backoff = Math.min(2 * backoff, options.mostBackoff().toNanos());
        }
    }

    /** Lives through one connection; returns whether the master welcomed it. */
    private boolean session(Mailbox mailbox) throws IOException, InterruptedException {
        node.connect(Nodes.MASTER);
        FromAgent.Hello hello = new FromAgent.Hello(
                Versions.CURRENT,
                mailbox.pid(),
                options.identity(),
                life,
                new ArrayList<>(agent.labels()),
                new ArrayList<>(agent.runners()),
                agent.executors(),
                tasks.newSession());
        var unused = mailbox.monitor(Nodes.CONTROL, Nodes.MASTER);
        mailbox.send(Nodes.CONTROL, Nodes.MASTER, hello.toTerm());
        Term first = mailbox.receive(WELCOME);
        if (first == null || isDown(first)) {
            throw new IOException("master does not answer: master=" + options.master());
        }
        ToAgent answer = parse(first);
        if (answer instanceof ToAgent.Refused refused) {
            refusal = refused.reason();
            LOG.log(Logger.Level.WARNING, "master refuses this agent: " + refused.reason());
            return false;
        }
        if (!(answer instanceof ToAgent.Welcome welcome)) {
            throw new IOException("master does not say welcome: master=" + options.master());
        }
        refusal = null;
        prefix = welcome.master();
        moments.clear();
        outbound.beginSession(mailbox, welcome);
        LOG.log(Logger.Level.INFO, "connected: master=" + options.master() + " identity=" + options.identity());
        while (true) {
            Term message = mailbox.receive();
            if (isDown(message)) {
                LOG.log(Logger.Level.WARNING, "connection is lost: master=" + options.master());
                return true;
            }
            handle(message);
        }
    }

    private static boolean isDown(Term message) {
        return message instanceof Tuple tuple && tuple.is(DOWN, 5);
    }

    private static ToAgent parse(Term message) throws IOException {
        try {
            return ToAgent.parse(message);
        } catch (WireException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void handle(Term message) throws IOException {
        ToAgent told = parse(message);
        if (told instanceof ToAgent.Assign assign) {
            assign(assign);
        } else if (told instanceof ToAgent.Credit credit) {
            for (int row = 0; row < credit.jobs().size(); row++) {
                Task task = find(credit.jobs().get(row), credit.epochs().get(row));
                if (task != null) {
                    tasks.credit(task, credit.offsets().get(row));
                }
            }
            outbound.signal();
        } else if (told instanceof ToAgent.Forget forget) {
            for (int row = 0; row < forget.jobs().size(); row++) {
                Task task = find(forget.jobs().get(row), forget.epochs().get(row));
                if (task != null) {
                    discard(task);
                }
            }
        } else if (told instanceof ToAgent.Resume resume) {
            resume(resume);
        } else if (told instanceof ToAgent.Cancel cancel) {
            if (find(cancel.job(), cancel.epoch()) != null) {
                boolean unused = agent.cancel(id(cancel.job()), cancel.reason());
            }
        } else if (told instanceof ToAgent.Drop drop) {
            drop(drop);
        } else {
            throw new IOException("master says what it does not say now: tag=" + Fields.tag(message));
        }
    }

    private String id(long number) {
        return prefix + '-' + number;
    }

    private @Nullable Task find(long number, long epoch) {
        return tasks.find(id(number), epoch);
    }

    private void resume(ToAgent.Resume resume) {
        Task task = find(resume.job(), resume.epoch());
        if (task != null) {
            Outcome outcome = tasks.resume(task, resume.offset(), ToAgent.WINDOW);
            if (outcome != null) {
                outbound.finished(task, outcome);
            }
            outbound.signal();
        }
    }

    private void drop(ToAgent.Drop drop) {
        Task task = tasks.find(drop.job(), drop.epoch());
        if (task == null) {
            return;
        }
        if (tasks.drop(task)) {
            boolean unused = agent.cancel(task.jobId, drop.reason());
        } else {
            discard(task);
        }
    }

    private void assign(ToAgent.Assign assign) {
        Column jobs = assign.jobs();
        moments.heard(assign.newest(), agent.moment());
        for (int row = 0; row < jobs.size(); row++) {
            BuildRequest request = assign.requests().get((int) assign.which().get(row));
            Assignment assignment = new Assignment(
                    id(jobs.get(row)),
                    (int) assign.attempts().get(row),
                    assign.epochs().get(row),
                    request.repository(),
                    request.branch(),
                    request.commit(),
                    request.script(),
                    request.runner(),
                    request.environment(),
                    request.secretNames(),
                    request.noop(),
                    request.output() == OutputMode.DISCARD ? LogMode.DISCARD : LogMode.KEEP,
                    request.timeout(),
                    request.maxLogBytes(),
                    request.noop() ? OptionalLong.empty() : moments.of(jobs.get(row)));
            begin(assignment);
        }
        outbound.flushNoops();
    }

    private void begin(Assignment assignment) {
        if (assignment.noop()) {
            start(assignment);
            return;
        }
        switch (tasks.begin(assignment, Tasks.number(assignment.jobId()), ToAgent.WINDOW)) {
            case NOW -> start(assignment);
            case LATER -> {
                boolean unused = agent.cancel(assignment.jobId(), "another attempt takes its place");
            }
            case ENDED -> next(assignment.jobId());
            case KNOWN -> {}
        }
    }

    private void start(Assignment assignment) {
        try {
            agent.start(assignment, listener);
        } catch (AssignmentRefusedException e) {
            listener.finished(assignment, failure(e.code(), e.getMessage()));
        } catch (RuntimeException e) {
            LOG.log(Logger.Level.ERROR, "agent has failed to start " + assignment, e);
            listener.finished(assignment, failure(OutcomeCode.AGENT_FAILED, e.toString()));
        }
    }

    private static Outcome failure(OutcomeCode code, @Nullable String message) {
        return new Outcome(code, -1, message == null ? "" : message, Duration.ZERO, Duration.ZERO, 0, false);
    }

    /** Forgets an attempt, and begins the one that waits for its end. */
    private void discard(Task task) {
        try {
            janitor.execute(() -> {
                forget(task);
                Assignment next = tasks.remove(task);
                if (next != null) {
                    begin(next);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.log(Logger.Level.DEBUG, "the link is closed: the agent's next life finds the attempt", e);
        }
    }

    private void next(String jobId) {
        Task ended = tasks.find(jobId);
        if (ended != null) {
            discard(ended);
        }
    }

    private void forget(Task task) {
        try {
            agent.forget(task.jobId, task.attempt);
        } catch (IOException | IllegalStateException e) {
            LOG.log(Logger.Level.WARNING, "attempt cannot be forgotten: job=" + task.jobId, e);
        }
    }

    /** What the agent's executors tell. */
    private final class Listener implements BuildListener {
        private @Nullable Task task(Assignment assignment) {
            return tasks.find(assignment.jobId(), assignment.epoch());
        }

        @Override
        public void started(Assignment assignment, String stage) {
            Task task = stage.equals(BuildListener.WAITING) ? null : task(assignment); // the master knows that it waits
            if (task != null) {
                outbound.stage(task, stage);
            }
        }

        @Override
        public void logGrew(Assignment assignment, long bytes) {
            Task task = task(assignment);
            if (task != null) {
                tasks.grew(task, bytes);
                outbound.signal();
            }
        }

        @Override
        public void finished(Assignment assignment, Outcome outcome) {
            if (assignment.noop() && outcome.code() == OutcomeCode.SUCCEEDED) {
                outbound.noop(Tasks.number(assignment.jobId()), assignment.epoch());
                return;
            }
            Task task = task(assignment);
            if (task == null && assignment.noop()) {
                task = tasks.addFailedNoop(assignment);
            }
            if (task != null && tasks.finished(task, outcome)) {
                outbound.finished(task, outcome);
            } else if (task != null) {
                discard(task);
            }
        }
    }

    /** Waits until what the agent has said so far is sent, for some time; then disconnects. The agent goes on. */
    @Override
    public void close() {
        outbound.drain(TimeUnit.SECONDS.toNanos(5));
        closed = true;
        LockSupport.unpark(receiver);
        outbound.close();
        node.close();
        janitor.shutdown();
    }
}
