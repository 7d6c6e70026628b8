package dev.touchstone.builds.origin;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.AssignmentRefusedException;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.LogMode;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.wire.Security;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connects an agent to a master that speaks the origin's protocol, ours or the original, as a slave. Thread-safe. The protocol cannot resume anything: builds of a
 * connection that is lost are cancelled.
 */
public final class OriginSlave implements AutoCloseable {
    /*
     * Who calls:  `thread` connects, sends logs and replies; the connection's own takes requests; executors of the agent call the listener.
     * Invariants: a run is in `runs` from its request until its reply is sent, or its connection has ended. `sent` is the thread's alone.
     * Ordering:   a run's reply follows the last byte of its log: both are sent by `thread`.
     * Failure:    a connection that is lost takes its builds with it: they are cancelled, and their ends told to nobody.
     */
    private static final Logger LOG = System.getLogger(OriginSlave.class.getName());
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofDays(1); // the protocol has none
    private static final long MAX_LOG_BYTES = 1L << 30;
    private static final int MAX_PIECE = 32 << 10;
    private static final long ROOM_NANOS = 1_000_000;

    private final LocalAgent agent;
    private final OriginAddress master;
    private final String identity;
    private final Security security;
    private final String prefix;
    private final AtomicLong numbers = new AtomicLong();
    private final Thread thread = new Thread(this::run, "builds-origin-slave");
    private volatile boolean isClosed;

    private OriginSlave(LocalAgent agent, OriginAddress master, String identity, Security security) {
        this.agent = agent;
        this.master = master;
        this.identity = identity;
        this.security = security;
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        this.prefix = "origin-" + HexFormat.of().formatHex(random) + '-';
        thread.setDaemon(true);
    }

    /**
     * Begins to connect, and returns.
     *
     * @param agent that runs the builds; not null
     * @param master where the master listens; not null
     * @param identity unique among the master's slaves; not null
     * @param security token, TLS for {@code wss}, and heartbeat; not null
     * @return what connects the agent until it is closed
     */
    public static OriginSlave start(LocalAgent agent, OriginAddress master, String identity, Security security) {
        OriginSlave slave = new OriginSlave(agent, master, identity, security);
        slave.thread.start();
        return slave;
    }

    private void run() {
        for (RecoveredAttempt left : agent.leftovers()) {
            forget(left.jobId(), left.attempt());
        }
        long backoff = FIRST_BACKOFF.toNanos();
        while (!isClosed) {
            Session session = new Session();
            try {
                session.live();
                backoff = FIRST_BACKOFF.toNanos();
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                session.cancelAll();
            }
            if (!isClosed) {
                LockSupport.parkNanos(this, backoff);
            }
            backoff = Math.min(2 * backoff, MAX_BACKOFF.toNanos());
        }
    }

    private void forget(String jobId, int attempt) {
        try {
            agent.forget(jobId, attempt);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "attempt is not deleted: job=" + jobId + " cause=" + e.getMessage());
        }
    }

    /** A request that has no reply yet. */
    private static final class Run {
        final OriginMessage.Request request;
        final String jobId;
        volatile @Nullable Outcome outcome;
        volatile long readable;
        long sent; // the sender's

        Run(OriginMessage.Request request, String jobId) {
            this.request = request;
            this.jobId = jobId;
        }

        int tag() {
            return request.stdout() == OriginMessage.NO_TAG ? request.stderr() : request.stdout();
        }
    }

    /** A connection and its requests. */
    private final class Session implements OriginConnection.Listener, BuildListener {
        private final Map<String, Run> runs = new ConcurrentHashMap<>(); // by job
        private final byte[] piece = new byte[MAX_PIECE]; // the sender's
        private volatile @Nullable String end;

        void live() throws IOException, InterruptedException {
            OriginConnection connection = OriginConnection.open(
                    master, security.token(), identity, security.tls(), security.tick(), CONNECT_TIMEOUT, this);
            try {
                LOG.log(Logger.Level.INFO, "connected: master=" + master + " identity=" + identity);
                for (String label : agent.labels()) {
                    for (String runner : agent.runners()) {
                        connection.say(new OriginMessage.Register(new BuildMethod(label, runner).toString()));
                    }
                }
                while (end == null && !isClosed) {
                    boolean hasSent = false;
                    for (Run run : runs.values()) {
                        hasSent |= send(run, connection);
                    }
                    if (!hasSent && connection.hasRoom()) {
                        LockSupport.park(this);
                    } else if (!hasSent) {
                        LockSupport.parkNanos(this, ROOM_NANOS);
                    }
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
                LOG.log(Logger.Level.WARNING, "connection is lost: master=" + master + " cause=" + end);
            } finally {
                connection.stop();
            }
        }

        /** Sends a piece of a run's log, or its reply; returns whether there was one, and room for it. */
        private boolean send(Run run, OriginConnection connection) throws IOException {
            Outcome outcome = run.outcome; // before `readable`, which does not grow after it
            long bytes = outcome == null ? run.readable : Math.max(run.readable, outcome.logBytes());
            if (run.tag() != OriginMessage.NO_TAG && run.sent < bytes) {
                if (!connection.hasRoom()) {
                    return false;
                }
                int most = (int) Math.min(piece.length, bytes - run.sent);
                int read = agent.readLog(run.jobId, 1, run.sent, ByteBuffer.wrap(piece, 0, most));
                if (read > 0) {
                    connection.say(new OriginMessage.StreamFrame(
                            run.request.peer(), run.tag(), ByteBuffer.wrap(piece, 0, read)));
                    run.sent += read;
                    return true;
                }
            }
            if (outcome == null) {
                return false;
            }
            runs.remove(run.jobId);
            reply(connection, run.request, outcome);
            forget(run.jobId, 1);
            return true;
        }

        private void reply(OriginConnection connection, OriginMessage.Request request, Outcome outcome) {
            BuildCode code = BuildCode.of(outcome.code().number()).orElse(BuildCode.AGENT_FAILED);
            String error = switch (code) {
                case OK -> "";
                case SCRIPT_FAILED -> "exit status " + outcome.exitCode();
                default -> outcome.message().isEmpty() ? code.toString() : outcome.message();
            };
            connection.say(new OriginMessage.Reply(
                    request.peer(),
                    request.id(),
                    ReplyCode.of(code),
                    new BuildReply(outcome.pull(), outcome.build(), error).encode()));
        }

        @Override
        public void said(OriginMessage message) {
            if (message instanceof OriginMessage.Request request) {
                begin(request);
            } else if (message instanceof OriginMessage.Interrupt interrupt) {
                runs.values().stream()
                        .filter(run -> run.request.id() == interrupt.id()
                                && run.request.peer().equals(interrupt.peer()))
                        .findFirst()
                        .ifPresent(run -> agent.cancel(run.jobId, "interrupted"));
            }
        }

        private void begin(OriginMessage.Request request) {
            Run run = new Run(request, prefix + numbers.incrementAndGet());
            runs.put(run.jobId, run);
            try {
                BuildMethod method = BuildMethod.of(request.method())
                        .orElseThrow(() -> new MalformedMessageException("no such method"));
                BuildArguments arguments = BuildArguments.decode(request.arguments());
                if (arguments.noop()) {
                    end(run, OutcomeCode.SUCCEEDED, "");
                    return;
                }
                Assignment assignment = new Assignment(
                        run.jobId,
                        1,
                        1,
                        arguments.url(),
                        arguments.branch(),
                        Optional.empty(),
                        arguments.script(),
                        method.runner(),
                        arguments.environment(),
                        Set.of(),
                        run.tag() == OriginMessage.NO_TAG ? LogMode.DISCARD : LogMode.KEEP,
                        TIMEOUT,
                        MAX_LOG_BYTES,
                        WantedFiles.NONE,
                        OptionalLong.of(agent.moment()));
                agent.start(assignment, this);
            } catch (MalformedMessageException e) {
                end(run, OutcomeCode.BAD_ARGUMENTS, String.valueOf(e.getMessage()));
            } catch (AssignmentRefusedException e) {
                end(run, e.code(), String.valueOf(e.getMessage()));
            }
        }

        private void end(Run run, OutcomeCode code, String reason) {
            run.outcome = new Outcome(code, -1, reason, Duration.ZERO, Duration.ZERO, 0, false);
            LockSupport.unpark(thread);
        }

        @Override
        public void started(Assignment assignment, String stage) {
            // the log says so
        }

        @Override
        public void logGrew(Assignment assignment, long bytes) {
            Run run = runs.get(assignment.jobId());
            if (run != null) {
                run.readable = bytes;
                LockSupport.unpark(thread);
            }
        }

        @Override
        public void finished(Assignment assignment, Outcome outcome) {
            Run run = runs.get(assignment.jobId());
            if (run != null) {
                run.outcome = outcome;
                LockSupport.unpark(thread);
            } else {
                forget(assignment.jobId(), assignment.attempt());
            }
        }

        @Override
        public void ended(String reason) {
            end = reason;
            LockSupport.unpark(thread);
        }

        /** Cancels what nobody waits for any more. */
        void cancelAll() {
            List<Run> all = List.copyOf(runs.values());
            runs.clear();
            for (Run run : all) {
                if (run.outcome == null) {
                    boolean unused = agent.cancel(run.jobId, "connection to the master is lost");
                } else {
                    forget(run.jobId, 1);
                }
            }
        }
    }

    /** Disconnects, and cancels what it runs. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CONNECT_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
