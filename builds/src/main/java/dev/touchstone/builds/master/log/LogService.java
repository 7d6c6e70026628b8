package dev.touchstone.builds.master.log;

import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.rpc.GuestCounts;
import dev.touchstone.builds.master.rpc.GuestSession;
import dev.touchstone.builds.master.rpc.Inbox;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that appends what agents send of their logs, and lets them send more when it has: no agent has more than a window on its way, whatever
 * happens to those who read.
 */
public final class LogService implements AutoCloseable {
    /*
     * Who calls:  threads of the transport `of` and the inbox; the thread that closes the master `close`; everything else, and `credits`, is the own
     *             thread's.
     * Ordering:   an agent is let send more when its bytes are in the file, at the end of the turn.
     * Failure:    bytes that cannot be written are not credited, and the dispatcher asks for them again.
     */
    private static final Logger LOG = System.getLogger(LogService.class.getName());
    private static final int MAX_MESSAGES = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Inbox inbox = new Inbox(MAX_MESSAGES);
    private final LogStore logs;
    private final Sessions<? extends GuestSession> agents;
    private final GuestCounts counts;
    private final LongConsumer grown;
    private final LongConsumer watched;
    private final Map<Outlet<Wire.Credit>, Credits> credits = new HashMap<>();
    private final Thread thread;

    /** The credit that an agent is to be told. */
    private static final class Credits {
        final LongArrayList jobs = new LongArrayList();
        final LongArrayList epochs = new LongArrayList();
        final LongArrayList offsets = new LongArrayList();

        /** Returns whether nothing is left to send. */
        boolean flush(Outlet<Wire.Credit> to) {
            Wire.Credit.Builder credit = Wire.Credit.newBuilder();
            jobs.forEach(credit::addJobs);
            epochs.forEach(credit::addEpochs);
            offsets.forEach(credit::addOffsets);
            return to.trySend(credit.build());
        }
    }

    /**
     * Makes a service that {@link #start} lets begin.
     *
     * @param grown told of jobs whose log has grown
     * @param watched told of those of them that somebody watches
     */
    public LogService(
            LogStore logs,
            Sessions<? extends GuestSession> agents,
            GuestCounts counts,
            LongConsumer grown,
            LongConsumer watched,
            Supervisor supervisor) {
        this.logs = logs;
        this.agents = agents;
        this.counts = counts;
        this.grown = grown;
        this.watched = watched;
        this.thread = supervisor.thread("builds-logs", this::run);
    }

    public void start() {
        thread.start();
    }

    public Inbox inbox() {
        return inbox;
    }

    /** Returns what takes the logs of a session's agent, or null if there is no such session, or it has its stream of logs. */
    public Reception.@Nullable Service<Wire.LogPiece, Wire.Credit> of(Caller caller, long session) {
        GuestSession agent = agents.get(session);
        return agent == null || !agent.openLogs(caller) ? null : new Pieces(session);
    }

    private final class Pieces implements Reception.Service<Wire.LogPiece, Wire.Credit> {
        private final long session;

        Pieces(long session) {
            this.session = session;
        }

        @Override
        public void take(Wire.LogPiece message, Outlet<Wire.Credit> from) {
            Checks.natural("attempt", message.getAttempt());
            Checks.natural("epoch", message.getEpoch());
            Checks.natural("offset", message.getOffset());
            if (message.getBytes().size() > Rpc.MAX_PIECE) {
                throw new WireException("piece of a log: expected at most " + Rpc.MAX_PIECE + " bytes got="
                        + message.getBytes().size());
            }
            append(message, from, session);
        }

        @Override
        public void left(Outlet<Wire.Credit> gone) {
            credits.remove(gone);
        }
    }

    private void run() throws InterruptedException {
        while (inbox.turn(PATIENCE)) {
            credits.entrySet().removeIf(entry -> entry.getValue().flush(entry.getKey()));
        }
    }

    private void append(Wire.LogPiece message, Outlet<Wire.Credit> from, long session) {
        JobLog log = logs.find(message.getJob());
        GuestSession agent = agents.get(session);
        if (agent == null || log == null) {
            counts.countStale();
            return;
        }
        JobLog.Verdict verdict;
        try {
            verdict = log.append(
                    agent.name(),
                    message.getAttempt(),
                    message.getEpoch(),
                    message.getOffset(),
                    message.getBytes().asReadOnlyByteBuffer());
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "log cannot be written, and is asked for again: job=" + message.getJob(), e);
            return;
        }
        if (verdict == JobLog.Verdict.STALE) {
            counts.countStale();
        } else if (verdict == JobLog.Verdict.TOO_LONG) {
            counts.refused("log of an agent is longer than its request lets it be: agent=" + agent.name());
        }
        if (verdict != JobLog.Verdict.APPENDED) {
            return;
        }
        long offset = log.credit(Rpc.LOG_WINDOW);
        if (offset >= 0) {
            Credits to = credits.computeIfAbsent(from, unused -> new Credits());
            to.jobs.add(message.getJob());
            to.epochs.add(message.getEpoch());
            to.offsets.add(offset);
        }
        logs.checkComplete(message.getJob(), log);
        grown.accept(message.getJob());
        if (log.takeWatched()) {
            watched.accept(message.getJob());
        }
    }

    /** Ends the thread, behind its present turn. */
    @Override
    public void close() {
        inbox.close();
        Supervisor.join(thread);
    }
}
