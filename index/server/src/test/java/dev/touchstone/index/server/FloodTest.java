package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.http.Client;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Floods and slow clients against the service as a process of its own: what they cost in memory, inside the heap and outside of it. What they cost other clients in
 * time is printed, for it depends on the machine.
 */
@Tag("slow")
@Timeout(900)
class FloodTest {
    private static final double MEGA = 1e6;
    private static final double MAX_MEGABYTES = 50;
    private static final Duration WHILE = Duration.ofSeconds(4);
    private static final int ASKED = 3000;
    private static final int ALL_AT_ONCE = 1 << 20;

    private static final String ONE = "{\"offeringId\":\"a38e432c-3965-4c74-8251-aa640002d2b2\",\"groupId\":\"group5\","
            + "\"charValues\":[{\"char\":\"Term\",\"value\":\"18\"},{\"char\":\"B2B Traffic\",\"value\":\"10GB\"},"
            + "{\"char\":\"VPN\",\"value\":\"ad796998-f1c7-4fcc-9a6b-1b33042fb375\"},"
            + "{\"char\":\"B2B Bandwidth\",\"value\":\"1Mbps\"},{\"char\":\"Router\",\"value\":\"Included\"}]}";

    private static final String HEAD = "POST /v1/search/bitmap/prices HTTP/1.1\r\nhost: localhost\r\n";
    private static final String LARGE =
            "POST /v4/search/bitmap/bulk/prices HTTP/1.1\r\nhost: localhost\r\ncontent-length: 16000000\r\n\r\n";

    private record Attack(String name, int connections, String text, int pieceBytes) {}

    private static List<Attack> attacks() {
        String unknown = "{\"offeringId\":\"x\"}";
        return List.of(
                new Attack("idle", 3000, "", 1),
                new Attack("more connections than there may be", 5000, Client.get("/health"), ALL_AT_ONCE),
                new Attack("heads byte by byte", 2000, HEAD + "a: b\r\n".repeat(2000), 1),
                new Attack("heads of many headers", 2000, HEAD + "a:\r\n".repeat(4000), ALL_AT_ONCE),
                new Attack("one long header", 2000, HEAD + "a: " + "b".repeat(15_000), ALL_AT_ONCE),
                new Attack("bodies that never end", 300, LARGE + " ".repeat(8_000_000), ALL_AT_ONCE),
                new Attack("bodies byte by byte", 2000, LARGE + " ".repeat(100_000), 1),
                new Attack(
                        "answers that nobody reads",
                        500,
                        Client.post("/v1/search/bitmap/prices", ONE).repeat(20_000),
                        ALL_AT_ONCE),
                new Attack(
                        "many small requests behind a long one",
                        500,
                        Client.post("/v1/search/map/prices", "{}")
                                + Client.get("/health").repeat(50_000),
                        ALL_AT_ONCE),
                new Attack(
                        "lists of answers that nobody reads",
                        200,
                        Client.post("/v4/search/bitmap/bulk/prices", "[" + (unknown + ",").repeat(9999) + unknown + "]")
                                .repeat(20),
                        ALL_AT_ONCE),
                new Attack(
                        "lines of answers that nobody reads",
                        200,
                        Client.post("/v5/search/bitmap/bulk/prices", (unknown + "\n").repeat(10_000))
                                .repeat(20),
                        ALL_AT_ONCE),
                new Attack(
                        "many prices that nobody reads",
                        200,
                        Client.post("/v2/search", "{\"policy\":\"all\",\"limit\":10000}")
                                .repeat(50),
                        ALL_AT_ONCE),
                new Attack(
                        "lists of many prices that nobody reads",
                        50,
                        Client.post(
                                        "/v2/search/bulk",
                                        "[" + "{\"policy\":\"all\",\"limit\":10000},".repeat(100) + "{}]")
                                .repeat(5),
                        ALL_AT_ONCE),
                new Attack(
                        "JSON of a megabyte",
                        100,
                        Client.post("/v2/search", "{\"conditions\":[" + "{\"a\":[[1]]},".repeat(80_000) + "{}]}")
                                .repeat(5),
                        ALL_AT_ONCE));
    }

    @Test
    void floods_keepWithinTheirMemory() throws Exception {
        assumeThat(Path.of("/proc/self/status")).as("needs Linux' /proc").exists();
        Process process = start();
        try {
            InetSocketAddress address = address(process);
            warmUp(address);
            for (Attack attack : attacks()) {
                withstand(attack, process, address);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void withstand(Attack attack, Process process, InetSocketAddress address) throws Exception {
        try (Client other = new Client(address);
                Client watch = new Client(address)) { // there before the flood
            long[] alone = ask(other);
            double heapBefore = liveHeap(process);
            double residentBefore = residentMegabytes(process);
            double heap;
            double resident;
            CompletableFuture<long[]> meanwhile;
            try (Flood flood = new Flood(address, attack.connections, attack.text, attack.pieceBytes)) {
                meanwhile = CompletableFuture.supplyAsync(() -> ask(other));
                flood.send(WHILE);
                resident = residentMegabytes(process) - residentBefore;
                heap = liveHeap(process) - heapBefore;
            }
            report(attack.name, resident, heap, alone, meanwhile.join());
            assertThat(process.isAlive()).as(attack.name).isTrue();
            assertThat(Math.max(0, resident) + Math.max(0, heap))
                    .as(attack.name)
                    .isLessThanOrEqualTo(MAX_MEGABYTES);
            while (metric(watch, "touchstone_index_connections") > 2) {
                Thread.onSpinWait();
            }
        }
    }

    private static void report(String name, double resident, double heap, long[] alone, long[] meanwhile) {
        System.out.println(String.format(
                Locale.ROOT,
                "%-42s %+6.1f MB resident, %+6.1f MB live heap; others: p50 %d -> %d us, p99 %d -> %d us",
                name,
                resident,
                heap,
                micros(alone, 50),
                micros(meanwhile, 50),
                micros(alone, 99),
                micros(meanwhile, 99)));
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms384m",
                        "-Xmx384m",
                        "-XX:+AlwaysPreTouch", // so that what grows is outside the heap
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--port",
                        "0"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static InetSocketAddress address(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        String port = line.substring("ready: http://127.0.0.1:".length(), line.indexOf("/ "));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    /** All routes, so that classes and compiled code don't count. */
    private static void warmUp(InetSocketAddress address) throws IOException {
        try (Client client = new Client(address)) {
            for (int i = 0; i < 10; i++) {
                ask(client);
            }
            String list = "[" + (ONE + ",").repeat(5000) + ONE + "]";
            for (int i = 0; i < 20; i++) {
                client.ask(Client.post("/v1/search/map/prices", ONE));
                client.ask(Client.post("/v4/search/bitmap/bulk/prices", list));
                client.ask(Client.post("/v5/search/bitmap/bulk/prices", (ONE + "\n").repeat(5000)));
                client.ask(Client.post("/v2/search", "{\"policy\":\"all\",\"limit\":10000}"));
                client.ask(Client.post("/v2/search/bulk", "[{\"policy\":\"all\",\"limit\":1000}]"));
                client.ask(Client.get("/metrics"));
            }
        }
    }

    /** Nanoseconds of requests one after the other, sorted. */
    private static long[] ask(Client client) {
        String request = Client.post("/v1/search/bitmap/prices", ONE);
        long[] nanos = new long[ASKED];
        for (int i = 0; i < ASKED; i++) {
            long begin = System.nanoTime();
            try {
                assertThat(client.ask(request).status()).isEqualTo(200);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static long micros(long[] sorted, int percent) {
        return TimeUnit.NANOSECONDS.toMicros(sorted[sorted.length * percent / 100]);
    }

    private static double residentMegabytes(Process process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / MEGA;
            }
        }
        throw new IOException("no VmRSS");
    }

    /** Objects that are reachable, and nothing that requests have left meanwhile. */
    private static double liveHeap(Process process) throws IOException {
        Process count = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = count.inputReader()) {
            String total = lines.lines()
                    .filter(line -> line.startsWith("Total"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(total.strip().split(" +", -1)[2]) / MEGA;
        }
    }

    private static double metric(Client watch, String name) throws IOException {
        return watch.ask(Client.get("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
