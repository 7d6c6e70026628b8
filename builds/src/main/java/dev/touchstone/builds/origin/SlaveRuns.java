package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.LogMode;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.log.SecretRefusedException;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.wire.Security;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.java_websocket.framing.CloseFrame;
import org.jspecify.annotations.Nullable;

/** The builds that one guest runs as a slave: an agent of the master, for which the slave does the work. Thread-safe. */
final class SlaveRuns implements LocalAgent {
    /*
     * Who calls:   the link's threads with assignments, cancels and reads; the WebSocket library's with what the slave says, one message after the other; the
     *              gateway's clock with `tick`.
     * Invariants:  a run is in `byId` until the slave has replied, so that no other gets its number, and in `runs` until the master has all of it. Nothing is
     *              written to its log once it is over. An interrupt is sent only for a run in `byId`:
     *              the original's slaves stop listening if they are told to interrupt what they do not know.
     * Failure:     a slave that is gone is an agent that is gone: the link is closed, and the master gives its jobs to others.
     */
    private static final Logger LOG = System.getLogger(SlaveRuns.class.getName());
    private static final String SENDER = "master"; // of requests, which must have one
    private static final int MAX_METHODS = 1024;
    private static final int MAX_REASON = 1000;
    private static final int INTERRUPT_PATIENCE = 3; // times the heartbeat, which is less than the master waits
    private static final int MAX_ABANDONED = 64; // runs of a slave that does not end what it is told to
    private static final long SETTLE_MILLIS = 250; // without another method before the master is told of them

    private final OriginPeer peer;
    private final OriginGateway gateway;
    private final Token token;
    private final Set<BuildMethod> methods = ConcurrentHashMap.newKeySet();
    private final Map<String, Run> runs = new ConcurrentHashMap<>(); // by job and attempt
    private final Map<Integer, Run> byId = new ConcurrentHashMap<>();
    private final Object linkLock = new Object();
    private volatile @Nullable AgentLink link; // written under linkLock
    private volatile int changes; // of the methods; written under the lock of this

    @GuardedBy("linkLock")
    private boolean isGone;

    @GuardedBy("this")
    private int lastId;

    /** An attempt that the slave has. */
    private static final class Run {
        final int id;
        final Assignment assignment;
        final BuildListener listener;
        final SlaveLog log;
        final long deadlineNanos;

        @GuardedBy("this")
        private @Nullable OutcomeCode stopCode; // the reason of its interrupt; null if it was not interrupted

        @GuardedBy("this")
        private String stopReason = "";

        @GuardedBy("this")
        private long stoppedNanos;

        @GuardedBy("this")
        private boolean isOver;

        Run(int id, Assignment assignment, BuildListener listener, SlaveLog log) {
            this.id = id;
            this.assignment = assignment;
            this.listener = listener;
            this.log = log;
            this.deadlineNanos = System.nanoTime() + assignment.timeout().toNanos();
        }

        /** Notes why it is to end; returns whether this is the first reason. */
        synchronized boolean stop(OutcomeCode code, String reason) {
            if (stopCode != null) {
                return false;
            }
            stopCode = code;
            stopReason = reason;
            stoppedNanos = System.nanoTime();
            return true;
        }

        /** Returns whether it was interrupted longer ago than a time. */
        synchronized boolean isLate(long patienceNanos) {
            return stopCode != null && System.nanoTime() - stoppedNanos > patienceNanos;
        }

        /** Appends to the log; returns false if the run is over. */
        synchronized boolean append(ByteBuffer bytes) throws IOException {
            if (!isOver) {
                log.append(bytes);
            }
            return !isOver;
        }

        /** Ends the log; returns false if the run was over before. */
        synchronized boolean end() {
            if (isOver) {
                return false;
            }
            isOver = true;
            try {
                log.finish();
            } catch (IOException e) {
                boolean unused = stop(OutcomeCode.LOG_FAILED, "log cannot be written: " + e.getMessage());
            }
            return true;
        }

        synchronized Outcome outcome(OutcomeCode code, BuildReply reply, String message) {
            OutcomeCode why = stopCode == null ? code : stopCode;
            int exitCode = switch (why) {
                case SUCCEEDED -> 0;
                case SCRIPT_FAILED -> reply.exitCode();
                default -> -1;
            };
            String text = stopCode == null ? message : stopReason;
            return new Outcome(why, exitCode, text, reply.pull(), reply.build(), log.bytes(), log.isTruncated());
        }
    }

    SlaveRuns(OriginPeer peer, OriginGateway gateway, Token token) {
        this.peer = peer;
        this.gateway = gateway;
        this.token = token;
    }

    /** Returns whether the guest has registered a method. */
    boolean isSlave() {
        return !methods.isEmpty();
    }

    /** Takes a method in; the master is told of the methods when no more follow for a moment. */
    void register(String name) {
        if (!peer.caller().mayBeAgent(peer.identity())) {
            gateway.complain("token is not this slave's", "token=" + peer.caller());
            peer.end(CloseFrame.POLICY_VALIDATION, "token is not this slave's");
            return;
        }
        BuildMethod method = BuildMethod.of(name).orElse(null);
        if (method == null || methods.size() >= MAX_METHODS) {
            gateway.complain("slave has a method that is none, or too many", "methods=" + methods.size());
        } else if (methods.add(method)) {
            changed();
        }
    }

    /** Takes a method out. */
    void unregister(String name) {
        if (BuildMethod.of(name).map(methods::remove).orElse(false)) {
            changed();
        }
    }

    private synchronized void changed() {
        int change = ++changes;
        gateway.later(() -> settle(change), SETTLE_MILLIS);
    }

    /** Has the master told of the methods, unless they have changed since; a slave that runs something is left alone meanwhile. */
    private void settle(int change) {
        if (change == changes && !runs.isEmpty()) {
            gateway.later(() -> settle(change), SETTLE_MILLIS);
        } else if (change == changes) {
            gateway.work(this::connect);
        }
    }

    private void connect() {
        synchronized (linkLock) {
            disconnect();
            if (!isGone && !methods.isEmpty()) {
                OriginOptions options = gateway.options();
                Security security = new Security(
                        token, options.admission().tls(), options.admission().tick());
                link = AgentLink.start(this, LinkOptions.of(peer.identity(), options.master(), security));
            }
        }
    }

    @GuardedBy("linkLock")
    private void disconnect() {
        AgentLink known = link;
        if (known != null) {
            known.close();
            link = null;
        }
    }

    /**
     * Interrupts builds that take too long, and ends those that the slave does not end; ends a guest that the master refuses as an agent, or that ends too few
     * of its builds.
     */
    void tick() {
        long patience =
                INTERRUPT_PATIENCE * gateway.options().admission().tick().toNanos();
        int abandoned = 0;
        for (Run run : byId.values()) {
            if (run.isLate(patience)) {
                abandoned++;
                end(run, OutcomeCode.AGENT_FAILED, BuildReply.failed("slave does not end the build"));
                continue;
            }
            if (System.nanoTime() - run.deadlineNanos > 0) {
                Duration timeout = run.assignment.timeout();
                boolean unused =
                        stop(run, OutcomeCode.TIMED_OUT, "ran longer than its timeout: seconds=" + timeout.toSeconds());
            }
        }
        if (abandoned > MAX_ABANDONED) {
            gateway.complain("slave does not end builds", "builds=" + abandoned);
            peer.end(CloseFrame.POLICY_VALIDATION, "builds are not ended");
        }
        AgentLink known = link;
        String refusal = known == null || known.isConnected() ? null : known.refusal();
        if (refusal != null) {
            gateway.complain("master refuses the slave", refusal);
            peer.end(CloseFrame.POLICY_VALIDATION, "master refuses the slave");
        }
    }

    @Override
    public Set<String> runners() {
        return methods.stream().map(BuildMethod::runner).collect(Collectors.toSet());
    }

    @Override
    public Set<String> labels() {
        return methods.stream().map(BuildMethod::label).collect(Collectors.toSet());
    }

    @Override
    public int executors() {
        return gateway.options().executors();
    }

    @Override
    public List<RecoveredAttempt> leftovers() {
        return List.of();
    }

    @Override
    public long moment() {
        return System.nanoTime(); // slaves fetch for each build
    }

    /** Begins an attempt. Noops never come here: no slave is asked to do nothing. */
    @Override
    public void start(Assignment assignment, BuildListener listener) {
        listener.started(assignment, BuildListener.WAITING);
        BuildMethod method = methods.stream()
                .filter(known -> known.runner().equals(assignment.runner()))
                .findFirst()
                .orElse(null);
        if (method == null) {
            listener.finished(assignment, outcome(OutcomeCode.NO_RUNNER, "slave has not the runner"));
        } else if (!assignment.files().equals(WantedFiles.NONE)) {
            listener.finished(assignment, outcome(OutcomeCode.REFUSED, "slaves of the origin hand on no files"));
        } else if (assignment.commit().isPresent()) {
            String reason = "slaves of the origin build the newest commit of a branch only";
            listener.finished(assignment, outcome(OutcomeCode.REFUSED, reason));
        } else {
            begin(assignment, listener, method);
        }
    }

    private void begin(Assignment assignment, BuildListener listener, BuildMethod method) {
        SlaveLog log;
        try {
            log = new SlaveLog(gateway.options().folder(), assignment);
        } catch (IOException e) {
            listener.finished(assignment, outcome(OutcomeCode.LOG_FAILED, "log cannot be created: " + e.getMessage()));
            return;
        } catch (SecretRefusedException e) {
            listener.finished(assignment, outcome(OutcomeCode.REFUSED, String.valueOf(e.getMessage())));
            return;
        }
        Run run = add(assignment, listener, log);
        BuildArguments arguments =
                new BuildArguments(repository(assignment), assignment.script(), environment(assignment), false);
        int tag = assignment.log() == LogMode.DISCARD ? OriginMessage.NO_TAG : run.id;
        listener.started(assignment, BuildListener.RUNNING);
        peer.send(new OriginMessage.Request(SENDER, run.id, method.toString(), arguments.encode(), tag, tag));
    }

    /** Returns the URL in the form that slaves want, with the branch. */
    private static String repository(Assignment assignment) {
        String url = assignment.repository();
        return (url.startsWith("git+") ? url : "git+" + url) + '#' + assignment.branch();
    }

    /** Returns the variables of the request, and what other agents set; no {@code BUILDS_} names, which our own agent refuses in a request. */
    private static Map<String, String> environment(Assignment assignment) {
        Map<String, String> environment = new HashMap<>(assignment.environment());
        environment.putIfAbsent("CI", "true");
        return environment;
    }

    private synchronized Run add(Assignment assignment, BuildListener listener, SlaveLog log) {
        do {
            lastId = (lastId + 1) & 0xffff;
        } while (byId.containsKey(lastId)); // there are fewer runs than executors, and fewer of these than numbers
        Run run = new Run(lastId, assignment, listener, log);
        runs.put(key(assignment.jobId(), assignment.attempt()), run);
        byId.put(run.id, run);
        return run;
    }

    private static String key(String jobId, int attempt) {
        return jobId + '/' + attempt;
    }

    private static Outcome outcome(OutcomeCode code, String message) {
        return new Outcome(
                code, code == OutcomeCode.SUCCEEDED ? 0 : -1, message, Duration.ZERO, Duration.ZERO, 0, false);
    }

    /** Takes bytes of a log. */
    void streamed(OriginMessage.StreamFrame frame) {
        Run run = byId.get(frame.tag());
        if (run == null) {
            return;
        }
        try {
            if (run.append(frame.payload())) {
                run.listener.logGrew(run.assignment, run.log.bytes());
            }
        } catch (IOException e) {
            if (stop(run, OutcomeCode.LOG_FAILED, "log cannot be written: " + e.getMessage())) {
                LOG.log(Logger.Level.WARNING, "log of a slave cannot be written: job=" + run.assignment.jobId(), e);
            }
        }
    }

    /** Takes the end of a run. */
    void replied(OriginMessage.Reply reply) {
        Run run = byId.remove(reply.id());
        if (run == null) {
            return;
        }
        BuildReply value;
        OutcomeCode code = code(reply.code());
        try {
            value = BuildReply.decode(reply.value());
        } catch (MalformedMessageException e) {
            gateway.complain("reply has no value", String.valueOf(e.getMessage()));
            value = BuildReply.failed("slave's reply has no value: " + e.getMessage());
            code = code == OutcomeCode.SUCCEEDED ? OutcomeCode.AGENT_FAILED : code;
        }
        end(run, code, value);
    }

    /** Tells the master the end of a run, unless it was told before. */
    private void end(Run run, OutcomeCode code, BuildReply value) {
        if (!run.end()) {
            return;
        }
        String message = run.log.mask(value.error()).replaceAll("\\p{Cntrl}", "?");
        message = message.length() > MAX_REASON ? message.substring(0, MAX_REASON) : message;
        run.listener.finished(run.assignment, run.outcome(code, value, code == OutcomeCode.SUCCEEDED ? "" : message));
    }

    private static OutcomeCode code(int number) {
        int known = ReplyCode.toBuildCode(number).number();
        for (OutcomeCode code : OutcomeCode.values()) {
            if (code.number() == known) {
                return code;
            }
        }
        return OutcomeCode.DISPATCH_FAILED;
    }

    /** Interrupts a run; returns false if it was interrupted before. */
    private boolean stop(Run run, OutcomeCode code, String reason) {
        boolean isFirst = run.stop(code, reason);
        if (isFirst && byId.containsKey(run.id)) {
            peer.send(new OriginMessage.Interrupt(SENDER, run.id));
        }
        return isFirst;
    }

    @Override
    public boolean cancel(String jobId, String reason) {
        boolean isFound = false;
        for (Run run : byId.values()) {
            if (run.assignment.jobId().equals(jobId)) {
                boolean unused = stop(run, OutcomeCode.CANCELLED, reason);
                isFound = true;
            }
        }
        return isFound;
    }

    @Override
    public int readLog(String jobId, int attempt, long offset, ByteBuffer into) throws IOException {
        Run run = runs.get(key(jobId, attempt));
        if (run == null) {
            throw new IOException("slave has not this attempt: job=" + jobId + " attempt=" + attempt);
        }
        int bytes = run.log.read(offset, into);
        into.position(into.position() + bytes);
        return bytes;
    }

    @Override
    public int readBundle(String jobId, int attempt, long offset, ByteBuffer into) {
        return -1; // slaves hand on no files
    }

    @Override
    public void forget(String jobId, int attempt) throws IOException {
        Run run = runs.remove(key(jobId, attempt));
        if (run != null) {
            run.log.close();
        }
    }

    /** Notes that the slave is gone. */
    void left() {
        gateway.work(() -> {
            synchronized (linkLock) {
                isGone = true;
                disconnect();
            }
            byId.clear();
            for (Run run : runs.values()) {
                try {
                    run.log.close();
                } catch (IOException e) {
                    LOG.log(Logger.Level.WARNING, "log of a slave is not deleted: " + e.getMessage());
                }
            }
            runs.clear();
        });
    }
}
