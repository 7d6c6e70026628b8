package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.FromAgent;
import dev.touchstone.builds.wire.Refusals;
import dev.touchstone.builds.wire.ToAgent;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The agents: who is connected, who was, and what they say about their jobs. The dispatcher's. */
final class Fleet {
    private static final Logger LOG = System.getLogger(Fleet.class.getName());
    private static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final int SWEEPS_PER_ASK = 4;
    private static final int MAX_ASKS = 240;

    private final Jobs jobs;
    private final Results results;
    private final Mailbox mailbox;
    private final Pid logs;
    private final JobIds ids;
    private final Sessions sessions;
    private final Clocks clocks;
    private final MasterOptions options;
    private final Consumer<NodeName> disconnect;
    private final Map<String, AgentSession> byIdentity = new HashMap<>();
    /** Agents with jobs that are not connected, and until when they may come back. */
    private final Map<String, Long> awaited = new HashMap<>();

    private long turns;

    Fleet(
            Jobs jobs,
            Results results,
            Mailbox mailbox,
            Pid logs,
            JobIds ids,
            Sessions sessions,
            Clocks clocks,
            MasterOptions options,
            Consumer<NodeName> disconnect) {
        this.jobs = jobs;
        this.results = results;
        this.mailbox = mailbox;
        this.logs = logs;
        this.ids = ids;
        this.sessions = sessions;
        this.clocks = clocks;
        this.options = options;
        this.disconnect = disconnect;
    }

    /** Has the agents that had jobs when the master ended time to come back. */
    void recover() {
        for (Job job : jobs.all()) {
            if (job.state == Job.State.DISCONNECTED) {
                awaited.put(job.agent, clocks.nanos() + options.grace().toNanos());
            }
        }
    }

    Collection<AgentSession> connected() {
        return byIdentity.values();
    }

    void hello(FromAgent.Hello hello) {
        String problem = problem(hello);
        if (problem != null) {
            LOG.log(Logger.Level.WARNING, "agent is refused: " + problem);
            boolean unused = mailbox.trySend(hello.pid(), Refusals.of(BuildCode.REFUSED, problem));
            return;
        }
        AgentSession before = byIdentity.get(hello.identity());
        if (before != null) {
            lost(before);
        }
        Ref monitor = mailbox.monitor(hello.pid());
        AgentSession session = new AgentSession(sessions.newId(), hello, monitor, clocks.millis());
        session.noopDeadlineNanos = clocks.nanos() + Jobs.ANSWER_NANOS;
        byIdentity.put(session.identity, session);
        sessions.add(session);
        awaited.remove(session.identity);
        session.tell(new ToAgent.Welcome(Versions.CURRENT, session.id, ids.prefix(), mailbox.pid(), logs));
        Set<Long> kept = new HashSet<>();
        for (FromAgent.Held held : hello.held()) {
            Job job = jobs.find(ids.number(held.job()));
            if (job == null || !resume(session, job, held)) {
                session.tell(new ToAgent.Drop(held.job(), held.attempt(), held.epoch(), "its lease is over"));
            } else {
                kept.add(job.number);
            }
        }
        for (Job job : leasedTo(session.identity)) {
            if (!kept.contains(job.number)) {
                boolean neverBegun = job.agentLife == session.life; // else it would hold it: only we have it forget
                jobs.takeBack(job, !neverBegun);
            }
        }
        LOG.log(Logger.Level.INFO, "agent is connected: " + session);
    }

    private @Nullable String problem(FromAgent.Hello hello) {
        if (!IDENTITY.matcher(hello.identity()).matches()) {
            return "identity is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first: characters="
                    + hello.identity().length();
        }
        if (hello.pid().node().equals(mailbox.pid().node())) {
            return "the process is the master's own: identity=" + hello.identity() + " process=" + hello.pid();
        }
        AgentSession other = byIdentity.get(hello.identity());
        if (other != null && other.life != hello.life()) {
            return "another agent with this identity is connected: identity=" + hello.identity();
        }
        return null;
    }

    private boolean resume(AgentSession session, Job job, FromAgent.Held held) {
        boolean unrecorded = job.state == Job.State.QUEUED && held.attempt() == job.attempt + 1 && held.alive();
        if (unrecorded && held.epoch() > job.epoch && sessions.isEarlierLife(held.epoch())) {
            jobs.adopt(job, session, held.attempt(), held.epoch());
        }
        if (job.state == Job.State.ENDED && job.attempt == held.attempt() && job.epoch == held.epoch()) {
            return false;
        }
        if (!job.isLease(held.attempt(), held.epoch()) || !job.agent.equals(session.identity) || !held.alive()) {
            return false;
        }
        job.session = session;
        begun(job);
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
        session.tell(new ToAgent.Resume(job.number, job.attempt, job.epoch, have));
        if (job.cancelReason != null) {
            session.tell(new ToAgent.Cancel(job.number, job.attempt, job.epoch, job.cancelReason));
        }
        return true;
    }

    private List<Job> leasedTo(String identity) {
        List<Job> leased = new ArrayList<>();
        for (Job job : jobs.all()) {
            if (job.isLeased() && job.agent.equals(identity)) {
                leased.add(job);
            }
        }
        return leased;
    }

    /** A monitor says that an agent's connection, or its process, has ended. */
    boolean down(Ref monitor) {
        for (AgentSession session : byIdentity.values()) {
            if (session.monitor.equals(monitor)) {
                LOG.log(Logger.Level.WARNING, "agent is not connected any more: " + session);
                lost(session);
                return true;
            }
        }
        return false;
    }

    private void lost(AgentSession session) {
        session.lost = true;
        byIdentity.remove(session.identity, session);
        sessions.remove(session);
        mailbox.demonitor(session.monitor);
        boolean waits = false;
        for (Job job : leasedTo(session.identity)) {
            job.session = null;
            waits = true;
            if (job.state == Job.State.ASSIGNED) {
                job.state = Job.State.DISCONNECTED;
            }
        }
        if (waits) {
            awaited.put(session.identity, clocks.nanos() + options.grace().toNanos());
        }
    }

    /** Gives up agents that have not come back in time. */
    void giveUp() {
        long now = clocks.nanos();
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

    void stage(FromAgent.Stage stage) {
        Job job = current(stage.session(), stage.job(), stage.attempt(), stage.epoch());
        if (job != null && job.state == Job.State.ASSIGNED) {
            if (!job.begun) {
                begun(job);
            }
            job.stage = stage.stage();
        }
    }

    void noops(FromAgent.Noops done) {
        AgentSession session = sessions.agent(done.session());
        if (session == null) {
            return;
        }
        session.noopDeadlineNanos = clocks.nanos() + Jobs.ANSWER_NANOS;
        Column numbers = done.jobs();
        Ending ok = new Ending(BuildCode.OK, 0, "", 0, 0, 1, session.identity, 0, false);
        for (int row = 0; row < numbers.size(); row++) {
            Job job = jobs.find(numbers.get(row));
            boolean isLease = job != null
                    && job.state == Job.State.ASSIGNED
                    && job.epoch == done.epochs().get(row)
                    && job.route.noop();
            if (isLease && job != null) {
                results.outcome(job, ok);
            } else {
                sessions.countStale();
            }
        }
    }

    void finished(FromAgent.Finished finished) {
        AgentSession session = sessions.agent(finished.session());
        Job job = current(finished.session(), finished.job(), finished.attempt(), finished.epoch());
        if (job != null && job.state == Job.State.ASSIGNED) {
            if (finished.ending().code() == BuildCode.AGENT_CLOSED) {
                jobs.takeBack(job, true);
            } else {
                results.outcome(job, finished.ending());
            }
        } else if (job == null && session != null) {
            sessions.countStale();
            session.tell(new ToAgent.Drop(
                    ids.text(finished.job()), finished.attempt(), finished.epoch(), "its lease is over"));
        }
    }

    /** The job, if this is its lease and its agent's connection; ended ones not included. */
    private @Nullable Job current(long session, long number, int attempt, long epoch) {
        AgentSession agent = sessions.agent(session);
        Job job = jobs.find(number);
        boolean known = agent != null && job != null && job.isLease(attempt, epoch);
        return known && job != null && job.agent.equals(agent == null ? "" : agent.identity) ? job : null;
    }

    /** Gives waiting jobs to agents that have room; true where some had, but not in this turn. */
    boolean schedule() {
        Lines lines = jobs.lines();
        boolean assigned = lines.size() > 0;
        while (assigned) {
            assigned = false;
            for (Route route : lines.waiting()) {
                AgentSession agent = Lines.choose(route, byIdentity.values());
                if (agent != null) {
                    assign(route, agent);
                    assigned = true;
                    break; // who is the oldest now may be another
                }
            }
        }
        return lines.size() > 0 && byIdentity.values().stream().anyMatch(agent -> !agent.hasRoom());
    }

    private void assign(Route route, AgentSession agent) {
        Lines lines = jobs.lines();
        int room = route.noop() ? AgentSession.MAX_NOOPS - agent.noops : 1;
        agent.turn = ++turns;
        for (int i = 0; i < room && agent.hasRoom() && lines.first(route) != null; i++) {
            jobs.lease(lines.takeFirst(route), agent);
        }
    }

    /** Has an agent end an attempt. */
    void cancel(Job job, String reason) {
        AgentSession session = job.session;
        if (session != null && job.state == Job.State.ASSIGNED) {
            session.tell(new ToAgent.Cancel(job.number, job.attempt, job.epoch, reason));
        }
    }

    /** Asks for the rest of logs again, which the master could not store when it came, and gives up those that do not come. */
    void askForLogs() {
        List<Job> given = new ArrayList<>();
        for (Job job : jobs.all()) {
            AgentSession session = job.session;
            JobLog log = job.state == Job.State.LOGGING && !job.logWhole
                    ? jobs.logs().find(job.number)
                    : null;
            int stuck = log == null || session == null ? 0 : log.stuck();
            if (stuck >= MAX_ASKS) {
                given.add(job);
            } else if (stuck > 0 && stuck % SWEEPS_PER_ASK == 0 && session != null && log != null) {
                session.tell(new ToAgent.Resume(job.number, job.attempt, job.epoch, log.length()));
            }
        }
        given.forEach(job -> jobs.takeBack(job, true));
    }

    private void begun(Job job) {
        job.begun = true;
        job.leaseDeadlineNanos = clocks.nanos() + job.timeoutNanos + Jobs.ANSWER_NANOS;
    }

    /** Ends what agents should have begun or ended by now, and disconnects those that answer no noops, whose jobs others get in time. */
    void endLate() {
        long now = clocks.nanos();
        List<Job> late = new ArrayList<>();
        for (Job job : jobs.all()) {
            if (job.state == Job.State.ASSIGNED && !job.route.noop() && job.leaseDeadlineNanos - now <= 0) {
                late.add(job);
            }
        }
        for (Job job : late) {
            String reason = "not " + (job.begun ? "ended" : "begun") + " by its agent in time: agent=" + job.agent;
            LOG.log(Logger.Level.WARNING, "job is " + reason + " " + job);
            if (job.session != null) {
                job.session.tell(new ToAgent.Drop(ids.text(job.number), job.attempt, job.epoch, reason));
            }
            if (job.cancelReason != null) {
                jobs.giveUp(job, job.ended(BuildCode.CANCELLED, job.cancelReason, 0));
            } else {
                jobs.giveUp(job, job.ended(job.begun ? BuildCode.TIMED_OUT : BuildCode.QUEUE_TIMED_OUT, reason, 0));
            }
        }
        for (AgentSession session : byIdentity.values()) {
            if (session.noops > 0 && session.noopDeadlineNanos - now <= 0) {
                session.noopDeadlineNanos = now + Jobs.ANSWER_NANOS;
                LOG.log(Logger.Level.WARNING, "agent answers no noops and is disconnected: " + session);
                disconnect.accept(NodeName.parse(session.pid.node().name()));
            }
        }
    }

    /** Sends what there is; false where some connection takes no more now. */
    boolean flush() {
        boolean all = true;
        long newest = jobs.nextNumber() - 1;
        for (AgentSession session : byIdentity.values()) {
            all &= session.flush(mailbox, newest);
        }
        return all;
    }
}
