package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.http.Client;
import dev.touchstone.index.server.http.Client.Reply;
import dev.touchstone.index.server.store.PriceStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A service with a store as a process of its own, and the commands on its store. */
@Timeout(120)
class StoreProcessTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder = Path.of("");

    private String store() {
        return folder.resolve("store").toString();
    }

    private String prices() throws IOException {
        return Files.writeString(folder.resolve("prices.csv"), "id,offering,value,colour\na,o,5,red\n")
                .toString();
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Commands.execute(Console.of(new PrintWriter(out), new PrintWriter(err)), args);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private static Reply put(Client client, int value) throws IOException {
        return client.ask(Client.post(
                "/v2/prices",
                "{\"put\":[{\"id\":\"b\",\"offering\":\"o\",\"value\":" + value
                        + ",\"conditions\":{\"colour\":\"blue\"}}]}"));
    }

    private static String blue(Client client) throws IOException {
        return client.ask(Client.post(
                        "/v2/search",
                        "{\"offering\":\"o\",\"conditions\":[{\"field\":\"colour\",\"value\":\"blue\"}]}"))
                .body();
    }

    @Test
    void update_isThereAfterAKillAndAfterAStop() throws IOException, InterruptedException {
        assertThat(run("build", "--prices", prices(), "--store", store())).isEqualTo(ExitCode.OK);
        for (int round = 1; round <= 4; round++) {
            Process process = round % 2 == 0
                    ? ProcessTest.start("serve", "--store", store())
                    : ProcessTest.start("--store", store(), "--mapped");
            try (Client client = new Client(ProcessTest.address(process))) {
                if (round > 1) {
                    assertThat(blue(client)).contains("\"version\":" + round, "\"value\":" + (round - 1) + ",");
                }
                assertThat(put(client, round).body()).contains("\"version\":" + (round + 1));
                if (round == 2) {
                    process.destroy(); // SIGTERM
                    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(process.exitValue()).isEqualTo(143);
                }
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(run("verify", "--store", store(), "--json")).isEqualTo(ExitCode.OK);
            assertThat(json().get("version").asInt()).isEqualTo(round + 1);
            assertThat(json().get("snapshotVersion").asInt()).isEqualTo(round == 1 ? 1 : 3);
            assertThat(json().get("logEntries").asInt()).isEqualTo(round == 2 ? 0 : round == 1 ? 1 : round - 2);
        }
    }

    @Test
    void updates_ofManyClients_areThereAfterAKill() throws Exception {
        int clients = 8;
        int updates = 20;
        Process process = ProcessTest.start("--store", store(), "--prices", prices());
        ExecutorService pool = Executors.newFixedThreadPool(clients);
        try {
            InetSocketAddress address = ProcessTest.address(process);
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                answers.add(pool.submit(() -> {
                    int stored = 0;
                    try (Client client = new Client(address)) {
                        for (int n = 1; n <= updates; n++) {
                            stored += put(client, n).status() == 200 ? 1 : 0;
                        }
                    }
                    return stored;
                }));
            }
            for (Future<Integer> each : answers) {
                assertThat(each.get()).isEqualTo(updates);
            }
        } finally {
            process.destroyForcibly();
            pool.shutdownNow();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(run("verify", "--store", store(), "--json")).isEqualTo(ExitCode.OK);
        assertThat(json().get("version").asInt()).isEqualTo(1 + clients * updates);
        assertThat(json().get("logEntries").asInt()).isEqualTo(clients * updates);
    }

    /** Waits until the version of the index is at least a given one. */
    private static void awaitVersion(Client client, int version) throws IOException {
        String body;
        do {
            body = client.ask(Client.get("/v2/index")).body();
        } while (new ObjectMapper().readTree(body).get("version").asInt() < version);
    }

    @Test
    void watch_withAndWithoutAStore_servesTheFileThatCame() throws IOException, InterruptedException {
        Path file = Path.of(prices());
        String first = Files.readString(file);
        for (String[] args : new String[][] {
            {"--prices", file.toString(), "--watch"},
            {"--prices", file.toString(), "--watch", "--store", store()},
            {"--prices", file.toString(), "--watch", "--store", store()
            } // which exists, with the prices of the next file
        }) {
            boolean isAgain = PriceStore.exists(Path.of(store()));
            Path next = Files.writeString(folder.resolve("next"), isAgain ? first : first + "b,o,6,blue\n");
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
            Process process = ProcessTest.start(args);
            try (Client client = new Client(ProcessTest.address(process))) {
                if (isAgain) {
                    awaitVersion(client, 3);
                    assertThat(blue(client)).contains("no price matches");
                    continue;
                }
                assertThat(blue(client)).contains("\"version\":1", "\"value\":6");
                Files.writeString(folder.resolve("next"), first + "b,o,7,blue\n");
                Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
                awaitVersion(client, 2);
                assertThat(blue(client)).contains("\"version\":2", "\"value\":7");
                String metrics = client.ask(Client.get("/metrics")).body();
                assertThat(metrics).contains("touchstone_index_watch_failures 0.0", "touchstone_index_watch_stale ");
            } finally {
                process.destroyForcibly();
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void store_ofAnotherProcess_isRefusedByEveryCommand() throws IOException, InterruptedException {
        assertThat(run("build", "--prices", prices(), "--store", store())).isEqualTo(ExitCode.OK);
        Process process = ProcessTest.start("--store", store());
        try (Client client = new Client(ProcessTest.address(process))) {
            assertThat(run("--store", store(), "--port", "0")).isEqualTo(ServerExitCode.IN_USE);
            assertThat(err.toString()).contains("store is in use: folder=" + store(), "pid=" + process.pid());
            for (String command : new String[] {"snapshot", "compact", "verify", "repair"}) {
                assertThat(run(command, "--store", store())).as(command).isEqualTo(ServerExitCode.IN_USE);
            }
            assertThat(put(client, 7).status()).isEqualTo(200);
            assertThat(client.ask(Client.get("/metrics")).body())
                    .contains("touchstone_index_snapshot_version 1.0", "touchstone_index_snapshot_failures 0.0")
                    .containsPattern("touchstone_index_log_bytes [1-9]");
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void commands_onAStore_sayWhatTheyDid() throws IOException {
        assertThat(run("build", "--prices", prices(), "--store", store(), "--json"))
                .isEqualTo(ExitCode.OK);
        assertThat(json().toString()).isEqualTo("{\"store\":\"" + store() + "\",\"version\":1,\"prices\":1}");
        assertThat(run("build", "--prices", prices(), "--store", store())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("holds a store already; name a new folder: path=" + store());
        assertThat(run("snapshot", "--store", store())).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).isEqualToNormalizingNewlines("version: 1\nversionBefore: 1\nprices: 1\n");
        assertThat(run("compact", "--store", store(), "--json")).isEqualTo(ExitCode.OK);
        assertThat(json().get("bytes").asLong())
                .isEqualTo(json().get("bytesBefore").asLong());
        assertThat(run("repair", "--store", store(), "--json")).isEqualTo(ExitCode.OK);
        assertThat(json().toString()).isEqualTo("{\"repaired\":false,\"lost\":[]}");
        String file = folder.resolve("prices.index").toString();
        assertThat(run("build", "--prices", prices(), "--output", file)).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("file: " + file, "prices: 1");
        assertThat(run("build", "--index", file, "--store", store() + "2")).isEqualTo(ExitCode.OK);
        assertThat(run("build", "--index", file, "--types", "colour=integer", "--output", file + "2"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--types: no field of this type: field=colour type=integer");
    }

    @Test
    void commandLine_thatIsNotUsable_endsWithItsCode() throws IOException {
        String none = folder.resolve("none").toString();
        for (String command : new String[] {"snapshot", "compact", "verify", "repair"}) {
            assertThat(run(command, "--store", none)).as(command).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString())
                    .contains("no store in this folder; 'index-server build' makes one: path=" + none);
            assertThat(run(command)).as(command).isEqualTo(ExitCode.USAGE);
        }
        assertThat(run("--store", none)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("name its first prices by --prices or --index");
        assertThat(run("--store", none, "--max-log-bytes", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "--store", none)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no source: expected --prices or --index");
        assertThat(run("build", "--prices", prices())).isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "--prices", prices(), "--output", folder.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--output: expected a file, got a folder: path=" + folder);
        assertThat(run("build", "--prices", prices(), "--store", prices() + "/store"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("not a folder: path=" + prices());
        assertThat(run("build", "--prices", prices(), "--store", "")).isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "--prices", prices(), "--output", none, "--types", "colour=decimal(٣)"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("not a number of digits");
        assertThat(run("build", "--prices", prices(), "--store", prices())).isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "--prices", prices(), "--store", store())).isEqualTo(ExitCode.OK);
        assertThat(run("--store", store(), "--prices", prices())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--store: holds prices already: path=" + store());
        assertThat(run("--watch")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--watch: expected a file to watch");
        assertThat(run("--watch", "--store", store(), "--prices", prices(), "--types", "colour=integer"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--types: no field of this type: field=colour type=integer");
    }

    @Test
    void damagedStore_isToldByExitCodeAndOpensAfterARepair() throws IOException, InterruptedException {
        Process process = ProcessTest.start("--store", store(), "--prices", prices());
        try (Client client = new Client(ProcessTest.address(process))) {
            for (int i = 1; i <= 5; i++) {
                put(client, i);
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        try (Stream<Path> files = Files.list(folder.resolve("store").resolve("log"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("blue");
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(file, bytes);
                }
            }
        }

        assertThat(run("verify", "--store", store(), "--json")).isEqualTo(ServerExitCode.DAMAGED);
        assertThat(json().get("repairable").asBoolean()).isTrue();
        assertThat(json().get("lost").get(0).asText()).isEqualTo("lost: entries=1..1 after version=1 before version=3");
        assertThat(run("--store", store())).isEqualTo(ServerExitCode.DAMAGED);
        assertThat(err.toString()).contains("log is damaged: log=", "'index-server verify' says what is lost");
        assertThat(run("repair", "--store", store())).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("repaired: true", "lost: the damaged log was copied: folder=");
        assertThat(run("verify", "--store", store(), "--json")).isEqualTo(ExitCode.OK);
        assertThat(json().get("version").asInt()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "build", "snapshot", "compact", "verify", "repair"})
    void help_wholeSentencesWithinTheColumns(String name) {
        CommandLine command =
                Objects.requireNonNull(Commands.program(Console.of(new PrintWriter(out), new PrintWriter(err)))
                        .commandLine()
                        .getSubcommands()
                        .get(name));
        command.setUsageHelpWidth(80);
        assertThat(command.getUsageMessage()).startsWith("Usage: index-server " + name);
        assertThat(command.getUsageMessage().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(command.getCommandSpec().usageMessage().description())
                .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
    }
}
