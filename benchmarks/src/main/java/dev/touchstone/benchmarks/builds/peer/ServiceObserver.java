package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.BuildSummary;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A client of a service beside the one that is measured, which asks the master for the jobs that it has recorded. Used by one thread. */
public final class ServiceObserver implements Closeable {
    private final RunningService service;
    private final ServiceOptions options;
    private final BuildClient client;

    ServiceObserver(RunningService service, ServiceOptions options, BuildClient client) {
        this.service = service;
        this.options = options;
        this.client = client;
    }

    /** Returns the results of the newest builds that have ended, the newest first, without noops. */
    public List<BuildResult> builds(int most) throws IOException {
        return ended(of(client.jobs(most)).stream().map(BuildSummary::status).toList());
    }

    /** Has a noop done, whose number tells how many jobs the master had before; returns its id. */
    public String mark() throws IOException {
        return of(client.submit(noop()).accepted());
    }

    /** Returns the number of jobs that the master has taken between two marks. */
    public static long jobsBetween(String first, String last) {
        return number(last) - number(first) - 1;
    }

    private static long number(String mark) {
        return Long.parseLong(mark.substring(mark.lastIndexOf('-') + 1));
    }

    /** Returns the results of the jobs between two marks that have ended. */
    public List<BuildResult> ended(String first, String last) throws IOException {
        String prefix = first.substring(0, first.lastIndexOf('-') + 1);
        List<CompletableFuture<BuildStatus>> asked = new ArrayList<>();
        for (long number = number(first) + 1; number < number(last); number++) {
            asked.add(client.job(prefix + number).status());
        }
        List<BuildStatus> statuses = new ArrayList<>();
        for (CompletableFuture<BuildStatus> status : asked) {
            statuses.add(of(status));
        }
        return ended(statuses);
    }

    private static List<BuildResult> ended(List<BuildStatus> statuses) {
        return statuses.stream().flatMap(status -> status.result().stream()).toList();
    }

    /** Returns the output of a build from where the mode of the service keeps it. */
    public byte[] output(String job) throws IOException {
        return switch (options.mode()) {
            case DISCARD -> new byte[0];
            case STREAMING -> log(job);
            case FILES -> Files.readAllBytes(options.folder().resolve("files").resolve(job + ".log"));
            case REDIS -> service.redis().get(job);
        };
    }

    private byte[] log(String job) throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        long unused = of(client.job(job).follow(0, (offset, bytes) -> {
            byte[] some = new byte[bytes.remaining()];
            bytes.get(some);
            log.write(some, 0, some.length);
            return true;
        }));
        return log.toByteArray();
    }

    /** Builds a branch; returns the exit code. */
    public int exitCode(String branch) throws IOException {
        Build build = client.submit(BuildRequest.of(options.repository().url(), branch, TestRepository.SCRIPT)
                .output(options.mode().output())
                .build());
        return of(build.result()).exitCode();
    }

    private BuildRequest noop() {
        return BuildRequest.of(options.repository().url(), "b0", TestRepository.SCRIPT)
                .noop(true)
                .build();
    }

    private static <T> T of(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | BuildException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
