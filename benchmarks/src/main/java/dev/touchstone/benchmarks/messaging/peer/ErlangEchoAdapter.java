package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.benchmarks.Requirement;
import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two processes of {@code erl} with its defaults, one with a server process and one with a process for each client, compiled and not
 * interpreted. The clients' node tells its counts every few milliseconds.
 */
public final class ErlangEchoAdapter implements EchoUnderTest {

    private final Path folder;
    private final EpmdServer epmd;
    private final ErlangNode server;
    private final ErlangNode clients;
    private final AtomicLongArray counts;
    private final byte[] answer;
    private final ServerThread reading;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;

    private ErlangEchoAdapter(int count, List<String> flags) throws IOException {
        Optional<String> missing = requirement().missing();
        if (missing.isPresent()) {
            throw new IOException(missing.get());
        }
        folder = Files.createTempDirectory("touchstone-erlang-");
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server = ErlangNode.start(folder, epmd.port(), flags, "server@localhost", "server(Port)");
        server.line();
        clients = ErlangNode.start(
                folder, epmd.port(), flags, "clients@localhost", "clients(Port, 'server@localhost', " + count + ")");
        answer = numbers(clients.line());
        counts = new AtomicLongArray(count);
        reading = new ServerThread(this::readCounts);
    }

    /** Starts both nodes. */
    public static EchoUnderTest open(EchoShape shape) throws IOException {
        shape.requirePlain("erl");
        return new ErlangEchoAdapter(shape.clients(), List.of());
    }

    /** Starts both nodes with schedulers that sleep at once when they have nothing to do. */
    public static EchoUnderTest openSleeping(EchoShape shape) throws IOException {
        shape.requirePlain("erl");
        return new ErlangEchoAdapter(
                shape.clients(), List.of("+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"));
    }

    /** Requires an {@code erl} on the PATH. */
    public static Requirement requirement() {
        return () -> ErlangNode.program().isPresent()
                ? Optional.empty()
                : Optional.of("no erl on the PATH, install erlang-base");
    }

    @Override
    public Client client(int index) {
        return new CountedClient(() -> echoes(index), answer);
    }

    @Override
    public Object plain(Object answer) {
        return PlainTerms.PLAIN.binary(((byte[]) answer).clone());
    }

    @Override
    public long otherCpuNanos() {
        return server.cpuNanos() + clients.cpuNanos();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        clients.close();
        reading.close();
        server.close();
        epmd.close();
        Folders.delete(folder);
    }

    private long echoes(int index) throws IOException {
        IOException problem = failure;
        if (problem != null) {
            throw problem;
        }
        return counts.get(index);
    }

    private void readCounts() {
        try {
            while (!closed) {
                String[] numbers = clients.line().split(" ", -1);
                for (int i = 0; i < numbers.length; i++) {
                    counts.set(i, Long.parseLong(numbers[i]));
                }
            }
        } catch (IOException e) {
            if (!closed) {
                failure = e;
            }
        }
    }

    private static byte[] numbers(String line) {
        int[] values =
                Stream.of(line.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
