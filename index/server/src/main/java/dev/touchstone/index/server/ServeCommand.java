package dev.touchstone.index.server;

import dev.touchstone.index.EngineType;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.http.HttpOptions;
import dev.touchstone.index.server.http.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Loads prices and serves them. */
@Command(
        name = "index-server",
        description = "Serves a price index over HTTP; without a file, of generated prices.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "    0  help was shown",
            "    2  the command line or a file named in it is not usable",
            "    4  a file is damaged, or has more bad rows than --max-errors",
            "    5  the machine failed; the port may be taken",
            "  143  it was told to end (SIGTERM), and requests that had begun were answered"
        })
final class ServeCommand implements Callable<Integer> {
    /** One of several places where prices come from. */
    static final class Files {
        @Option(
                names = "--prices",
                paramLabel = "FILE",
                description = "CSV with a head (id, offering, value, currency, default, payload, and fields), or JSON "
                        + "Lines with the same names if it ends with .jsonl or .ndjson.")
        @Nullable
        Path prices;

        @Option(names = "--index", paramLabel = "FILE", description = "An index file.")
        @Nullable
        Path index;
    }

    @ArgGroup
    Files files = new Files();

    @Option(
            names = "--types",
            paramLabel = "FIELD=TYPE",
            split = ",",
            description = "Fields that are no strings: integer, decimal(digits) or date-time.")
    Map<String, String> types = new LinkedHashMap<>();

    @Option(names = "--key", paramLabel = "NAME", description = "Name of the key; by default ${DEFAULT-VALUE}.")
    String key = "offering";

    @Option(
            names = "--max-errors",
            paramLabel = "ROWS",
            description = "Bad rows that don't end the load; by default any number.")
    long maxErrors = Long.MAX_VALUE;

    @Option(names = "--mapped", description = "Leave what searches don't need in the index file.")
    boolean isMapped;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "${COMPLETION-CANDIDATES}; by default ${DEFAULT-VALUE}.")
    EngineType engine = EngineType.OURS;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Where to listen; by default ${DEFAULT-VALUE}.")
    String host = HttpOptions.DEFAULT.host();

    @Option(names = "--port", paramLabel = "PORT", description = "By default ${DEFAULT-VALUE}; 0 is a free one.")
    int port = HttpOptions.DEFAULT.port();

    @Option(names = "--threads", paramLabel = "COUNT", description = "Event loops; by default one for each processor.")
    int threads;

    @Option(
            names = "--drain-millis",
            paramLabel = "MILLIS",
            description = "For how long /ready says 503 before requests are refused; by default ${DEFAULT-VALUE}.")
    long drainMillis = HttpOptions.DEFAULT.drain().toMillis();

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    boolean isHelpAsked;

    private final PrintWriter out;
    private final PrintWriter err;

    ServeCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        HttpOptions base = HttpOptions.DEFAULT.withAddress(host, port).withEventLoops(threads);
        HttpOptions options =
                base.withTimes(base.requestTimeout(), base.idleTimeout(), Duration.ofMillis(drainMillis), base.grace());
        PriceIndex index = load();
        HttpServer server = HttpServer.start(new PriceService(index, Limits.DEFAULT), options);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop"));
        String address = host.contains(":") ? "[" + host + "]" : host;
        out.println("ready: http://" + address + ":" + server.address().getPort() + "/ prices="
                + index.stats().prices() + " engine=" + index.engine() + " transport=" + server.transport());
        server.join();
        return ExitCode.OK;
    }

    private PriceIndex load() throws IOException {
        Source source = new Source(engine, err);
        Path prices = files.prices;
        Path index = files.index;
        if (prices != null) {
            return source.prices(prices, key, types, LoadOptions.DEFAULT.withMaxErrors(maxErrors));
        }
        return index != null ? source.index(index, isMapped) : source.seed();
    }
}
