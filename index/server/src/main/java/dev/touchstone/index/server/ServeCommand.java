package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.Ranges;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.http.HttpOptions;
import dev.touchstone.index.server.http.HttpServer;
import dev.touchstone.index.server.store.ClusterFile;
import dev.touchstone.index.server.store.PriceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that loads prices and serves them until the process ends. */
@Command(
        name = "index-server",
        description = {
            "Serves a price index over HTTP.",
            "",
            "Without --prices, --index and --store, the index holds generated prices. Without --store, updates are lost "
                    + "when the process ends."
        },
        exitCodeList = {
            "0:Help was shown.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "3:Another process has the store open.",
            "4:A file is damaged, has more bad rows than --max-errors allows, or has no prices.",
            "5:The machine failed; the port may be in use.",
            "143:The process was terminated (SIGTERM) after it had answered the requests in progress."
        })
final class ServeCommand implements Callable<Integer> {
    private static final long MAX_DRAIN_MILLIS = Duration.ofDays(1).toMillis();

    @Mixin
    SourceOptions sources = new SourceOptions();

    @Mixin
    ServedStore store = new ServedStore();

    @Option(
            names = "--watch",
            description =
                    "Look at the file of --prices every second. When it was replaced, its prices replace all others; "
                            + "a bad file is refused. Write the new file beside it and rename it. A store that exists gets the "
                            + "prices of the file soon after the start.")
    boolean isWatched;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Address to listen on; one beyond this machine requires tokens and TLS. Default: ${DEFAULT-VALUE}.")
    String host = HttpOptions.DEFAULT.host();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    int port = HttpOptions.DEFAULT.port();

    @Mixin
    ClusterOptions clustered = new ClusterOptions();

    @Mixin
    AccessFlags access = new AccessFlags();

    @Option(
            names = "--threads",
            paramLabel = "COUNT",
            description = "Number of event-loop threads; 0 is one for each processor. Default: 0.")
    int threads;

    @Option(
            names = "--drain-millis",
            paramLabel = "MILLIS",
            description = "Time for which /ready answers 503 before requests are refused. Default: ${DEFAULT-VALUE}.")
    long drainMillis = HttpOptions.DEFAULT.times().drain().toMillis();

    private final Console console;

    ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Ranges.checkPort("--port", port);
        Ranges.check("--threads", threads, 0, Integer.MAX_VALUE);
        Ranges.check("--drain-millis", drainMillis, 0, MAX_DRAIN_MILLIS);
        HttpOptions options = access.apply(HttpOptions.DEFAULT
                .withAddress(host, port)
                .withEventLoops(threads)
                .withDrain(Duration.ofMillis(drainMillis)));
        options.checkAddress(); // before the load, which may take long
        clustered.check(access.isInsecure);
        Path watched = isWatched ? sources.watched() : null;
        // before the load, so that no later file is missed; a member that comes back takes the prices of its cluster,
        // and not those of the file
        PriceFileWatch.State loaded =
                watched != null && (clustered.isGiven() || !store.exists()) ? PriceFileWatch.State.of(watched) : null;
        boolean isRecovered = store.exists();
        PriceStore durable = store.open(sources, isWatched, console);
        PriceIndex index = durable == null ? sources.load(console.err()) : durable.index();
        ServedCluster cluster = join(index, durable, isRecovered);
        PriceService service = new PriceService(index, updater(index, durable, cluster), Limits.DEFAULT);
        HttpServer server = start(service, durable, cluster, options);
        PriceFileWatch watch = watched != null
                ? new PriceFileWatch(watched, sources.loadOptions(), loaded, service, console.err())
                        .usedWhile(() -> cluster == null || cluster.isOldest())
                        .start()
                : null;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, watch, durable, cluster), "stop"));
        String address = host.contains(":") ? "[" + host + "]" : host;
        console.out()
                .println("ready: " + server.scheme() + "://" + address + ":"
                        + server.address().getPort() + "/ prices="
                        + index.stats().prices() + " transport=" + server.transport());
        server.join();
        return ExitCode.OK;
    }

    private @Nullable ServedCluster join(PriceIndex index, @Nullable PriceStore durable, boolean isRecovered)
            throws IOException, InterruptedException {
        if (!clustered.isGiven()) {
            return null;
        }
        try {
            Replica replica = durable == null || store.folder == null
                    ? Replica.inMemory(index)
                    : new StoreReplica(durable, isRecovered, new ClusterFile(store.folder));
            return ServedCluster.join(clustered, replica, console);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            close(durable);
            throw e;
        }
    }

    private static PriceService.Updater updater(
            PriceIndex index, @Nullable PriceStore durable, @Nullable ServedCluster cluster) {
        if (cluster != null) {
            return cluster;
        }
        return durable != null ? durable : index::update;
    }

    private static HttpServer start(
            PriceService service, @Nullable PriceStore durable, @Nullable ServedCluster cluster, HttpOptions options)
            throws IOException {
        try {
            if (cluster != null) {
                cluster.measure(service.metrics());
                service.currentWhile(cluster::isLive);
            }
            if (durable != null) {
                ServedStore.measure(durable, service.metrics());
            }
            boolean isGrouped = durable != null || cluster != null;
            return HttpServer.start(service, isGrouped ? ServedStore.grouping(options) : options);
        } catch (IOException | RuntimeException | Error e) {
            if (cluster != null) {
                cluster.close();
            }
            close(durable);
            throw e;
        }
    }

    private static void close(@Nullable PriceStore durable) throws IOException {
        if (durable != null) {
            durable.close();
        }
    }

    private void stop(
            HttpServer server,
            @Nullable PriceFileWatch watch,
            @Nullable PriceStore durable,
            @Nullable ServedCluster cluster) {
        server.close();
        if (watch != null) {
            watch.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        if (durable == null) {
            return;
        }
        try {
            durable.close();
        } catch (IOException e) {
            console.err().println("no snapshot was made, the log has all updates: " + FailureMessages.describe(e));
        }
        console.flush();
    }
}
