package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.replicated.FaultyEngine;
import dev.touchstone.queue.replication.ReplicationEngine;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three members in processes of their own, on links that can be cut, with clocks that can be set, and files that lose what was not forced.
 * For one thread.
 *
 * <p>With {@code -Ddevices=true}, which takes root and btrfs, each member has a device of its own ({@link MemberDevices}), and power cuts and full
 * disks are those of all its files. Else they are those of the files that are written through {@link CutFileIo}: the engine's log and the member's
 * identity; jraft's vote and snapshots are then left as after a kill.
 */
final class MemberProcesses implements AutoCloseable {
    static final int MEMBERS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long STATE_MILLIS = 3_000;
    private static final String END = "\0end";

    private final Path folder;
    private final Class<?> program;
    private final Duration lease;
    private final MemberLinks links;
    private final Path agent;
    private final Path services;
    private final @Nullable MemberDevices devices;
    private final Member[] members = new Member[MEMBERS];

    /** The state of a member, as it tells it itself. */
    record State(boolean leads, long term, String leader) {}

    /** A process and the lines that it has written. */
    private record Member(Process process, BlockingQueue<String> lines) {}

    /**
     * Makes what the processes need, and starts none.
     *
     * @param folder an empty folder
     * @param program the class whose {@code main} a process runs, with {@link MemberArguments}
     * @param lease longest time of a lease
     */
    MemberProcesses(Path folder, Class<?> program, Duration lease) throws IOException {
        this.folder = folder;
        this.program = program;
        this.lease = lease;
        links = new MemberLinks(MEMBERS);
        devices = Boolean.getBoolean("devices") ? new MemberDevices(folder, MEMBERS) : null;
        agent = folder.resolve("agent.jar");
        ClockAgent.writeJar(agent);
        services = folder.resolve("services");
        Path named = Files.createDirectories(services.resolve("META-INF").resolve("services"));
        Files.writeString(named.resolve(ReplicationEngine.class.getName()), FaultyEngine.class.getName() + "\n");
    }

    MemberLinks links() {
        return links;
    }

    Path folderOf(int member) {
        return folder.resolve("member-" + member).resolve("queue");
    }

    /** Cuts the power of members at once; returns when their processes have ended and their files are those that are left. */
    void cutPower(List<Integer> victims, SplittableRandom random) throws IOException, InterruptedException {
        if (devices == null) {
            for (int victim : victims) {
                tell(victim, "cut " + random.nextLong());
            }
            for (int victim : victims) {
                int code = awaitEnd(victim);
                if (code != MemberConsole.CUT_EXIT) {
                    throw new AssertionError("member " + victim + " exit=" + code + ": " + errors(victim));
                }
            }
        } else {
            for (int victim : victims) {
                signal(victim, "STOP"); // nothing is told to anybody after the copy
            }
            for (int victim : victims) {
                devices.cut(victim);
                kill(victim);
            }
            for (int victim : victims) {
                devices.restore(victim);
            }
        }
    }

    /** Leaves a member no room on its disk; without devices only the engine's log is refused. */
    void fillDisk(int member) throws IOException {
        if (devices == null) {
            tell(member, "full true");
        } else {
            devices.fill(member);
        }
    }

    /** Makes room on the disk of a member, where that does not take the end of its process. */
    void freeDisk(int member) throws IOException {
        if (devices == null) {
            boolean unused = tryTell(member, "full false");
        } else {
            devices.free(member);
        }
    }

    void startAll() throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            start(i);
        }
        awaitAll("running");
    }

    void awaitAll(String answer) throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            String unused = await(i, answer);
        }
    }

    void start(int member) throws IOException {
        Path hosts = folder.resolve("hosts-" + member);
        links.writeHosts(member, hosts);
        MemberArguments arguments = new MemberArguments(folder, member, links.names(), links.listen(member), lease);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Djdk.net.hosts.file=" + hosts,
                "-javaagent:" + agent,
                "-cp",
                services + File.pathSeparator + System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments.text());
        Process process = new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(errorsOf(member).toFile()))
                .start();
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        members[member] = new Member(process, lines);
        MemberLinks.start("lines of member " + member, () -> read(process, lines));
    }

    private static void read(Process process, BlockingQueue<String> lines) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException ended) {
            // with the process
        }
        lines.add(END);
    }

    private Path errorsOf(int member) {
        return folder.resolve("errors-" + member);
    }

    boolean isAlive(int member) {
        return members[member].process.isAlive();
    }

    /** Fails with what a process has written last, if one that should run has ended. */
    void checkAlive() throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            if (!isAlive(i)) {
                throw new AssertionError("member " + i + " has ended: " + errors(i));
            }
        }
    }

    /** Returns the end of what a member has written to its standard error. */
    String errors(int member) throws IOException {
        String all = Files.readString(errorsOf(member));
        return all.substring(Math.max(0, all.length() - 6_000));
    }

    void kill(int member) throws InterruptedException {
        int unused = members[member].process.destroyForcibly().waitFor();
    }

    /** Stops a process ({@code STOP}) or lets it go on ({@code CONT}). */
    void signal(int member, String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, String.valueOf(members[member].process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + " exit=" + code + " member=" + member);
        }
    }

    /** Waits for the end of a process; returns its exit code. */
    int awaitEnd(int member) throws IOException, InterruptedException {
        if (!members[member].process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("member " + member + " does not end within " + PATIENCE + ": " + errors(member));
        }
        return members[member].process.exitValue();
    }

    void tell(int member, String line) throws IOException {
        members[member].process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        members[member].process.getOutputStream().flush();
    }

    /** Tells a process something, if it has not ended; returns whether it was told. */
    private boolean tryTell(int member, String line) {
        try {
            tell(member, line);
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Waits for a line that begins with {@code start}, and forgets those before it. */
    String await(int member, String start) throws IOException {
        Optional<String> line = poll(member, start, PATIENCE.toMillis());
        return line.orElseThrow(() -> new AssertionError("member " + member + " has not answered " + start));
    }

    private Optional<String> poll(int member, String start, long millis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            String line;
            try {
                line = members[member].lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (line == null) {
                return Optional.empty();
            }
            if (line.equals(END)) {
                throw new AssertionError("member " + member + " has ended before " + start + ": " + errors(member));
            }
            if (line.startsWith(start)) {
                return Optional.of(line);
            }
        }
    }

    /** Asks a member for its state; null if it does not answer soon. */
    @Nullable
    State state(int member) throws IOException {
        tell(member, "state");
        Optional<String> line = poll(member, "state ", STATE_MILLIS);
        if (line.isEmpty()) {
            return null;
        }
        String[] words = line.get().split(" ", -1);
        return new State(Boolean.parseBoolean(words[1]), Long.parseLong(words[2]), words[3]);
    }

    /** Waits until a member leads that is not {@code except}, which is not asked; returns its number. */
    int awaitLeader(int except) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            int leader = -1;
            long term = 0;
            for (int i = 0; i < MEMBERS; i++) {
                State state = i == except ? null : state(i);
                if (state != null && state.leads && state.term > term) {
                    leader = i;
                    term = state.term;
                }
            }
            if (leader >= 0) {
                return leader;
            }
            pause(20);
        }
        throw new AssertionError("no leader within " + PATIENCE);
    }

    /** Lets time pass, as between two faults. */
    static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends all processes. */
    @Override
    public void close() throws IOException {
        for (Member member : members) {
            if (member != null) {
                member.process.destroyForcibly().onExit().join();
            }
        }
        links.close();
        if (devices != null) {
            devices.close();
        }
    }
}
