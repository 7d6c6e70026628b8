package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.access.TestIdentity;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many servers in one process, each with an index of its own, started and closed in random order: they answer for themselves, and leave nothing. */
@Timeout(300)
class ManyServersTest {
    private static final int SERVERS = 200;
    private static final Path FILES = Path.of("/proc/self/fd");
    private static final long MAX_DIRECT_GROWTH = 8 << 20; // of buffers that the library keeps for its next use

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @TempDir
    Path folder = Path.of("");

    /** A server with one price whose value is its number, and a client that stays connected. */
    private record Running(int number, HttpServer server, Client client) implements Closeable {
        static Running start(int number, @Nullable TlsIdentity tls) throws IOException {
            PriceIndex index = PriceIndex.builder()
                    .integer("number")
                    .build(List.of(
                            Price.of("id", "offering", Map.of("number", (long) number), BigDecimal.valueOf(number))));
            Duration minute = Duration.ofMinutes(1);
            HttpOptions options = HttpOptions.DEFAULT
                    .withAddress("127.0.0.1", 0)
                    .withTimes(new HttpOptions.Times(minute, minute, Duration.ZERO, minute))
                    .withTls(tls);
            HttpServer server = HttpServer.start(new PriceService(index, Limits.DEFAULT), options);
            try {
                return new Running(number, server, new Client(server.address()));
            } catch (IOException | RuntimeException | Error e) {
                server.close();
                throw e;
            }
        }

        /** Asks for something of each pool of workers. */
        void ask() throws IOException {
            String search = "{\"conditions\":[{\"field\":\"number\",\"value\":" + number + "}]}";
            assertThat(client.ask(Client.post("/v2/search", search)).body()).contains("\"value\":" + number);
            assertThat(client.ask(Client.post("/v2/explain", search)).status()).isEqualTo(200);
            assertThat(client.ask(Client.get("/metrics")).status()).isEqualTo(200);
            String change = "{\"put\":[{\"id\":\"other\",\"offering\":\"other\",\"value\":1}]}";
            assertThat(client.ask(Client.post("/v2/prices", change)).status()).isEqualTo(200);
        }

        @Override
        public void close() throws IOException {
            if (number % 4 != 0) {
                client.close(); // a server waits a second for a client to take notice
            }
            server.close();
            client.close();
        }
    }

    /** Counts what a process holds outside of its heap. */
    private record Usage(Set<String> threads, long openFiles, long directBytes) {
        static Usage now() throws IOException {
            Set<String> threads = new TreeSet<>();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("price-")) {
                    threads.add(thread.getName());
                }
            }
            long direct = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                    .metric()
                    .usedDirectMemory();
            try (Stream<Path> files = Files.list(FILES)) {
                return new Usage(threads, files.count(), direct);
            }
        }
    }

    /** Waits until all threads of servers have ended, which are on their way when a server has closed, and returns what is held then. */
    private static Usage settled() throws IOException {
        Usage usage = Usage.now();
        while (!usage.threads().isEmpty()) { // for ever if one stays
            LockSupport.parkNanos(1_000_000);
            usage = Usage.now();
        }
        return usage;
    }

    @Test
    void servers_startedAndClosedInAnyOrder_leaveNothing() throws Exception {
        assumeThat(FILES).as("needs Linux' /proc").exists();
        TestIdentity files = TestIdentity.create(folder, "EC");
        TlsIdentity tls = TlsIdentity.fromFiles(files.certificate(), files.key());
        try (Running first = Running.start(1, null)) { // so that what is loaded once does not count
            first.ask();
        }
        Usage before = settled();
        List<Running> running = new ArrayList<>();
        try {
            for (int started = 0; started < SERVERS || !running.isEmpty(); ) {
                if (started < SERVERS && (running.isEmpty() || random.nextInt(5) < 3)) {
                    started++;
                    running.add(Running.start(started, started % 4 == 0 ? tls : null));
                } else {
                    running.remove(random.nextInt(running.size())).close();
                }
                if (!running.isEmpty()) {
                    Running any = running.get(random.nextInt(running.size()));
                    if (any.number() % 4 != 0) {
                        any.ask();
                    }
                }
            }
        } finally {
            for (Running each : running) {
                each.close();
            }
        }
        Usage after = settled();
        assertThat(after.openFiles()).as("seed=%d", seed).isLessThanOrEqualTo(before.openFiles());
        assertThat(after.directBytes() - before.directBytes())
                .as("seed=%d", seed)
                .isLessThan(MAX_DIRECT_GROWTH);
    }
}
