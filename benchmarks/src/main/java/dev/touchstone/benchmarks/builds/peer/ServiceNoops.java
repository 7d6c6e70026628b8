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
    private final List<BuildRequest> requests;

    private ServiceNoops(RunningService service, List<BuildRequest> requests) {
        this.service = service;
        this.requests = requests;
    }

    /**
     * Starts master, agent and client.
     *
     * @param durable whether a request is on the device before it is accepted, and its result before it is told
     * @param kind in what the requests differ
     * @param most number of requests that are handed over at once, at most
     */
    public static ServiceNoops open(ServiceOptions options, boolean durable, NoopRequests kind, int most)
            throws IOException {
        List<BuildRequest> requests = kind.make(options.repository().url(), durable, most);
        return new ServiceNoops(RunningService.start(options), requests);
    }

    @Override
    public void pipelined(int count) throws IOException {
        List<Build> builds = new ArrayList<>(count);
        for (BuildRequest request : requests.subList(0, count)) {
            builds.add(service.client().submit(request));
        }
        for (Build build : builds) {
            await(build);
        }
    }

    @Override
    public void roundTrip() throws IOException {
        await(service.client().submit(requests.get(0)));
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
    public ServiceObserver observe() throws IOException {
        return service.observe();
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
