package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Builds of our service that the agent ends as soon as it has them. */
public final class ServiceNoops implements NoopsUnderTest {
    private final RunningService service;
    private final BuildRequest request;

    private ServiceNoops(RunningService service, BuildRequest request) {
        this.service = service;
        this.request = request;
    }

    /**
     * Starts master, agent and client.
     *
     * @param durable whether a request is on the device before it is accepted, and its result before it is told
     */
    public static ServiceNoops open(ServiceOptions options, boolean durable) throws IOException {
        BuildRequest request = BuildRequest.of(options.repository().url(), "b0", TestRepository.SCRIPT)
                .noop(true)
                .durable(durable)
                .build();
        return new ServiceNoops(RunningService.start(options), request);
    }

    @Override
    public void pipelined(int count) throws IOException {
        List<Build> builds = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            builds.add(service.client().submit(request));
        }
        for (Build build : builds) {
            await(build);
        }
    }

    @Override
    public void roundTrip() throws IOException {
        await(service.client().submit(request));
    }

    private static void await(Build build) throws IOException {
        try {
            BuildResult result = build.result().get();
            if (!result.isSuccess()) {
                throw new IOException("noop fails: " + result);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | BuildException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
