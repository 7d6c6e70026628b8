package dev.touchstone.builds.client;

import dev.touchstone.builds.AgentStatus;
import dev.touchstone.builds.Artefact;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.BuildSummary;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Requests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client over gRPC. */
public final class RemoteBuildClient implements BuildClient {
    /*
     * Who calls:  the user's threads; the receiver when it completes futures, and so must not wait for room.
     * Invariants: permits that `submit` takes of `window` are given back once, when the build is accepted or has failed.
     * Ordering:   a build or question is added before the client is looked at: if it is closed by then, whoever sees it fails it.
     */
    /** Bytes of requests, about, that wait for the master's answer before who submits more has to wait. */
    static final int WINDOW = 2 << 20;

    /** Bytes that are taken of the window for a request that equals the one before. */
    private static final int SAME_AGAIN = 16;

    private static final int MAX_LISTED = 10_000;

    private final Pending pending = new Pending();
    private final Questions questions = new Questions();
    private final Connection connection;
    private final AtomicLong numbers = new AtomicLong();
    private final Semaphore window = new Semaphore(WINDOW);
    private volatile @Nullable BuildRequest last; // a hint

    private RemoteBuildClient(ConnectOptions options, MasterAddress master) {
        this.connection = new Connection(options, master, pending, questions, window);
    }

    /**
     * Connects to a master.
     *
     * @throws BuildException if the master is not reached in time, or refuses
     */
    public static BuildClient connect(ConnectOptions options) throws InterruptedException {
        MasterAddress master;
        RemoteBuildClient client;
        try {
            master = MasterAddress.parse(options.master());
            client = new RemoteBuildClient(options, master);
        } catch (IllegalArgumentException e) {
            throw new BuildException(BuildCode.INVALID, String.valueOf(e.getMessage()), e);
        }
        try {
            client.connection.start();
            client.connection.ready().get(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
            return client;
        } catch (ExecutionException e) {
            client.close();
            throw e.getCause() instanceof BuildException known
                    ? known
                    : new BuildException(BuildCode.UNREACHABLE, "master is not reached: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            String reason = client.connection.problem();
            client.close();
            throw new BuildException(
                    BuildCode.UNREACHABLE,
                    "master is not reached in time: master=" + master + " timeout=" + options.connectTimeout()
                            + (reason.isEmpty() ? "" : " cause=" + reason),
                    e);
        } catch (InterruptedException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public Build submit(BuildRequest request) {
        int weight = request.equals(last) ? SAME_AGAIN : Math.min(WINDOW, Requests.bytes(request));
        last = request;
        if (connection.isReceiver()) {
            weight = 0; // who is told of results may always submit: nobody else would make room
        } else {
            window.acquireUninterruptibly(weight);
        }
        RemoteBuild build = new RemoteBuild(this, numbers.incrementAndGet(), request, weight);
        if (!request.files().isEmpty() && !connection.knowsFiles()) {
            window.release(weight);
            build.fail(oldMaster());
            return build;
        }
        pending.add(build);
        connection.failIfClosed();
        connection.signal();
        return build;
    }

    @Override
    public Build job(String jobId) {
        RemoteBuild build = new RemoteBuild(this, 0, null, 0);
        build.accepted.complete(jobId);
        connection.withJob(jobId, build, number -> {
            pending.watch(number, build);
            connection.failIfClosed();
            connection.watch(number);
        });
        return build;
    }

    CompletableFuture<Long> follow(String jobId, long offset, LogVisitor visitor) {
        CompletableFuture<Long> end = new CompletableFuture<>();
        connection.withJob(
                jobId, end, number -> new Follower(connection, Follower.log(number), offset, visitor, end).begin());
        return end;
    }

    CompletableFuture<Boolean> cancel(String jobId, String reason) {
        CompletableFuture<Boolean> was = new CompletableFuture<>();
        connection.withJob(jobId, was, number -> connection.ask(Question.cancel(number, reason, was)));
        return was;
    }

    CompletableFuture<BuildStatus> status(String jobId) {
        CompletableFuture<BuildStatus> status = new CompletableFuture<>();
        connection.withJob(jobId, status, number -> connection.ask(Question.status(jobId, number, status)));
        return status;
    }

    @Override
    public CompletableFuture<String> retry(String jobId) {
        CompletableFuture<String> made = new CompletableFuture<>();
        long number = numbers.incrementAndGet(); // the same after a reconnect, so that there is one job
        connection.withJob(
                jobId,
                made,
                job -> connection.ask(
                        Question.retry(job, number, connection.ready().getNow(""), made)));
        return made;
    }

    @Override
    public CompletableFuture<List<BuildSummary>> jobs(int most) {
        if (most < 1 || most > MAX_LISTED) {
            throw new IllegalArgumentException("most=" + most + " is not 1 to " + MAX_LISTED);
        }
        CompletableFuture<List<BuildSummary>> jobs = new CompletableFuture<>();
        connection.ask(Question.jobs(most, connection.ready().getNow(""), jobs));
        return jobs;
    }

    @Override
    public CompletableFuture<List<AgentStatus>> agents() {
        CompletableFuture<List<AgentStatus>> agents = new CompletableFuture<>();
        connection.ask(Question.agents(agents));
        return agents;
    }

    @Override
    public CompletableFuture<List<Artefact>> artefacts(String jobId) {
        return list(jobId)
                .thenApply(bundle -> bundle.items().stream()
                        .map(item -> new Artefact(item.name(), item.size(), item.sha256()))
                        .toList());
    }

    @Override
    public CompletableFuture<List<Artefact>> downloadArtefacts(String jobId, Path folder) {
        return list(jobId)
                .thenComposeAsync(
                        bundle -> {
                            CompletableFuture<?> last = CompletableFuture.completedFuture(null);
                            for (int i = 0; i < bundle.items().size(); i++) {
                                int file = i + 1;
                                ArtefactDownload download = new ArtefactDownload(
                                        folder, bundle.items().get(i));
                                last = last.thenCompose(unused -> download.run(visitor -> read(jobId, file, visitor)));
                            }
                            return last;
                        },
                        connection.visitors())
                .thenCompose(unused -> artefacts(jobId));
    }

    private CompletableFuture<Bundle> list(String jobId) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        return read(jobId, 0, (offset, piece) -> {
                    byte[] copy = new byte[piece.remaining()];
                    piece.get(copy);
                    bytes.writeBytes(copy);
                    return bytes.size() <= Bundle.MAX_LIST_BYTES;
                })
                .thenApply(unused -> {
                    try {
                        return Bundle.decode(bytes.toByteArray());
                    } catch (IOException e) {
                        throw new BuildException(BuildCode.STORAGE, String.valueOf(e.getMessage()), e);
                    }
                });
    }

    private CompletableFuture<Long> read(String jobId, int file, LogVisitor visitor) {
        CompletableFuture<Long> end = new CompletableFuture<>();
        connection.withJob(jobId, end, number -> {
            if (connection.knowsFiles()) {
                new Follower(connection, Follower.artefact(number, file), 0, visitor, end).begin();
            } else {
                end.completeExceptionally(oldMaster());
            }
        });
        return end;
    }

    private static BuildException oldMaster() {
        return new BuildException(BuildCode.REFUSED, "master is too old for artefacts and caches; update it first");
    }

    @Override
    public void close() {
        connection.close();
    }
}
