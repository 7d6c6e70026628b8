package dev.touchstone.benchmarks.index.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(180)
final class HttpLoadCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void service_isFoundByTheHarness() {
        assertThat(SubCommand.load(getClass().getClassLoader())).hasAtLeastOneElementOfType(HttpLoadCommand.class);
    }

    @Test
    void servers_ofItsOwn_areComparedInOneTable() throws IOException {
        int code = execute(
                "--servers",
                "OURS,CEILING_CONSTANT",
                "--connections",
                "2",
                "--warm-up",
                "0",
                "--duration",
                "0.2",
                "--rounds",
                "1",
                "--shared-processors",
                "--json");

        assertThat(code).isEqualTo(ExitCode.OK);
        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.get("schema").intValue()).isEqualTo(1);
        assertThat(report.get("columns")).hasSize(2);
        for (JsonNode column : report.get("columns")) {
            assertThat(column.get("requests").longValue()).isPositive();
            assertThat(column.get("failures").longValue()).isZero();
            assertThat(column.get("percentileNanos").get("p99.999").longValue()).isPositive();
        }
    }

    @Test
    void url_ofARunningService_isPutUnderLoad() throws Exception {
        Processors shared = Processors.ofMachine(false);
        try (ServerProcess server = ServerProcess.start(ServedSubject.OURS, 1, shared)) {
            String address = "http://127.0.0.1:" + server.address().getPort();
            String url = address + ServedSubject.OURS.path(false);
            int code = execute("--url", url, "--warm-up", "0", "--duration", "0.2");

            assertThat(code).isEqualTo(ExitCode.OK);
            assertThat(out.toString()).contains("p50").contains("p99.999").contains("requests/s");
            assertThat(seedsAnswer(address)).contains("\"spec\":\"MRC\",\"value\":2320,\"currency\":\"\"}");
            assertThat(execute("--url", address + "/other", "--warm-up", "0", "--duration", "0.2"))
                    .isEqualTo(HarnessExitCode.FAILED);
        }
    }

    private static String seedsAnswer(String address) throws Exception {
        String known = "{\"offeringId\":\"a38e432c-3965-4c74-8251-aa640002d2b2\",\"groupId\":\"group5\","
                + "\"priceSpecId\":\"MRC\",\"charValues\":[{\"char\":\"Term\",\"value\":\"18\"},"
                + "{\"char\":\"B2B Traffic\",\"value\":\"10GB\"},"
                + "{\"char\":\"VPN\",\"value\":\"ad796998-f1c7-4fcc-9a6b-1b33042fb375\"},"
                + "{\"char\":\"B2B Bandwidth\",\"value\":\"1Mbps\"},{\"char\":\"Router\",\"value\":\"Included\"}]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + ServedSubject.OURS.path(false)))
                .version(HttpClient.Version.HTTP_1_1)
                .POST(HttpRequest.BodyPublishers.ofString(known))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void bodies_written_oneALine(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("bodies");

        assertThat(execute("--write-bodies", file.toString())).isEqualTo(ExitCode.OK);

        assertThat(Files.readAllLines(file))
                .hasSize(HttpLoadCommand.BODIES)
                .allSatisfy(line ->
                        assertThat(line).startsWith("{\"offeringId\":\"").contains("\"charValues\":["));
    }

    @Test
    void options_unusable_refused() {
        assertThatThrownBy(() -> execute("--threads", "2", "--connections", "1"))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> execute("--url", "https://127.0.0.1/")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> execute("--rounds", "0")).isInstanceOf(UsageException.class);
    }

    private int execute(String... args) throws IOException {
        HttpLoadCommand command = new HttpLoadCommand();
        command.writeTo(new Console(new PrintWriter(out), new PrintWriter(err), false));
        new CommandLine(command).parseArgs(args);
        return command.call();
    }
}
