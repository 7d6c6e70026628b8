package dev.touchstone.builds.master;

import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.builds.master.artefact.ArtefactService;
import dev.touchstone.builds.master.artefact.ArtefactStore;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.JournalFolder;
import dev.touchstone.builds.master.log.AttemptFiles;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.Sinks;
import dev.touchstone.builds.web.BuildsView;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
     *             journal are known. `close` ends the dispatcher first, so that nothing is decided while the others end, and the journal last.
     * Failure:    a thread that ends by itself closes the master, and `join` returns why.
     */
    private static final int PREFIX_BYTES = 3;

    private final Supervisor supervisor = new Supervisor(this::close);
    private final Journal journal;
    private final LogStore logs;
    private final ArtefactStore artefacts;
    private final Dispatcher dispatcher;
    private final Sessions sessions;
    private final Outputs outputs;
    private final LogService appender;
    private final ViewService viewers;
    private final ArtefactService artefactService;
    private final Thread artefactThread;
    private final JobIds ids;
    private final MasterView view;
    private final Reception reception;

    private Master(MasterOptions options, TimeSource timeSource, List<Sink> sinks) throws IOException {
        this.dispatcher = new Dispatcher(timeSource, supervisor);
        OwnerOnly.tighten(OwnerOnly.folder(options.folder()));
        JournalFolder files = new JournalFolder(options.folder());
        files.resume();
        Recovery recovery = new Recovery();
        this.journal = open(files, recovery);
        this.logs = new LogStore(new AttemptFiles(options.folder().resolve("logs")), supervisor::failed);
        this.artefacts = artefacts(options, recovery);
        long life = recovery.life() + 1;
        this.ids = new JobIds(prefix(recovery.prefix()));
        this.sessions = new Sessions(life);
        Wiring wiring = new Wiring();
        this.outputs = new Outputs(sinks, ids);
        Jobs jobs = new Jobs(journal, logs, artefacts, options, timeSource, outputs, wiring);
        Results results = new Results(jobs, timeSource, logs, artefacts, outputs, dispatcher);
        outputs.start(logs, dispatcher, results, supervisor::failed);
        jobs.recover(recovery, life);
        AgentRegistry agentRegistry = new AgentRegistry(jobs, results, ids, sessions, timeSource, options);
        agentRegistry.recover();
        ClientRegistry clientRegistry = new ClientRegistry(jobs, agentRegistry, ids, sessions, outputs);
        this.viewers = new ViewService(
                logs, sessions, dispatcher, (number, reader) -> lengthOf(jobs, number, reader), supervisor);
        this.view = new MasterView(jobs, agentRegistry, clientRegistry, logs, ids, sessions, dispatcher, supervisor);
        this.appender = new LogService(
                logs,
                sessions,
                number -> {
                    outputs.grew(number);
                    view.changed(number);
                },
                viewers::changed,
                supervisor);
        this.artefactService = artefactService(jobs);
        this.artefactThread = supervisor.thread("builds-artefacts", artefactService::run);
        wiring.clientRegistry = clientRegistry;
        wiring.viewers = viewers;
        wiring.view = view;
        journal.append(new Event.Life(life, ids.prefix(), jobs.nextNumber()), (sequence, failure) -> {});
        dispatcher.start(new Dispatcher.Parts(
                jobs, agentRegistry, clientRegistry, new JournalCleaner(jobs, journal, life, options.cleanBytes())));
        appender.start();
        viewers.start();
        artefactThread.start();
        this.reception = open(
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
                        (caller, session) -> agentArtefacts(sessions.agent(session), caller),
                        (caller, session) -> clientArtefacts(sessions.client(session), caller)));
        supervisor.thread("builds-reception", reception::run).start();
        supervisor.thread("builds-health", this::reportHealth).start();
    }

    private void reportHealth() throws InterruptedException {
        while (isAlive()) {
            reception.report(view.problem().isEmpty());
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private ArtefactStore artefacts(MasterOptions options, Recovery recovery) throws IOException {
        ArtefactStore opened =
                new ArtefactStore(options.folder().resolve("artefacts"), options.artefacts(), supervisor::failed);
        opened.recover(recovery::hasArtefacts, recovery::isLeased);
        return opened;
    }

    private ArtefactService artefactService(Jobs jobs) {
        return new ArtefactService(
                artefacts, dispatcher, (number, reader) -> artefactsOf(jobs, number, reader), sessions::countStale);
    }

    private Reception open(MasterOptions options, Reception.Services services) throws IOException {
        boolean done = false;
        try {
            Reception opened = new Reception(
                    new InetSocketAddress(options.listen(), options.port()), options.admission(), sessions, services);
            done = true;
            return opened;
        } finally {
            if (!done) {
                supervisor.closing();
                dispatcher.close();
                closeServices();
            }
        }
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
        return agent == null || !caller.mayBeAgent(agent.identity) || agent.hasArtefacts.getAndSet(true)
                ? null
                : artefactService.agent(agent.identity);
    }

    /** Returns what takes a client's questions for artefacts, or null as {@link #agentArtefacts} does. */
    private Reception.@Nullable Service<Wire.ReadArtefact, Wire.LogAnswer> clientArtefacts(
            @Nullable ClientSession client, Caller caller) {
        return client == null || !client.caller.equals(caller) || client.hasArtefacts.getAndSet(true)
                ? null
                : artefactService.client(caller);
    }

    /**
     * Makes the threads of a master, none of which it can do without: one that ends by itself, for whatever reason, ends the master, which says so.
     * Thread-safe.
     */
    static final class Supervisor {
        /*
         * Who calls:  any thread of the master `failed`; whoever closes the master `closing`.
         * Invariants: the first of `failed` and `closing` settles `end`, and what fails later is told to nobody.
         * Ordering:   `failed` starts the thread that closes the master before it completes `end`: where there is no memory for a thread, `report`
         *             calls it again. That thread begins with `closing`, which waits for the lock, so that the failure is what `end` says.
         */
        private static final Logger LOG = System.getLogger(Master.class.getName());

        private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        private final Runnable close;
        private final CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();

        /** The work of a thread. */
        interface Service {
            /** Works until it is interrupted or its mailbox is closed. */
            void run() throws InterruptedException;
        }

        Supervisor(Runnable close) {
            this.close = close;
        }

        /** Returns a thread for a service, which is not started yet. */
        Thread thread(String name, Service service) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            service.run();
                            failed(name, new IllegalStateException("returned"));
                        } catch (InterruptedException | RuntimeException | Error e) {
                            report(name, e);
                        }
                    },
                    name);
            thread.setDaemon(true);
            return thread;
        }

        /** Reports a failure, and again while there is no memory to report it: else nobody would notice. */
        @SuppressWarnings("UnusedException") // there may be no memory for another
        private void report(String thread, Throwable cause) {
            boolean isReported = false;
            while (!isReported) {
                try {
                    failed(thread, cause);
                    isReported = true;
                } catch (OutOfMemoryError e) {
                    LockSupport.parkNanos(this, RETRY_NANOS);
                }
            }
        }

        /** Ends the master, unless it is closed, because a thread could not do its work. */
        synchronized void failed(String thread, Throwable cause) {
            if (end.isDone()) {
                return;
            }
            String message = "a thread of the master has ended: name=" + thread;
            Optional<Throwable> failure = Optional.of(new IllegalStateException(message, cause));
            new Thread(close, "builds-failed").start(); // waits for the thread that has failed
            boolean unused = end.complete(failure);
            LOG.log(Logger.Level.ERROR, message, cause);
        }

        /** Returns whether the master ends or has ended. */
        boolean isEnding() {
            return end.isDone();
        }

        /** Notes that threads end because the master is closed. */
        synchronized void closing() {
            end.complete(Optional.empty());
        }
    }

    /** Passes on what happens to jobs to the other services. */
    private static final class Wiring implements Jobs.Listener {
        private @Nullable ClientRegistry clientRegistry;
        private @Nullable ViewService viewers;
        private @Nullable MasterView view;

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
            AgentSession agent = job.session;
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
        return new Master(options, timeSource, sinks);
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
        try {
            return supervisor.end.get().orElse(null);
        } catch (ExecutionException e) {
            throw new AssertionError("an end is no failure of its own", e);
        }
    }

    /** Waits for the end of another thread; returns at once in the thread itself. An interrupt is kept for later. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the number of events in the journal. */
    public long journalEvents() {
        return journal.size();
    }

    /** Returns the number of messages of leases that are over, which changed nothing. */
    public long staleMessages() {
        return sessions.stale();
    }

    /** Returns the number of messages that the protocol does not allow, each of which ended its stream. */
    public long malformedMessages() {
        return sessions.malformed();
    }

    /** Ends the master; agents go on with what they have, and come back to the next master. */
    @Override
    public void close() {
        supervisor.closing();
        dispatcher.close();
        reception.close();
        closeServices();
    }

    private void closeServices() {
        appender.close();
        viewers.close();
        artefactService.close();
        join(artefactThread);
        outputs.close();
        logs.close();
        artefacts.close();
        journal.close();
    }
}
