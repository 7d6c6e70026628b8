package dev.touchstone.benchmarks.index.http;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.cli.HarnessExitCode;
import dev.touchstone.benchmarks.index.RequestBodies;
import dev.touchstone.harness.cli.SubCommand;
import dev.touchstone.harness.store.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code http-load}: the search service under load, from the command line. */
@Command(
        name = "http-load",
        sortOptions = false,
        description = "Puts a search service under load, or starts servers of its own and compares them.",
        footer = {
            "",
            "Sends " + HttpLoadCommand.BODIES
                    + " requests in turn, each for one of the 487 200 generated prices, and tells how long",
            "answers took. Servers of its own are started one after the other in each round, so that what",
            "disturbs the machine meets all of them; where taskset is installed, server and load have",
            "processors apart.",
            "",
            "Exit codes: 0 all answered with 2xx, 2 usage, 4 failed or some answered otherwise."
        })
public final class HttpLoadCommand implements SubCommand {
    static final int BODIES = 3000;

    private static final int FEWEST = 4; // requests that differ
    private static final double MILLIS = 1000;

    private @Nullable Console told;

    @Option(
            names = "--url",
            paramLabel = "<url>",
            description = "A service that runs, with its route: http://127.0.0.1:8080/v1/search/bitmap/prices.")
    private @Nullable URI url;

    @Option(
            names = "--servers",
            paramLabel = "<names>",
            split = ",",
            description = "Servers to start, in place of --url; of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<ServedSubject> servers = List.of(ServedSubject.values());

    @Option(names = "--threads", paramLabel = "<n>", description = "Threads. Default: ${DEFAULT-VALUE}.")
    private int threads = 1;

    @Option(
            names = "--connections",
            paramLabel = "<n>",
            description = "Connections of all threads, each with one request at a time. Default: ${DEFAULT-VALUE}.")
    private int connections = 1;

    @Option(
            names = "--duration",
            paramLabel = "<seconds>",
            description = "How long each round counts. Default: ${DEFAULT-VALUE}.")
    private double duration = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "<seconds>",
            description = "Load before each round counts. Default: ${DEFAULT-VALUE}.")
    private double warmUp = 10;

    @Option(
            names = "--rate",
            paramLabel = "<per second>",
            description = "Requests to begin in a second; their times count from when they should have begun."
                    + " Default: as fast as answers come.")
    private double rate;

    @Option(
            names = "--items",
            paramLabel = "<n>",
            description = "Searches in a request; with several it goes to the bulk route. Default: ${DEFAULT-VALUE}.")
    private int items = 1;

    @Option(names = "--rounds", paramLabel = "<n>", description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = 1;

    @Option(
            names = "--shared-processors",
            description = "Leave it to the machine which processors server and load run on.")
    private boolean areShared;

    @Option(
            names = "--write-bodies",
            paramLabel = "<file>",
            description = "Write the bodies to a file, one a line, for another load tool, and end.")
    private @Nullable Path bodiesFile;

    @Option(names = "--json", description = "One JSON document on stdout in place of the text.")
    private boolean json;

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        if (items < 1 || rounds < 1) {
            throw new UsageException("--items, --rounds: expected 1 or more");
        }
        List<byte[]> bodies = RequestBodies.seed(Math.max(FEWEST, BODIES / items), items);
        Path file = bodiesFile;
        if (file != null) {
            write(bodies, file);
            return ExitCode.OK;
        }
        LoadReport report = report(plan(), bodies, console);
        console.out().print(json ? StrictJson.pretty(report) : report.text());
        console.out().flush();
        return report.failures() == 0 ? ExitCode.OK : HarnessExitCode.FAILED;
    }

    private LoadPlan plan() {
        try {
            return new LoadPlan(threads, connections, seconds(warmUp), seconds(duration), rate);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration seconds(double value) {
        return Duration.ofMillis(Math.round(value * MILLIS));
    }

    private static void write(List<byte[]> bodies, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            for (byte[] body : bodies) {
                out.write(body);
                out.write('\n');
            }
        }
    }

    private LoadReport report(LoadPlan plan, List<byte[]> bodies, Console console) throws IOException {
        URI given = url;
        Processors processors = Processors.ofMachine(given == null && !areShared);
        List<LoadReport.Column> columns = new ArrayList<>();
        if (given != null) {
            columns.add(given(given, plan, bodies));
        } else {
            processors.moveThis();
            for (Map.Entry<ServedSubject, List<LoadResult>> subject :
                    compared(plan, bodies, processors, console).entrySet()) {
                columns.add(LoadReport.Column.of(subject.getKey().name(), subject.getValue()));
            }
        }
        return new LoadReport(
                LoadReport.SCHEMA,
                threads,
                connections,
                rate,
                items,
                rounds,
                given == null && processors.areApart(),
                columns);
    }

    private LoadReport.Column given(URI target, LoadPlan plan, List<byte[]> bodies) throws IOException {
        String host = target.getHost();
        if (!"http".equals(target.getScheme()) || host == null || target.getPort() < 1) {
            throw new UsageException("--url: expected http://host:port/path, got " + target);
        }
        InetSocketAddress server = new InetSocketAddress(InetAddress.getByName(host), target.getPort());
        List<ByteBuffer> requests = HttpRequests.posts(server, target.getRawPath(), bodies);
        List<LoadResult> results = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            results.add(LoadRun.run(plan, server, requests));
        }
        return LoadReport.Column.of(target.getRawPath(), results);
    }

    private Map<ServedSubject, List<LoadResult>> compared(
            LoadPlan plan, List<byte[]> bodies, Processors processors, Console console) throws IOException {
        Map<ServedSubject, List<LoadResult>> results = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (ServedSubject subject : servers) {
                console.err().println("round " + (round + 1) + " of " + rounds + ": " + subject);
                console.err().flush();
                try (ServerProcess server = ServerProcess.start(subject, items, processors)) {
                    List<ByteBuffer> requests = HttpRequests.posts(server.address(), subject.path(items > 1), bodies);
                    results.computeIfAbsent(subject, any -> new ArrayList<>())
                            .add(LoadRun.run(plan, server.address(), requests));
                }
            }
        }
        return results;
    }
}
