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
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database server in a temporary folder of its own, which listens on loopback only and is stopped and deleted by {@link #close}. Root starts
 * PostgreSQL as the user {@code postgres}, because it refuses to run as root.
 */
final class DatabaseServer implements AutoCloseable {
    private static final String POSTGRES = "postgres"; // the program, its user, and its first database
    private static final String MARIADB = "mariadbd";
    private static final String MARIADB_INIT = "mariadb-install-db";
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final Process process;
    private final String address;

    private DatabaseServer(Path folder, Process process, String address) {
        this.folder = folder;
        this.process = process;
        this.address = address;
    }

    /** Returns whether the programs and the user that {@link #postgres} needs are there. */
    static boolean hasPostgres() throws IOException {
        Path postgres = program(POSTGRES);
        return postgres != null
                && Files.isExecutable(postgres.resolveSibling("initdb"))
                && (!isRoot() || (program("setpriv") != null && hasPostgresUser()));
    }

    /** Returns whether the programs that {@link #mariaDb} needs are there. */
    static boolean hasMariaDb() throws IOException {
        return program(MARIADB) != null && program(MARIADB_INIT) != null;
    }

    /** Starts a PostgreSQL server, and returns once it accepts connections. */
    static DatabaseServer postgres() throws IOException, InterruptedException {
        Path program = installed(POSTGRES);
        Path folder = newFolder();
        int port = freePort();
        String data = folder.resolve("data").toString();
        List<String> user = isRoot()
                ? List.of("setpriv", "--reuid=" + POSTGRES, "--regid=" + POSTGRES, "--clear-groups")
                : List.of();
        List<String> init = new ArrayList<>(user);
        init.addAll(List.of(program.resolveSibling("initdb").toString(), "-D", data, "-A", "trust", "-U", POSTGRES));
        init.addAll(List.of("-N", "-E", "UTF8", "--no-locale"));
        List<String> serve = new ArrayList<>(user);
        serve.addAll(List.of(program.toString(), "-D", data, "-p", Integer.toString(port)));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "fsync=off",
                "log_min_messages=log", // little enough for a pipe that nobody reads
                "log_checkpoints=off")) {
            serve.addAll(List.of("-c", setting));
        }
        String address = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + POSTGRES;
        return start(folder, init, serve, "ready to accept connections", address);
    }

    /** Starts a MariaDB server, and returns once it accepts connections. */
    static DatabaseServer mariaDb() throws IOException, InterruptedException {
        Path folder = newFolder();
        int port = freePort();
        String data = "--datadir=" + folder.resolve("data");
        List<String> user = isRoot() ? List.of("--user=root") : List.of();
        List<String> init = new ArrayList<>(List.of(installed(MARIADB_INIT).toString(), "--no-defaults", data));
        init.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
        init.addAll(user);
        List<String> serve = new ArrayList<>(List.of(installed(MARIADB).toString(), "--no-defaults", data));
        serve.addAll(List.of("--socket=" + folder.resolve("socket"), "--pid-file=" + folder.resolve("pid")));
        serve.addAll(List.of("--bind-address=127.0.0.1", "--port=" + port));
        serve.addAll(user);
        String address = "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root";
        return start(folder, init, serve, "port: " + port, address);
    }

    /** Runs a command that makes the data, and then the server, until it writes a line that contains a text. */
    private static DatabaseServer start(
            Path folder, List<String> init, List<String> serve, String ready, String address)
            throws IOException, InterruptedException {
        try {
            Process made = process(folder, init);
            String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (made.waitFor() != 0) {
                throw new IllegalStateException("no data: command=" + init + " output=" + said);
            }
            Process process = process(folder, serve);
            BufferedReader log =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            List<String> lines = new ArrayList<>();
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                lines.add(line);
                if (line.contains(ready)) {
                    return new DatabaseServer(folder, process, address);
                }
            }
            process.destroyForcibly();
            throw new IllegalStateException("server ended: command=" + serve + " output=" + lines);
        } catch (IOException | InterruptedException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    private static Process process(Path folder, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder.start();
    }

    private static Path newFolder() throws IOException {
        Path folder = Files.createTempDirectory("touchstone-database");
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Path installed(String name) throws IOException {
        Path program = program(name);
        if (program == null) {
            throw new IllegalStateException("not installed: program=" + name);
        }
        return program;
    }

    /** Returns the path of a program; null if it is neither on the path nor where Debian keeps PostgreSQL. */
    private static @Nullable Path program(String name) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            folders.add(Path.of(folder));
        }
        if (Files.isDirectory(DEBIAN)) {
            try (Stream<Path> versions = Files.list(DEBIAN)) {
                versions.map(version -> version.resolve("bin")).sorted().forEach(folders::add);
            }
        }
        for (Path folder : folders) {
            Path program = folder.resolve(name);
            if (Files.isExecutable(program)) {
                return program.toRealPath();
            }
        }
        return null;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static boolean hasPostgresUser() throws IOException {
        try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
            return users.anyMatch(line -> line.startsWith(POSTGRES + ":"));
        }
    }

    /** Returns the JDBC address of the server. */
    String address() {
        return address;
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
