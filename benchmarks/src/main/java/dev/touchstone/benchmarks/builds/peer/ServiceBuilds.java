package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Builds by our service, from the request to the result, and to the last byte of the log where that is streamed. */
public final class ServiceBuilds implements BuildsUnderTest {
    private final RunningService service;
    private final ServiceOptions options;
    private final Emptied emptied;
    private int next;

    private ServiceBuilds(RunningService service, ServiceOptions options) throws IOException {
        this.service = service;
        this.emptied = new Emptied(options.folder().resolve("emptied"));
        this.options = options;
    }

    /** Starts master, agent and client. */
    public static ServiceBuilds open(ServiceOptions options) throws IOException {
        return new ServiceBuilds(RunningService.start(options), options);
    }

    /** A build that has not ended, with the length of its log if the client reads that. */
    private record Running(Build build, CompletableFuture<Long> read) {}

    @Override
    public void build(int count, int inFlight) throws IOException {
        ArrayDeque<Running> running = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            if (running.size() == inFlight) {
                await(running.remove());
            }
            running.add(submit(options.repository().branch(next++)));
        }
        for (Running last : running) {
            await(last);
        }
    }

    private Running submit(String branch) {
        BuildRequest request = BuildRequest.of(options.repository().url(), branch, TestRepository.SCRIPT)
                .output(options.mode().output())
                .build();
        Build build = service.client().submit(request);
        CompletableFuture<Long> read = options.mode() == BuildMode.STREAMING
                ? build.follow(0, (offset, bytes) -> true)
                : CompletableFuture.completedFuture(0L);
        return new Running(build, read);
    }

    private void await(Running running) throws IOException {
        try {
            long read = running.read().get();
            BuildResult result = running.build().result().get();
            if (!result.isSuccess()) {
                throw new IOException("build fails: " + result);
            }
            if (options.mode() != BuildMode.DISCARD && result.logBytes() < TestRepository.OUTPUT_BYTES) {
                throw new IOException("log is not all there: " + result);
            }
            if (options.mode() == BuildMode.STREAMING && read != result.logBytes()) {
                throw new IOException("log was not all read: read=" + read + " result=" + result);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | BuildException e) {
            throw new IOException(e);
        }
    }

    @Override
    public ServiceObserver observe() throws IOException {
        return service.observe();
    }

    @Override
    public void emptyWorkspaces() throws IOException {
        Path agent = options.folder().resolve("agent");
        emptied.empty(agent.resolve("workspaces"));
        try (var mirrors = Files.list(agent.resolve("mirrors"))) {
            for (Path mirror : (Iterable<Path>) mirrors::iterator) {
                Path worktrees = mirror.resolve("worktrees");
                if (Files.isDirectory(worktrees)) {
                    emptied.empty(worktrees);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
