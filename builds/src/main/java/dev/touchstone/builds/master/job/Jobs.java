package dev.touchstone.builds.master.job;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.artefact.ArtefactStore;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.SecretsLostException;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All jobs, and the steps that they take, each in the journal. The dispatcher's. */
public final class Jobs {
    /** Time that an agent has, beyond that of a build, to tell what it has done. */
    public static final long ANSWER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOG = System.getLogger(Jobs.class.getName());
    private static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 8 * 5; // of jobs
    private static final int MAX_ROUTES = 1024; // that jobs wait for: each turn looks at all of them
    private static final long MIN_LOGS_BYTES = 1L << 30; // that one log may have, however little is kept
    private static final int MAX_OWN_ROUTES = MAX_ROUTES / 2; // of a named token

    private final Journal journal;
    private final LogStore logs;
    private final ArtefactStore artefacts;
    private final JobLimits limits;
    private final TimeSource timeSource;
    private final Listener listener;
    private final Map<Long, Job> byNumber = new HashMap<>();
    private final NavigableMap<Long, Job> builds = new TreeMap<>(); // those that are no noops
    private final Map<String, NavigableMap<Long, Job>> buildsByOwner = new HashMap<>(); // the same
    private final SubmissionIndex submissions = new SubmissionIndex();
    private final Set<Job> leases = new LinkedHashSet<>(); // the jobs that are leased
    private final PendingQueue pending = new PendingQueue();
    private final Job.Pool pool = new Job.Pool();
    private final CompletionTracker completions;
    private final AcceptedRequests acceptedRequests;
    private final Outputs outputs;
    private final Map<String, Event.Leased> leased = new HashMap<>(); // of this turn
    private long bytes; // of all jobs, about
    private long nextNumber = 1;
    private long life;
    private long nextEpoch;

    /** Is told of what others wait for. */
    public interface Listener {
        /** Notes that a request has become a job that others may see. */
        void accepted(Job job);

        /** Notes that a job was given to an agent. */
        void leased(Job job);

        /** Notes that there is a result. */
        void ended(Job job);

        /** Notes that nothing is kept of a job any more. */
        void forgotten(Job job);

        /** Notes that jobs could not be accepted, and are none. */
        void refused(List<Job> jobs, String reason);
    }

    /** Creates the jobs of a master, of which there are none before {@link #recover}. */
    public Jobs(
            Journal journal,
            LogStore logs,
            ArtefactStore artefacts,
            JobLimits limits,
            TimeSource timeSource,
            Outputs outputs,
            Listener listener) {
        this.journal = journal;
        this.logs = logs;
        this.artefacts = artefacts;
        this.limits = limits;
        this.timeSource = timeSource;
        this.outputs = outputs;
        this.acceptedRequests = new AcceptedRequests(journal, limits.requestBytes());
        this.listener = listener;
        this.completions =
                new CompletionTracker(journal, timeSource, limits.retention(), listener::ended, this::forget);
    }

    /** Begins where an earlier master ended. */
    public void recover(Recovery recovery, long life) {
        this.life = life;
        nextEpoch = life << 32;
        nextNumber = recovery.nextNumber();
        for (Job job : recovery.jobs()) {
            add(job);
            long waited = TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeSource.millis() - job.acceptedMillis));
            job.queueDeadlineNanos += timeSource.nanos() - waited;
            switch (job.state) {
                case QUEUED -> {
                    pending.expect(job);
                    pending.add(job);
                }
                case DISCONNECTED -> {
                    leases.add(job);
                    resumeArtefacts(job);
                    if (job.hasLog()) {
                        long unused = logs.lease(job.number, job.agent, job.attempt, job.epoch, maxLogBytes(job));
                        outputs.begin(job);
                    }
                }
                case ENDED -> {
                    completions.keep(job);
                    if (job.outputPending && job.ending != null) {
                        outputs.end(job, job.ending.logBytes());
                    }
                }
                default -> throw new IllegalStateException("recovered in the midst of a step: " + job);
            }
        }
    }

    private void resumeArtefacts(Job job) {
        if (job.hasArtefacts) {
            artefacts.lease(job.number, job.agent, job.attempt, job.epoch);
        }
    }

    private void add(Job job) {
        byNumber.put(job.number, job);
        submissions.put(job);
        bytes += job.bytes();
        if (!job.route.noop()) {
            builds.put(job.number, job);
            buildsByOwner
                    .computeIfAbsent(job.submitter.owner(), unused -> new TreeMap<>())
                    .put(job.number, job);
        }
    }

    private void remove(Job job) {
        if (byNumber.remove(job.number) != null) {
            bytes -= job.bytes();
        }
        submissions.remove(job);
        if (builds.remove(job.number) != null) {
            buildsByOwner.computeIfPresent(job.submitter.owner(), (owner, own) -> {
                own.remove(job.number);
                return own.isEmpty() ? null : own;
            });
        }
    }

    /**
     * Returns the jobs that are no noops, that a caller may see, and that have a number below {@code end}, the newest first. Looks at no other job, so that
     * nobody waits for a caller who may see few of many.
     */
    public Collection<Job> builds(Caller caller, long end) {
        NavigableMap<Long, Job> seen = caller.maySeeAll() ? builds : buildsByOwner.get(caller.name());
        return seen == null || !caller.maySee(caller.name())
                ? List.of()
                : seen.headMap(end, false).descendingMap().values();
    }

    @Nullable
    public Job find(long number) {
        return byNumber.get(number);
    }

    /** Returns the job that a client has submitted with a number of its own; null if there is none. */
    @Nullable
    public Job find(Submitter submitter, long requestNumber) {
        return submissions.find(submitter, requestNumber);
    }

    /** Returns about how many bytes all jobs take in memory. */
    long bytes() {
        return bytes;
    }

    /** Returns the jobs that agents have. */
    public Collection<Job> leased() {
        return leases;
    }

    /** Returns the bytes of all logs. */
    public long logBytes() {
        long all = completions.logBytes();
        for (Job job : leases) {
            all += job.hasLog() ? logs.size(job.number) : 0;
        }
        return all;
    }

    public PendingQueue pending() {
        return pending;
    }

    public long nextNumber() {
        return nextNumber;
    }

    public Journal journal() {
        return journal;
    }

    public LogStore logs() {
        return logs;
    }

    /** Returns why the master cannot have more jobs; null if it can. */
    @Nullable
    public String full(Submitter submitter, List<RequestMessage> requests, LongArrayList which) {
        if (pending.expected() + which.size() > limits.maxQueued()) {
            return "master's queue is full: waiting=" + pending.expected() + " most=" + limits.maxQueued();
        }
        long bytes = 0;
        int noops = 0;
        for (int row = 0; row < which.size(); row++) {
            BuildRequest request = requests.get((int) which.get(row)).request();
            bytes += Job.bytes(request);
            noops += request.noop() ? 1 : 0;
        }
        String overQuota =
                submitter.owner().isEmpty() ? null : overQuota(submitter.owner(), which.size() - noops, noops, bytes);
        if (overQuota != null) {
            return overQuota;
        }
        if (this.bytes + bytes > MAX_BYTES) {
            return "master's memory for jobs is full: bytes=" + this.bytes + " most=" + MAX_BYTES
                    + "; give it more by -Xmx";
        }
        return tooManyRoutes(submitter.owner(), requests);
    }

    /** Returns which share of the queue a named token would have more of than it may; null if none. */
    private @Nullable String overQuota(String owner, int builds, int noops, long bytes) {
        PendingQueue.Share share = pending.share(owner);
        int waitingBuilds = share == null ? 0 : share.count(false);
        int waitingNoops = share == null ? 0 : share.count(true);
        long waitingBytes = share == null ? 0 : share.bytes();
        String of = "token's share of the queue is full: token=" + owner;
        if (builds > 0 && waitingBuilds + builds > limits.quota()) {
            return of + " waiting builds=" + waitingBuilds + " most=" + limits.quota();
        }
        if (noops > 0 && waitingNoops + noops > limits.quota()) {
            return of + " waiting noops=" + waitingNoops + " most=" + limits.quota();
        }
        return waitingBytes + bytes > MAX_BYTES / 2
                ? of + " bytes in memory=" + waitingBytes + " most=" + MAX_BYTES / 2
                : null;
    }

    /** Returns why requests would wait for too many routes; null if they would not. */
    private @Nullable String tooManyRoutes(String owner, List<RequestMessage> requests) {
        PendingQueue.Share share = owner.isEmpty() ? null : pending.share(owner);
        int own = share == null ? 0 : share.routes();
        if (pending.routes() + requests.size() <= MAX_ROUTES && own + requests.size() <= MAX_OWN_ROUTES) {
            return null;
        }
        Set<Route> routes = new HashSet<>();
        requests.forEach(message -> routes.add(Route.of(message.request())));
        long others = routes.stream().filter(route -> !pending.has(route)).count();
        if (others > 0 && pending.routes() + others > MAX_ROUTES) {
            return "master's queue has too many different labels and runners: most=" + MAX_ROUTES;
        }
        long ownOthers = routes.stream()
                .filter(route -> share == null || !share.has(route))
                .count();
        return !owner.isEmpty() && ownOthers > 0 && own + ownOthers > MAX_OWN_ROUTES
                ? "token's share of the queue has too many different labels and runners: token=" + owner + " most="
                        + MAX_OWN_ROUTES
                : null;
    }

    public ArtefactStore artefacts() {
        return artefacts;
    }

    /** Makes jobs of requests; durable ones are accepted when they are on the device. */
    public void submit(Submitter submitter, List<RequestMessage> requests, LongArrayList numbers, LongArrayList which) {
        submit(submitter, requests, numbers, which, 0);
    }

    /**
     * Makes jobs of requests, as {@link #submit(Submitter, List, Column, Column)} does.
     *
     * @param retryOf number of the job that they repeat; 0 for none
     */
    public void submit(
            Submitter submitter,
            List<RequestMessage> requests,
            LongArrayList numbers,
            LongArrayList which,
            long retryOf) {
        List<Event> retries = new ArrayList<>();
        List<Job> durable = new ArrayList<>(numbers.size());
        LongArrayList jobNumbers = new LongArrayList(numbers.size());
        LongArrayList requestNumbers = new LongArrayList(numbers.size());
        LongArrayList requestIndexes = new LongArrayList(numbers.size());
        List<RequestMessage> packed =
                requests.stream().map(RequestMessage::packed).toList();
        long now = timeSource.millis();
        for (int row = 0; row < numbers.size(); row++) {
            int index = (int) which.get(row);
            BuildRequest request = requests.get(index).request();
            Job job = new Job(nextNumber++, request, submitter, numbers.get(row), now, pool);
            job.request = packed.get(index);
            job.queueDeadlineNanos = timeSource.nanos() + request.queueTimeout().toNanos();
            job.retryOf = retryOf;
            add(job);
            pending.expect(job);
            if (!job.durable) {
                queue(job);
                continue;
            }
            durable.add(job);
            if (retryOf > 0) {
                retries.add(new Event.Retried(job.number, retryOf));
            }
            jobNumbers.add(job.number);
            requestNumbers.add(numbers.get(row));
            requestIndexes.add(index);
        }
        if (!durable.isEmpty()) {
            Event event = new Event.Accepted(submitter, now, requests, jobNumbers, requestNumbers, requestIndexes);
            if (!retries.isEmpty()) {
                retries.add(0, event);
                event = new Event.Batch(retries); // a crash leaves no job that does not say what it repeats
            }
            boolean held = acceptedRequests.hold(durable, packed);
            journal.append(event, (sequence, failure) -> stored(durable, held, sequence, failure));
        }
    }

    private void stored(List<Job> jobs, boolean held, long sequence, @Nullable Throwable failure) {
        if (failure != null) {
            for (Job job : jobs) {
                pending.giveUp(job);
                remove(job);
                acceptedRequests.release(job);
            }
            listener.refused(jobs, "master cannot store the job: " + failure.getMessage());
            return;
        }
        for (Job job : jobs) {
            job.sequence = sequence;
            if (!held) {
                job.request = null; // it is in the journal
            }
            queue(job);
            listener.accepted(job);
        }
    }

    private void queue(Job job) {
        job.state = Job.State.QUEUED;
        if (job.cancelReason != null) {
            pending.giveUp(job);
            finish(job, job.ended(BuildCode.CANCELLED, job.cancelReason, 0));
        } else {
            pending.add(job);
        }
    }

    /**
     * Returns the request of a job, whether it waits or has ended; null if there is none any more.
     *
     * @throws SecretsLostException if its secrets cannot be decrypted
     */
    @Nullable
    public RequestMessage request(Job job) throws SecretsLostException {
        return acceptedRequests.of(job);
    }

    /** Returns the request of a job; null if there is none any more, which ends the job. */
    private @Nullable RequestMessage load(Job job) {
        String problem = "request is not in the journal any more";
        try {
            RequestMessage request = acceptedRequests.of(job);
            if (request != null) {
                return request;
            }
        } catch (SecretsLostException e) {
            problem = String.valueOf(e.getMessage());
        }
        finish(job, job.ended(BuildCode.STORAGE, problem, 0));
        return null;
    }

    /** Returns whether an epoch was made by an earlier life of the master. */
    public boolean isEarlierLife(long epoch) {
        return epoch >> 32 < life;
    }

    /** Gives a waiting job, which is in no line any more, to an agent. */
    public void lease(Job job, LeaseHolder agent) {
        RequestMessage request = load(job);
        if (request == null) {
            return;
        }
        job.attempt++;
        job.epoch = ++nextEpoch;
        job.agent = agent.name();
        job.agentLife = agent.life();
        job.session = agent;
        job.state = Job.State.ASSIGNED;
        leases.add(job);
        job.stage = "waiting";
        job.begun = false;
        job.leaseDeadlineNanos = Math.max(job.queueDeadlineNanos, timeSource.nanos() + ANSWER_NANOS);
        if (!job.route.noop()) {
            Event.Leased event = leased.computeIfAbsent(
                    agent.name(),
                    name -> new Event.Leased(
                            name, agent.life(), new LongArrayList(), new LongArrayList(), new LongArrayList()));
            event.jobs().add(job.number);
            event.attempts().add(job.attempt);
            event.epochs().add(job.epoch);
        }
        if (job.hasLog()) {
            logs.begin(job.number, job.agent, job.attempt, job.epoch, maxLogBytes(job));
            outputs.begin(job);
        }
        if (job.hasArtefacts) {
            artefacts.begin(job.number, job.agent, job.attempt, job.epoch);
        }
        agent.assign(job, request, timeSource.nanos() + ANSWER_NANOS);
        acceptedRequests.release(job);
        if (!job.route.noop()) {
            listener.leased(job);
        }
    }

    /** Returns how long the log of an attempt may be: as the request says, but no longer than all logs together that are kept. */
    private long maxLogBytes(Job job) {
        return Math.min(
                job.maxLogBytes, Math.max(MIN_LOGS_BYTES, limits.retention().logBytes()));
    }

    /** Takes note of a lease that an agent has, and that the journal lost with the master's death. */
    public void adopt(Job job, LeaseHolder agent, int attempt, long epoch) {
        pending.remove(job);
        job.attempt = attempt;
        job.epoch = epoch;
        job.agent = agent.name();
        job.agentLife = agent.life();
        job.state = Job.State.DISCONNECTED;
        leases.add(job);
        resumeArtefacts(job);
        if (job.hasLog()) {
            long unused = logs.lease(job.number, agent.name(), attempt, epoch, maxLogBytes(job));
            outputs.begin(job);
        }
    }

    /**
     * Takes a job back from its agent.
     *
     * @param counts whether the agent may have begun it
     */
    public void takeBack(Job job, boolean counts) {
        fence(job);
        if (job.state == Job.State.LOGGING && job.ending != null) {
            finish(job, job.logWhole ? job.ending : job.cut(job.ending));
        } else if (job.cancelReason != null) {
            finish(job, job.ended(BuildCode.CANCELLED, job.cancelReason, 0));
        } else if (counts && job.attempt >= limits.maxAttempts()) {
            finish(job, job.ended(BuildCode.AGENT_LOST, "agent lost at each attempt: agent=" + job.agent, 0));
        } else {
            job.attempt -= counts ? 0 : 1;
            job.state = Job.State.QUEUED;
            leases.remove(job);
            job.queueDeadlineNanos = Math.max(
                    job.queueDeadlineNanos, timeSource.nanos() + limits.grace().toNanos());
            pending.expect(job);
            pending.add(job);
            if (job.durable && !job.route.noop()) {
                append(new Event.Requeued(job.number, job.attempt));
            }
        }
    }

    /** Ends a job that its agent should have ended. */
    public void giveUp(Job job, Ending with) {
        fence(job);
        finish(job, with);
    }

    private void fence(Job job) {
        logs.fence(job.number);
        artefacts.fence(job.number);
        release(job);
    }

    /** Notes an event in the journal that nobody waits for. */
    public void append(Event event) {
        journal.append(event, (sequence, failure) -> {
            if (failure != null) {
                LOG.log(Logger.Level.WARNING, "event is not in the journal: " + event, failure);
            }
        });
    }

    /** Has the agent's executor free. */
    public static void release(Job job) {
        LeaseHolder agent = job.session;
        if (agent != null && job.state != Job.State.LOGGING) {
            agent.release(job);
        }
        job.session = null;
    }

    /** Asks for a job's end; false where it has ended. */
    public boolean cancel(Job job, String reason) {
        if (job.isOver() || job.state == Job.State.LOGGING) {
            return false;
        }
        boolean first = job.cancelReason == null;
        job.cancelReason = first ? reason : job.cancelReason;
        if (first && job.isLeased()) {
            job.leaseDeadlineNanos = Math.min(job.leaseDeadlineNanos, timeSource.nanos() + ANSWER_NANOS);
        }
        if (job.state == Job.State.QUEUED) {
            pending.remove(job);
            finish(job, job.ended(BuildCode.CANCELLED, reason, 0));
        } else if (first && job.durable && job.state != Job.State.ACCEPTING) {
            append(new Event.CancelAsked(job.number, reason));
        }
        return true;
    }

    /** Ends a job; there is a result when that is on the device. */
    public void finish(Job job, Ending with) {
        leases.remove(job);
        job.awaitsArtefacts = false;
        if (job.hasArtefacts) {
            artefacts.end(job.number);
        }
        long logBytes = job.hasLog() ? logs.end(job.number) : 0;
        if (outputs.isFed(job) && job.attempt > 0 && !job.outputDone) {
            job.outputPending = true;
            outputs.end(job, logBytes);
            append(new Event.Output(job.number, true));
        }
        job.ending = with.withLogBytes(logBytes);
        job.state = Job.State.ENDING;
        job.endedMillis = timeSource.millis();
        acceptedRequests.release(job);
        if (job.durable) {
            completions.add(job);
        } else {
            end(job);
        }
    }

    private void end(Job job) {
        job.state = Job.State.ENDED;
        listener.ended(job);
        remove(job);
        listener.forgotten(job);
    }

    private void forget(Job job) {
        remove(job);
        if (job.hasLog()) {
            logs.delete(job.number);
        }
        if (job.hasArtefacts) {
            artefacts.delete(job.number);
        }
        listener.forgotten(job);
    }

    /** Puts what this turn has brought into the journal. */
    public void commit() {
        if (!leased.isEmpty()) {
            leased.values().forEach(this::append);
            leased.clear();
        }
        completions.commit();
    }

    /** Forgets jobs that have ended, as the retention says. */
    public void forgetOld() {
        completions.forgetOld();
    }
}
