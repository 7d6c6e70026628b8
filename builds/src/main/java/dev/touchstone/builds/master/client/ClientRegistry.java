package dev.touchstone.builds.master.client;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Shares;
import dev.touchstone.builds.master.agent.AgentRegistry;
import dev.touchstone.builds.master.job.CompletionTracker;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.JobIds;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.Outputs;
import dev.touchstone.builds.master.journal.SecretsLostException;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.master.rpc.GuestCounts;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.Requests;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clients: what they ask for, and what they are told. The dispatcher's. */
public final class ClientRegistry {
    private static final int MAX_NAME = 256;
    private static final int MAX_REASON = 1024;
    private static final int MAX_LISTED = 10_000;
    private static final int MAX_WATCHED = 64 << 10; // of a session
    private static final long MAX_OWED_BYTES = Runtime.getRuntime().maxMemory() / 8; // to all sessions
    private static final int MAX_ALL_WATCHED =
            (int) Math.min(1 << 20, Runtime.getRuntime().maxMemory() >> 10);

    private final Jobs jobs;
    private final AgentRegistry agentRegistry;
    private final JobIds ids;
    private final Sessions<ClientSession> sessions;
    private final GuestCounts counts;
    private final Outputs outputs;
    private final StatusMessages statuses;
    /** Clients that are connected. */
    private final Map<Submitter, ClientSession> byClient = new HashMap<>();

    /** Clients that wait for the result of a job that another has submitted. */
    private final Map<Long, List<ClientSession>> watchers = new HashMap<>();

    private final Shares watched = new Shares(MAX_ALL_WATCHED, MAX_ALL_WATCHED / 2); // of entries in `watchers`

    /** Answers that wait until a job is on the device, by its number. */
    private final Map<Long, List<Answer>> answers = new HashMap<>();

    /** Is told what became of one request. */
    public interface Answer {
        /** Takes the job, which is on the device. */
        void accepted(Job job);

        /** Takes the reason why the job could not be stored. */
        void refused(String reason);
    }

    /** Creates the registry, without clients. */
    public ClientRegistry(
            Jobs jobs,
            AgentRegistry agentRegistry,
            JobIds ids,
            Sessions<ClientSession> sessions,
            GuestCounts counts,
            Outputs outputs) {
        this.jobs = jobs;
        this.agentRegistry = agentRegistry;
        this.ids = ids;
        this.sessions = sessions;
        this.counts = counts;
        this.outputs = outputs;
        this.statuses = new StatusMessages(jobs, agentRegistry, outputs);
    }

    /** Returns what takes the messages of a client's stream. */
    public Reception.Service<Wire.FromClient, Wire.ToClient> of(Caller caller) {
        return new Visit(caller);
    }

    /** Takes the messages of a client's stream. */
    private final class Visit implements Reception.Service<Wire.FromClient, Wire.ToClient> {
        private final Caller caller;
        private @Nullable ClientSession session;

        Visit(Caller caller) {
            this.caller = caller;
        }

        @Override
        public void take(Wire.FromClient message, Outlet<Wire.ToClient> from) {
            ClientSession known = session;
            if (message.getSaidCase() == Wire.FromClient.SaidCase.HELLO && known == null) {
                session = hello(message.getHello(), caller, from);
            } else if (known == null) {
                throw new WireException("no hello before: message=" + message.getSaidCase());
            } else {
                switch (message.getSaidCase()) {
                    case SUBMIT -> submit(message.getSubmit(), known);
                    case CANCEL -> cancel(message.getCancel(), known);
                    case WATCH -> watch(message.getWatch(), known);
                    case ASK -> ask(message.getAsk(), known);
                    case RETRY -> retry(message.getRetry(), known);
                    case LIST_JOBS -> {
                        Wire.ListJobs asked = message.getListJobs();
                        int most = (int) Checks.range("most jobs", asked.getMost(), 1, MAX_LISTED);
                        known.tellLater(() -> statuses.list(asked.getAsk(), most, caller));
                    }
                    case LIST_AGENTS -> {
                        long asked = message.getListAgents().getAsk();
                        known.tellLater(() -> agentRegistry.list(asked, StatusMessages.MAX_LIST_BYTES));
                    }
                    default -> throw new WireException("not a message of a session: message=" + message.getSaidCase());
                }
                checkOwed(known);
            }
        }

        /** Forgets the client. Its jobs go on. */
        @Override
        public void left(Outlet<Wire.ToClient> gone) {
            if (session != null) {
                lost(session);
            }
        }
    }

    private @Nullable ClientSession hello(Wire.ClientHello hello, Caller caller, Outlet<Wire.ToClient> from) {
        int version;
        try {
            version = Versions.common(hello.getVersions());
        } catch (WireException e) {
            counts.refusedHello(caller, String.valueOf(e.getMessage()));
            from.end(Status.FAILED_PRECONDITION.withDescription(e.getMessage()));
            return null;
        }
        Checks.natural("client's number", hello.getClient());
        Checks.text("client's name", hello.getName(), MAX_NAME);
        ClientSession session = new ClientSession(sessions.newId(), caller, hello.getClient(), from);
        ClientSession before = byClient.get(session.submitter);
        if (before != null) {
            lost(before);
            before.outlet.end(Status.ABORTED.withDescription("the client has connected again"));
        }
        byClient.put(session.submitter, session);
        sessions.add(session);
        session.tell(Wire.ToClient.newBuilder()
                .setWelcome(Wire.ClientWelcome.newBuilder()
                        .setVersion(version)
                        .setSession(session.id())
                        .setMaster(ids.prefix())));
        return session;
    }

    private void lost(ClientSession session) {
        byClient.remove(session.submitter, session);
        sessions.remove(session);
        watched.giveBack(session.caller, session.watched.size());
        for (long job : session.watched) {
            watchers.computeIfPresent(job, (unused, watching) -> {
                watching.remove(session);
                return watching.isEmpty() ? null : watching;
            });
        }
        session.watched.clear(); // the end of its stream comes here again
        session.forget();
    }

    /** Ends the sessions that are owed most, if the answers to all take too much memory. */
    private void checkOwed(ClientSession asking) {
        if (asking.owedBytes() > MAX_OWED_BYTES / Math.max(1, byClient.size())) {
            for (ClientSession session : ClientSession.owedTooMuch(byClient.values(), MAX_OWED_BYTES)) {
                counts.refused("answers that a client has not read take too much memory: token=" + session.caller);
                lost(session);
                session.outlet.end(Status.RESOURCE_EXHAUSTED.withDescription("too many answers are not read"));
            }
        }
    }

    private void submit(Wire.Submit submit, ClientSession session) {
        int rows = submit.getNumbersCount();
        Checks.column("submitted numbers", submit.getNumbersList(), rows, 0, Long.MAX_VALUE);
        Checks.column("submitted requests", submit.getWhichList(), rows, 0, submit.getRequestsCount() - 1L);
        List<RequestMessage> requests = Requests.messages(submit.getRequestsList());
        requests.forEach(RequestMessage::request); // which refuses what may not be so
        LongArrayList numbers = new LongArrayList(rows);
        LongArrayList which = new LongArrayList(rows);
        for (int row = 0; row < rows; row++) {
            numbers.add(submit.getNumbers(row));
            which.add(submit.getWhich(row));
        }
        if (submit.getAgain()) {
            LongArrayList newNumbers = new LongArrayList();
            LongArrayList newWhich = new LongArrayList();
            for (int row = 0; row < numbers.size(); row++) {
                Job job = jobs.find(session.submitter, numbers.get(row));
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
        submit(session, requests, numbers, which);
    }

    private static void repeatResult(ClientSession session, Job job) {
        if (job.state == Job.State.ENDED) {
            session.result(job.number);
        }
    }

    private void submit(
            ClientSession session, List<RequestMessage> requests, LongArrayList numbers, LongArrayList which) {
        if (numbers.isEmpty()) {
            return;
        }
        if (!session.caller.maySubmit()) {
            refuse(session, numbers, BuildCode.REFUSED, noRole(session.caller));
            return;
        }
        String full = jobs.full(session.submitter, requests, which);
        if (full != null) {
            refuse(session, numbers, BuildCode.QUEUE_FULL, full);
            return;
        }
        boolean all = true;
        for (RequestMessage message : requests) {
            all &= outputs.modes().contains(message.request().output());
        }
        if (all) {
            jobs.submit(session.submitter, requests, numbers, which);
            return;
        }
        LongArrayList good = new LongArrayList();
        LongArrayList goodWhich = new LongArrayList();
        LongArrayList bad = new LongArrayList();
        for (int row = 0; row < numbers.size(); row++) {
            BuildRequest request = requests.get((int) which.get(row)).request();
            if (outputs.modes().contains(request.output())) {
                good.add(numbers.get(row));
                goodWhich.add(which.get(row));
            } else {
                bad.add(numbers.get(row));
            }
        }
        refuse(session, bad, BuildCode.OUTPUT, noOutput());
        if (!good.isEmpty()) {
            jobs.submit(session.submitter, requests, good, goodWhich);
        }
    }

    /**
     * Submits one request, for which somebody waits. If the submitter has a job of the same number, that is the answer.
     *
     * @param number the submitter's, of this request
     * @param retryOf number of the job that it repeats; 0 for none
     * @param answer told once the job is on the device, or cannot be
     * @throws BuildException if the master cannot have the job
     */
    public void submit(Submitter submitter, long number, RequestMessage request, long retryOf, Answer answer) {
        if (jobs.find(submitter, number) != null) {
            answer(submitter, number, answer);
            return;
        }
        LongArrayList row = LongArrayList.of(0);
        String full = jobs.full(submitter, List.of(request), row);
        if (full != null) {
            throw new BuildException(BuildCode.QUEUE_FULL, full);
        }
        if (!outputs.modes().contains(request.request().output())) {
            throw new BuildException(BuildCode.OUTPUT, noOutput());
        }
        jobs.submit(submitter, List.of(request), LongArrayList.of(number), row, retryOf);
        answer(submitter, number, answer);
    }

    /** Tells of the job of a request that was submitted, now or once it is on the device. */
    private void answer(Submitter submitter, long number, Answer answer) {
        Job job = jobs.find(submitter, number);
        if (job != null && job.state == Job.State.ACCEPTING) {
            answers.computeIfAbsent(job.number, unused -> new ArrayList<>(1)).add(answer);
        } else if (job != null) {
            answer.accepted(job);
        }
    }

    /**
     * Submits the request of a job again.
     *
     * @param number the submitter's, of the new request
     * @throws BuildException if the caller may not, or the master cannot have the job
     */
    public void retry(Job job, Caller caller, Submitter submitter, long number, Answer answer) {
        if (!caller.maySubmit()) {
            throw new BuildException(BuildCode.REFUSED, noRole(caller));
        }
        if (jobs.find(submitter, number) != null) { // was asked before
            answer(submitter, number, answer);
            return;
        }
        RequestMessage request;
        try {
            request = jobs.request(job);
        } catch (SecretsLostException e) {
            throw new BuildException(BuildCode.STORAGE, String.valueOf(e.getMessage()), e);
        }
        if (request == null) {
            throw new BuildException(BuildCode.STORAGE, "request is not in the journal any more: job=" + job.number);
        }
        if (!request.request().secretNames().isEmpty() && !caller.name().equals(job.submitter.owner())) {
            throw new BuildException(
                    BuildCode.REFUSED,
                    "job has secrets, so only its owner may retry it: owner=" + job.submitter.owner() + " token="
                            + caller);
        }
        submit(submitter, number, request, job.number, answer);
    }

    private static String noRole(Caller caller) {
        return "token may not submit builds: token=" + caller;
    }

    private void retry(Wire.Retry retry, ClientSession session) {
        Checks.natural("request's number", retry.getNumber());
        long ask = retry.getAsk();
        Job job = find(retry.getJob(), session);
        if (job == null) {
            session.tell(unknown(ask, retry.getJob()));
            return;
        }
        try {
            retry(job, session.caller, session.submitter, retry.getNumber(), new Answer() {
                @Override
                public void accepted(Job made) {
                    session.tell(Wire.ToClient.newBuilder()
                            .setRetried(Wire.Retried.newBuilder().setAsk(ask).setJob(made.number)));
                }

                @Override
                public void refused(String reason) {
                    session.tell(failed(ask, BuildCode.STORAGE, reason));
                }
            });
        } catch (BuildException e) {
            noteRefusal(session, e.code());
            session.tell(failed(ask, e.code(), String.valueOf(e.getMessage())));
        }
    }

    private String noOutput() {
        return "master has not this output: it has " + outputs.modes();
    }

    private void refuse(ClientSession session, LongArrayList numbers, BuildCode code, String reason) {
        noteRefusal(session, code);
        session.tell(rejected(numbers, code, reason));
    }

    private void noteRefusal(ClientSession session, BuildCode code) {
        counts.refused("request of a client: code=" + code + " token=" + session.caller);
    }

    private static Wire.ToClient.Builder rejected(LongArrayList numbers, BuildCode code, String reason) {
        Wire.Rejected.Builder rejected =
                Wire.Rejected.newBuilder().setCode(code.number()).setReason(reason);
        numbers.forEach(rejected::addNumbers);
        return Wire.ToClient.newBuilder().setRejected(rejected);
    }

    private void cancel(Wire.CancelJob cancel, ClientSession session) {
        Checks.text("reason", cancel.getReason(), MAX_REASON);
        Job job = find(cancel.getJob(), session);
        if (job == null) {
            session.tell(unknown(cancel.getAsk(), cancel.getJob()));
            return;
        }
        if (!session.caller.mayCancel(job.submitter.owner())) {
            String reason = "token may not cancel builds of others: token=" + session.caller;
            noteRefusal(session, BuildCode.REFUSED);
            session.tell(failed(cancel.getAsk(), BuildCode.REFUSED, reason));
            return;
        }
        boolean was = cancel(job, cancel.getReason());
        session.tell(Wire.ToClient.newBuilder()
                .setCancelled(
                        Wire.Cancelled.newBuilder().setAsk(cancel.getAsk()).setWas(was)));
    }

    /** Asks for a job's end; returns false if it has ended. */
    public boolean cancel(Job job, String reason) {
        boolean was = jobs.cancel(job, reason);
        if (was) {
            agentRegistry.cancel(job, reason);
        }
        return was;
    }

    /** Returns a job that a client may see; null if there is none. */
    private @Nullable Job find(long number, ClientSession session) {
        Job job = jobs.find(number);
        return job != null && session.caller.maySee(job.submitter.owner()) ? job : null;
    }

    private Wire.ToClient.Builder unknown(long ask, long job) {
        return failed(ask, BuildCode.UNKNOWN_JOB, "no such job for this token, or no more: job=" + ids.text(job));
    }

    private static Wire.ToClient.Builder failed(long ask, BuildCode code, String reason) {
        return Wire.ToClient.newBuilder()
                .setFailed(Wire.Failed.newBuilder()
                        .setAsk(ask)
                        .setCode(code.number())
                        .setReason(reason));
    }

    private static Wire.ToClient.Builder unknown(long job) {
        return Wire.ToClient.newBuilder().setUnknown(Wire.Unknown.newBuilder().setJob(job));
    }

    private static Wire.ToClient.Builder resultOf(Job job) {
        return Wire.ToClient.newBuilder()
                .setResult(Wire.Result.newBuilder()
                        .setJob(job.number)
                        .setEnding(StatusMessages.ending(job).toMessage()));
    }

    private void watch(Wire.Watch watch, ClientSession session) {
        Checks.count("watched jobs", watch.getJobsCount(), Checks.MAX_ROWS);
        for (int row = 0; row < watch.getJobsCount(); row++) {
            long number = watch.getJobs(row);
            Job job = find(number, session);
            if (job == null || job.state == Job.State.ENDED) {
                session.result(number);
            } else if (!job.submitter.equals(session.submitter)) {
                watch(number, session);
            }
        }
    }

    private void watch(long job, ClientSession session) {
        if (session.watched.contains(job)) {
            return;
        }
        if (session.watched.size() >= MAX_WATCHED) {
            throw new WireException("watched jobs of a session: most=" + MAX_WATCHED);
        }
        if (!watched.take(session.caller)) {
            throw new WireException("watched jobs of all sessions: " + watched.describe(session.caller));
        }
        if (session.watched.add(job)) {
            watchers.computeIfAbsent(job, unused -> new ArrayList<>(1)).add(session);
        }
    }

    private void ask(Wire.Ask ask, ClientSession session) {
        Job job = find(ask.getJob(), session);
        session.tell(
                job == null
                        ? unknown(ask.getAsk(), ask.getJob())
                        : Wire.ToClient.newBuilder().setStatus(statuses.status(ask.getAsk(), job)));
    }

    /** Notes that a request has become a job. */
    public void accepted(Job job) {
        ClientSession session = byClient.get(job.submitter);
        if (session != null) {
            session.accepted(job);
        }
        if (!answers.isEmpty()) {
            answersOf(job).forEach(answer -> answer.accepted(job));
        }
    }

    private List<Answer> answersOf(Job job) {
        List<Answer> waiting = answers.remove(job.number);
        return waiting == null ? List.of() : waiting;
    }

    /** Has the clients of jobs told that these were not accepted. */
    public void refused(List<Job> refused, String reason) {
        Map<Submitter, LongArrayList> numbers = new HashMap<>();
        for (Job job : refused) {
            numbers.computeIfAbsent(job.submitter, unused -> new LongArrayList())
                    .add(job.requestNumber);
            answersOf(job).forEach(answer -> answer.refused(reason));
        }
        numbers.forEach((submitter, column) -> {
            ClientSession session = byClient.get(submitter);
            if (session != null) {
                session.tell(rejected(column, BuildCode.STORAGE, reason));
            }
        });
    }

    /** Notes that there is a result. */
    public void ended(Job job) {
        ClientSession session = byClient.get(job.submitter);
        if (session != null && CompletionTracker.isPlain(job)) {
            session.done(job);
        } else if (session != null) {
            if (!job.durable) {
                session.accepted(job);
                session.tell(resultOf(job));
            } else {
                session.result(job.number);
            }
        }
        List<ClientSession> others = watchers.isEmpty() ? null : watchers.remove(job.number);
        if (others != null) {
            others.forEach(other -> {
                other.watched.remove(job.number);
                watched.giveBack(other.caller, 1);
                other.result(job.number);
            });
        }
    }

    /** Sends what there is; false where some connection takes no more now. */
    public boolean flush() {
        boolean all = true;
        for (ClientSession session : new ArrayList<>(byClient.values())) {
            boolean isSent = session.flush(number -> result(number, session));
            session.outlet.setBehind(!isSent);
            all &= isSent;
        }
        return all;
    }

    private Wire.ToClient.Builder result(long number, ClientSession session) {
        Job job = find(number, session);
        return job == null ? unknown(number) : resultOf(job);
    }
}
