package dev.touchstone.builds.master.agent;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.artefact.ArtefactLimits;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.JobIds;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.LeaseHolder;
import dev.touchstone.builds.master.job.PendingQueue;
import dev.touchstone.builds.master.job.Route;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.master.log.JobLog;
import dev.touchstone.builds.master.rpc.GuestCounts;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Status;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The agents: who is connected, who was, and what they say about their jobs. The dispatcher's. */
public final class AgentRegistry {
    private static final Logger LOG = System.getLogger(AgentRegistry.class.getName());
    private static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final int MAX_NAMES = 256; // labels, and runners
    private static final int MAX_NAME = 64;
    private static final int MAX_EXECUTORS = 1_024;
    private static final int MAX_ID = 256;

    private static final int SWEEPS_PER_ASK = 4;
    private static final int MAX_ASKS = 240;

    private final Jobs jobs;
    private final Results results;
    private final JobIds ids;
    private final Sessions<AgentSession> sessions;
    private final GuestCounts counts;
    private final TimeSource timeSource;
    private final Duration grace;
    private final ArtefactLimits artefacts;
    private final Map<String, AgentSession> byIdentity = new HashMap<>();
    /** Agents with jobs that are not connected, and until when they may come back. */
    private final Map<String, Long> awaited = new HashMap<>();

    private long turns;

    /** Creates the registry, without agents. */
    public AgentRegistry(
            Jobs jobs,
            Results results,
            JobIds ids,
            Sessions<AgentSession> sessions,
            GuestCounts counts,
            TimeSource timeSource,
            Duration grace,
            ArtefactLimits artefacts) {
        this.jobs = jobs;
        this.results = results;
        this.ids = ids;
        this.sessions = sessions;
        this.counts = counts;
        this.timeSource = timeSource;
        this.grace = grace;
        this.artefacts = artefacts;
    }

    /** Has the agents that had jobs when the master ended time to come back. */
    public void recover() {
        for (Job job : jobs.leased()) {
            if (job.state == Job.State.DISCONNECTED) {
                awaited.put(job.agent, timeSource.nanos() + grace.toNanos());
            }
        }
    }

    public Collection<AgentSession> connected() {
        return byIdentity.values();
    }

    /**
     * Returns the message that lists the agents that are connected, sorted by identity.
     *
     * @param ask number of the client's question
     * @param most maximum number of bytes
     */
    public Wire.ToClient.Builder list(long ask, int most) {
        Wire.AgentList.Builder agents = Wire.AgentList.newBuilder().setAsk(ask);
        int bytes = 0;
        for (AgentSession agent : new TreeMap<>(byIdentity).values()) {
            Wire.ListedAgent row = Wire.ListedAgent.newBuilder()
                    .setIdentity(agent.identity)
                    .addAllLabels(new TreeSet<>(agent.labels))
                    .addAllRunners(new TreeSet<>(agent.runners))
                    .setExecutors(agent.executors)
                    .setBusy(agent.busy)
                    .build();
            bytes += row.getSerializedSize();
            if (bytes > most) {
                break;
            }
            agents.addAgents(row);
        }
        return Wire.ToClient.newBuilder().setAgents(agents);
    }

    /** Returns what takes the messages of an agent's stream. */
    public Reception.Service<Wire.FromAgent, Wire.ToAgent> of(Caller caller) {
        return new Visit(caller);
    }

    /** Takes the messages of an agent's stream. */
    private final class Visit implements Reception.Service<Wire.FromAgent, Wire.ToAgent> {
        private final Caller caller;
        private @Nullable AgentSession session;

        Visit(Caller caller) {
            this.caller = caller;
        }

        @Override
        public void take(Wire.FromAgent message, Outlet<Wire.ToAgent> from) {
            AgentSession known = session;
            if (message.getSaidCase() == Wire.FromAgent.SaidCase.HELLO && known == null) {
                session = hello(message.getHello(), caller, from);
            } else if (known == null) {
                throw new WireException("no hello before: message=" + message.getSaidCase());
            } else {
                switch (message.getSaidCase()) {
                    case STAGE -> stage(message.getStage(), known);
                    case NOOPS -> noops(message.getNoops(), known);
                    case FINISHED -> finished(message.getFinished(), known);
                    default -> throw new WireException("not a message of a session: message=" + message.getSaidCase());
                }
            }
        }

        @Override
        public void left(Outlet<Wire.ToAgent> gone) {
            if (session != null && !session.lost) {
                LOG.log(Logger.Level.WARNING, "agent is not connected any more: " + session);
                lost(session);
            }
        }
    }

    private @Nullable AgentSession hello(Wire.AgentHello hello, Caller caller, Outlet<Wire.ToAgent> from) {
        int version;
        try {
            version = Versions.common(hello.getVersions());
        } catch (WireException e) {
            refuse(from, caller, String.valueOf(e.getMessage()));
            return null;
        }
        check(hello);
        String problem = problem(hello, caller);
        if (problem != null) {
            refuse(from, caller, problem);
            return null;
        }
        AgentSession before = byIdentity.get(hello.getIdentity());
        if (before != null) {
            lost(before);
            before.outlet.end(Status.ABORTED.withDescription("the agent has connected again"));
        }
        AgentSession session = new AgentSession(sessions.newId(), hello, from, version, timeSource.millis());
        session.noopDeadlineNanos = timeSource.nanos() + Jobs.ANSWER_NANOS;
        byIdentity.put(session.identity, session);
        sessions.add(session);
        awaited.remove(session.identity);
        session.tell(Wire.ToAgent.newBuilder()
                .setWelcome(Wire.AgentWelcome.newBuilder()
                        .setVersion(version)
                        .setSession(session.id())
                        .setMaster(ids.prefix())
                        .setArtefactFiles(artefacts.files())
                        .setArtefactBytes(artefacts.bytes())));
        Set<Long> kept = new HashSet<>();
        List<Wire.Held> over = new ArrayList<>();
        for (Wire.Held held : hello.getHeldList()) {
            Job job = jobs.find(ids.number(held.getJob()));
            if (job != null && kept.contains(job.number)) {
                continue; // an agent has one attempt of a job
            }
            if (job == null || !resume(session, job, held)) {
                over.add(held);
            } else {
                kept.add(job.number);
            }
        }
        session.drop(over);
        for (Job job : leasedTo(session.identity)) {
            if (!kept.contains(job.number)) {
                boolean neverBegun = job.agentLife == session.life; // else it would hold it: only we have it forget
                jobs.takeBack(job, !neverBegun);
            }
        }
        LOG.log(Logger.Level.INFO, "agent is connected: " + session);
        return session;
    }

    private void refuse(Outlet<Wire.ToAgent> agent, Caller caller, String problem) {
        counts.refusedHello(caller, problem);
        agent.end(Status.FAILED_PRECONDITION.withDescription(problem));
    }

    private static void check(Wire.AgentHello hello) {
        Checks.natural("agent's life", hello.getLife());
        Checks.range("agent's executors", hello.getExecutors(), 1, MAX_EXECUTORS);
        Checks.count("agent's labels", hello.getLabelsCount(), MAX_NAMES);
        Checks.count("agent's runners", hello.getRunnersCount(), MAX_NAMES);
        hello.getLabelsList().forEach(label -> Checks.text("agent's label", label, MAX_NAME));
        hello.getRunnersList().forEach(runner -> Checks.text("agent's runner", runner, MAX_NAME));
        Checks.count("agent's jobs", hello.getHeldCount(), Checks.MAX_ROWS);
        for (Wire.Held held : hello.getHeldList()) {
            Checks.text("held job", held.getJob(), MAX_ID);
            checkLease(held.getAttempt(), held.getEpoch());
        }
    }

    private static void checkLease(int attempt, long epoch) {
        Checks.natural("attempt", attempt);
        Checks.natural("epoch", epoch);
    }

    private @Nullable String problem(Wire.AgentHello hello, Caller caller) {
        if (!IDENTITY.matcher(hello.getIdentity()).matches()) {
            return "identity is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first: characters="
                    + hello.getIdentity().length();
        }
        if (!caller.mayBeAgent(hello.getIdentity())) {
            return "token is not this agent's: identity=" + hello.getIdentity() + " token=" + caller;
        }
        AgentSession other = byIdentity.get(hello.getIdentity());
        if (other != null && other.life != hello.getLife()) {
            return "another agent with this identity is connected: identity=" + hello.getIdentity();
        }
        return null;
    }

    private Wire.ToAgent.Builder resume(Job job, long offset) {
        return Wire.ToAgent.newBuilder()
                .setResume(Wire.Resume.newBuilder()
                        .setJob(job.number)
                        .setAttempt(job.attempt)
                        .setEpoch(job.epoch)
                        .setOffset(offset)
                        .setBundleOffset(jobs.artefacts().received(job.number)));
    }

    private static Wire.ToAgent.Builder cancellation(Job job, String reason) {
        return Wire.ToAgent.newBuilder()
                .setCancel(Wire.CancelAttempt.newBuilder()
                        .setJob(job.number)
                        .setAttempt(job.attempt)
                        .setEpoch(job.epoch)
                        .setReason(reason));
    }

    private boolean resume(AgentSession session, Job job, Wire.Held held) {
        int attempt = held.getAttempt();
        long epoch = held.getEpoch();
        boolean unrecorded = job.state == Job.State.QUEUED && attempt == job.attempt + 1 && held.getAlive();
        if (unrecorded && session.serves(job.route) && epoch > job.epoch && jobs.isEarlierLife(epoch)) {
            jobs.adopt(job, session, attempt, epoch);
        }
        if (job.state == Job.State.ENDED && job.attempt == attempt && job.epoch == epoch) {
            return false;
        }
        if (!job.isLease(attempt, epoch) || !job.agent.equals(session.identity) || !held.getAlive()) {
            return false;
        }
        job.session = session;
        if (!job.begun && job.state != Job.State.LOGGING) {
            begun(job);
        }
        if (job.state == Job.State.DISCONNECTED) {
            job.state = Job.State.ASSIGNED;
            if (job.route.noop()) {
                session.noops++;
            } else {
                session.busy++;
            }
        }
        JobLog log = jobs.logs().find(job.number);
        long have = log == null ? 0 : log.length();
        session.tell(resume(job, have));
        if (job.cancelReason != null) {
            session.tell(cancellation(job, job.cancelReason));
        }
        return true;
    }

    private List<Job> leasedTo(String identity) {
        List<Job> leased = new ArrayList<>();
        for (Job job : jobs.leased()) {
            if (job.agent.equals(identity)) {
                leased.add(job);
            }
        }
        return leased;
    }

    private void lost(AgentSession session) {
        session.lost = true;
        byIdentity.remove(session.identity, session);
        sessions.remove(session);
        boolean waits = false;
        for (Job job : leasedTo(session.identity)) {
            job.session = null;
            waits = true;
            if (job.state == Job.State.ASSIGNED) {
                job.state = Job.State.DISCONNECTED;
            }
        }
        if (waits) {
            awaited.put(session.identity, timeSource.nanos() + grace.toNanos());
        }
    }

    /** Gives up agents that have not come back in time. */
    public void giveUp() {
        long now = timeSource.nanos();
        List<String> gone = new ArrayList<>();
        awaited.forEach((identity, until) -> {
            if (until - now <= 0) {
                gone.add(identity);
            }
        });
        for (String identity : gone) {
            awaited.remove(identity);
            LOG.log(Logger.Level.WARNING, "agent is lost: identity=" + identity);
            leasedTo(identity).forEach(job -> jobs.takeBack(job, true));
        }
    }

    private void stage(Wire.Stage stage, AgentSession session) {
        checkLease(stage.getAttempt(), stage.getEpoch());
        Checks.text("stage", stage.getStage(), MAX_NAME);
        Job job = current(session, stage.getJob(), stage.getAttempt(), stage.getEpoch());
        if (job != null && job.state == Job.State.ASSIGNED) {
            if (!job.begun) {
                begun(job);
            }
            job.stage = stage.getStage();
        }
    }

    private void noops(Wire.Noops done, AgentSession session) {
        Checks.column("noops' epochs", done.getEpochsList(), done.getJobsCount(), 0, Long.MAX_VALUE);
        Ending ok = new Ending(BuildCode.OK, 0, "", 0, 0, 1, session.identity, 0, false);
        for (int row = 0; row < done.getJobsCount(); row++) {
            Job job = jobs.find(done.getJobs(row));
            boolean isLease = job != null
                    && job.state == Job.State.ASSIGNED
                    && job.agent.equals(session.identity)
                    && job.epoch == done.getEpochs(row)
                    && job.route.noop();
            if (isLease && job != null) {
                session.noopDeadlineNanos = timeSource.nanos() + Jobs.ANSWER_NANOS;
                results.outcome(job, ok, 0);
            } else {
                counts.countStale();
            }
        }
    }

    private void finished(Wire.Finished finished, AgentSession session) {
        checkLease(finished.getAttempt(), finished.getEpoch());
        Ending ending = Ending.of(finished.getEnding());
        long bundle = Checks.natural("bytes of artefacts", finished.getBundleBytes());
        Job job = current(session, finished.getJob(), finished.getAttempt(), finished.getEpoch());
        if (job != null && job.state == Job.State.ASSIGNED) {
            if (ending.code() == BuildCode.AGENT_CLOSED) {
                jobs.takeBack(job, true);
            } else {
                results.outcome(job, ending, bundle);
            }
        } else if (job == null) {
            counts.countStale();
            String id = ids.text(finished.getJob());
            session.tell(AgentSession.drop(id, finished.getAttempt(), finished.getEpoch(), AgentSession.LEASE_OVER));
        }
    }

    /** Returns the job, if this is its lease and its agent's connection, and it has not ended; else null. */
    private @Nullable Job current(AgentSession agent, long number, int attempt, long epoch) {
        Job job = jobs.find(number);
        return job != null && job.isLease(attempt, epoch) && job.agent.equals(agent.identity) ? job : null;
    }

    /** Gives waiting jobs to agents that have room; true where some had, but not in this turn. */
    public boolean schedule() {
        PendingQueue pending = jobs.pending();
        boolean assigned = pending.size() > 0;
        while (assigned) {
            assigned = false;
            for (Route route : pending.waiting()) {
                AgentSession agent = choose(route, byIdentity.values());
                if (agent != null) {
                    assign(route, agent);
                    assigned = true;
                    break; // who is the oldest now may be another
                }
            }
        }
        return pending.size() > 0 && byIdentity.values().stream().anyMatch(agent -> !agent.hasRoom());
    }

    private void assign(Route route, AgentSession agent) {
        PendingQueue pending = jobs.pending();
        int room = route.noop() ? AgentSession.MAX_NOOPS - agent.noops : 1;
        agent.turn = ++turns;
        for (int i = 0; i < room && agent.hasRoom() && pending.first(route) != null; i++) {
            jobs.lease(pending.takeFirst(route), agent);
        }
    }

    /** Has an agent end an attempt. */
    public void cancel(Job job, String reason) {
        LeaseHolder session = job.session;
        if (session != null && job.state == Job.State.ASSIGNED) {
            session.tell(cancellation(job, reason));
        }
    }

    /** Asks for the rest of logs and artefacts again, which the master could not store when it came, and gives up those that do not come. */
    public void askForLogs() {
        List<Job> given = new ArrayList<>();
        for (Job job : jobs.leased()) {
            LeaseHolder session = job.session;
            if (job.state != Job.State.LOGGING || job.logWhole || session == null) {
                continue;
            }
            JobLog log = jobs.logs().find(job.number);
            int stuck = log == null ? 0 : log.stuck();
            stuck = job.awaitsArtefacts ? jobs.artefacts().stuck(job.number) : stuck;
            if (stuck >= MAX_ASKS) {
                given.add(job);
            } else if (stuck > 0 && stuck % SWEEPS_PER_ASK == 0) {
                session.tell(resume(job, log == null ? 0 : log.length()));
            }
        }
        given.forEach(job -> jobs.takeBack(job, true));
    }

    private void begun(Job job) {
        job.begun = true;
        long time = job.cancelReason == null ? job.timeoutNanos : 0;
        job.leaseDeadlineNanos = timeSource.nanos() + time + Jobs.ANSWER_NANOS;
    }

    /** Ends what agents or sinks should have ended by now, and disconnects agents that answer no noops, whose jobs others get in time. */
    public void endLate() {
        long now = timeSource.nanos();
        List<Job> late = new ArrayList<>();
        for (Job job : jobs.leased()) {
            if (!job.route.noop() && job.leaseDeadlineNanos - now <= 0) {
                late.add(job);
            }
        }
        for (Job job : late) {
            if (job.state == Job.State.ASSIGNED) {
                endLate(job);
            } else if (job.state == Job.State.LOGGING && job.logWhole) {
                results.outputLate(job);
            } else if (job.state == Job.State.LOGGING) {
                LOG.log(Logger.Level.WARNING, "log or artefacts are not sent by the job's agent in time: " + job);
                jobs.takeBack(job, true);
            }
        }
        for (AgentSession session : new ArrayList<>(byIdentity.values())) {
            if (session.noops > 0 && session.noopDeadlineNanos - now <= 0) {
                session.noopDeadlineNanos = now + Jobs.ANSWER_NANOS;
                LOG.log(Logger.Level.WARNING, "agent answers no noops and is disconnected: " + session);
                session.outlet.end(Status.ABORTED.withDescription("the agent answers no noops"));
                lost(session);
            }
        }
    }

    private void endLate(Job job) {
        String reason = "not " + (job.begun ? "ended" : "begun") + " by its agent in time: agent=" + job.agent;
        LOG.log(Logger.Level.WARNING, "job is " + reason + " " + job);
        if (job.session != null) {
            job.session.tell(AgentSession.drop(ids.text(job.number), job.attempt, job.epoch, reason));
        }
        if (job.cancelReason != null) {
            jobs.giveUp(job, job.ended(BuildCode.CANCELLED, job.cancelReason, 0));
        } else {
            jobs.giveUp(job, job.ended(job.begun ? BuildCode.TIMED_OUT : BuildCode.QUEUE_TIMED_OUT, reason, 0));
        }
    }

    /** Sends what there is; false where some connection takes no more now. */
    public boolean flush() {
        boolean all = true;
        long newest = jobs.nextNumber() - 1;
        for (AgentSession session : byIdentity.values()) {
            boolean isSent = session.flush(newest);
            session.outlet.setBehind(!isSent);
            all &= isSent;
        }
        return all;
    }

    /** Returns the agent that is to have the next job of a route: who has the most idle executors, and among these who was given one longest ago. */
    static @Nullable AgentSession choose(Route route, Collection<AgentSession> agents) {
        AgentSession best = null;
        for (AgentSession agent : agents) {
            if (!agent.lost && agent.serves(route) && hasRoom(agent, route) && isBetter(agent, best, route)) {
                best = agent;
            }
        }
        return best;
    }

    private static boolean hasRoom(AgentSession agent, Route route) {
        if (!agent.hasRoom()) {
            return false;
        }
        return route.noop() ? agent.noops < AgentSession.MAX_NOOPS : agent.idle() > 0;
    }

    private static boolean isBetter(AgentSession agent, @Nullable AgentSession than, Route route) {
        if (than == null) {
            return true;
        }
        int difference = route.noop() ? than.noops - agent.noops : agent.idle() - than.idle();
        return difference > 0 || (difference == 0 && agent.turn < than.turn);
    }

    /** Returns why the jobs of a route wait. */
    public String reason(Route route) {
        boolean label = false;
        boolean isOld = false;
        for (AgentSession agent : byIdentity.values()) {
            if (agent.serves(route)) {
                return "all executors are busy: " + route;
            }
            label |= agent.labels.contains(route.label());
            isOld |= agent.serves(new Route(route.label(), route.runner(), route.noop(), false));
        }
        if (isOld) {
            return "no agent with this label and runner is new enough for artefacts and caches: " + route;
        }
        return (label ? "no agent with this label has the runner: " : "no agent has the label: ") + route;
    }
}
