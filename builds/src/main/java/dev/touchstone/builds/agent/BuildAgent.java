package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.cache.Caches;
import dev.touchstone.builds.agent.isolation.Isolation;
import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.builds.agent.log.LogTailer;
import dev.touchstone.builds.agent.log.SecretRefusedException;
import dev.touchstone.builds.agent.process.EnvironmentPolicy;
import dev.touchstone.builds.agent.process.EnvironmentRefusedException;
import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.NamedPipes;
import dev.touchstone.builds.agent.process.Runners;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.source.Eviction;
import dev.touchstone.builds.agent.source.Faults;
import dev.touchstone.builds.agent.source.Folders;
import dev.touchstone.builds.agent.source.Sources;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import dev.touchstone.builds.agent.store.Attempt;
import dev.touchstone.builds.agent.store.JobStore;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs jobs on this machine: brings the sources, runs the script, keeps its log, and leaves no process behind. Thread-safe.
 *
 * <p>What it remembers of an attempt, the log above all, stays in its folder until {@link #forget}, also over the agent's end. Logs are not
 * forced to the device: they survive the death of the agent, and may lose their end in a power cut.
 */
public final class BuildAgent implements AutoCloseable {
    /*
     * Who calls:  the link, or whoever else uses the agent, all public methods; executors run jobs; the janitor evicts, and an executor that has
     *             found the device full.
     * Invariants: a job is in `live` from `start` until its end is told. Whoever takes it from there tells it: an executor that has it, or the thread
     *             that removed it from `waiting`. So it is told once.
     * Ordering:   `start` adds to `live` before `waiting`: what is added while the agent closes is refused by `waiting`, or among what its `close`
     *             returns. Only `evict` takes the lock, so that one thread at a time removes folders.
     * Failure:    what a build throws ends that build, and not its executor.
     */
    /** The label that every agent has. */
    public static final String ANY_LABEL = "any";

    private static final System.Logger LOGGER = System.getLogger(BuildAgent.class.getName());
    private static final long EVICTION_MINUTES = 60;
    private static final long LOOK_MILLIS = 500; // in which a script writes a gigabyte at most
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final AgentOptions options;
    private final Isolation isolation;
    private final Runners runners;
    private final JobStore store;
    private final Sources sources;
    private final Caches caches;
    private final LogTailer tailer;
    private final BuildSteps steps;
    private final JobChecks checks;
    private final WaitingJobs waiting = new WaitingJobs();
    private final ConcurrentMap<String, CheckedJob> live = new ConcurrentHashMap<>();
    private final List<Thread> executors = new ArrayList<>();
    private final List<RecoveredAttempt> leftovers;
    private final FileChannel lockFile;
    private final ScheduledExecutorService janitor;
    private final DiskGuard guard;
    private volatile boolean closed;

    private BuildAgent(AgentOptions options, FileChannel lockFile) throws IOException {
        this.options = options;
        this.lockFile = lockFile;
        Launcher launcher = Launcher.detect(options.environment());
        isolation = Isolation.of(
                options.isolation(),
                options.environment(),
                List.of(options.root(), Files.createDirectories(options.mirrors())));
        if (!isolation.shortcoming().isEmpty()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "scripts run without isolation, and can read what this user can read, the token included: "
                            + isolation.shortcoming());
        }
        runners = Runners.find(options.environment(), isolation::sees);
        EnvironmentPolicy own = new EnvironmentPolicy(options.environment(), options.allowedNames());
        EnvironmentPolicy scripts =
                new EnvironmentPolicy(isolation.environment(options.environment()), options.allowedNames());
        store = new JobStore(options.root().resolve("jobs"), options.root().resolve("retired"));
        leftovers = List.copyOf(store.recover(launcher, options.root().resolve("workspaces")));
        sources = new Sources(
                new Sources.Options(
                        options.root(),
                        options.mirrors(),
                        options.schemes(),
                        options.commandSchemes(),
                        own.own(),
                        options.gitConfig(),
                        options.fetchIdle()),
                launcher);
        Folders folders = new Folders(options.environment());
        caches = new Caches(options.root().resolve("caches"), folders, options.keepBytes());
        tailer = new LogTailer(options.tick());
        steps = new BuildSteps(
                store,
                sources,
                caches,
                folders,
                launcher,
                runners,
                scripts,
                isolation,
                groups(options),
                tailer,
                new NamedPipes(options.root().resolve("pipes")),
                options.grace());
        checks = new JobChecks(runners, scripts, sources, options.schemes());
        guard = new DiskGuard(options.keepFreeBytes(), device(Files.getFileStore(options.root())));
        janitor = Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "builds-janitor");
            thread.setDaemon(true);
            return thread;
        });
        start();
    }

    private DiskGuard.Device device(FileStore store) {
        return new DiskGuard.Device() {
            @Override
            public long freeBytes() throws IOException {
                return store.getUsableSpace();
            }

            @Override
            public void makeRoom() {
                evict(0);
            }
        };
    }

    private void start() {
        for (int i = 0; i < options.executors(); i++) {
            Thread thread = new Thread(this::execute, "builds-executor-" + i);
            thread.setDaemon(true);
            executors.add(thread);
        }
        executors.forEach(Thread::start);
        var unused = janitor.scheduleWithFixedDelay(this::evict, 1, EVICTION_MINUTES, TimeUnit.MINUTES);
        if (options.keepFreeBytes() > 0) {
            var unusedToo = janitor.scheduleWithFixedDelay(guard::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static Optional<ControlGroups> groups(AgentOptions options) throws IOException {
        Limits limits = options.limits();
        return limits.isNone() ? Optional.empty() : Optional.of(ControlGroups.open(options.root(), limits));
    }

    /** Returns a builder of an agent that keeps all it has in {@code root}, which no other agent uses. */
    public static BuildAgentBuilder at(Path root) {
        return new BuildAgentBuilder(root);
    }

    static BuildAgent open(AgentOptions options) throws IOException {
        Path root = OwnerOnly.folder(options.root()).toRealPath();
        FileChannel lockFile =
                OwnerOnly.open(root.resolve("agent.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            lock(lockFile, root);
            return new BuildAgent(options.at(root), lockFile);
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    /** Returns the names of the interpreters that were found on the PATH. */
    public Set<String> runners() {
        return runners.names();
    }

    /** Returns the name of the isolation that scripts run in: {@code sandbox} or {@code none}. */
    public String isolation() {
        return isolation.name();
    }

    /** Returns the labels that jobs may ask for; {@link #ANY_LABEL} always. */
    public Set<String> labels() {
        return options.labels();
    }

    /** Returns the number of builds that run at once. */
    public int executors() {
        return options.executors();
    }

    /** Returns the attempts of an earlier life, oldest names first, as they were found when the agent was opened. */
    public List<RecoveredAttempt> leftovers() {
        return leftovers;
    }

    /** Returns the present moment; a fetch that begins later serves jobs that were known by it, see {@link Assignment#accepted}. */
    public long moment() {
        return sources.accept();
    }

    /**
     * Queues an assignment.
     *
     * @throws AssignmentRefusedException if the agent has a job of that id, or will never run this one; the listener is told nothing then
     */
    public void start(Assignment assignment, BuildListener listener) {
        JobChecks.checkName(assignment);
        CheckedJob job;
        try {
            job = checks.check(assignment, listener);
        } catch (SourceRefusedException | EnvironmentRefusedException | SecretRefusedException e) {
            throw new AssignmentRefusedException(OutcomeCode.REFUSED, e);
        }
        if (closed || live.putIfAbsent(assignment.jobId(), job) != null) {
            throw refusedNow(assignment);
        }
        boolean known = store.knows(job.name());
        if (!known) {
            listener.started(assignment, BuildListener.WAITING);
        }
        if (known || !waiting.add(job)) {
            live.remove(assignment.jobId(), job);
            throw refusedNow(assignment);
        }
    }

    /** Ends a job, whatever it is doing; false if there is none, or its outcome is settled. Returns at once. */
    public boolean cancel(String jobId, String reason) {
        CheckedJob job = live.get(jobId);
        if (job == null || !job.stop().stop(StopSignal.Cause.CANCELLED, reason)) {
            return false;
        }
        if (waiting.remove(job)) {
            finishUnrun(job, OutcomeCode.INTERRUPTED, "cancelled while it waited: " + reason);
        }
        return true;
    }

    /**
     * Reads what is readable of an attempt's log.
     *
     * @return bytes read; 0 if there is nothing yet; -1 if there is nothing and never will be
     * @throws UnknownJobException if the agent does not remember the attempt
     */
    public int readLog(String jobId, int attempt, long offset, ByteBuffer into) throws IOException {
        var read = store.read(Attempt.name(jobId, attempt), offset, into);
        if (read.isPresent()) {
            return read.get();
        }
        CheckedJob job = live.get(jobId);
        if (job == null || job.assignment().attempt() != attempt) {
            throw new UnknownJobException(jobId, attempt);
        }
        return 0;
    }

    /**
     * Reads the artefacts of an attempt that has ended, with their list.
     *
     * @return bytes read; -1 if there are none at the offset
     */
    public int readBundle(String jobId, int attempt, long offset, ByteBuffer into) throws IOException {
        JobChecks.checkId(jobId);
        return store.readBundle(Attempt.name(jobId, attempt), offset, into);
    }

    /** Forgets an attempt that has ended: the master has it all. Nothing if there is none. */
    public void forget(String jobId, int attempt) throws IOException {
        CheckedJob job = live.get(jobId);
        if (job != null && job.assignment().attempt() == attempt) {
            throw new IllegalStateException("attempt=" + attempt + " of jobId=" + jobId + " has not ended");
        }
        JobChecks.checkId(jobId);
        store.forget(Attempt.name(jobId, attempt));
    }

    /** Ends all jobs and waits until none of their processes is left, for at most the grace and half a minute. */
    @Override
    public void close() throws IOException {
        closed = true;
        for (CheckedJob job : waiting.close()) {
            finishUnrun(job, OutcomeCode.AGENT_CLOSED, "the agent is closed");
        }
        for (CheckedJob job : live.values()) {
            job.stop().stop(StopSignal.Cause.AGENT_CLOSED, "the agent is closed");
        }
        join(System.nanoTime() + options.grace().plus(CLOSING).toNanos());
        janitor.shutdown();
        tailer.close();
        sources.close();
        steps.groups().ifPresent(ControlGroups::close);
        lockFile.close();
    }

    /** Removes workspaces, mirrors and caches that are too old, or too large together; those of running builds stay. */
    void evict() {
        evict(options.keepBytes());
    }

    private synchronized void evict(long keepBytes) {
        try {
            Eviction eviction = new Eviction(options.keepAge(), keepBytes);
            sources.addTo(eviction, waiting::claim, waiting::release);
            caches.addTo(eviction);
            eviction.run(Instant.now());
        } catch (IOException | RuntimeException | Error e) { // the executors' threads call this, too
            LOGGER.log(System.Logger.Level.WARNING, "old workspaces cannot be removed", e);
        }
    }

    private void execute() {
        for (CheckedJob next = waiting.take(); next != null; next = waiting.take()) {
            CheckedJob job = next;
            Path workspace =
                    options.root().resolve("workspaces").resolve(job.source().workspaceKey());
            guard.watch(job.name(), workspace, job.stop());
            boolean isFull = false;
            try {
                OutcomeCode code = new BuildRun(job, steps)
                        .run(() -> live.remove(job.assignment().jobId(), job));
                isFull = code == OutcomeCode.NO_SPACE || Faults.isFull(options.root());
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.ERROR, "job=" + job.name() + " failed its executor", e);
                finishUnrun(job, OutcomeCode.AGENT_FAILED, "the agent failed: " + e);
            } finally {
                waiting.release(job.source().workspaceKey());
            }
            if (isFull) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "device is full after job=" + job.name() + ": folder=" + options.root());
                evict(0);
            }
            guard.forget(job.name());
        }
    }

    private void finishUnrun(CheckedJob job, OutcomeCode code, String message) {
        live.remove(job.assignment().jobId(), job);
        Listeners.finished(job, Outcome.without(code, job.secrets().mask(message)));
    }

    private AssignmentRefusedException refusedNow(Assignment assignment) {
        String job = "attempt=" + assignment.attempt() + " of jobId=" + assignment.jobId();
        return closed
                ? new AssignmentRefusedException(OutcomeCode.AGENT_CLOSED, job + " comes to an agent that is closed")
                : new AssignmentRefusedException(
                        OutcomeCode.DUPLICATE, job + " or another attempt of it is here already");
    }

    private void join(long deadlineNanos) {
        boolean interrupted = false;
        for (Thread thread : executors) {
            long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            try {
                if (millis > 0) {
                    thread.join(millis);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lock(FileChannel file, Path root) throws IOException {
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new AgentLockedException("root=" + root + " is another agent's");
        }
    }
}
