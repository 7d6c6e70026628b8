package dev.touchstone.builds.client;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a log to its end: asks for the next bytes while the visitor has those before, and no further ahead; so a visitor who takes his time costs the
 * master nothing.
 */
final class Follower implements Question {
    private static final int MAX_AHEAD = 2;

    private final Connection connection;
    private final long job;
    private final LogVisitor visitor;
    private final CompletableFuture<Long> end;
    private final ArrayDeque<ToClient.Chunk> chunks = new ArrayDeque<>(); // guarded by this, as all below
    private long asked; // where the bytes that are asked for begin
    private boolean asking;
    private boolean visiting;
    private boolean last;
    private boolean over;

    Follower(Connection connection, long job, long offset, LogVisitor visitor, CompletableFuture<Long> end) {
        this.connection = connection;
        this.job = job;
        this.asked = offset;
        this.visitor = visitor;
        this.end = end;
    }

    synchronized void begin() {
        askMore();
    }

    /** Guarded by this. */
    private void askMore() {
        if (!asking && !last && !over && chunks.size() < MAX_AHEAD) {
            asking = true;
            connection.ask(this);
        }
    }

    @Override
    public synchronized FromClient message(long session, long ask) {
        return new FromClient.Read(session, ask, job, asked, FromClient.MAX_READ);
    }

    @Override
    public void answer(ToClient answer) {
        if (!(answer instanceof ToClient.Chunk chunk)) {
            fail(new BuildException(BuildCode.BAD_REQUEST, "master does not answer with bytes of a log: job=" + job));
            return;
        }
        synchronized (this) {
            asking = false;
            if (over || chunk.offset() != asked) {
                askMore();
                return;
            }
            asked += chunk.bytes().length();
            last = chunk.last();
            chunks.add(chunk);
            askMore();
            if (visiting) {
                return;
            }
            visiting = true;
        }
        connection.visitors().execute(this::visit);
    }

    private void visit() {
        long offset = 0;
        while (true) {
            ToClient.Chunk chunk;
            synchronized (this) {
                chunk = chunks.poll();
                if (chunk == null) {
                    visiting = false;
                    return;
                }
                askMore();
            }
            offset = chunk.offset() + chunk.bytes().length();
            boolean more = chunk.bytes().length() == 0 || visit(chunk);
            if (!more || chunk.last()) {
                synchronized (this) {
                    over = true;
                }
                end.complete(offset);
                return;
            }
        }
    }

    private boolean visit(ToClient.Chunk chunk) {
        try {
            return visitor.visit(chunk.offset(), chunk.bytes().asByteBuffer());
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
            return false;
        }
    }

    @Override
    public void fail(BuildException cause) {
        end.completeExceptionally(cause);
    }
}
