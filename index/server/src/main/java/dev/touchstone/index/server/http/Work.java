package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Metrics.Refusal;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.RequestDispatch.Made;
import dev.touchstone.index.server.http.ResponseWriter.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.lang.System.Logger;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A long request, and the answer that workers make.
 *
 * <p>Who calls: the event loop of the connection, and one worker at a time. Invariants: the request does not change. Ordering: answer and parts belong
 * to the worker that runs, and otherwise to the event loop; the executors pass them on. Only the flag to stop is shared. Failure: a handler that throws
 * makes a refusal, or the end of an answer whose head was sent; an Error does so too, and the event loop always gets the work back.
 */
final class Work {
    private static final Logger LOG = System.getLogger(Work.class.getName());

    /** Maximum length in bytes of what is sent of a part at once, and of the buffer of a part that needs no room: a client that does not read has paid for it. */
    static final int PIECE_BYTES = 64 << 10;

    private static final long HOLD_MILLIS = 50;
    private static final byte[] NONE = {};

    private final Shared shared;
    private final WorkerPool pool;
    private final Object client;
    private final EventExecutor loop;
    private final Route route;
    private final Form form;
    private final long begin = System.nanoTime();
    private volatile boolean isStopped;
    private final WorkerTurn turn = new WorkerTurn(System::nanoTime, Thread::yield);
    private byte[] bytes = NONE;
    private int size;
    private Response answer;
    private @Nullable PartHandler parts; // makes the parts behind the first one, if there are any
    private Made made = Made.FAILED; // until a worker has made an answer or a part
    private int sent; // bytes of the part that was made last
    private boolean isSent; // whether all of that part was sent
    private WorkerPool.@Nullable Ticket ticket; // in the pool, until workers have made the answer or part
    private boolean isHeld; // whether the pool has no place for it, so that it waits for its refusal
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable Refusal reason; // why the work was given up

    /**
     * Creates the work for a request, which takes a place in the pool if there is one for the client. The caller must begin, hold or stop the work.
     *
     * @param client what equals that of the other requests of a client
     * @param loop event loop of the connection
     * @param form form of the answer, which says whether it may be made in parts, and compressed
     */
    Work(Shared shared, Object client, EventExecutor loop, Route route, Form form) {
        this.shared = shared;
        pool = shared.pool(route);
        this.client = client;
        this.loop = loop;
        this.route = route;
        this.form = form;
        answer = new Response(shared);
        ticket = pool.enter(client); // after all else that needs memory
        isHeld = ticket == null;
    }

    /** Returns whether the pool had no place for the request. */
    boolean isHeld() {
        return isHeld;
    }

    /**
     * Has a worker make the answer, or its first part.
     *
     * @param body bytes of the request, which do not change any more
     * @param then called by the event loop when it is made
     * @param late called by the event loop at the deadline, unless it is made before
     * @return false if the pool has stopped or has no thread
     */
    boolean begin(byte[] body, int length, Runnable then, Runnable late) {
        bytes = body;
        size = length;
        WorkerPool.Ticket place = Objects.requireNonNull(ticket, "ticket");
        boolean isExecuted = place.execute(() -> {
            try {
                make();
                made = parts == null ? Made.LAST : Made.MORE;
            } finally {
                handBack(then);
            }
        });
        ticket = isExecuted ? place : null;
        return isUnderWay(late);
    }

    /**
     * Has a worker make the next part.
     *
     * @param then called by the event loop when it is made
     * @param late called by the event loop at the deadline of this part, unless it is made before
     * @return false if the pool has stopped or has no thread
     */
    boolean next(PartHandler handler, Runnable then, Runnable late) {
        sent = 0;
        isSent = false;
        ticket = pool.executeFurther(client, () -> {
            made = Made.FAILED;
            try {
                made = RequestDispatch.next(handler, answer);
            } catch (Error e) {
                log(e);
            } finally {
                handBack(then);
            }
        });
        return isUnderWay(late);
    }

    /**
     * Has the request, which is held, wait a little for its refusal: clients that ask again at once would take the time of others.
     *
     * @param refusal called by the event loop then
     */
    void hold(Runnable refusal) {
        deadline = loop.schedule(refusal, HOLD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private boolean isUnderWay(Runnable late) {
        if (ticket == null) {
            return false;
        }
        deadline = loop.schedule(late, pool.deadlineNanos(), TimeUnit.NANOSECONDS);
        return true;
    }

    private void handBack(Runnable then) {
        try {
            loop.execute(then);
        } catch (RejectedExecutionException e) { // the server ended without waiting any longer
            answer.free();
        }
    }

    /** Returns whether to stop; called by the worker, which yields its processor now and then. */
    private boolean isToStop() {
        turn.pass();
        return isStopped;
    }

    private void make() {
        answer.stopWhen(this::isToStop);
        try {
            Handler handler = shared.handler(route);
            if (form.isChunked() && handler instanceof PartHandler of) {
                answer = new Response(shared, PIECE_BYTES); // of one part at a time
                answer.stopWhen(this::isToStop);
                parts = RequestDispatch.first(of, bytes, size, answer) ? of : null;
                return;
            }
            RequestDispatch.whole(handler, bytes, size, answer);
            if (form.mayPack()) {
                Gzip.pack(answer, shared);
            }
        } catch (Error e) { // the client is answered nevertheless
            answer.free();
            answer.refuse(500, "the server failed");
            log(e);
        }
    }

    private void log(Error failure) {
        LOG.log(Logger.Level.ERROR, "handler failed: route=" + route.path(), failure);
    }

    /** Notes that the answer or a part is made or withdrawn, so that its deadline counts no more. */
    void ended() {
        ticket = null;
        isHeld = false;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    /** Has the handler end soon for a reason that metrics count, if any; returns whether no worker had begun with it, and none ever will. */
    boolean stop(@Nullable Refusal why) {
        reason = why;
        boolean isWithdrawn = isHeld || (ticket != null && ticket.withdraw());
        isStopped = true;
        if (isWithdrawn) {
            ended();
        }
        return isWithdrawn;
    }

    /** Returns the refusal of a request for which the pool has no room. */
    String fullMessage() {
        return "too many requests wait: route=" + route.path() + " waiting=" + pool.queue();
    }

    /** Returns the refusal of a request that no worker has begun with. */
    String lateMessage() {
        return "no worker was free within " + TimeUnit.NANOSECONDS.toMillis(pool.deadlineNanos()) + " ms";
    }

    /** Returns why the work was given up, or null. */
    @Nullable
    Refusal reason() {
        return reason;
    }

    Response answer() {
        return answer;
    }

    /** Returns whether the answer is sent piece by piece: further parts follow, or its only part is long. */
    boolean isInParts() {
        return parts != null || (form.isChunked() && answer.status() == 200 && answer.size() > PIECE_BYTES);
    }

    /** Returns the handler of the parts behind the first one; null if there are none. */
    @Nullable
    PartHandler parts() {
        return parts;
    }

    /** Returns whether all of the part that was made last was sent. */
    boolean isSent() {
        return isSent;
    }

    /** Returns whether all of the answer was sent. */
    boolean isAllSent() {
        return isSent && made == Made.LAST;
    }

    /** Returns the next bytes to send of the part that was made last; gives its memory back when they are the last ones. */
    ByteBuf piece(ResponseWriter responses, ByteBufAllocator memory) {
        int from = sent;
        sent = Math.min(answer.size(), from + PIECE_BYTES);
        isSent = sent == answer.size();
        ByteBuf piece = responses.chunk(memory, answer, from, sent, isAllSent());
        if (isSent && answer.taken() > 0) {
            answer.free();
        }
        return piece;
    }

    /** Returns what became of the answer, or of the part that was made last; {@code FAILED} if there is none to send. */
    Made made() {
        return made;
    }

    /** Returns the nanosecond time at which the request had arrived. */
    long beginNanos() {
        return begin;
    }
}
