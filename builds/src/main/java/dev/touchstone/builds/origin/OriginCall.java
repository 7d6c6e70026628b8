package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.LogVisitor;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A call of a method that builds, as its client sees it. Thread-safe. */
final class OriginCall implements Build {
    /*
     * Who calls:  the connection's thread `deliver` and `end`; whoever ends the connection `fail`; the caller's threads the others.
     * Invariants: `visitor` is set once. `bytes` is where the log goes on; nothing is given to the visitor once `isOver`.
     * Ordering:   the visitor is called and futures are completed without the lock. `deliver` waits for a visitor, so that no more comes over the
     *             connection until there is one.
     * Failure:    what the visitor throws is how following ends; the call goes on.
     */
    private final int id;
    private final Runnable interrupt;
    private final CompletableFuture<String> accepted;
    private final CompletableFuture<BuildResult> result = new CompletableFuture<>();
    private final CompletableFuture<Long> followed = new CompletableFuture<>();

    @GuardedBy("this")
    private @Nullable LogVisitor visitor;

    @GuardedBy("this")
    private boolean isOver; // nothing of the log is wanted any more

    @GuardedBy("this")
    private long bytes; // of the log, so far

    OriginCall(int id, Runnable interrupt) {
        this.id = id;
        this.interrupt = interrupt;
        this.accepted = CompletableFuture.completedFuture("call-" + id);
    }

    int id() {
        return id;
    }

    /** Gives bytes of the log to who follows it, and waits until somebody does. */
    void deliver(ByteBuffer payload) {
        LogVisitor to;
        long offset;
        synchronized (this) {
            try {
                while (visitor == null && !isOver) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                isOver = true;
            }
            offset = bytes;
            bytes += payload.remaining();
            to = isOver ? null : visitor;
        }
        try {
            if (to != null && !to.visit(offset, payload)) {
                stop(offset + payload.limit());
            }
        } catch (RuntimeException e) {
            followed.completeExceptionally(e);
            stop(offset);
        }
    }

    private void stop(long offset) {
        synchronized (this) {
            isOver = true;
            notifyAll();
        }
        followed.complete(offset);
    }

    /** Takes the reply. */
    void end(OriginMessage.Reply reply) {
        long length;
        synchronized (this) {
            length = bytes;
        }
        stop(length);
        BuildCode code = ReplyCode.toBuildCode(reply.code());
        try {
            BuildReply value = BuildReply.decode(reply.value());
            // the original's slaves reply to some failures with success and a text
            BuildCode known = code == BuildCode.OK && !value.error().isEmpty() ? BuildCode.SCRIPT_FAILED : code;
            int exitCode = known == BuildCode.SCRIPT_FAILED ? value.exitCode() : known == BuildCode.OK ? 0 : -1;
            result.complete(new BuildResult(
                    "", known, exitCode, value.error(), value.pull(), value.build(), 1, "", length, false, 0, 0));
        } catch (MalformedMessageException e) {
            fail(new BuildException(
                    code == BuildCode.OK ? BuildCode.DISPATCH_FAILED : code,
                    "reply has no value: code=" + reply.code() + " cause=" + e.getMessage()));
        }
    }

    /** Notes that there will be no reply. */
    void fail(BuildException cause) {
        result.completeExceptionally(cause);
        followed.completeExceptionally(cause);
        stop(0);
    }

    @Override
    public CompletableFuture<String> accepted() {
        return accepted;
    }

    @Override
    public CompletableFuture<BuildResult> result() {
        return result;
    }

    @Override
    public synchronized CompletableFuture<Long> follow(long offset, LogVisitor to) {
        if (offset != 0 || visitor != null) {
            throw new IllegalArgumentException("log of a call is followed once, from its beginning: offset=" + offset);
        }
        visitor = to;
        notifyAll();
        return followed;
    }

    @Override
    public CompletableFuture<Boolean> cancel(String reason) {
        boolean isOpen = !result.isDone();
        if (isOpen) {
            interrupt.run();
        }
        return CompletableFuture.completedFuture(isOpen);
    }

    @Override
    public CompletableFuture<BuildStatus> status() {
        return CompletableFuture.failedFuture(
                new BuildException(BuildCode.REFUSED, "the protocol of ws:// has no status"));
    }
}
