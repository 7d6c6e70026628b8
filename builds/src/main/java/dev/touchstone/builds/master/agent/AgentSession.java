package dev.touchstone.builds.master.agent;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.LeaseHolder;
import dev.touchstone.builds.master.job.Route;
import dev.touchstone.builds.master.rpc.GuestSession;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connection of an agent, and what it is to be told at the end of the turn. The dispatcher's. */
public final class AgentSession extends GuestSession implements LeaseHolder {
    /*
     * Who calls:  the dispatcher; threads of the transport, which open streams, and of services use what `GuestSession` has, and the final fields.
     * Ordering:   at the end of a turn its messages are sent in their order, then what is assigned, and then what may be forgotten.
     */
    /** Noops that an agent is given before it has answered. */
    static final int MAX_NOOPS = 16 << 10;

    static final String LEASE_OVER = "its lease is over";

    private static final int MAX_WAITING = 16;
    private static final int MAX_ASSIGNED_BYTES = 256 << 10;

    public final String identity;
    final long life;
    final Outlet<Wire.ToAgent> outlet;
    public final Set<String> labels;
    public final Set<String> runners;
    public final int executors;
    final int version;
    final long connectedMillis;

    /** Builds that it has; may be more than its executors after it came back. */
    public int busy;

    int noops;
    /** Time by which it must have answered some of these. */
    long noopDeadlineNanos;

    /** The turn in which it was given a build last, as the scheduler counts. */
    long turn;

    public boolean lost;
    private final ArrayDeque<Wire.ToAgent> waiting = new ArrayDeque<>();
    private List<RequestMessage> requests = new ArrayList<>();
    private int assignedBytes; // of these, about
    private final LongArrayList jobs = new LongArrayList();
    private final LongArrayList attempts = new LongArrayList();
    private final LongArrayList epochs = new LongArrayList();
    private final LongArrayList which = new LongArrayList();
    private final LongArrayList forgetJobs = new LongArrayList();
    private final LongArrayList forgetEpochs = new LongArrayList();
    private InputStream over = InputStream.nullInputStream(); // leases, as delimited messages: many take little memory

    AgentSession(long id, Wire.AgentHello hello, Outlet<Wire.ToAgent> outlet, int version, long connectedMillis) {
        super(id);
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

    @Override
    public String name() {
        return identity;
    }

    @Override
    protected boolean isOf(Caller caller) {
        return caller.mayBeAgent(identity);
    }

    @Override
    public long life() {
        return life;
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
    @Override
    public void assign(Job job, RequestMessage request, long answerNanos) {
        if (!job.route.noop()) {
            busy++;
        } else if (noops++ == 0) {
            noopDeadlineNanos = answerNanos;
        }
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

    @Override
    public void release(Job job) {
        if (job.route.noop()) {
            noops--;
        } else {
            busy--;
        }
    }

    @Override
    public void forget(Job job) {
        forgetJobs.add(job.number);
        forgetEpochs.add(job.epoch);
    }

    /** Has the agent told that leases are over, each when the stream has room for it. */
    void drop(List<Wire.Held> leases) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            for (Wire.Held lease : leases) {
                lease.writeDelimitedTo(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        over = new ByteArrayInputStream(bytes.toByteArray());
    }

    private Wire.@Nullable Held nextOver() {
        try {
            return Wire.Held.parseDelimitedFrom(over);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Wire.ToAgent.Builder drop(String job, int attempt, long epoch, String reason) {
        return Wire.ToAgent.newBuilder()
                .setDrop(Wire.Drop.newBuilder()
                        .setJob(job)
                        .setAttempt(attempt)
                        .setEpoch(epoch)
                        .setReason(reason));
    }

    @Override
    public void tell(Wire.ToAgent.Builder message) {
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
        while (outlet.trySendAll(waiting)) {
            Wire.Held lease = nextOver();
            if (lease == null) {
                return true;
            }
            tell(drop(lease.getJob(), lease.getAttempt(), lease.getEpoch(), LEASE_OVER));
        }
        return false;
    }

    @Override
    public String toString() {
        return "agent=" + identity + " executors=" + executors + " busy=" + busy + " labels=" + labels + " runners="
                + runners;
    }
}
