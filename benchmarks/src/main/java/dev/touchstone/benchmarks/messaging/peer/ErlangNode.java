package dev.touchstone.benchmarks.messaging.peer;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process of {@code erl} with a name, which runs a function of {@code touchstone_echo.erl}. It reports line by line over a connection of
 * its own and ends with that, so that none outlives this JVM.
 */
final class ErlangNode implements Closeable {

    private static final String MODULE = "touchstone_echo";
    private static final String RESOURCE = "/META-INF/touchstone/erlang/" + MODULE + ".erl";
    private static final String COOKIE = "touchstone";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LOOK_MILLIS = 100;

    private final Process process;
    private final Socket socket;
    private final BufferedReader lines;

    private ErlangNode(Process process, Socket socket) throws IOException {
        this.process = process;
        this.socket = socket;
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    /** Returns where {@code erl} is, if it is anywhere on the PATH. */
    static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "erl"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts a node and waits until it has called.
     *
     * @param folder for its files
     * @param flags of the emulator
     * @param name with a short host name
     * @param call of the module, with {@code Port} where the port to report to belongs
     */
    static ErlangNode start(Path folder, int epmdPort, List<String> flags, String name, String call)
            throws IOException {
        Path erl = program().orElseThrow(() -> new IOException("no erl on the PATH: apt install erlang-base"));
        Path source = folder.resolve(MODULE + ".erl");
        copySource(source);
        Path log = folder.resolve(name + ".log");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> command = new ArrayList<>(List.of(erl.toString()));
            command.addAll(flags);
            command.addAll(List.of(
                    "-noinput",
                    "-start_epmd",
                    "false",
                    "-sname",
                    name,
                    "-setcookie",
                    COOKIE,
                    "-kernel",
                    "inet_dist_use_interface",
                    "{127,0,0,1}",
                    "-eval",
                    "{ok, M, B} = compile:file(\"" + source + "\", [binary]), {module, M} = code:load_binary(M, \""
                            + source
                            + "\", B), Port = " + listener.getLocalPort() + ", spawn(fun() -> " + MODULE + ":" + call
                            + " end)."));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().put("ERL_EPMD_PORT", Integer.toString(epmdPort));
            builder.environment().put("ERL_CRASH_DUMP_SECONDS", "0");
            builder.environment().put("HOME", folder.toString());
            Process process = builder.start();
            return new ErlangNode(process, accepted(listener, process, log));
        }
    }

    /** Returns the next line, or waits for it. */
    String line() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("the Erlang node has ended");
        }
        return line;
    }

    /** Returns the processor time that the process has used, to the kernel's hundredth of a second. */
    long cpuNanos() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        end(process);
    }

    private static void copySource(Path target) throws IOException {
        if (Files.exists(target)) {
            return;
        }
        try (InputStream in = ErlangNode.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException("no resource " + RESOURCE);
            }
            Files.copy(in, target);
        }
    }

    private static Socket accepted(ServerSocket listener, Process process, Path log) throws IOException {
        listener.setSoTimeout(LOOK_MILLIS);
        long start = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - start < PATIENCE.toNanos()) {
            try {
                return listener.accept();
            } catch (SocketTimeoutException e) {
                // it is starting
            }
        }
        end(process);
        throw new IOException("erl has not called within " + PATIENCE + ", its output: " + Files.readString(log));
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
