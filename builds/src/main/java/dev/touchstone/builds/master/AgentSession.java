package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection of an agent, and what it is to be told at the end of the turn. The dispatcher's. */
final class AgentSession {
    /*
     * Who calls:  the dispatcher; threads of the transport, which open streams, and of services use the final fields alone, and `hasLogs` and
     *             `hasArtefacts`, of which the first to set one gets the stream.
     * Ordering:   at the end of a turn its messages are sent in their order, then what is assigned, and then what may be forgotten.
     */
    /** Noops that an agent is given before it has answered. */
    static final int MAX_NOOPS = 16 << 10;

    private static final int MAX_WAITING = 16;
    private static final int MAX_ASSIGNED_BYTES = 256 << 10;

    final long id;
    final String identity;
    final long life;
    final Outlet<Wire.ToAgent> outlet;
    final Set<String> labels;
    final Set<String> runners;
    final int executors;
    final int version;
    final long connectedMillis;

    /** Builds that it has; may be more than its executors after it came back. */
    int busy;

    int noops;
    /** Time by which it must have answered some of these. */
    long noopDeadlineNanos;

    /** The turn in which it was given a build last, as the scheduler counts. */
    long turn;

    boolean lost;
    /** True once its stream of logs was opened; any thread's. */
    final AtomicBoolean hasLogs = new AtomicBoolean();

    /** True once its stream of artefacts was opened; any thread's. */
    final AtomicBoolean hasArtefacts = new AtomicBoolean();

    private final ArrayDeque<Wire.ToAgent> waiting = new ArrayDeque<>();
    private List<RequestMessage> requests = new ArrayList<>();
    private int assignedBytes; // of these, about
    private final LongArrayList jobs = new LongArrayList();
    private final LongArrayList attempts = new LongArrayList();
    private final LongArrayList epochs = new LongArrayList();
    private final LongArrayList which = new LongArrayList();
    private final LongArrayList forgetJobs = new LongArrayList();
    private final LongArrayList forgetEpochs = new LongArrayList();

    AgentSession(long id, Wire.AgentHello hello, Outlet<Wire.ToAgent> outlet, int version, long connectedMillis) {
        this.id = id;
        this.identity = hello.getIdentity();
        this.life = hello.getLife();
        this.outlet = outlet;
        this.labels = new HashSet<>(hello.getLabelsList());
        labels.add(BuildRequest.ANY);
        this.runners = new HashSet<>(hello.getRunnersList());
        this.executors = hello.getExecutors();
        this.version = version;
        this.connectedMillis = connectedMillis;
    }

    boolean serves(Route route) {
        return labels.contains(route.label())
                && runners.contains(route.runner())
                && (!route.files() || version >= Versions.FILES);
    }

    int idle() {
        return executors - busy;
    }

    @SuppressWarnings("ReferenceEquality") // most often the jobs of one submission, which share theirs
    void assign(Job job, RequestMessage request) {
        int last = requests.size() - 1;
        if (last < 0
                || (requests.get(last) != request && !requests.get(last).bytes().equals(request.bytes()))) {
            requests.add(request);
            assignedBytes += request.weight();
            last++;
        }
        jobs.add(job.number);
        attempts.add(job.attempt);
        epochs.add(job.epoch);
        which.add(last);
    }

    /** Returns whether more can be assigned in this turn: one message's worth, and none while the connection takes no more. */
    boolean hasRoom() {
        return assignedBytes < MAX_ASSIGNED_BYTES && waiting.size() < MAX_WAITING;
    }

    void forget(Job job) {
        forgetJobs.add(job.number);
        forgetEpochs.add(job.epoch);
    }

    void tell(Wire.ToAgent.Builder message) {
        waiting.add(message.build());
    }

    /**
     * Sends what there is; false where the connection takes no more now.
     *
     * @param newest number of the newest job
     */
    boolean flush(long newest) {
        if (!jobs.isEmpty()) {
            Wire.Assign.Builder assign = Wire.Assign.newBuilder().setNewest(newest);
            requests.forEach(request -> assign.addRequests(request.bytes()));
            jobs.forEach(assign::addJobs);
            attempts.forEach(attempt -> assign.addAttempts((int) attempt));
            epochs.forEach(assign::addEpochs);
            which.forEach(place -> assign.addWhich((int) place));
            tell(Wire.ToAgent.newBuilder().setAssign(assign));
            requests = new ArrayList<>();
            assignedBytes = 0;
            jobs.clear();
            attempts.clear();
            epochs.clear();
            which.clear();
        }
        if (!forgetJobs.isEmpty()) {
            Wire.Forget.Builder forget = Wire.Forget.newBuilder();
            forgetJobs.forEach(forget::addJobs);
            forgetEpochs.forEach(forget::addEpochs);
            tell(Wire.ToAgent.newBuilder().setForget(forget));
            forgetJobs.clear();
            forgetEpochs.clear();
        }
        return sendAll(outlet, waiting);
    }

    static <M> boolean sendAll(Outlet<M> to, ArrayDeque<M> messages) {
        for (@Nullable M next = messages.peek(); next != null; next = messages.peek()) {
            if (!to.trySend(next)) {
                return false;
            }
            messages.poll();
        }
        return true;
    }

    @Override
    public String toString() {
        return "agent=" + identity + " executors=" + executors + " busy=" + busy + " labels=" + labels + " runners="
                + runners;
    }
}
