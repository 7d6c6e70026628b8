package dev.touchstone.benchmarks.builds.peer;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Redis that is installed here, on a port of its own and without a file. */
final class RedisProcess implements Closeable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Process process;
    private final int port;

    private RedisProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns whether a Redis server is installed. */
    static boolean isThere() {
        return program().isPresent();
    }

    private static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static RedisProcess start(Path folder) throws IOException {
        Path program =
                program().orElseThrow(() -> new IOException("no redis-server on the PATH: apt install redis-server"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command =
                List.of(program.toString(), "--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", "");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("redis.out").toFile())
                .start();
        RedisProcess started = new RedisProcess(process, port);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!started.answers()) {
            if (deadline - System.nanoTime() < 0 || !process.isAlive()) {
                started.close();
                throw new IOException("redis-server does not answer: " + Files.readString(folder.resolve("redis.out")));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return started;
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the output of a job that Redis holds. */
    byte[] get(String job) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
            socket.getOutputStream().write(("GET builds:" + job + "\r\n").getBytes(StandardCharsets.UTF_8));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            StringBuilder head = new StringBuilder();
            for (int c = in.readByte(); c != '\n'; c = in.readByte()) {
                head.append((char) c);
            }
            int length = Integer.parseInt(head.substring(1).strip()); // $220000
            return in.readNBytes(Math.max(0, length));
        }
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
