package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** Builds of our service with long logs. */
public final class ServiceLogs implements LogsUnderTest {
    private static final long MEGABYTE = 1_000_000;

    private final RunningService service;
    private final BuildRequest request;

    private ServiceLogs(RunningService service, BuildRequest request) {
        this.service = service;
        this.request = request;
    }

    /** A script that prints so many millions of bytes, in lines of 80. */
    public static String script(int megabytes) {
        return "yes '" + line().strip() + "' | head -c " + megabytes * MEGABYTE + "\n";
    }

    /** Returns a line that the script prints again and again. */
    public static String line() {
        return "0123456789".repeat(7) + "012345678\n";
    }

    /** Starts master, agent and client. */
    public static ServiceLogs open(ServiceOptions options) throws IOException {
        BuildRequest request = BuildRequest.of(options.repository().url(), "b0", TestRepository.SCRIPT)
                .build();
        return new ServiceLogs(RunningService.start(options), request);
    }

    @Override
    public long follow(int megabytes) throws IOException {
        Build build = service.client().submit(request);
        try {
            long read = build.follow(0, (offset, bytes) -> true).get();
            BuildResult result = build.result().get();
            if (!result.isSuccess() || read != result.logBytes() || read < megabytes * MEGABYTE) {
                throw new IOException("log was not all read: read=" + read + " result=" + result);
            }
            return read;
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
    public void close() throws IOException {
        service.close();
    }
}
