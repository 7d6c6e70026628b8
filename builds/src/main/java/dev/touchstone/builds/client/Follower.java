package dev.touchstone.builds.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reads a log, or an artefact, to its end: asks for the next bytes while the visitor has those before, and no further ahead; so a visitor who takes his time costs the
 * master nothing.
 */
final class Follower implements Question {
    /*
     * Who calls:  the thread that follows `begin`; the sender and the receiver `ask`; the receiver `answer`; whoever ends the client `fail`; one
     *             thread of visitors at a time `visit`.
     * Invariants: one question at most is asked, and MAX_AHEAD chunks at most wait for the visitor.
     * Ordering:   the visitor is called and `end` completed without the lock.
     */
    private static final int MAX_AHEAD = 2;

    private final Connection connection;
    private final Asker asker;
    private final LogVisitor visitor;
    private final CompletableFuture<Long> end;

    @GuardedBy("this")
    private final ArrayDeque<Wire.Chunk> chunks = new ArrayDeque<>();

    @GuardedBy("this")
    private long asked; // where the bytes that are asked for begin

    @GuardedBy("this")
    private boolean asking;

    @GuardedBy("this")
    private boolean visiting;

    @GuardedBy("this")
    private boolean last;

    @GuardedBy("this")
    private boolean over;

    /** Asks for bytes from an offset on. */
    interface Asker {
        void ask(Session session, long ask, long offset);
    }

    Follower(Connection connection, Asker asker, long offset, LogVisitor visitor, CompletableFuture<Long> end) {
        this.connection = connection;
        this.asker = asker;
        this.asked = offset;
        this.visitor = visitor;
        this.end = end;
    }

    /** Returns what asks for a job's log. */
    static Asker log(long job) {
        return (session, ask, offset) -> session.send(Wire.ReadLog.newBuilder()
                .setAsk(ask)
                .setJob(job)
                .setOffset(offset)
                .setMost(Rpc.MAX_READ)
                .build());
    }

    /** Returns what asks for an artefact of a job, or for the list of all. */
    static Asker artefact(long job, int file) {
        return (session, ask, offset) -> session.send(Wire.ReadArtefact.newBuilder()
                .setAsk(ask)
                .setJob(job)
                .setFile(file)
                .setOffset(offset)
                .setMost(Rpc.MAX_READ)
                .build());
    }

    synchronized void begin() {
        askMore();
    }

    @GuardedBy("this")
    private void askMore() {
        if (!asking && !last && !over && chunks.size() < MAX_AHEAD) {
            asking = true;
            connection.ask(this);
        }
    }

    @Override
    public synchronized void ask(Session session, long ask) {
        asker.ask(session, ask, asked);
    }

    @Override
    public void answer(Message answer) {
        if (!(answer instanceof Wire.Chunk chunk)) {
            fail(new BuildException(BuildCode.BAD_REQUEST, "master does not answer with bytes"));
            return;
        }
        synchronized (this) {
            asking = false;
            if (over || chunk.getOffset() != asked) {
                askMore();
                return;
            }
            asked += chunk.getBytes().size();
            last = chunk.getLast();
            chunks.add(chunk);
            askMore();
            if (visiting) {
                return;
            }
            visiting = true;
        }
        try {
            connection.visitors().execute(this::visit);
        } catch (RejectedExecutionException e) {
            fail(new BuildException(BuildCode.UNREACHABLE, "client is closed", e));
        }
    }

    private void visit() {
        long offset = 0;
        while (true) {
            Wire.Chunk chunk;
            synchronized (this) {
                chunk = chunks.poll();
                askMore(); // which fails this if the client is closed
                if (chunk == null || over) {
                    visiting = false;
                    return;
                }
            }
            offset = chunk.getOffset() + chunk.getBytes().size();
            boolean more = chunk.getBytes().size() == 0 || visit(chunk);
            if (!more || chunk.getLast()) {
                synchronized (this) {
                    over = true;
                }
                end.complete(offset);
                return;
            }
        }
    }

    private boolean visit(Wire.Chunk chunk) {
        try {
            return visitor.visit(chunk.getOffset(), chunk.getBytes().asReadOnlyByteBuffer());
        } catch (RuntimeException | Error e) { // else nobody would learn of it
            end.completeExceptionally(e);
            return false;
        }
    }

    /** Notes that there will be no more bytes; the visitor gets none any more, but may be at those before. */
    @Override
    public void fail(BuildException cause) {
        synchronized (this) {
            over = true;
            chunks.clear();
        }
        end.completeExceptionally(cause);
    }
}
