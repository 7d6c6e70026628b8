package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private ErlangEchoAdapter(int count) throws IOException {
        if (!available()) {
            throw new IOException("no erl on the PATH: apt install erlang-base");
        }
        folder = Files.createTempDirectory("touchstone-erlang-");
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server = ErlangNode.start(folder, epmd.port(), "server@localhost", "server(Port)");
        server.line();
        clients = ErlangNode.start(
                folder, epmd.port(), "clients@localhost", "clients(Port, 'server@localhost', " + count + ")");
        answer = numbers(clients.line());
        counts = new AtomicLongArray(count);
        reading = new ServerThread(this::readCounts);
    }

    /** Starts both nodes. */
    public static EchoUnderTest open(EchoShape shape) throws IOException {
        shape.requirePlain("erl");
        return new ErlangEchoAdapter(shape.clients());
    }

    /** Returns whether there is an {@code erl} on the PATH. */
    public static boolean available() {
        return ErlangNode.program().isPresent();
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
