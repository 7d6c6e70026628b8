package dev.touchstone.harness.env;

import dev.touchstone.harness.run.ReferenceLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Measures the machine itself by four fixed pieces of work, in about a fifth of a second. Their figures of two moments can be compared; those of two
 * versions of this class can't. Not thread-safe.
 */
public final class RulerProbe {
    private static final int REPETITIONS = 9;
    private static final int MULTIPLICATIONS = 10_000;
    private static final int CPU_BLOCKS = 40;
    private static final int READS = 1_000;
    private static final int MEMORY_BLOCKS = 8;
    /** 64 MiB of ints: more than the caches hold that one core has for itself. */
    private static final int CELLS = 1 << 24;

    private static final int FORCES = 50;
    private static final int RECORD_BYTES = 512;
    private static final int ROUND_TRIPS = 300;
    /** A slow disk or network must not hold up every fork. */
    private static final long LIMIT_NANOS = 100_000_000;

    private static final int PATIENCE_MILLIS = 1_000;

    private final Path folder;
    private final IntBuffer ring = ring();
    /** Sink of all results; keeps the JIT from eliminating the work. */
    private long result;

    /** Creates a probe for the disk that holds the folder. Takes 64 MiB outside the heap, and warms up by a first measurement. */
    public RulerProbe(Path folder) {
        this.folder = folder;
        measure();
    }

    /** Measures all four. */
    public ReferenceLoad measure() {
        return new ReferenceLoad(cpuMicros(), memoryMicros(), forceMicros(), roundTripMicros());
    }

    /** A value that depends on all that was computed. */
    long result() {
        return result;
    }

    private double cpuMicros() {
        double[] micros = new double[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            long start = System.nanoTime();
            long value = result | 1;
            for (int step = 0; step < CPU_BLOCKS * MULTIPLICATIONS; step++) {
                // the shift keeps a compiler from making one step of many
                value = (value ^ (value >>> 32)) * 0x5851F42D4C957F2DL + 0x14057B7EF767814FL;
            }
            result += value;
            micros[i] = (System.nanoTime() - start) / 1e3 / CPU_BLOCKS;
        }
        return median(micros);
    }

    private double memoryMicros() {
        double[] micros = new double[REPETITIONS];
        int at = (int) (result & (CELLS - 1));
        for (int i = 0; i < REPETITIONS; i++) {
            long start = System.nanoTime();
            for (int step = 0; step < MEMORY_BLOCKS * READS; step++) {
                at = ring.get(at);
            }
            micros[i] = (System.nanoTime() - start) / 1e3 / MEMORY_BLOCKS;
        }
        result += at;
        return median(micros);
    }

    private double forceMicros() {
        try {
            Path file = Files.createTempFile(folder, "touchstone-ruler", ".tmp");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
                return timed(FORCES, () -> {
                    record.clear();
                    while (record.hasRemaining()) {
                        channel.write(record);
                    }
                    channel.force(false);
                });
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            return -1; // told by the benchmarks that need the disk
        }
    }

    private static double roundTripMicros() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(PATIENCE_MILLIS);
            Thread echo = new Thread(() -> echo(server), "touchstone-ruler-echo");
            echo.setDaemon(true);
            echo.start();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                prepare(client);
                return timed(ROUND_TRIPS, () -> {
                    client.getOutputStream().write(1);
                    if (client.getInputStream().read() != 1) {
                        throw new IOException("the other end is gone");
                    }
                });
            }
        } catch (IOException e) {
            return -1; // a system without loopback
        }
    }

    /** Ends with the client, or soon where none comes. */
    private static void echo(ServerSocket server) {
        try (Socket socket = server.accept()) {
            prepare(socket);
            for (int read = socket.getInputStream().read();
                    read >= 0;
                    read = socket.getInputStream().read()) {
                socket.getOutputStream().write(read);
            }
        } catch (IOException e) {
            // the client finds its end closed and tells
        }
    }

    private static void prepare(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    private static double timed(int most, Work work) throws IOException {
        double[] micros = new double[most];
        long begin = System.nanoTime();
        int done = 0;
        while (done < most && System.nanoTime() - begin < LIMIT_NANOS) {
            long start = System.nanoTime();
            work.run();
            micros[done++] = (System.nanoTime() - start) / 1e3;
        }
        return median(Arrays.copyOf(micros, done));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values.length == 0 ? -1 : values[values.length / 2];
    }

    /** Returns a single cycle through all cells in an order that no prefetcher foresees: a linear congruential generator of full period. */
    private static IntBuffer ring() {
        IntBuffer ring = ByteBuffer.allocateDirect(CELLS * Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
        for (int i = 0; i < CELLS; i++) {
            ring.put(i, (i * 1_664_525 + 1_013_904_223) & (CELLS - 1));
        }
        return ring;
    }

    /** A piece of work that is timed. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }
}
