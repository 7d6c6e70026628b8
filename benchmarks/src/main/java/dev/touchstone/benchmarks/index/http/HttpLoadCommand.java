package dev.touchstone.benchmarks.index.http;

import dev.touchstone.benchmarks.index.data.RequestBodies;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.file.StrictJson;
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
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code http-load}: measures a search service under load. */
@Command(
        name = "http-load",
        description = {
            "Puts load on a search service, or starts several servers and compares them.",
            "",
            "Sends " + HttpLoadCommand.BODIES
                    + " requests in rotation, each for one of the 487 200 generated prices, and measures the response "
                    + "times. Without --url it starts one server after the other in each round, so that disturbances "
                    + "of the machine meet all of them. If taskset is installed, server and load run on separate "
                    + "processors."
        },
        exitCodeList = {
            "0:All requests were answered with 2xx.",
            "2:The command line, or a value that it names, cannot be used.",
            "4:A request was answered otherwise, or the machine failed."
        })
public final class HttpLoadCommand implements SubCommand {
    static final int BODIES = 3000;

    private static final int MIN_REQUESTS = 4; // that differ
    private static final double MILLIS = 1000;
    private static final double MAX_SECONDS = 86_400;
    private static final double MAX_RATE = 1e9;

    private @Nullable Console told;

    @Option(
            names = "--url",
            paramLabel = "<url>",
            description = "Running service and its route, such as http://127.0.0.1:8080/v1/search/bitmap/prices.")
    private @Nullable URI url;

    @Option(
            names = "--servers",
            paramLabel = "<names>",
            split = ",",
            description = "Servers to start if there is no --url: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<ServedSubject> servers = List.of(ServedSubject.values());

    @Option(
            names = "--threads",
            paramLabel = "<n>",
            description = "Threads that send requests. Default: ${DEFAULT-VALUE}.")
    private int threads = 1;

    @Option(
            names = "--connections",
            paramLabel = "<n>",
            description =
                    "Connections of all threads together, each with one request at a time. Default: ${DEFAULT-VALUE}.")
    private int connections = 1;

    @Option(
            names = "--duration",
            paramLabel = "<seconds>",
            description = "Measured time of each round. Default: ${DEFAULT-VALUE}.")
    private double duration = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "<seconds>",
            description = "Load before the measured time of each round. Default: ${DEFAULT-VALUE}.")
    private double warmUp = 10;

    @Option(
            names = "--rate",
            paramLabel = "<per second>",
            description =
                    "Requests to start each second; response times count from the scheduled start. Default: as fast "
                            + "as responses arrive.")
    private double rate;

    @Option(
            names = "--items",
            paramLabel = "<n>",
            description = "Searches in each request; more than one uses the bulk route. Default: ${DEFAULT-VALUE}.")
    private int items = 1;

    @Option(names = "--rounds", paramLabel = "<n>", description = "Number of rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = 1;

    @Option(names = "--shared-processors", description = "Let server and load share all processors.")
    private boolean areShared;

    @Option(
            names = "--write-bodies",
            paramLabel = "<file>",
            description =
                    "Write the request bodies for the first of the servers to a file, one a line, for another load tool, "
                            + "and measure nothing.")
    private @Nullable Path bodiesFile;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    private boolean json;

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        checkArguments();
        Path file = bodiesFile;
        if (file != null) {
            write(bodies(servers.get(0).path(items > 1)), file);
            return ExitCode.OK;
        }
        LoadReport report = report(plan(), console);
        console.out().print(json ? StrictJson.pretty(report) : report.text());
        console.out().flush();
        return report.failures() == 0 ? ExitCode.OK : HarnessExitCode.FAILED;
    }

    private List<byte[]> bodies(String path) {
        return RequestBodies.of(path).seed(Math.max(MIN_REQUESTS, BODIES / items), items);
    }

    private void checkArguments() {
        Ranges.check("--items", items, 1, Integer.MAX_VALUE);
        Ranges.check("--rounds", rounds, 1, Integer.MAX_VALUE);
        Ranges.check("--threads", threads, 1, Integer.MAX_VALUE);
        if (connections < threads) {
            throw new UsageException(
                    "--connections: expected at least as many as --threads=" + threads + ", got " + connections);
        }
        checkNumber("--warm-up", warmUp, 0, MAX_SECONDS);
        checkNumber("--duration", duration, 1 / MILLIS, MAX_SECONDS);
        checkNumber("--rate", rate, 0, MAX_RATE);
    }

    private static void checkNumber(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new UsageException(option + ": expected " + min + ".." + max + ", got " + value);
        }
    }

    private LoadPlan plan() {
        return new LoadPlan(threads, connections, seconds(warmUp), seconds(duration), rate);
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

    private LoadReport report(LoadPlan plan, Console console) throws IOException {
        URI given = url;
        Processors processors = Processors.ofMachine(given == null && !areShared);
        List<LoadReport.Column> columns = new ArrayList<>();
        if (given != null) {
            columns.add(given(given, plan));
        } else {
            processors.moveThis();
            for (Map.Entry<ServedSubject, List<LoadResult>> subject :
                    compared(plan, processors, console).entrySet()) {
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

    private LoadReport.Column given(URI target, LoadPlan plan) throws IOException {
        String host = target.getHost();
        if (!"http".equals(target.getScheme()) || host == null || target.getPort() < 1) {
            throw new UsageException("--url: expected http://host:port/path, got " + target);
        }
        InetSocketAddress server = new InetSocketAddress(InetAddress.getByName(host), target.getPort());
        List<ByteBuffer> requests = HttpRequests.posts(server, target.getRawPath(), bodies(target.getRawPath()));
        List<LoadResult> results = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            results.add(LoadRun.run(plan, server, requests));
        }
        return LoadReport.Column.of(target.getRawPath(), results);
    }

    private Map<ServedSubject, List<LoadResult>> compared(LoadPlan plan, Processors processors, Console console)
            throws IOException {
        Map<ServedSubject, List<LoadResult>> results = new LinkedHashMap<>();
        Map<ServedSubject, List<byte[]>> bodies = new EnumMap<>(ServedSubject.class);
        servers.forEach(subject -> bodies.put(subject, bodies(subject.path(items > 1))));
        for (int round = 0; round < rounds; round++) {
            for (ServedSubject subject : servers) {
                console.err().println("round " + (round + 1) + " of " + rounds + ": " + subject);
                console.err().flush();
                try (ServerProcess server = ServerProcess.start(subject, items, processors)) {
                    List<ByteBuffer> requests = HttpRequests.posts(
                            server.address(),
                            subject.path(items > 1),
                            Objects.requireNonNull(bodies.get(subject), "bodies"));
                    results.computeIfAbsent(subject, any -> new ArrayList<>())
                            .add(LoadRun.run(plan, server.address(), requests));
                }
            }
        }
        return results;
    }
}
