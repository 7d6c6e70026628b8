package dev.touchstone.builds.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.agent.AgentRegistry;
import dev.touchstone.builds.master.agent.AgentSession;
import dev.touchstone.builds.master.client.ClientRegistry;
import dev.touchstone.builds.master.client.ClientSession;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.JobIds;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.journal.SecretsLostException;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.master.rpc.GuestCounts;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.web.AgentSummary;
import dev.touchstone.builds.web.BuildsView;
import dev.touchstone.builds.web.JobSummary;
import dev.touchstone.builds.web.LogTimes;
import dev.touchstone.builds.web.MasterFigures;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.RequestMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The master's jobs as the web server shows them: asked of the dispatcher on its own thread, but for logs, which are read from their files. Noops are not listed.
 * Thread-safe.
 */
final class MasterView implements BuildsView {
    /*
     * Who calls:  threads of the web server and of hooks, and the one that reports the health, all but `changed`, which is any thread's, and `ended`,
     *             the dispatcher's.
     * Invariants: `jobs`, `agentRegistry`, `clientRegistry`, `ended` and `nextRequest` are used by tasks of the dispatcher alone. A job is in `signals` while
     *             somebody waits for it.
     * Ordering:   whoever waits for a change is in `signals` and has read the count before it looks at the job: a change behind that look raises the
     *             count. The dispatcher is asked without any lock.
     * Failure:    a dispatcher that does not answer in time is an IllegalStateException; the task that was given to it is done all the same.
     */
    private static final long PATIENCE_SECONDS = 10;
    private static final int MAX_CODE = 255;
    private static final long KEYED = 0x6b65797365646a6fL; // the client's number of requests with a key

    private final Jobs jobs;
    private final AgentRegistry agentRegistry;
    private final ClientRegistry clientRegistry;
    private final LogStore logs;
    private final JobIds ids;
    private final Sessions<ClientSession> clients;
    private final GuestCounts counts;
    private final Dispatcher dispatcher;
    private final Supervisor supervisor;
    private final long[] ended = new long[MAX_CODE + 1]; // by number; the dispatcher's
    private final Map<Long, Signal> signals = new ConcurrentHashMap<>(); // of jobs that somebody waits for
    private final long client = new SecureRandom().nextLong() & Long.MAX_VALUE; // no guest can take it for his own
    private long nextRequest; // the dispatcher's

    MasterView(
            Jobs jobs,
            AgentRegistry agentRegistry,
            ClientRegistry clientRegistry,
            LogStore logs,
            JobIds ids,
            Sessions<ClientSession> clients,
            GuestCounts counts,
            Dispatcher dispatcher,
            Supervisor supervisor) {
        this.clients = clients;
        this.counts = counts;
        this.supervisor = supervisor;
        this.jobs = jobs;
        this.agentRegistry = agentRegistry;
        this.clientRegistry = clientRegistry;
        this.logs = logs;
        this.ids = ids;
        this.dispatcher = dispatcher;
    }

    /** Says that the log of a job has grown, or the job has gone on. Any thread's; cheap where nobody waits for it. */
    void changed(long job) {
        if (!signals.isEmpty()) {
            Signal signal = signals.get(job);
            if (signal != null) {
                signal.raise();
            }
        }
    }

    /** Counts a job that has its result. The dispatcher's. */
    void ended(Job job) {
        if (job.ending != null) {
            ended[job.ending.code().number()]++;
        }
    }

    @Override
    public MasterFigures figures() {
        return ask(() -> {
            Map<String, Long> byCode = new HashMap<>();
            for (BuildCode code : BuildCode.values()) {
                byCode.put(status(code), ended[code.number()]);
            }
            int executors = 0;
            int busy = 0;
            for (AgentSession agent : agentRegistry.connected()) {
                executors += agent.executors;
                busy += agent.busy;
            }
            Job oldest = jobs.pending().oldest();
            return new MasterFigures(
                    jobs.pending().size(),
                    jobs.leased().size(),
                    byCode,
                    agentRegistry.connected().size(),
                    executors,
                    busy,
                    clients.all().size(),
                    jobs.logBytes(),
                    counts.refused(),
                    counts.malformed(),
                    oldest == null ? 0 : Math.max(0, System.currentTimeMillis() - oldest.acceptedMillis),
                    jobs.journal().size());
        });
    }

    @Override
    public Optional<String> problem() {
        if (supervisor.isEnding()) {
            return Optional.of("the master ends");
        }
        try {
            return ask(() -> {
                        jobs.journal().tryAgain();
                        return Optional.ofNullable(jobs.journal().problem());
                    })
                    .map(failure -> "the journal cannot be written: cause=" + failure.getMessage());
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public JobSummary submit(Caller caller, BuildRequest request, @Nullable String key) {
        return answer(future -> {
            if (!caller.maySubmit()) {
                throw new BuildException(BuildCode.REFUSED, "token may not submit builds: token=" + caller);
            }
            RequestMessage message = RequestMessage.of(request);
            if (key == null) {
                clientRegistry.submit(submitter(caller), nextRequest++, message, 0, answering(future));
            } else {
                // the same after a restart, as the journal has both numbers
                clientRegistry.submit(new Submitter(caller.name(), KEYED), number(key), message, 0, answering(future));
            }
        });
    }

    @Override
    public boolean isRequestOf(String id, BuildRequest request) {
        long number = ids.number(id);
        return ask(() -> {
            Job job = jobs.find(number);
            try {
                RequestMessage known = job == null ? null : jobs.request(job);
                return known == null || known.request().equals(request);
            } catch (SecretsLostException e) {
                return true;
            }
        });
    }

    @Override
    public JobSummary retry(Caller caller, String id) {
        long number = ids.number(id);
        return answer(future -> {
            Job job = jobs.find(number);
            if (job == null || !caller.maySee(job.submitter.owner())) {
                throw new BuildException(BuildCode.UNKNOWN_JOB, "no such job for this token, or no more: job=" + id);
            }
            clientRegistry.retry(job, caller, submitter(caller), nextRequest++, answering(future));
        });
    }

    /** Returns a number that no other key has, but for one in 2^63. */
    private static long number(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong() & Long.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private Submitter submitter(Caller caller) {
        return new Submitter(caller.name(), client);
    }

    private ClientRegistry.Answer answering(CompletableFuture<JobSummary> future) {
        return new ClientRegistry.Answer() {
            @Override
            public void accepted(Job job) {
                future.complete(summary(job));
            }

            @Override
            public void refused(String reason) {
                future.completeExceptionally(new BuildException(BuildCode.STORAGE, reason));
            }
        };
    }

    @Override
    public List<JobSummary> jobs(Caller caller, String before, int most) {
        long end = before.isEmpty() ? Long.MAX_VALUE : ids.number(before);
        return ask(() ->
                jobs.builds(caller, end).stream().limit(most).map(this::summary).toList());
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
        return ask(() -> agentRegistry.connected().stream()
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
    public LogTimes logTimes(String id, long offset) throws IOException {
        long number = ids.number(id);
        NavigableMap<Long, Long> times =
                number < 0 ? new TreeMap<>() : logs.files().times(number, offset);
        return new LogTimes(List.copyOf(times.keySet()), List.copyOf(times.values()));
    }

    @Override
    public void awaitChange(JobSummary seen, Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        long number = ids.number(seen.id());
        Signal signal = Objects.requireNonNull(signals.compute(number, (job, known) -> {
            Signal some = known == null ? new Signal() : known;
            some.waiting++;
            return some;
        }));
        try {
            boolean isSame = true;
            while (isSame && deadline - System.nanoTime() > 0) {
                long raised = signal.raised();
                isSame = job(seen.id()).filter(seen::equals).isPresent();
                if (isSame) {
                    signal.await(raised, deadline);
                }
            }
        } finally {
            signals.computeIfPresent(number, (job, known) -> --known.waiting == 0 ? null : known);
        }
    }

    /** Wakes those who wait for one job. The dispatcher is never asked with its lock held. */
    private static final class Signal {
        private int waiting; // changed by `compute` and `computeIfPresent` of the map of signals only

        @GuardedBy("this")
        private long count;

        private synchronized void raise() {
            count++;
            notifyAll();
        }

        private synchronized long raised() {
            return count;
        }

        private synchronized void await(long seen, long deadline) throws InterruptedException {
            for (long left = deadline - System.nanoTime();
                    left > 0 && count == seen;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
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
                    && clientRegistry.cancel(job, "cancelled on the page by " + caller);
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
                message(job, ending),
                job.retryOf > 0 ? ids.text(job.retryOf) : null);
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
        return answer(future -> future.complete(question.get()));
    }

    /** Has the dispatcher do something, and waits until it, or what it has begun, completes the future. */
    private <T> T answer(Consumer<CompletableFuture<T>> question) {
        CompletableFuture<T> future = new CompletableFuture<>();
        dispatcher.execute(() -> {
            try {
                question.accept(future);
            } catch (RuntimeException e) {
                future.completeExceptionally(e);
            }
        });
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BuildException refused) {
                throw refused;
            }
            throw new IllegalStateException("the master does not answer", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the master does not answer", e);
        }
    }
}
