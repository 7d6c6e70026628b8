package dev.touchstone.builds.client;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.LogVisitor;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A job, as its client sees it. Thread-safe. */
final class RemoteBuild implements Build {
    private final RemoteBuildClient client;
    /** The client's number of the request; 0 for a job that it did not submit. */
    final long number;

    final @Nullable BuildRequest request;
    final CompletableFuture<String> accepted = new CompletableFuture<>();
    final CompletableFuture<BuildResult> result = new CompletableFuture<>();

    /** Bytes that the job holds of the client's window until the master has answered. */
    final int weight;

    /** True once the request was sent, in this session or an earlier one; {@link Pending} alone uses it, under its lock. */
    boolean sent;

    RemoteBuild(RemoteBuildClient client, long number, @Nullable BuildRequest request, int weight) {
        this.client = client;
        this.number = number;
        this.request = request;
        this.weight = weight;
    }

    void fail(RuntimeException cause) {
        accepted.completeExceptionally(cause);
        result.completeExceptionally(cause);
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
    public CompletableFuture<Long> follow(long offset, LogVisitor visitor) {
        return accepted.thenCompose(id -> client.follow(id, offset, visitor));
    }

    @Override
    public CompletableFuture<Boolean> cancel(String reason) {
        return accepted.thenCompose(id -> client.cancel(id, reason));
    }

    @Override
    public CompletableFuture<BuildStatus> status() {
        return accepted.thenCompose(client::status);
    }
}
