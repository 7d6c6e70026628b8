package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.index.EngineType;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.http.HttpOptions;
import dev.touchstone.index.server.http.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that loads prices and serves them until the process ends. */
@Command(
        name = "index-server",
        description = {
            "Serves a price index over HTTP.",
            "",
            "Without --prices and --index, the index holds generated prices."
        },
        exitCodeList = {
            "0:Help was shown.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "4:A file is damaged, has more bad rows than --max-errors allows, or has no prices.",
            "5:The machine failed; the port may be in use.",
            "143:The process was terminated (SIGTERM) after it had answered the requests in progress."
        })
final class ServeCommand implements Callable<Integer> {
    private static final long MAX_DRAIN_MILLIS = Duration.ofDays(1).toMillis();

    /** Options for the source of the prices, at most one of which may be given. */
    static final class Sources {
        @Option(
                names = "--prices",
                paramLabel = "FILE",
                description =
                        "CSV file with a header line (id, offering, value, currency, default, payload, and fields), or "
                                + "JSON Lines with the same names if the file name ends with .jsonl or .ndjson. "
                                + "Either may be compressed by gzip; its name may then end with .gz as well.")
        @Nullable
        Path prices;

        @Option(names = "--index", paramLabel = "FILE", description = "Index file.")
        @Nullable
        Path index;
    }

    @ArgGroup
    Sources sources = new Sources();

    @Option(
            names = "--types",
            paramLabel = "FIELD=TYPE",
            split = ",",
            description = "Types of fields that are not strings: integer, decimal(digits) or date-time. "
                    + "The file must have each of the fields.")
    Map<String, String> types = new LinkedHashMap<>();

    @Option(names = "--key", paramLabel = "NAME", description = "Name of the key field. Default: ${DEFAULT-VALUE}.")
    String key = "offering";

    @Option(
            names = "--max-errors",
            paramLabel = "ROWS",
            description = "Maximum number of bad rows to skip; one more ends the load. Default: ${DEFAULT-VALUE}.")
    long maxErrors = LoadOptions.DEFAULT.maxErrors();

    @Option(names = "--allow-empty", description = "Serve a file without a single price instead of refusing it.")
    boolean isEmptyAllowed;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Zone of dates and times without an offset, such as Europe/Berlin or +01:00. A time that its "
                    + "clocks skip or show twice makes the row bad. Default: UTC.")
    String zone = "UTC";

    @Option(names = "--mapped", description = "Memory-map the payloads of the index file instead of loading them.")
    boolean isMapped;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "Search engine: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    EngineType engine = EngineType.OURS;

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
        Ranges.check("--max-errors", maxErrors, 0, Long.MAX_VALUE);
        Ranges.check("--drain-millis", drainMillis, 0, MAX_DRAIN_MILLIS);
        HttpOptions options = access.apply(HttpOptions.DEFAULT
                .withAddress(host, port)
                .withEventLoops(threads)
                .withDrain(Duration.ofMillis(drainMillis)));
        options.checkAddress(); // before the load, which may take long
        PriceIndex index = load();
        HttpServer server = HttpServer.start(new PriceService(index, Limits.DEFAULT), options);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
        String address = host.contains(":") ? "[" + host + "]" : host;
        console.out()
                .println("ready: " + server.scheme() + "://" + address + ":"
                        + server.address().getPort() + "/ prices="
                        + index.stats().prices() + " engine=" + index.engine() + " transport=" + server.transport());
        server.join();
        return ExitCode.OK;
    }

    private PriceIndex load() throws IOException {
        ZoneId zoneId = zoneId();
        Source source = new Source(engine, console.err());
        Path prices = sources.prices;
        Path index = sources.index;
        refuseFolder("--prices", prices);
        refuseFolder("--index", index);
        if (prices != null) {
            LoadOptions options = LoadOptions.DEFAULT
                    .withMaxErrors(maxErrors)
                    .withMayBeEmpty(isEmptyAllowed)
                    .withZone(zoneId);
            return source.prices(prices, key, types, options);
        }
        return index != null ? source.index(index, isMapped) : source.seed();
    }

    private ZoneId zoneId() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new UsageException("--zone: expected a zone such as Europe/Berlin or +01:00, got '" + zone + "'", e);
        }
    }

    private static void refuseFolder(String option, @Nullable Path file) {
        if (file != null && Files.isDirectory(file)) {
            throw new UsageException(option + ": expected a file, got a folder: path=" + file);
        }
    }
}
