package dev.touchstone.builds.output;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A Redis of a test's own, from what is installed here. */
public final class RedisServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private Process process;

    public RedisServer(Path folder) throws IOException {
        boolean isInstalled = java.util.Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path).resolve("redis-server")));
        assumeTrue(isInstalled, "redis-server is not installed: apt-get install redis-server");
        this.folder = folder;
        try (ServerSocket free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
        }
        start();
    }

    public void start() throws IOException {
        process = new ProcessBuilder(
                        "redis-server",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--save",
                        "",
                        "--appendonly",
                        "no")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("redis.out").toFile())
                .start();
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!answers()) {
            if (deadline - System.nanoTime() < 0) {
                throw new IOException("redis-server does not answer");
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
