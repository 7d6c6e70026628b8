package dev.touchstone.index.loader;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server in a temporary folder of its own, which listens on loopback only and is stopped and deleted by {@link #close}. Root starts it as the
 * user {@code postgres}, because PostgreSQL refuses to run as root.
 */
final class PostgresServer implements AutoCloseable {
    private static final String USER = "postgres";

    private final Path folder;
    private final Process process;
    private final int port;

    private PostgresServer(Path folder, Process process, int port) {
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    /** Returns whether the programs and the user that {@link #start} needs are there. */
    static boolean isInstalled() throws IOException {
        Path postgres = program("postgres");
        return postgres != null
                && Files.isExecutable(initdb(postgres))
                && (!isRoot() || (program("setpriv") != null && hasUser()));
    }

    /** Starts a server, and returns once it accepts connections. */
    static PostgresServer start() throws IOException, InterruptedException {
        Path postgres = program("postgres");
        if (postgres == null) {
            throw new IllegalStateException("postgres is not installed");
        }
        Path folder = Files.createTempDirectory("touchstone-postgres");
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            String data = folder.resolve("data").toString();
            Process init = process(
                    folder,
                    initdb(postgres).toString(),
                    "-D",
                    data,
                    "-A",
                    "trust",
                    "-U",
                    USER,
                    "-N",
                    "-E",
                    "UTF8",
                    "--no-locale");
            String said = new String(init.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (init.waitFor() != 0) {
                throw new IllegalStateException("initdb failed: " + said);
            }
            return start(folder, postgres.toString(), data);
        } catch (IOException | InterruptedException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    private static PostgresServer start(Path folder, String postgres, String data) throws IOException {
        int port = freePort();
        Process process = process(
                folder,
                postgres,
                "-D",
                data,
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off",
                "-c",
                "log_min_messages=log", // little enough for a pipe that nobody reads
                "-c",
                "log_checkpoints=off");
        BufferedReader log =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            lines.add(line);
            if (line.contains("ready to accept connections")) {
                return new PostgresServer(folder, process, port);
            }
        }
        process.destroyForcibly();
        throw new IllegalStateException("postgres ended: " + lines);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Process process(Path folder, String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            Collections.addAll(all, "setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
        }
        Collections.addAll(all, command);
        ProcessBuilder builder =
                new ProcessBuilder(all).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder.start();
    }

    private static @Nullable Path program(String name) throws IOException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return program.toRealPath();
            }
        }
        return null;
    }

    private static Path initdb(Path postgres) {
        return postgres.resolveSibling("initdb");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static boolean hasUser() throws IOException {
        try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
            return users.anyMatch(line -> line.startsWith(USER + ":"));
        }
    }

    /** Returns the JDBC address of the server. */
    String address() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        delete(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
