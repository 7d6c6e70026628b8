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
 * Reads a log, or an artefact, to its end: asks for the next bytes while those before are on their way or with the visitor, a few pieces ahead;
 * so a visitor who takes his time costs the master nothing.
 */
final class Follower {
    /*
     * Who calls:  the thread that follows `begin`; the receiver `answer`; whoever ends the client `fail`; one thread of visitors at a
     *             time `visit`.
     * Invariants: at most MAX_AHEAD chunks are asked for or wait for the visitor; more than one is asked for only of what the master has said it has.
     * Ordering:   answers come in the order of the questions; those behind one that has fewer bytes than it might are dropped, and asked for
     *             again. The visitor is called and `end` completed without the lock.
     */
    private static final int MAX_AHEAD = 4;

    private final Connection connection;
    private final Asker asker;
    private final LogVisitor visitor;
    private final CompletableFuture<Long> end;

    @GuardedBy("this")
    private final ArrayDeque<Wire.Chunk> chunks = new ArrayDeque<>();

    @GuardedBy("this")
    private long received; // the visitor has, or will have, all bytes before

    @GuardedBy("this")
    private long next; // all bytes before are asked for

    @GuardedBy("this")
    private long total; // bytes that the master has said there are

    @GuardedBy("this")
    private int asking; // questions that are not answered yet

    @GuardedBy("this")
    private int turn; // of questions; answers to those of an earlier turn do not count

    @GuardedBy("this")
    private boolean asksForUnknown; // one of these is for what the master may not have yet

    @GuardedBy("this")
    private boolean visiting;

    @GuardedBy("this")
    private boolean last;

    @GuardedBy("this")
    private boolean over;

    /** Asks for bytes from an offset on. */
    interface Asker {
        void ask(Session session, long ask, long offset, int most);
    }

    Follower(Connection connection, Asker asker, long offset, LogVisitor visitor, CompletableFuture<Long> end) {
        this.connection = connection;
        this.asker = asker;
        this.received = offset;
        this.next = offset;
        this.visitor = visitor;
        this.end = end;
    }

    /** Returns what asks for a job's log. */
    static Asker log(long job) {
        return (session, ask, offset, most) -> session.send(Wire.ReadLog.newBuilder()
                .setAsk(ask)
                .setJob(job)
                .setOffset(offset)
                .setMost(most)
                .build());
    }

    /** Returns what asks for an artefact of a job, or for the list of all. */
    static Asker artefact(long job, int file) {
        return (session, ask, offset, most) -> session.send(Wire.ReadArtefact.newBuilder()
                .setAsk(ask)
                .setJob(job)
                .setFile(file)
                .setOffset(offset)
                .setMost(most)
                .build());
    }

    synchronized void begin() {
        askMore();
    }

    @GuardedBy("this")
    private void askMore() {
        while (!last && !over && !asksForUnknown && asking + chunks.size() < MAX_AHEAD) {
            int known = (int) Math.max(0, Math.min(Rpc.MAX_READ, total - next));
            asksForUnknown = known < Rpc.MAX_READ && asking == 0;
            if (known == 0 && !asksForUnknown) {
                return;
            }
            Piece piece = new Piece(next, asksForUnknown ? Rpc.MAX_READ : known, turn);
            asking++;
            next += piece.most;
            connection.ask(piece);
        }
    }

    /** A question for some of the bytes. */
    private final class Piece implements Question {
        private final long offset;
        private final int most;
        private final int ofTurn;

        Piece(long offset, int most, int ofTurn) {
            this.offset = offset;
            this.most = most;
            this.ofTurn = ofTurn;
        }

        @Override
        public void ask(Session session, long ask) {
            asker.ask(session, ask, offset, most);
        }

        @Override
        public void answer(Message answer) {
            if (answer instanceof Wire.Chunk chunk) {
                answered(this, chunk);
            } else {
                Follower.this.fail(new BuildException(BuildCode.BAD_REQUEST, "master does not answer with bytes"));
            }
        }

        @Override
        public void fail(BuildException cause) {
            Follower.this.fail(cause);
        }
    }

    private void answered(Piece piece, Wire.Chunk chunk) {
        synchronized (this) {
            asking--;
            asksForUnknown = false;
            total = Math.max(total, chunk.getTotal());
            if (!over && piece.ofTurn == turn) {
                take(piece, chunk);
            }
            askMore();
            if (visiting || chunks.isEmpty()) {
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

    @GuardedBy("this")
    private void take(Piece piece, Wire.Chunk chunk) {
        boolean isNext = chunk.getOffset() == received;
        if (isNext) {
            received += chunk.getBytes().size();
            last = chunk.getLast();
            chunks.add(chunk);
        }
        if (!isNext || chunk.getBytes().size() < piece.most) { // so those behind it leave a gap
            turn++;
            next = received;
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
    void fail(BuildException cause) {
        synchronized (this) {
            over = true;
            chunks.clear();
        }
        end.completeExceptionally(cause);
    }
}
