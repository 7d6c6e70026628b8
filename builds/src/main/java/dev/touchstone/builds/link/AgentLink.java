package dev.touchstone.builds.link;

import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.AssignmentRefusedException;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.LogMode;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.Requests;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Statuses;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
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
     * Who calls:  `receiver` connects and takes what the master says; the sender (`Outbound`) sends what the agent has to say, that of artefacts
     *             (`BundleSender`) bundles; executors of the agent call the listener; `janitor` forgets attempts and begins what waits for that. The
     *             receiver answers noops itself, at the end of the message.
     * Invariants: what one connection was told is void in the next: a session has streams and a queue of its own.
     * Ordering:   `run` makes its streams known before it looks at `closed`, and `close` sets that before it closes the streams: no connection
     *             outlives the link.
     * Failure:    whatever a thread meets ends the session, and the next one begins. All threads are started here, so that an agent that may start no
     *             further one goes on.
     */
    private static final Logger LOG = System.getLogger(AgentLink.class.getName());
    private static final Duration WELCOME = Duration.ofSeconds(10);

    private final LocalAgent agent;
    private final LinkOptions options;
    private final long life = new SecureRandom().nextLong() >>> 4;
    private final Tasks tasks = new Tasks();
    private final AssignmentTimestamps moments = new AssignmentTimestamps(); // the receiver's
    private final Outbound outbound;
    private final BundleSender bundles;
    private int artefactFiles; // the receiver's, as the next: what the master takes of a job
    private long artefactBytes;
    private final ExecutorService janitor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "builds-link-janitor");
        thread.setDaemon(true);
        return thread;
    });
    private final ExecutorService transport = Streams.threads();
    private final Listener listener = new Listener();
    private final Thread receiver = new Thread(this::run, "builds-link");
    private volatile boolean closed;
    private volatile @Nullable Streams streams;
    private volatile @Nullable String refusal;
    private volatile String prefix = "";

    private AgentLink(LocalAgent agent, LinkOptions options) {
        this.agent = agent;
        this.options = options;
        this.outbound = new Outbound(agent, tasks, this::disconnect);
        this.bundles = new BundleSender(agent, this::disconnect);
        tasks.add(agent.leftovers());
        receiver.setDaemon(true);
    }

    /** Begins to connect, and returns. */
    public static AgentLink start(LocalAgent agent, LinkOptions options) {
        AgentLink link = new AgentLink(agent, options);
        link.outbound.start();
        link.bundles.start();
        link.janitor.execute(() -> {}); // starts its thread
        link.receiver.start();
        return link;
    }

    /** Returns whether the master has welcomed the agent, and the connection holds. */
    public boolean isConnected() {
        return outbound.hasSession();
    }

    /** Returns why the master refused the agent last; null if it did not. */
    public @Nullable String refusal() {
        return refusal;
    }

    private void run() {
        long backoff = options.firstBackoff().toNanos();
        while (!closed) {
            boolean welcome = false;
            try (Streams made = new Streams(options.security(), options.master(), transport, this::hasRoom)) {
                streams = made; // before `closed` is looked at
                welcome = !closed && session(made);
            } catch (IOException e) {
                LOG.log(Logger.Level.INFO, "master is not reached: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                LOG.log(Logger.Level.ERROR, "agent has failed, and connects again", e);
            } finally {
                outbound.endSession();
                bundles.endSession();
            }
            backoff = welcome ? options.firstBackoff().toNanos() : backoff;
            if (!closed) {
                LockSupport.parkNanos(this, backoff);
            }
            backoff = Math.min(2 * backoff, options.mostBackoff().toNanos());
        }
    }

    private void hasRoom() {
        outbound.signal();
        bundles.signal();
    }

    /** Lives through one connection; returns whether the master welcomed it. */
    private boolean session(Streams made) throws IOException, InterruptedException {
        boolean isWelcome = false;
        try {
            Outlet<Wire.FromAgent> control = made.open(Rpc.AGENT_SESSION);
            control.send(Wire.FromAgent.newBuilder().setHello(hello()).build());
            if (!(made.receive(WELCOME) instanceof Wire.ToAgent first) || !first.hasWelcome()) {
                throw new IOException("master does not say welcome: master=" + options.master());
            }
            isWelcome = true;
            refusal = null;
            prefix = first.getWelcome().getMaster();
            moments.clear();
            Outlet<Wire.LogPiece> logs =
                    made.open(Rpc.AGENT_LOGS, first.getWelcome().getSession());
            if (first.getWelcome().getVersion() >= Versions.FILES) {
                artefactFiles = first.getWelcome().getArtefactFiles();
                artefactBytes = first.getWelcome().getArtefactBytes();
                bundles.beginSession(
                        made.open(Rpc.AGENT_ARTEFACTS, first.getWelcome().getSession()));
            }
            outbound.beginSession(control, logs);
            LOG.log(Logger.Level.INFO, "connected: master=" + options.master() + " identity=" + options.identity());
            while (true) {
                Object message = made.receive();
                if (message instanceof Wire.ToAgent told) {
                    handle(told);
                } else if (message instanceof Wire.Credit credit) {
                    credit(credit);
                } else if (message instanceof Wire.ArtefactCredit credit) {
                    bundles.credit(id(credit.getJob()), credit.getEpoch(), credit.getOffset());
                }
            }
        } catch (StatusException e) {
            ended(e.getStatus());
            return isWelcome;
        } catch (WireException e) {
            throw new IOException("master says what it may not: " + e.getMessage(), e);
        }
    }

    private Wire.AgentHello.Builder hello() {
        return Wire.AgentHello.newBuilder()
                .setVersions(Versions.ours())
                .setIdentity(options.identity())
                .setLife(life)
                .addAllLabels(agent.labels())
                .addAllRunners(agent.runners())
                .setExecutors(agent.executors())
                .addAllHeld(tasks.newSession());
    }

    private void ended(Status status) {
        String reason = Statuses.text(status);
        if (Statuses.isRefusal(status)) {
            refusal = reason;
            LOG.log(Logger.Level.WARNING, "master refuses this agent: " + reason);
        } else {
            LOG.log(Logger.Level.WARNING, "connection is lost: master=" + options.master() + " cause=" + reason);
        }
    }

    private void handle(Wire.ToAgent told) throws IOException {
        switch (told.getToldCase()) {
            case ASSIGN -> assign(told.getAssign());
            case FORGET -> forget(told.getForget());
            case RESUME -> resume(told.getResume());
            case CANCEL -> {
                Wire.CancelAttempt cancel = told.getCancel();
                if (find(cancel.getJob(), cancel.getEpoch()) != null) {
                    boolean unused = agent.cancel(id(cancel.getJob()), cancel.getReason());
                }
            }
            case DROP -> drop(told.getDrop());
            case WELCOME, TOLD_NOT_SET ->
                throw new IOException("master says what it does not say now: message=" + told.getToldCase());
        }
    }

    private void credit(Wire.Credit credit) {
        int rows = credit.getJobsCount();
        Checks.column("credit's epochs", credit.getEpochsList(), rows, 0, Long.MAX_VALUE);
        Checks.column("credit's offsets", credit.getOffsetsList(), rows, 0, Long.MAX_VALUE);
        for (int row = 0; row < rows; row++) {
            Task task = find(credit.getJobs(row), credit.getEpochs(row));
            if (task != null) {
                tasks.credit(task, credit.getOffsets(row));
            }
        }
        outbound.signal();
    }

    private void forget(Wire.Forget forget) {
        Checks.column("forgotten epochs", forget.getEpochsList(), forget.getJobsCount(), 0, Long.MAX_VALUE);
        for (int row = 0; row < forget.getJobsCount(); row++) {
            Task task = find(forget.getJobs(row), forget.getEpochs(row));
            if (task != null) {
                discard(task);
            }
        }
    }

    private String id(long number) {
        return prefix + '-' + number;
    }

    private @Nullable Task find(long number, long epoch) {
        return tasks.find(id(number), epoch);
    }

    private void resume(Wire.Resume resume) {
        Task task = find(resume.getJob(), resume.getEpoch());
        if (task != null) {
            long offset = Checks.natural("offset", resume.getOffset());
            Outcome outcome = tasks.resume(task, offset, Rpc.LOG_WINDOW);
            if (outcome != null) {
                outbound.finished(task, outcome);
                bundles.resume(task, outcome, Checks.natural("artefacts' offset", resume.getBundleOffset()));
            }
            outbound.signal();
        }
    }

    private void drop(Wire.Drop drop) {
        Task task = tasks.find(drop.getJob(), drop.getEpoch());
        if (task == null) {
            return;
        }
        if (tasks.drop(task)) {
            boolean unused = agent.cancel(task.jobId, drop.getReason());
        } else {
            discard(task);
        }
    }

    private void assign(Wire.Assign assign) {
        int rows = assign.getJobsCount();
        Checks.column("assigned jobs", assign.getJobsList(), rows, 0, Long.MAX_VALUE);
        Checks.column("assigned attempts", assign.getAttemptsList(), rows, 1, Integer.MAX_VALUE);
        Checks.column("assigned epochs", assign.getEpochsList(), rows, 0, Long.MAX_VALUE);
        Checks.column("assigned requests", assign.getWhichList(), rows, 0, assign.getRequestsCount() - 1L);
        List<RequestMessage> requests = Requests.messages(assign.getRequestsList());
        moments.heard(assign.getNewest(), agent.moment());
        Wire.Noops.Builder noops = Wire.Noops.newBuilder();
        for (int row = 0; row < rows; row++) {
            RequestMessage message = requests.get(assign.getWhich(row));
            if (message.isNoop()) {
                noops.addJobs(assign.getJobs(row)).addEpochs(assign.getEpochs(row));
            } else {
                begin(assignment(message.request(), assign, row));
            }
        }
        outbound.noops(noops);
    }

    private Assignment assignment(BuildRequest request, Wire.Assign assign, int row) {
        return new Assignment(
                id(assign.getJobs(row)),
                assign.getAttempts(row),
                assign.getEpochs(row),
                request.repository(),
                request.branch(),
                request.commit(),
                request.script(),
                request.runner(),
                request.environment(),
                request.secretNames(),
                request.output() == OutputMode.DISCARD ? LogMode.DISCARD : LogMode.KEEP,
                request.timeout(),
                request.maxLogBytes(),
                wanted(request.files()),
                moments.of(assign.getJobs(row)));
    }

    private WantedFiles wanted(BuildFiles files) {
        return files.isEmpty()
                ? WantedFiles.NONE
                : new WantedFiles(files.artefacts(), files.always(), files.caches(), artefactFiles, artefactBytes);
    }

    private void begin(Assignment assignment) {
        switch (tasks.begin(assignment, Tasks.number(assignment.jobId()), Rpc.LOG_WINDOW)) {
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
        } catch (RuntimeException | Error e) {
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
                bundles.forget(task);
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
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(Logger.Level.WARNING, "attempt cannot be forgotten: job=" + task.jobId, e);
        }
    }

    /** Takes what the agent's executors tell. */
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
            Task task = task(assignment);
            if (task != null && tasks.finished(task, outcome)) {
                outbound.finished(task, outcome);
                bundles.resume(task, outcome, 0);
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
        bundles.close();
        disconnect();
        transport.shutdown();
        janitor.shutdown();
    }

    private void disconnect() {
        Streams open = streams;
        if (open != null) {
            open.close();
        }
    }
}
