package dev.touchstone.benchmarks.serialization.cluster;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
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
import java.util.concurrent.TimeUnit;

/** A {@link MemberMain}, or another kind of member, in a JVM of its own. It holds a connection to this one and ends with that, so that none outlives this JVM. */
public final class MemberProcess implements Closeable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LOOK_MILLIS = 100;

    private final Process process;
    private final Socket socket;
    private final Path log;
    private final int port;

    private MemberProcess(Process process, Socket socket, Path log, int port) {
        this.process = process;
        this.socket = socket;
        this.log = log;
        this.port = port;
    }

    /** Starts a member that holds records and joins others, and waits until it has. */
    static MemberProcess start(String clusterName, List<String> others) throws IOException {
        return start(MemberMain.class, List.of("-Xms256m", "-Xmx1G"), clusterName, others);
    }

    /**
     * Starts a member that joins others, and waits until it has.
     *
     * @param main main class, which passes its arguments on to {@link MemberMain#run}
     * @param flags flags of the JVM beside those that Hazelcast asks for
     * @param clusterName name of the cluster
     * @param others addresses of running members, {@code host:port}
     */
    public static MemberProcess start(Class<?> main, List<String> flags, String clusterName, List<String> others)
            throws IOException {
        Path log = Files.createTempFile("touchstone-member", ".log");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process process = new ProcessBuilder(command(main, flags, clusterName, others, listener.getLocalPort()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Socket socket = accepted(listener, process, log);
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = lines.readLine();
            if (line == null) {
                throw failed("has ended", process, log);
            }
            return new MemberProcess(process, socket, log, Integer.parseInt(line));
        }
    }

    /** Returns the address at which clients and other members reach the member. */
    public String address() {
        return HazelcastConfigs.LOOPBACK + ":" + port;
    }

    @Override
    public void close() {
        try {
            socket.close();
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(log);
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(
            Class<?> main, List<String> flags, String clusterName, List<String> others, int reportPort) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(HazelcastFlags.all());
        command.addAll(flags);
        command.add("-D" + MemberMain.CLUSTER_PROPERTY + "=" + clusterName);
        command.add("-D" + MemberMain.REPORT_PROPERTY + "=" + reportPort);
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.add(HazelcastConfigs.LOOPBACK);
        command.add(Integer.toString(HazelcastConfigs.ANY_PORT));
        if (!others.isEmpty()) {
            command.add(String.join(",", others));
        }
        return command;
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
        throw failed("has not called within " + PATIENCE, process, log);
    }

    private static IOException failed(String what, Process process, Path log) throws IOException {
        process.destroyForcibly();
        return new IOException("a Hazelcast member " + what + ", its output: " + Files.readString(log));
    }
}
