package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The clients: what they ask for, and what they are told. The dispatcher's. */
final class Intake {
    private final Jobs jobs;
    private final Fleet fleet;
    private final Mailbox mailbox;
    private final Pid views;
    private final JobIds ids;
    private final Sessions sessions;
    private final MasterOptions options;
    private final Outputs outputs;
    /** Clients that are connected, by the number that they keep. */
    private final Map<Long, ClientSession> byClient = new HashMap<>();
    /** Who else waits for a job's result. */
    private final Map<Long, Set<ClientSession>> watchers = new HashMap<>();

    Intake(
            Jobs jobs,
            Fleet fleet,
            Mailbox mailbox,
            Pid views,
            JobIds ids,
            Sessions sessions,
            MasterOptions options,
            Outputs outputs) {
        this.jobs = jobs;
        this.fleet = fleet;
        this.mailbox = mailbox;
        this.views = views;
        this.ids = ids;
        this.sessions = sessions;
        this.options = options;
        this.outputs = outputs;
    }

    void hello(FromClient.Hello hello) {
        if (hello.pid().node().equals(mailbox.pid().node())) {
            sessions.countMalformed("client hello names a process of the master: process=" + hello.pid());
            return;
        }
        ClientSession before = byClient.remove(hello.client());
        if (before != null) {
            lost(before);
        }
        Ref monitor = mailbox.monitor(hello.pid());
        ClientSession session = new ClientSession(sessions.newId(), hello.client(), hello.pid(), monitor);
        byClient.put(session.client, session);
        sessions.add(session);
        session.tell(new ToClient.Welcome(Versions.CURRENT, session.id, ids.prefix(), mailbox.pid(), views));
    }

    /** A monitor says that a client's connection, or its process, has ended. Its jobs go on. */
    boolean down(Ref monitor) {
        for (ClientSession session : byClient.values()) {
            if (session.monitor.equals(monitor)) {
                byClient.remove(session.client);
                lost(session);
                return true;
            }
        }
        return false;
    }

    private void lost(ClientSession session) {
        sessions.remove(session);
        mailbox.demonitor(session.monitor);
        watchers.values().removeIf(watching -> watching.remove(session) && watching.isEmpty());
    }

    void submit(FromClient.Submit submit) {
        ClientSession session = sessions.client(submit.session());
        if (session == null) {
            return;
        }
        Column numbers = submit.numbers();
        Column which = submit.which();
        if (submit.again()) {
            Column newNumbers = new Column();
            Column newWhich = new Column();
            Map<Long, Job> known = of(session.client);
            for (int row = 0; row < numbers.size(); row++) {
                Job job = known.get(numbers.get(row));
                if (job == null) {
                    newNumbers.add(numbers.get(row));
                    newWhich.add(which.get(row));
                } else if (job.state != Job.State.ACCEPTING) {
                    accepted(job);
                    repeatResult(session, job);
                }
            }
            numbers = newNumbers;
            which = newWhich;
        }
        submit(session, submit.requests(), numbers, which);
    }

    private Map<Long, Job> of(long client) {
        Map<Long, Job> known = new HashMap<>();
        for (Job job : jobs.all()) {
            if (job.client == client) {
                known.put(job.requestNumber, job);
            }
        }
        return known;
    }

    private static void repeatResult(ClientSession session, Job job) {
        if (job.state == Job.State.ENDED) {
            session.result(job);
        }
    }

    private void submit(ClientSession session, List<BuildRequest> requests, Column numbers, Column which) {
        if (numbers.isEmpty()) {
            return;
        }
        if (jobs.lines().size() + numbers.size() > options.maxQueued()) {
            String reason = "master's queue is full: waiting=" + jobs.lines().size() + " most=" + options.maxQueued();
            session.tell(new ToClient.Rejected(numbers, BuildCode.QUEUE_FULL.number(), reason));
            return;
        }
        boolean all = true;
        for (BuildRequest request : requests) {
            all &= outputs.modes().contains(request.output());
        }
        if (all) {
            jobs.submit(session.client, requests, numbers, which);
            return;
        }
        Column good = new Column();
        Column goodWhich = new Column();
        Column bad = new Column();
        for (int row = 0; row < numbers.size(); row++) {
            if (outputs.modes().contains(requests.get((int) which.get(row)).output())) {
                good.add(numbers.get(row));
                goodWhich.add(which.get(row));
            } else {
                bad.add(numbers.get(row));
            }
        }
        session.tell(new ToClient.Rejected(
                bad, BuildCode.OUTPUT.number(), "master has not this output: it has " + outputs.modes()));
        if (!good.isEmpty()) {
            jobs.submit(session.client, requests, good, goodWhich);
        }
    }

    void cancel(FromClient.Cancel cancel) {
        ClientSession session = sessions.client(cancel.session());
        Job job = jobs.find(cancel.job());
        if (session == null) {
            return;
        }
        if (job == null) {
            session.tell(unknown(cancel.ask(), cancel.job()));
            return;
        }
        session.tell(new ToClient.Cancelled(cancel.ask(), cancel(job, cancel.reason())));
    }

    boolean cancel(Job job, String reason) {
        boolean was = jobs.cancel(job, reason);
        if (was) {
            fleet.cancel(job, reason);
        }
        return was;
    }

    private ToClient unknown(long ask, long job) {
        return new ToClient.Failed(
                ask, BuildCode.UNKNOWN_JOB.number(), "no such job, or no more: job=" + ids.text(job));
    }

    void watch(FromClient.Watch watch) {
        ClientSession session = sessions.client(watch.session());
        if (session == null) {
            return;
        }
        for (int row = 0; row < watch.jobs().size(); row++) {
            long number = watch.jobs().get(row);
            Job job = jobs.find(number);
            if (job == null) {
                session.tell(new ToClient.Unknown(number));
            } else if (job.state == Job.State.ENDED) {
                session.result(job);
            } else if (job.client != session.client) {
                watchers.computeIfAbsent(number, unused -> new HashSet<>()).add(session);
            }
        }
    }

    void ask(FromClient.Ask ask) {
        ClientSession session = sessions.client(ask.session());
        Job job = jobs.find(ask.job());
        if (session != null && job == null) {
            session.tell(unknown(ask.ask(), ask.job()));
        } else if (session != null && job != null) {
            session.tell(status(ask.ask(), job));
        }
    }

    private ToClient.Status status(long ask, Job job) {
        return new ToClient.Status(
                ask,
                phase(job),
                reason(job),
                job.agent,
                job.attempt,
                job.acceptedMillis,
                job.hasLog() ? jobs.logs().size(job.number) : 0,
                outputs.problem(job),
                job.state == Job.State.ENDED ? List.of(ending(job)) : List.of());
    }

    static BuildStatus.Phase phase(Job job) {
        return switch (job.state) {
            case ACCEPTING, QUEUED -> BuildStatus.Phase.QUEUED;
            case ASSIGNED -> BuildStatus.Phase.ASSIGNED;
            case DISCONNECTED -> BuildStatus.Phase.DISCONNECTED;
            case LOGGING, ENDING -> BuildStatus.Phase.FINISHING;
            case ENDED -> BuildStatus.Phase.FINISHED;
        };
    }

    String reason(Job job) {
        return switch (job.state) {
            case QUEUED -> Lines.reason(job.route, fleet.connected());
            case DISCONNECTED -> "agent is not connected: identity=" + job.agent;
            case ASSIGNED -> job.stage;
            default -> "";
        };
    }

    private static Ending ending(Job job) {
        Ending ending = job.ending;
        if (ending == null) {
            throw new IllegalStateException("has not ended: " + job);
        }
        return ending;
    }

    /** A request has become a job. */
    void accepted(Job job) {
        ClientSession session = byClient.get(job.client);
        if (session != null) {
            session.accepted(job);
        }
    }

    void refused(List<Job> refused, String reason) {
        Map<Long, Column> numbers = new HashMap<>();
        for (Job job : refused) {
            numbers.computeIfAbsent(job.client, unused -> new Column()).add(job.requestNumber);
        }
        numbers.forEach((client, column) -> {
            ClientSession session = byClient.get(client);
            if (session != null) {
                session.tell(new ToClient.Rejected(column, BuildCode.STORAGE.number(), reason));
            }
        });
    }

    /** There is a result. */
    void ended(Job job) {
        ClientSession session = byClient.get(job.client);
        if (session != null && Endings.isPlain(job)) {
            session.done(job);
        } else if (session != null) {
            if (!job.durable) {
                session.accepted(job);
                session.tell(new ToClient.Result(job.number, ending(job)));
            } else {
                session.result(job);
            }
        }
        Set<ClientSession> others = watchers.remove(job.number);
        if (others != null) {
            others.forEach(other -> other.result(job));
        }
    }

    /** Sends what there is; false where some connection takes no more now. */
    boolean flush() {
        boolean all = true;
        for (ClientSession session : new ArrayList<>(byClient.values())) {
            all &= session.flush(mailbox, this::result);
        }
        return all;
    }

    private @Nullable ToClient result(long number) {
        Job job = jobs.find(number);
        return job == null ? new ToClient.Unknown(number) : new ToClient.Result(number, ending(job));
    }
}
