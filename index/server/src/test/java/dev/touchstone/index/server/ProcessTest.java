package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.http.Client;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The service as a process of its own. */
@Timeout(120)
class ProcessTest {
    private static final String KNOWN =
            "{\"offeringId\":\"a38e432c-3965-4c74-8251-aa640002d2b2\",\"groupId\":\"group5\","
                    + "\"priceSpecId\":\"MRC\",\"charValues\":[{\"char\":\"Term\",\"value\":\"18\"},"
                    + "{\"char\":\"B2B Traffic\",\"value\":\"10GB\"},"
                    + "{\"char\":\"VPN\",\"value\":\"ad796998-f1c7-4fcc-9a6b-1b33042fb375\"},"
                    + "{\"char\":\"B2B Bandwidth\",\"value\":\"1Mbps\"},{\"char\":\"Router\",\"value\":\"Included\"}]}";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder = Path.of("");

    static Process start(String... args) throws IOException {
        return start(ProcessBuilder.Redirect.DISCARD, args);
    }

    static Process start(ProcessBuilder.Redirect errors, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx384m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        command.addAll(List.of("--port", "0"));
        return new ProcessBuilder(command).redirectError(errors).start();
    }

    static InetSocketAddress address(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        assertThat(line).startsWith("ready: http://127.0.0.1:");
        String port = line.substring("ready: http://127.0.0.1:".length(), line.indexOf("/ "));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    @Test
    void generatedPrices_haveTheKnownAnswer() throws IOException {
        Process process = start();
        try (Client client = new Client(address(process))) {
            for (String route : List.of("/v1/search/bitmap/prices", "/v1/search/map/prices")) {
                Reply response = client.ask(Client.post(route, KNOWN));
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).contains("\"spec\":\"MRC\",\"value\":2320,\"currency\":\"\"}");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void toldToEnd_saysSoAndAnswersWhatHasBegun() throws IOException, InterruptedException {
        assumeThat(System.getProperty("os.name")).as("needs SIGTERM").doesNotStartWith("Windows");
        Path file = Files.writeString(folder.resolve("prices.csv"), "id,offering,value,colour\na,o,5,red\nb,o,x,red\n");
        Process process = start("--prices", file.toString(), "--max-errors", "1", "--drain-millis", "3000");
        try {
            InetSocketAddress address = address(process);
            try (Client slow = new Client(address);
                    Client asking = new Client(address)) {
                String request = Client.post("/v1/search/bitmap/prices", "{\"offeringId\":\"o\"}");
                slow.send(request.substring(0, request.length() - 5));
                assertThat(asking.ask(Client.get("/ready")).status()).isEqualTo(200);

                process.destroy();

                while (asking.ask(Client.get("/ready")).status() == 200) {
                    LockSupport.parkNanos(100_000);
                }
                assertThat(process.isAlive()).isTrue();
                assertThat(asking.ask(Client.get("/health")).body()).isEqualTo("draining\n");
                Reply response = slow.ask(request.substring(request.length() - 5));
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).contains("\"value\":5,");
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void commandLine_thatIsNotUsable_endsWithItsCode() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.csv"), "");
        Path none = folder.resolve("none.csv");

        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(run("--colour")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--prices", none.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("no such file or folder: path=" + none + "; check the path");
        assertThat(run("--prices", folder.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("--prices: expected a file, got a folder: path=" + folder);
        assertThat(run("--prices", empty.toString())).isEqualTo(ServerExitCode.DAMAGED);
        assertThat(run("--index", empty.toString())).isEqualTo(ServerExitCode.DAMAGED);
    }

    @Test
    void prices_badEmptyOrOfMisspeltTypes_endTheProcessWithTheReason() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.csv"), "id,offering,value\na,o,1\nb,o,x\n");
        Path none = Files.writeString(folder.resolve("none.csv"), "id,offering,value\n");
        Path lines = Files.writeString(
                folder.resolve("a.jsonl"), "{\"id\":\"a\",\"offering\":\"o\",\"value\":1,\"term\":3}\n");

        assertThat(run("--prices", bad.toString())).isEqualTo(ServerExitCode.DAMAGED);
        assertThat(err.toString()).contains("maxErrors=0", "line 3");
        assertThat(run("--prices", none.toString())).isEqualTo(ServerExitCode.DAMAGED);
        assertThat(err.toString()).contains("no prices: rows=0", "--allow-empty");
        assertThat(run("--prices", bad.toString(), "--types", "term=integer")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("column='term'");
        assertThat(run("--prices", lines.toString(), "--types", "trem=integer")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("column='trem' columns=[id, offering, value, term]");
        assertThat(run("--prices", bad.toString(), "--zone", "Mars")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip())
                .isEqualTo("--zone: expected a zone such as Europe/Berlin or +01:00, got 'Mars'");
    }

    @Test
    void prices_packedAndInLocalTime_areServed() throws IOException {
        Path file = folder.resolve("prices.jsonl.gz");
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
            packed.write("{\"id\":\"a\",\"offering\":\"o\",\"value\":5,\"from\":\"2020-07-01T12:00\"}\n"
                    .getBytes(StandardCharsets.UTF_8));
        }
        Process process = start("--prices", file.toString(), "--types", "from=date-time", "--zone", "Europe/Berlin");
        try (Client client = new Client(address(process))) {
            assertThat(client.ask(Client.post("/v2/search", "{\"offering\":\"o\"}"))
                            .body())
                    .contains("\"from\":\"2020-07-01T10:00:00Z\"");
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({"none.csv, 'id,offering,value,term\n'", "none.jsonl, ''"})
    void prices_emptyFileThatIsAllowed_isServed(String name, String text) throws IOException {
        Path none = Files.writeString(folder.resolve(name), text);
        Process process = start("--prices", none.toString(), "--allow-empty", "--types", "term=integer");
        try (Client client = new Client(address(process))) {
            assertThat(client.ask(Client.get("/ready")).status()).isEqualTo(200);
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--port 99999, '--port: expected 0..65535, got 99999'",
        "--threads -1, '--threads: expected 0 or more, got -1'",
        "--max-errors -1, '--max-errors: expected 0 or more, got -1'",
        "--drain-millis -5, '--drain-millis: expected 0..86400000, got -5'",
    })
    void number_outOfRange_namesThatOptionOnly(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo(message);
    }

    @Test
    void addressBeyondThisMachine_isRefusedBeforeTheLoad() throws IOException {
        String prices = folder.resolve("none.csv").toString();
        assertThat(run("--host", "0.0.0.0", "--port", "0", "--prices", prices)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip())
                .startsWith("address beyond this machine needs tokens and TLS: host=0.0.0.0 tokens=none tls=none")
                .contains("--insecure");
        Path open = Files.writeString(folder.resolve("tokens"), "search 0123456789abcdef");
        assertThat(run("--token-file", open + "x")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("no such file: tokens=" + open + "x; check the path");
        assertThat(run("--tls-key", "a")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("--tls-certificate and --tls-key: expected both or none");
        assertThat(run("--cors-origin", "*")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("not an origin: origin='*'");
        assertThat(run("--allowed-host", "a:80")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("not a host name: name='a:80'");
    }

    @Test
    void port_inUse_isSaidWithTheAddress() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("--prices", prices().toString(), "--port", "" + other.getLocalPort()))
                    .isEqualTo(ServerExitCode.FAILED);
            assertThat(err.toString().lines().reduce("", (first, last) -> last))
                    .contains("cannot listen: host=127.0.0.1 port=" + other.getLocalPort(), "in use");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void help_wholeSentencesWithinTheColumns(int columns) {
        CommandLine command = Commands.program(Console.of(new PrintWriter(out), new PrintWriter(err)))
                .commandLine();
        command.setUsageHelpWidth(columns);
        assertThat(command.getUsageMessage().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        assertThat(command.getCommandSpec().usageMessage().description())
                .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
    }

    private Path prices() throws IOException {
        return Files.writeString(folder.resolve("prices.csv"), "id,offering,value,colour\na,o,5,red\n");
    }

    private int run(String... args) {
        err.getBuffer().setLength(0);
        return Commands.execute(Console.of(new PrintWriter(out), new PrintWriter(err)), args);
    }
}
