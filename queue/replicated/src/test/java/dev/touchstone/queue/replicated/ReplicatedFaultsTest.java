package dev.touchstone.queue.replicated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with producers and consumers, that are killed and stopped: no accepted element is lost, and none is acknowledged twice: none is in the
 * queue twice, and no acknowledgement is undone. At the end the queue is empty.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedFaultsTest {
    private static final int MEMBERS = 3;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Process[] processes = new Process[MEMBERS];
    private String members = "";

    @AfterEach
    void end() {
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void faults_aFewUnderLoad_loseAndRepeatNothing() throws Exception {
        run(6);
    }

    @Tag("slow")
    @Test
    void faults_underLoadForLong_loseAndRepeatNothing() throws Exception {
        run(Integer.getInteger("faults", 300));
    }

    private void run(int faults) throws Exception {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            addresses.add(Group.freeAddress());
        }
        members = String.join(",", addresses);
        for (int i = 0; i < MEMBERS; i++) {
            start(i);
        }
        for (int i = 0; i < MEMBERS; i++) {
            await(i, "running");
        }
        for (int i = 0; i < faults; i++) {
            pause(300 + random.nextInt(1500));
            fault();
        }
        pause(1000);
        for (int i = 0; i < MEMBERS; i++) {
            tell(i, "drain");
        }
        for (int i = 0; i < MEMBERS; i++) {
            await(i, "empty");
        }
        for (int i = 0; i < MEMBERS; i++) {
            tell(i, "close");
        }
        for (Process process : processes) {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as("seed %d, see %s", seed, folder).isZero();
        }
        judge(faults);
    }

    private void fault() throws Exception {
        int victim = random.nextInt(MEMBERS);
        switch (random.nextInt(8)) {
            case 0 -> { // all
                for (int i = 0; i < MEMBERS; i++) {
                    kill(i);
                }
                for (int i = 0; i < MEMBERS; i++) {
                    start(i);
                }
                for (int i = 0; i < MEMBERS; i++) {
                    await(i, "running");
                }
            }
            case 1, 2, 3 -> {
                signal(victim, "STOP");
                pause(500 + random.nextInt(3000));
                signal(victim, "CONT");
            }
            default -> {
                kill(victim);
                pause(random.nextInt(1500));
                start(victim);
                await(victim, "running");
            }
        }
    }

    private void start(int number) throws IOException {
        processes[number] = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadedMember.class.getName(),
                        folder.toString(),
                        String.valueOf(number),
                        members)
                .redirectError(
                        Redirect.appendTo(folder.resolve("errors-" + number).toFile()))
                .start();
    }

    private void kill(int number) throws InterruptedException {
        processes[number].destroyForcibly().waitFor();
    }

    private void signal(int number, String name) throws Exception {
        int code = new ProcessBuilder("kill", "-" + name, String.valueOf(processes[number].pid()))
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private void tell(int number, String line) throws IOException {
        processes[number].getOutputStream().write((line + "\n").getBytes(UTF_8));
        processes[number].getOutputStream().flush();
    }

    private void await(int number, String expected) throws IOException {
        BufferedReader out = new BufferedReader(new InputStreamReader(processes[number].getInputStream(), UTF_8), 1);
        for (String line = out.readLine(); !expected.equals(line); line = out.readLine()) {
            assertThat(line)
                    .as(
                            "member %d ended: seed %d %s",
                            number, seed, Files.readString(folder.resolve("errors-" + number)))
                    .isNotNull();
        }
    }

    /** Lets time pass between two faults. */
    private static void pause(int millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    private record Note(long time, char what, String element) {
        static Note of(String line) {
            String[] words = line.split(" ", -1);
            return new Note(Long.parseLong(words[0]), words[1].charAt(0), words[2]);
        }
    }

    private void judge(int faults) throws IOException {
        List<Note> notes = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            try (Stream<String> lines = Files.lines(folder.resolve("notes-" + i))) {
                lines.map(Note::of).forEach(notes::add);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        notes.sort((a, b) -> Long.compare(a.time, b.time));
        Set<String> accepted = new HashSet<>();
        Set<String> open =
                new HashSet<>(); // whose acknowledgement has an unknown outcome, or its process was killed before it
        // had one
        Map<String, Long> acknowledged = new HashMap<>();
        List<String> twice = new ArrayList<>();
        for (Note note : notes) {
            switch (note.what) {
                case 'P' -> accepted.add(note.element);
                case 'L' -> open.add(note.element);
                case 'A' -> {
                    if (acknowledged.put(note.element, note.time) != null) {
                        twice.add(note.element);
                    }
                }
                case 'R' -> open.remove(note.element);
                default -> {}
            }
        }
        Set<String> lost = new HashSet<>(accepted);
        lost.removeAll(acknowledged.keySet());
        open.removeAll(acknowledged.keySet());
        lost.removeAll(open);
        System.out.println("faults=" + faults + " accepted=" + accepted.size() + " acknowledged=" + acknowledged.size()
                + " unknown=" + open.size() + " lost=" + lost.size() + " twice="
                + twice.size() + " seed=" + seed);
        assertThat(accepted).isNotEmpty();
        assertThat(lost).as("lost, seed %d", seed).isEmpty();
        assertThat(twice).as("acknowledged twice, seed %d", seed).isEmpty();
        assertThat(acknowledged.size()).isGreaterThan(accepted.size() / 2);
    }
}
