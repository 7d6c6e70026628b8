package dev.touchstone.builds.master.job;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.RequestMessage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The master's knowledge of a job. The dispatcher's; small, since there may be a hundred thousand. */
public final class Job {
    private static final long NOOP_BYTES = 370; // measured, with its places in maps
    private static final long BUILD_BYTES = 570;

    /** The states of a job in the master, in order. */
    public enum State {
        /** Not on the device yet. */
        ACCEPTING,
        QUEUED,
        ASSIGNED,
        /** Assigned, and its agent is not connected. */
        DISCONNECTED,
        /** The outcome is known, and the log or the artefacts are not all here. */
        LOGGING,
        /** The ending is not on the device yet. */
        ENDING,
        ENDED
    }

    /** The repository, branch and script of a job; empty strings for a noop. */
    public record Source(String repository, String branch, String script) {
        private static final Source NONE = new Source("", "", "");
    }

    /** A table that gives one object for all equal ones, so that a hundred thousand jobs do not hold as many. Not thread-safe. */
    static final class Pool {
        private static final int MAX_VALUES = 10_000;

        private final Map<Object, Object> values = new HashMap<>();
        private @Nullable Route lastRoute; // most requests have that of the one before

        Route route(BuildRequest request) {
            if (lastRoute == null || !lastRoute.isOf(request)) {
                lastRoute = one(Route.of(request));
            }
            return lastRoute;
        }

        Source source(BuildRequest request) {
            if (request.noop()) {
                return Source.NONE;
            }
            return one(new Source(one(request.repository()), request.branch(), one(request.script())));
        }

        Submitter submitter(Submitter submitter) {
            return one(submitter);
        }

        @SuppressWarnings("unchecked") // equal objects of the pool are of one class
        private <T> T one(T value) {
            if (values.size() > MAX_VALUES) {
                values.clear();
            }
            Object known = values.putIfAbsent(value, value);
            return known == null ? value : (T) known;
        }
    }

    public final long number;
    public final Route route;
    public final Source source;
    final OutputMode output;
    public final boolean hasArtefacts;
    public final boolean durable;
    public final long acceptedMillis;
    public final Submitter submitter;
    public final long requestNumber;

    /** Number of the job whose request it repeats; 0 for none. */
    public long retryOf;

    public State state = State.ACCEPTING;
    /** The request, unless it is to be loaded from the journal. */
    @Nullable
    RequestMessage request;
    /** The record of the journal that has the request. */
    long sequence;
    /** Bytes that the request counts for. */
    int charge;

    public final long timeoutNanos;
    final long maxLogBytes;

    long queueDeadlineNanos;
    /**
     * Time by which its agent must have begun it, ended it once it has begun, or sent its log and artefacts once it has ended, and by which its output must
     * be confirmed once the log is all here. It goes on while the agent is not connected.
     */
    public long leaseDeadlineNanos;
    /** True once its agent has said that it began the job. */
    public boolean begun;

    public int attempt;
    public long epoch;
    /** Identity of the agent that has it, or had it last. */
    public String agent = "";
    /** The life of that agent in which it was given the job. */
    public long agentLife;
    /** The connection to that agent, while there is one. */
    @Nullable
    public LeaseHolder session;

    public String stage = "";

    @Nullable
    public String cancelReason;
    /** The end of the job, which counts once the log is here; null before. */
    @Nullable
    public Ending ending;

    /** The outcome is known, and the artefacts are not all here. */
    public boolean awaitsArtefacts;

    public long endedMillis;
    /** The log is all here, and the output is not yet where it is to be. */
    public boolean logWhole;
    /** There is a result, and the output is not yet where it is to be. */
    public boolean outputPending;

    public boolean outputDone;
    public String outputProblem = "";

    Job(long number, BuildRequest request, Submitter submitter, long requestNumber, long acceptedMillis, Pool pool) {
        this.number = number;
        this.route = pool.route(request);
        this.source = pool.source(request);
        this.output = request.output();
        this.hasArtefacts = !request.files().artefacts().isEmpty();
        this.durable = request.durable();
        this.timeoutNanos = request.timeout().toNanos();
        this.maxLogBytes = request.maxLogBytes();
        this.submitter = submitter;
        this.requestNumber = requestNumber;
        this.acceptedMillis = acceptedMillis;
    }

    /** Returns about how many bytes the job takes in memory. */
    long bytes() {
        return bytes(route.noop(), source.repository(), source.branch(), source.script());
    }

    /** Returns about how many bytes the job of a request will take in memory, besides the request. */
    static long bytes(BuildRequest request) {
        return bytes(request.noop(), request.repository(), request.branch(), request.script());
    }

    private static long bytes(boolean noop, String repository, String branch, String script) {
        return noop ? NOOP_BYTES : BUILD_BYTES + repository.length() + branch.length() + script.length();
    }

    boolean isOver() {
        return state == State.ENDING || state == State.ENDED;
    }

    boolean isLeased() {
        return state == State.ASSIGNED || state == State.DISCONNECTED || state == State.LOGGING;
    }

    public boolean hasLog() {
        return !route.noop() && output != OutputMode.DISCARD;
    }

    public boolean isLease(int ofAttempt, long ofEpoch) {
        return isLeased() && attempt == ofAttempt && epoch == ofEpoch;
    }

    public Ending ended(BuildCode code, String message, long logBytes) {
        return new Ending(code, code == BuildCode.OK ? 0 : -1, message, 0, 0, attempt, agent, logBytes, false);
    }

    /** Returns an ending for a job whose log, or whose artefacts, will not be complete. */
    Ending cut(Ending ending) {
        Ending known = awaitsArtefacts
                ? ending.withoutArtefacts(BuildCode.AGENT_LOST, "they are lost with their agent")
                : ending;
        return new Ending(
                known.code(),
                known.exitCode(),
                known.message().isEmpty() ? "the rest of the log is lost with its agent" : known.message(),
                known.pullNanos(),
                known.buildNanos(),
                attempt,
                agent,
                0,
                true,
                known.artefacts(),
                known.artefactBytes());
    }

    @Override
    public String toString() {
        return "job=" + number + " state=" + state + " attempt=" + attempt + " agent=" + agent;
    }
}
