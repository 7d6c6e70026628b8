package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.http.Client;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern COMMITTED =
            Pattern.compile("^- +([A-Z][A-Za-z ]+?) \\(reserved=\\d+KB, committed=(\\d+)KB");

    /** Kinds of memory that grow as more of the program is compiled, whatever clients send, and the heap, which is counted by itself. */
    private static final List<String> PROGRAM =
            List.of("Arena Chunk", "Class", "Code", "Compiler", "Java Heap", "Metaspace", "Symbol");

    private static final Duration WHILE = Duration.ofSeconds(4);
    private static final int ALL_AT_ONCE = 1 << 20;

    private static final String ONE = ServiceProcess.ONE;
    private static final String SEARCH = Client.post("/v1/search/bitmap/prices", ONE);
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
        try (ServiceProcess service = ServiceProcess.start()) {
            warmUp(service.address());
            for (Attack attack : attacks()) {
                withstand(attack, service.process(), service.address());
            }
        }
    }

    private static void withstand(Attack attack, Process process, InetSocketAddress address) throws Exception {
        try (Client other = new Client(address);
                Client watch = new Client(address)) { // there before the flood
            long[] alone = ServiceProcess.ask(other, SEARCH);
            double heapBefore = liveHeap(process);
            Map<String, Double> nativeBefore = nativeMegabytes(process);
            double residentBefore = residentMegabytes(process);
            double heap;
            double resident;
            Map<String, Double> grown;
            CompletableFuture<long[]> meanwhile;
            try (Flood flood = new Flood(address, attack.connections, attack.text, attack.pieceBytes)) {
                meanwhile = CompletableFuture.supplyAsync(() -> ServiceProcess.ask(other, SEARCH));
                flood.send(WHILE);
                resident = residentMegabytes(process) - residentBefore;
                grown = nativeMegabytes(process);
                heap = liveHeap(process) - heapBefore;
            }
            nativeBefore.forEach((kind, before) -> grown.merge(kind, -before, Double::sum));
            double others = grown.entrySet().stream()
                    .filter(kind -> !PROGRAM.contains(kind.getKey()))
                    .mapToDouble(kind -> Math.max(0, kind.getValue()))
                    .sum();
            report(attack.name, resident, heap, alone, meanwhile.join());
            System.out.println(
                    String.format(Locale.ROOT, "    outside of heap and program: %+.1f MB of %s", others, grown));
            assertThat(process.isAlive()).as(attack.name).isTrue();
            assertThat(Math.max(0, Math.min(resident, others)) + Math.max(0, heap)) // each is an upper bound
                    .as("%s: resident=%.1f MB %s", attack.name, resident, grown)
                    .isLessThanOrEqualTo(MAX_MEGABYTES);
            while (metric(watch, "touchstone_index_connections") > 2) {
                LockSupport.parkNanos(100_000);
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
                ServiceProcess.micros(alone, 50),
                ServiceProcess.micros(meanwhile, 50),
                ServiceProcess.micros(alone, 99),
                ServiceProcess.micros(meanwhile, 99)));
    }

    /** All routes, so that classes and compiled code don't count. */
    private static void warmUp(InetSocketAddress address) throws IOException {
        try (Client client = new Client(address)) {
            for (int i = 0; i < 10; i++) {
                ServiceProcess.ask(client, SEARCH);
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

    private static double residentMegabytes(Process process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / MEGA;
            }
        }
        throw new IOException("no VmRSS");
    }

    /** Returns the memory that the JVM has committed outside the heap in megabytes, by what it is for. */
    private static Map<String, Double> nativeMegabytes(Process process) throws IOException {
        Map<String, Double> all = new TreeMap<>();
        for (String line : jcmd(process, "VM.native_memory", "summary", "scale=KB")) {
            Matcher matcher = COMMITTED.matcher(line);
            if (matcher.find()) {
                all.put(matcher.group(1), Long.parseLong(matcher.group(2)) * 1024 / MEGA);
            }
        }
        assertThat(all).as("native memory tracking").containsKey("Code");
        return all;
    }

    /** Objects that are reachable, and nothing that requests have left meanwhile. */
    private static double liveHeap(Process process) throws IOException {
        String total = jcmd(process, "GC.class_histogram").stream()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(total.strip().split(" +", -1)[2]) / MEGA;
    }

    private static List<String> jcmd(Process process, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(process.pid())));
        words.addAll(List.of(command));
        Process run = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (BufferedReader lines = run.inputReader()) {
            return lines.lines().toList();
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
