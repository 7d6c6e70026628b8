package dev.touchstone.messaging.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.report.FaultLog;
import dev.touchstone.messaging.term.Atom;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls of peers that wait for a thread, and the threads that run them: in order for each peer, and the peers in turn. Thread-safe. */
final class CallQueue implements AutoCloseable {
    /*
     * Who calls:      the leader, and senders of this node, add calls; neither waits. Up to MAX_RUNNING threads run them.
     * Invariants:     a peer with a call that may run is in `ready`, one whose calls all wait for the one that runs in turn is in `held`, or
     *                 goes there when its turn comes. A peer whose answer finds no room is `stalled`: the thread that has the answer waits
     *                 for room, does not count as running, and no call of that peer is begun. So a peer that does not read holds one
     *                 thread, and one answer for each thread that was at a call of it. Of the calls to be run in turn one is running.
     * Ordering:       calls of a peer begin in the order in which they came; answers of a stalled peer leave in theirs.
     * Bound:          MAX_BYTES of a peer and MAX_BYTES_OF_ALL, but one call of each peer is always taken.
     * Failure:        a call that throws is refused, and that is logged. Where no thread can be made and none runs, the calls that wait are
     *                 refused. No count is lost to an OutOfMemoryError: what is counted is counted after the last allocation, and given
     *                 back without one, also where logging and refusing fail. Queues are linked, since an ArrayDeque that cannot grow
     *                 forgets what it holds.
     */
    private static final int MAX_RUNNING = 16;
    private static final int MAX_WAITING = 10_000; // of one peer
    private static final long MAX_BYTES =
            Math.min(256 << 20, Runtime.getRuntime().maxMemory() >> 3); // of one peer

    private static final long MAX_BYTES_OF_ALL = Runtime.getRuntime().maxMemory() >> 2;

    private final String node;
    private final ThreadPoolExecutor threads;

    @GuardedBy("this")
    private final Map<Atom, Lane> lanes = new HashMap<>(); // of peers with a call or an answer

    @GuardedBy("this")
    private final LaneList ready = new LaneList();

    @GuardedBy("this")
    private final LaneList held = new LaneList();

    @GuardedBy("this")
    private long sequences;

    @GuardedBy("this")
    private long bytesOfAll;

    @GuardedBy("this")
    private int running;

    @GuardedBy("this")
    private boolean isRunningInTurn;

    @GuardedBy("this")
    private boolean closed;

    /** An answer that found no room, with its call. */
    private record Unsent(Call call, Answer answer) {}

    /** The calls of one peer. Guarded by the queue. */
    @SuppressWarnings("JdkObsolete") // linked: see Failure
    private static final class Lane {
        final Atom peer;
        final Queue<Waiting> calls = new LinkedList<>();
        final Queue<Waiting> callsInTurn = new LinkedList<>();
        final Queue<Unsent> answers = new LinkedList<>(); // that found no room
        long bytes; // of the calls that wait or run
        int unfinished;
        boolean stalled;

        @Nullable
        LaneList list; // that it is in

        @Nullable
        Lane before;

        @Nullable
        Lane after;

        Lane(Atom peer) {
            this.peer = peer;
        }
    }

    /** Peers in the order of their turns; a peer is in one list at most. Allocates nothing. Guarded by the queue. */
    private static final class LaneList {
        @Nullable
        Lane first;

        @Nullable
        Lane last;

        void add(Lane lane) {
            lane.list = this;
            lane.before = last;
            if (last == null) {
                first = lane;
            } else {
                last.after = lane;
            }
            last = lane;
        }

        void remove(Lane lane) {
            if (lane.before == null) {
                first = lane.after;
            } else {
                lane.before.after = lane.after;
            }
            if (lane.after == null) {
                last = lane.before;
            } else {
                lane.after.before = lane.before;
            }
            lane.list = null;
            lane.before = null;
            lane.after = null;
        }

        @Nullable
        Lane poll() {
            Lane lane = first;
            if (lane != null) {
                remove(lane);
            }
            return lane;
        }
    }

    private record Waiting(Lane lane, long sequence, Call call) {}

    /**
     * A call.
     *
     * @param bytes that it holds in memory
     * @param inTurn whether no other such call runs meanwhile
     * @param work runs it; returns its answer, or null for none
     * @param refusal runs in its place where the peer has too many calls, and must not wait
     */
    record Call(long bytes, boolean inTurn, Supplier<@Nullable Answer> work, Runnable refusal) {}

    /** The answer to a call. */
    interface Answer {
        /** Sends the answer; returns false where there is no room and {@code wait} is not set. */
        boolean send(boolean wait);
    }

    /**
     * Creates a queue without threads.
     *
     * @param node name of the node, for its threads and messages
     */
    CallQueue(String node) {
        this.node = node;
        this.threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "touchstone-rpc-" + node);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Adds a call, or refuses it.
     *
     * @param peer name of the node whose calls count together, also those that came over earlier connections
     */
    void add(Atom peer, Call call) {
        if (enqueue(peer, call)) {
            startThread();
        } else {
            call.refusal().run();
        }
    }

    private synchronized boolean enqueue(Atom peer, Call call) {
        Lane lane = lanes.computeIfAbsent(peer, Lane::new);
        boolean isTooMuch = lane.unfinished > 0
                && (lane.bytes + call.bytes() > MAX_BYTES || bytesOfAll + call.bytes() > MAX_BYTES_OF_ALL);
        if (closed || isTooMuch || lane.unfinished >= MAX_RUNNING + MAX_WAITING) {
            return false;
        }
        (call.inTurn() ? lane.callsInTurn : lane.calls).add(new Waiting(lane, sequences++, call));
        bytesOfAll += call.bytes();
        lane.unfinished++;
        lane.bytes += call.bytes();
        place(lane);
        return true;
    }

    /** Moves a peer to the list that its calls ask for. */
    @GuardedBy("this")
    private void place(Lane lane) {
        boolean hasInTurn = !lane.callsInTurn.isEmpty();
        LaneList list = null;
        if (!lane.stalled && (!lane.calls.isEmpty() || (hasInTurn && !isRunningInTurn))) {
            list = ready;
        } else if (!lane.stalled && hasInTurn) {
            list = held;
        }
        if (lane.list != list) {
            if (lane.list != null) {
                lane.list.remove(lane);
            }
            if (list != null) {
                list.add(lane);
            }
        }
    }

    /** Starts a thread where a call may run and fewer are running than may. */
    private void startThread() {
        synchronized (this) {
            if (ready.first == null || running >= MAX_RUNNING) {
                return;
            }
            running++;
        }
        try {
            threads.execute(this::runAll);
        } catch (RejectedExecutionException closing) {
            refuseAll();
        } catch (OutOfMemoryError e) { // no thread can be made
            FaultLog.report("no thread for calls: node=", node, e);
            refuseAll();
        }
    }

    /** Refuses the calls that wait, unless other threads run calls. */
    private void refuseAll() {
        synchronized (this) {
            if (running > 1) {
                running--;
                return;
            }
        }
        for (Waiting next = nextOrLeave(); next != null; next = nextOrLeave()) {
            finished(next);
            refuse(next.call());
        }
    }

    private void runAll() {
        for (Waiting next = nextOrLeave(); next != null; next = nextOrLeave()) {
            startThread(); // where more calls may run
            if (run(next)) {
                sendAnswers(next.lane());
                if (!rejoin()) {
                    return;
                }
            }
        }
    }

    private synchronized @Nullable Waiting nextOrLeave() {
        Waiting next = closed ? null : next();
        if (next == null) {
            running--;
        }
        return next;
    }

    @GuardedBy("this")
    private @Nullable Waiting next() {
        for (Lane lane = ready.poll(); lane != null; lane = ready.poll()) {
            Waiting plain = lane.calls.peek();
            Waiting inTurn = isRunningInTurn ? null : lane.callsInTurn.peek();
            boolean isPlain = inTurn == null || (plain != null && plain.sequence() < inTurn.sequence());
            Waiting next = isPlain ? lane.calls.poll() : lane.callsInTurn.poll();
            isRunningInTurn |= !isPlain;
            place(lane);
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    /** Runs a call; returns whether the calling thread is to send its peer's answers, and does not count as running any more. */
    private boolean run(Waiting waiting) {
        boolean stalls = false;
        try {
            Answer answer = waiting.call().work().get();
            if (answer != null && (isStalled(waiting.lane()) || !answer.send(false))) {
                stalls = stall(waiting.lane(), new Unsent(waiting.call(), answer));
            }
        } catch (Throwable e) {
            failed(waiting.call(), e);
        } finally {
            finished(waiting);
        }
        return stalls;
    }

    /** Refuses a call that has thrown. Never throws. */
    private void failed(Call call, Throwable e) {
        try {
            if (!(e instanceof MessagingException)) { // its caller's node is gone, or this one is closed
                FaultLog.report("call not answered: node=", node, e);
            }
        } catch (Throwable unreported) {
            // even to tell the one from the other needs memory
        }
        refuse(call);
    }

    /** Refuses a call. Never throws. */
    private void refuse(Call call) {
        try {
            call.refusal().run();
        } catch (Throwable e) {
            FaultLog.report("call not refused: node=", node, e);
        }
    }

    private synchronized boolean isStalled(Lane lane) {
        return lane.stalled;
    }

    /** Keeps an answer that finds no room; returns whether the calling thread is to send the peer's answers. */
    private synchronized boolean stall(Lane lane, Unsent answer) {
        lane.answers.add(answer);
        if (lane.stalled) {
            return false;
        }
        lane.stalled = true;
        place(lane);
        running--;
        return true;
    }

    /** Sends the answers of a stalled peer, while another thread runs calls in place of this one. */
    private void sendAnswers(Lane lane) {
        startThread();
        for (Unsent next = nextAnswer(lane); next != null; next = nextAnswer(lane)) {
            try {
                boolean unused = next.answer().send(true);
            } catch (Throwable e) {
                failed(next.call(), e);
            }
        }
    }

    private synchronized @Nullable Unsent nextAnswer(Lane lane) {
        Unsent next = lane.answers.poll();
        if (next == null) {
            lane.stalled = false;
            place(lane);
            forgetIfIdle(lane);
        }
        return next;
    }

    /** Counts the calling thread as running again; returns false where enough others run. */
    private synchronized boolean rejoin() {
        boolean isNeeded = running < MAX_RUNNING;
        running += isNeeded ? 1 : 0;
        return isNeeded;
    }

    private synchronized void finished(Waiting waiting) {
        Lane lane = waiting.lane();
        lane.unfinished--;
        lane.bytes -= waiting.call().bytes();
        bytesOfAll -= waiting.call().bytes();
        if (waiting.call().inTurn()) {
            isRunningInTurn = false;
            for (Lane other = held.poll(); other != null; other = held.poll()) {
                place(other);
            }
        }
        forgetIfIdle(lane);
    }

    @GuardedBy("this")
    private void forgetIfIdle(Lane lane) {
        if (lane.unfinished == 0 && !lane.stalled) {
            lanes.remove(lane.peer, lane);
        }
    }

    /** Returns whether no call waits or runs, and no answer waits. */
    synchronized boolean isIdle() {
        return lanes.isEmpty() && running == 0;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        threads.shutdownNow();
    }
}
