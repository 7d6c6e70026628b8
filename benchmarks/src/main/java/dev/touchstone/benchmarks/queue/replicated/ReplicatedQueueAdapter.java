package dev.touchstone.benchmarks.queue.replicated;

import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Our replicated queue with its builder's defaults. This JVM is the member that leads, as a program would be that offers most; the other two are
 * {@link QueueMemberMain}s with the same flags.
 */
public final class ReplicatedQueueAdapter implements ReplicatedUnderTest {
    private static final int MEMBERS = 3;
    private static final String ADDRESSES = "addresses";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String own;
    private final List<Path> folders;
    private final List<Process> others;
    private final DiskQueue<byte[]> queue;

    private ReplicatedQueueAdapter(String own, List<Path> folders, List<Process> others, DiskQueue<byte[]> queue) {
        this.own = own;
        this.folders = folders;
        this.others = others;
        this.queue = queue;
    }

    /** Starts the members, whose folders are in {@code folder}. */
    public static ReplicatedQueueAdapter open(Path folder) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            folders.add(folder.resolve("member-" + i));
        }
        String[] addresses = addresses(folder.resolve(ADDRESSES));
        List<Process> others = new ArrayList<>();
        try {
            for (int i = 1; i < MEMBERS; i++) {
                others.add(start(addresses[i], addresses, folders.get(i), folder.resolve("member-" + i + ".log")));
            }
            DiskQueue<byte[]> queue = QueueMemberMain.open(addresses[0], addresses, folders.get(0));
            ReplicatedQueueAdapter opened = new ReplicatedQueueAdapter(addresses[0], folders, others, queue);
            opened.lead();
            return opened;
        } catch (IOException | RuntimeException e) {
            end(others);
            throw e;
        }
    }

    /** Returns the addresses of the members that were in this folder before; those of free ports where there were none. */
    private static String[] addresses(Path file) throws IOException {
        if (!Files.exists(file)) {
            List<String> free = new ArrayList<>();
            List<ServerSocket> sockets = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                free.add("127.0.0.1:" + socket.getLocalPort());
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            Files.write(file, free);
        }
        return Files.readAllLines(file).toArray(String[]::new);
    }

    private static Process start(String member, String[] members, Path folder, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-Xm"))
                .forEach(command::add);
        command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        command.addAll(List.of(QueueMemberMain.class.getName(), member, String.join(",", members), folder.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Ends the processes at once. */
    private static void end(List<Process> processes) throws IOException {
        for (Process process : processes) {
            process.destroyForcibly();
        }
        try {
            for (Process process : processes) {
                if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException("a member could not be ended: pid=" + process.pid());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while members ended", e);
        }
    }

    @Override
    public void write(byte[] record) {
        if (!queue.offer(record)) {
            throw new IllegalStateException("offer refused, stats=" + queue.stats());
        }
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        for (byte[] record : queue) {
            sink.accept(record);
        }
    }

    /** Empties the queue, and leads again where another member has taken over meanwhile: JMH's waiting threads leave the others little time. */
    @Override
    public void clear() throws IOException {
        queue.clear();
        lead();
    }

    private void lead() throws IOException {
        if (!own.equals(queue.replication().leader())) {
            queue.replication().transferLeadership(own, PATIENCE);
        }
    }

    @Override
    public List<Path> folders() {
        return folders;
    }

    /** Kills the other members, and takes this one back to what its files were before it is closed. */
    @Override
    public void kill() throws IOException {
        end(others);
        Path own = folders.get(0);
        Path killed = own.resolveSibling("killed");
        Folders.copy(own, killed);
        queue.close();
        Folders.delete(own);
        Files.move(killed, own);
    }

    @Override
    public void close() throws IOException {
        queue.close();
        end(others);
    }
}
