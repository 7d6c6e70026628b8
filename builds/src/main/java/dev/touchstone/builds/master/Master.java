package dev.touchstone.builds.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.builds.master.agent.AgentRegistry;
import dev.touchstone.builds.master.agent.AgentSession;
import dev.touchstone.builds.master.agent.Results;
import dev.touchstone.builds.master.artefact.ArtefactService;
import dev.touchstone.builds.master.artefact.ArtefactStore;
import dev.touchstone.builds.master.client.ClientRegistry;
import dev.touchstone.builds.master.client.ClientSession;
import dev.touchstone.builds.master.client.ViewService;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.JobIds;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.JournalCleaner;
import dev.touchstone.builds.master.job.LeaseHolder;
import dev.touchstone.builds.master.job.Outputs;
import dev.touchstone.builds.master.job.Recovery;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.JournalFolder;
import dev.touchstone.builds.master.log.AttemptFiles;
import dev.touchstone.builds.master.log.LogService;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.master.rpc.GuestCounts;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.Sinks;
import dev.touchstone.builds.web.BuildsView;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A build master. Thread-safe. What it has accepted, given away and been told is in its folder before it says so; another master on the same folder goes
 * on with all of it.
 */
public final class Master implements AutoCloseable {
    /*
     * Who calls:  whoever has started the master `view`, `port`, `isAlive`, `join`, the counts and `close`; the thread that `Supervisor.failed`
     *             starts `close` too.
     * Invariants: the dispatcher's thread alone decides about jobs, agents and clients; other threads ask it by its inbox.
     * Ordering:   threads are started when all that they use is there, and the reception last, so that nobody is let in before the jobs of the
     *             journal are known. `Opened` says in which order they end.
     * Failure:    a thread that ends by itself closes the master, and `join` returns why.
     */
    private static final Logger LOG = System.getLogger(Master.class.getName());
    private static final int PREFIX_BYTES = 3;

    private final Opened opened;
    private final Supervisor supervisor;
    private final Journal journal;
    private final LogStore logs;
    private final ArtefactStore artefacts;
    private final Dispatcher dispatcher;
    private final GuestCounts counts = new GuestCounts();
    private final Outputs outputs;
    private final LogService appender;
    private final ViewService viewers;
    private final ArtefactService artefactService;
    private final JobIds ids;
    private final MasterView view;
    private final Reception reception;

    private Master(MasterOptions options, TimeSource timeSource, List<Sink> sinks, Opened opened) throws IOException {
        this.opened = opened;
        this.supervisor = opened.supervisor;
        this.dispatcher = opened.dispatcher;
        OwnerOnly.tighten(OwnerOnly.folder(options.folder()));
        JournalFolder files = new JournalFolder(options.folder());
        files.resume();
        Recovery recovery = new Recovery();
        this.journal = opened.keep(open(files, recovery));
        this.logs = opened.keep(new LogStore(new AttemptFiles(options.folder().resolve("logs")), supervisor::failed));
        this.artefacts = opened.keep(artefactStore(options));
        artefacts.recover(recovery::hasArtefacts, recovery::isLeased);
        long life = recovery.life() + 1;
        this.ids = new JobIds(prefix(recovery.prefix()));
        Sessions<AgentSession> agents = new Sessions<>();
        Sessions<ClientSession> clients = new Sessions<>();
        Wiring wiring = new Wiring();
        this.outputs = opened.keep(new Outputs(sinks, ids));
        Jobs jobs = new Jobs(journal, logs, artefacts, options.jobLimits(), timeSource, outputs, wiring);
        Results results = new Results(jobs, timeSource, logs, artefacts, outputs, dispatcher);
        outputs.start(logs, dispatcher, results, supervisor::failed);
        jobs.recover(recovery, life);
        AgentRegistry agentRegistry =
                new AgentRegistry(jobs, results, ids, agents, counts, timeSource, options.grace(), options.artefacts());
        agentRegistry.recover();
        ClientRegistry clientRegistry = new ClientRegistry(jobs, agentRegistry, ids, clients, counts, outputs);
        this.viewers = opened.keep(new ViewService(
                logs, clients, dispatcher, (number, reader) -> lengthOf(jobs, number, reader), supervisor));
        this.view =
                new MasterView(jobs, agentRegistry, clientRegistry, logs, ids, clients, counts, dispatcher, supervisor);
        this.appender = opened.keep(new LogService(
                logs,
                agents,
                counts,
                number -> {
                    outputs.grew(number);
                    view.changed(number);
                },
                viewers::changed,
                supervisor));
        this.artefactService = opened.keep(artefactService(jobs));
        wiring.connect(clientRegistry, viewers, view);
        journal.append(new Event.Life(life, ids.prefix(), jobs.nextNumber()), (sequence, failure) -> {});
        JournalCleaner cleaner = new JournalCleaner(jobs, journal, life, options.cleanBytes());
        dispatcher.start(new Dispatcher.Parts(jobs, agentRegistry, clientRegistry, cleaner));
        this.reception = opened.keep(open(
                options,
                new Reception.Services(
                        dispatcher.inbox(),
                        (caller, session) -> agentRegistry.of(caller),
                        (caller, session) -> clientRegistry.of(caller),
                        appender.inbox(),
                        appender::of,
                        viewers.inbox(),
                        viewers::of,
                        artefactService.inbox(),
                        (caller, session) -> agentArtefacts(agents.get(session), caller),
                        (caller, session) -> clientArtefacts(clients.get(session), caller))));
        begin();
    }

    private void begin() {
        appender.start();
        viewers.start();
        artefactService.start();
        supervisor.thread("builds-reception", reception::run).start();
        supervisor.thread("builds-health", this::reportHealth).start();
    }

    private void reportHealth() throws InterruptedException {
        while (isAlive()) {
            reception.report(view.problem().isEmpty());
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private ArtefactStore artefactStore(MasterOptions options) throws IOException {
        return new ArtefactStore(options.folder().resolve("artefacts"), options.artefacts(), supervisor::failed);
    }

    private ArtefactService artefactService(Jobs jobs) {
        return new ArtefactService(
                artefacts,
                dispatcher,
                (number, reader) -> artefactsOf(jobs, number, reader),
                counts::countStale,
                supervisor);
    }

    private Reception open(MasterOptions options, Reception.Services services) throws IOException {
        return new Reception(
                new InetSocketAddress(options.listen(), options.port()), options.admission(), counts, services);
    }

    /** Opens and plays the journal, which has no secret in clear from then on. */
    private Journal open(JournalFolder files, Recovery recovery) throws IOException {
        Journal opened = new Journal(files, dispatcher);
        boolean done = false;
        try {
            if (opened.play(recovery)) {
                opened.sealAll();
                opened = new Journal(files, dispatcher);
                recovery.clear();
                boolean unused = opened.play(recovery);
            }
            done = true;
            return opened;
        } finally {
            if (!done) {
                opened.close();
            }
        }
    }

    private static String prefix(@Nullable String before) {
        return before != null ? before : newPrefix();
    }

    /** Returns a random prefix for the ids of a new folder's jobs. */
    static String newPrefix() {
        byte[] random = new byte[PREFIX_BYTES];
        new SecureRandom().nextBytes(random);
        return "j" + HexFormat.of().formatHex(random);
    }

    private static long lengthOf(Jobs jobs, long number, Caller reader) {
        Job job = jobs.find(number);
        if (job == null || !reader.maySee(job.submitter.owner())) {
            return -2;
        }
        return job.state == Job.State.ENDED && job.ending != null ? job.ending.logBytes() : -1;
    }

    private static int artefactsOf(Jobs jobs, long number, Caller reader) {
        Job job = jobs.find(number);
        if (job == null || !reader.maySee(job.submitter.owner())) {
            return -2;
        }
        return job.state == Job.State.ENDED && job.ending != null ? job.ending.artefacts() : -1;
    }

    /** Returns what takes the artefacts of a session's agent, or null if there is no such session, or it has its stream of artefacts. */
    private Reception.@Nullable Service<Wire.ArtefactPiece, Wire.ArtefactCredit> agentArtefacts(
            @Nullable AgentSession agent, Caller caller) {
        return agent == null || !agent.openArtefacts(caller) ? null : artefactService.agent(agent.identity);
    }

    /** Returns what takes a client's questions for artefacts, or null as {@link #agentArtefacts} does. */
    private Reception.@Nullable Service<Wire.ReadArtefact, Wire.LogAnswer> clientArtefacts(
            @Nullable ClientSession client, Caller caller) {
        return client == null || !client.openArtefacts(caller) ? null : artefactService.client(caller);
    }

    /** Holds what a master has opened, be it whole or half started, and closes it once. Thread-safe. */
    private static final class Opened {
        /*
         * Who calls:  whoever starts the master `keep`; whoever closes it, and the thread that `Supervisor.failed` starts, `close`.
         * Invariants: what is kept is closed once; what is kept behind a `close`, by the next one.
         * Ordering:   the dispatcher ends first, so that nothing is decided meanwhile; then the parts, the last that was opened first.
         */
        private final Supervisor supervisor = new Supervisor(this::close);
        private final Dispatcher dispatcher;

        @GuardedBy("this")
        private final Deque<AutoCloseable> parts = new ArrayDeque<>();

        Opened(TimeSource timeSource) {
            dispatcher = new Dispatcher(timeSource, supervisor);
        }

        /** Returns what is to be closed before all that was opened earlier. */
        synchronized <C extends AutoCloseable> C keep(C part) {
            parts.push(part);
            return part;
        }

        synchronized void close() {
            supervisor.closing();
            dispatcher.close();
            for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
                try {
                    part.close();
                } catch (Exception e) {
                    LOG.log(Logger.Level.WARNING, "part of the master cannot be closed", e);
                }
            }
        }
    }

    /** Passes on what happens to jobs to the other services. */
    private static final class Wiring implements Jobs.Listener {
        private @Nullable ClientRegistry clientRegistry;
        private @Nullable ViewService viewers;
        private @Nullable MasterView view;

        private void connect(ClientRegistry clients, ViewService logViewers, MasterView master) {
            clientRegistry = clients;
            viewers = logViewers;
            view = master;
        }

        private ClientRegistry clientRegistry() {
            if (clientRegistry == null) {
                throw new IllegalStateException("not started");
            }
            return clientRegistry;
        }

        private void changed(Job job) {
            if (viewers != null) {
                viewers.changed(job.number);
            }
            if (view != null) {
                view.changed(job.number);
            }
        }

        @Override
        public void accepted(Job job) {
            clientRegistry().accepted(job);
        }

        @Override
        public void leased(Job job) {
            changed(job);
        }

        @Override
        public void ended(Job job) {
            clientRegistry().ended(job);
            if (view != null) {
                view.ended(job);
            }
            LeaseHolder agent = job.session;
            if (agent != null && !job.route.noop()) {
                agent.forget(job);
            }
            job.session = null;
            changed(job);
        }

        @Override
        public void forgotten(Job job) {
            changed(job);
        }

        @Override
        public void refused(List<Job> jobs, String reason) {
            clientRegistry().refused(jobs, reason);
        }
    }

    /**
     * Starts a master.
     *
     * @throws IOException if it cannot listen, or its folder cannot be used
     * @throws dev.touchstone.builds.master.journal.JournalDamagedException if its journal has not what was written
     * @throws dev.touchstone.queue.QueueException if its journal cannot be used, because another master does
     */
    public static Master start(MasterOptions options) throws IOException {
        return start(options, List.of());
    }

    /**
     * Starts a master with more places for output; discarding and streaming it always has.
     *
     * @param options of the master; not null
     * @param more places, which the master closes; not null
     * @return the master, which the caller closes
     * @throws IOException as for {@link #start(MasterOptions)}
     */
    public static Master start(MasterOptions options, List<Sink> more) throws IOException {
        return start(options, more, TimeSource.SYSTEM);
    }

    static Master start(MasterOptions options, List<Sink> more, TimeSource timeSource) throws IOException {
        List<Sink> sinks = new ArrayList<>(List.of(Sinks.discard(), Sinks.stream()));
        sinks.addAll(more);
        Opened opened = new Opened(timeSource);
        boolean isStarted = false;
        try {
            Master master = new Master(options, timeSource, sinks, opened);
            isStarted = true;
            return master;
        } finally {
            if (!isStarted) {
                opened.close();
            }
        }
    }

    /**
     * Returns the view of this master's jobs that a web server shows.
     *
     * @return the view, thread-safe
     */
    public BuildsView view() {
        return view;
    }

    /** Returns the TCP port that the master listens on. */
    public int port() {
        return reception.port();
    }

    /**
     * Returns whether the master goes on.
     *
     * @return false once it was closed, or has failed
     */
    public boolean isAlive() {
        return !supervisor.isEnding();
    }

    /** Waits until the master has ended; returns why, or null if it was closed. */
    public @Nullable Throwable join() throws InterruptedException {
        return supervisor.await().orElse(null);
    }

    /** Returns the number of events in the journal. */
    public long journalEvents() {
        return journal.size();
    }

    /** Returns the number of messages of leases that are over, which changed nothing. */
    public long staleMessages() {
        return counts.stale();
    }

    /** Returns the number of messages that the protocol does not allow, each of which ended its stream. */
    public long malformedMessages() {
        return counts.malformed();
    }

    /** Ends the master; agents go on with what they have, and come back to the next master. */
    @Override
    public void close() {
        opened.close();
    }
}
