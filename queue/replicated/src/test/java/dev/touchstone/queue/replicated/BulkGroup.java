package dev.touchstone.queue.replicated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.replicated.link.MemberStatus;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three processes of {@link BulkMember}. */
final class BulkGroup implements Closeable {
    static final int MEMBERS = 3;

    final List<String> addresses = new ArrayList<>();
    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final GroupClient client;
    private final String[] lines = new String[MEMBERS];

    /** Starts members; {@code load} has the arguments of each for its load. */
    BulkGroup(Path folder, List<List<String>> load) throws IOException {
        this.folder = folder;
        for (int i = 0; i < MEMBERS; i++) {
            addresses.add(Group.freeAddress());
        }
        for (int i = 0; i < MEMBERS; i++) {
            processes.add(start(i, load.get(i)));
        }
        client = new GroupClient(addresses, null, Duration.ofSeconds(2), waits -> {});
        for (int i = 0; i < MEMBERS; i++) {
            awaitRunning(i);
        }
    }

    private Process start(int number, List<String> load) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx" + System.getProperty("heap", "256m"),
                "-cp",
                System.getProperty("java.class.path"),
                BulkMember.class.getName(),
                folder.toString(),
                String.valueOf(number),
                String.join(",", addresses)));
        command.addAll(load);
        return new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(errors(number).toFile()))
                .start();
    }

    private Path errors(int number) {
        return folder.resolve("errors-" + number);
    }

    private void awaitRunning(int number) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(processes.get(number).getInputStream(), UTF_8));
        assertThat(out.readLine())
                .as("member %d: %s", number, Files.readString(errors(number)))
                .isEqualTo("running");
        Thread reading = new Thread(() -> {
            try {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    lines[number] = line;
                }
            } catch (IOException ended) {
                // with its process
            }
        });
        reading.setDaemon(true);
        reading.start();
    }

    /** Returns the last line of a member. */
    String line(int number) {
        return String.valueOf(lines[number]);
    }

    /** Returns a number of the last line of a member. */
    long value(int number, String name) {
        String line = line(number);
        int at = line.indexOf(name + "=") + name.length() + 1;
        return Long.parseLong(line.substring(at, line.indexOf(' ', at)));
    }

    /** Returns the status of a member; asks again for a while, as the machine is busy. */
    MemberStatus status(int number) throws IOException {
        IOException failure = null;
        for (int attempt = 0; attempt < 5; attempt++) {
            try {
                return client.status(addresses.get(number));
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new IOException("member " + number + " lives=" + isAlive(number) + " " + line(number), failure);
    }

    /** Returns the number of the member that leads. */
    int leader() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            for (int i = 0; i < MEMBERS; i++) {
                if (status(i).role().equals("leader")) {
                    return i;
                }
            }
            Group.pause(50);
        }
        throw new AssertionError("no leader");
    }

    void signal(int number, String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder(
                        "kill", "-" + name, String.valueOf(processes.get(number).pid()))
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    boolean isAlive(int number) {
        return processes.get(number).isAlive();
    }

    @Override
    public void close() {
        client.close();
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            process.onExit().join(); // before its folder is deleted
        }
    }
}
