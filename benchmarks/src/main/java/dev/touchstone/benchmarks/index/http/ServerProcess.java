package dev.touchstone.benchmarks.index.http;

import dev.touchstone.benchmarks.ServerClassPath;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A server in a JVM of its own, with a class path of its own. */
public final class ServerProcess implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ENDING_SECONDS = 10;
    private static final String READY = "ready: http://127.0.0.1:";

    /** The first JDK that warns of operations of Netty. */
    private static final int FEATURE_THAT_WARNS = 24;

    private final ServerClassPath classPath;
    private final Process process;
    private final InetSocketAddress address;
    private final Path log;

    private ServerProcess(ServerClassPath classPath, Process process, InetSocketAddress address, Path log) {
        this.classPath = classPath;
        this.process = process;
        this.address = address;
        this.log = log;
    }

    /**
     * Starts a server of the seed's prices and waits until it serves.
     *
     * @param items searches in a request, which a constant answer is as long as the answers to
     */
    static ServerProcess start(ServedSubject subject, int items, Processors processors) throws IOException {
        Path log = Files.createTempFile("touchstone-index-server", ".log");
        ServerClassPath classPath = ServerClassPath.unpack();
        Process process = new ProcessBuilder(command(subject, items, processors, classPath))
                .redirectError(log.toFile())
                .start();
        try {
            return new ServerProcess(classPath, process, address(process, log), log);
        } catch (IOException e) {
            process.destroyForcibly();
            classPath.close();
            throw e;
        }
    }

    private static List<String> command(
            ServedSubject subject, int items, Processors processors, ServerClassPath classPath) {
        List<String> command = new ArrayList<>(processors.serverPrefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms512m", "-Xmx512m"));
        if (Runtime.version().feature() >= FEATURE_THAT_WARNS) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        command.addAll(List.of("-classpath", classPath.text(), ServerMain.class.getName()));
        String threads = Integer.toString(processors.ofServer());
        command.addAll(
                subject.ceiling()
                        ? List.of(ServerMain.CONSTANT, threads, Integer.toString(subject.answerBytes(items)))
                        : List.of(ServerMain.INDEX, "--port", "0", "--threads", threads));
        return command;
    }

    private static InetSocketAddress address(Process process, Path log) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        CompletableFuture<@Nullable String> first = CompletableFuture.supplyAsync(() -> line(out));
        try {
            String line = first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (line != null && line.startsWith(READY)) {
                int port = Integer.parseInt(line.substring(READY.length(), line.indexOf('/', READY.length())));
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // told below
        }
        throw new IOException("the server has not become ready, its output: " + Files.readString(log));
    }

    private static @Nullable String line(BufferedReader out) {
        try {
            return out.readLine();
        } catch (IOException e) {
            return null; // it has ended
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    /** The process' number, for those who watch its memory. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close(); // which it ends with
            if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            classPath.close();
            Files.deleteIfExists(log);
        }
    }
}
