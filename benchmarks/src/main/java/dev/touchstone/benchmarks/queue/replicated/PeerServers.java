package dev.touchstone.benchmarks.queue.replicated;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three servers of a peer, run by {@code scripts/replicated-peers}, of which {@code TOUCHSTONE_PEERS} names the folder with what it has installed. The script
 * holds a pipe to this JVM and ends its servers with that.
 */
final class PeerServers implements Closeable {
    private static final String VARIABLE = "TOUCHSTONE_PEERS";
    private static final String SCRIPT = "replicated-peers";
    private static final int SERVERS = 3;
    private static final long PATIENCE_SECONDS = 30;

    private final String system;
    private final Path data;
    private final Process script;
    private final List<String> addresses;

    private PeerServers(String system, Path data, Process script, List<String> addresses) {
        this.system = system;
        this.data = data;
        this.script = script;
        this.addresses = addresses;
    }

    /** Returns what is missing to run a system; empty if nothing is. */
    static Optional<String> missing(String system) {
        Path installed = installed();
        boolean isThere = installed != null
                && Files.isExecutable(installed.resolve(SCRIPT))
                && Files.isRegularFile(installed.resolve(system).resolve("installed"));
        return isThere
                ? Optional.empty()
                : Optional.of(system + " is not installed: scripts/" + SCRIPT + " install FOLDER " + system + ", and "
                        + VARIABLE + "=FOLDER in the environment");
    }

    private static @Nullable Path installed() {
        String folder = System.getenv(VARIABLE);
        return folder == null || folder.isEmpty() ? null : Path.of(folder);
    }

    /** Starts the servers of a system with their data in {@code data}, and waits until they answer. */
    static PeerServers start(String system, Path data) throws IOException {
        Path installed = installed();
        if (installed == null) {
            throw new IOException(missing(system).orElseThrow());
        }
        Path log = data.resolve(SCRIPT + ".log");
        String script = installed.resolve(SCRIPT).toString();
        Process process = new ProcessBuilder(script, "run", installed.toString(), system, "--data", data.toString())
                .redirectError(log.toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (line == null || !line.startsWith(system + " ")) {
            process.destroy();
            throw new IOException(system + " did not start: " + Files.readString(log));
        }
        return new PeerServers(
                system,
                data,
                process,
                List.of(line.substring(system.length() + 1).split(",", -1)));
    }

    /** Returns the servers' addresses, {@code host:port}. */
    List<String> addresses() {
        return addresses;
    }

    /** Returns the folder of each server. */
    List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            folders.add(data.resolve(system).resolve(Integer.toString(i)));
        }
        return folders;
    }

    /** Kills the servers, and with them the script. */
    void kill() throws IOException {
        for (Path folder : folders()) {
            long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        close();
    }

    @Override
    public void close() throws IOException {
        script.getOutputStream().close();
        try {
            if (!script.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                script.destroy();
                throw new IOException(system + " did not end within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + system + " ended", e);
        }
    }
}
