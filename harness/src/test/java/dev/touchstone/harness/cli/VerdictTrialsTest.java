package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.harness.sample.SampleCapsule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Builds that are slower by a known share, compared as a user compares them. Each trial adds a line to {@code target/verdict-trials.tsv}: the
 * slowdown in percent, the mode, hogs, verdict, verdict of all rounds, ratio, pairs, exit code.
 *
 * <p>System properties: {@code trials.percents} (default 20), {@code trials.count} (1) of each, {@code trials.modes} (thrpt; p99 is at a fixed rate, and only
 * every 64th operation is slower there), {@code trials.hogs} (0), how many processors something else keeps busy meanwhile. The machine decides what can be shown, so only wrong verdicts fail.
 */
@Tag("slow")
@Timeout(900)
class VerdictTrialsTest {
    private static final int WORK = 2_000;
    private static final int RARE_WORK = 20 * WORK;
    private static final Path LOG = Path.of("target", "verdict-trials.tsv");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    static Stream<String> trials() {
        String[] percents = System.getProperty("trials.percents", "20").split(",", -1);
        String[] modes = System.getProperty("trials.modes", "thrpt").split(",", -1);
        return IntStream.rangeClosed(1, Integer.getInteger("trials.count", 1))
                .boxed()
                .flatMap(trial -> Arrays.stream(percents)
                        .flatMap(percent -> Arrays.stream(modes).map(mode -> percent + " " + mode + " " + trial)));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void compare_slowerByPercent_neverCalledFaster(String trial) throws Exception {
        String[] words = trial.split(" ", -1);
        int percent = Integer.parseInt(words[0]);
        Files.createDirectory(folder.resolve("tmp"));
        boolean isTail = words[1].equals("p99");
        int slowed = isTail ? RARE_WORK : WORK;
        int more = slowed + slowed * percent / 100;
        Path older = SampleCapsule.write(folder.resolve("old.jar"), "0ld", false, WORK, slowed);
        Path newer = SampleCapsule.write(folder.resolve("new.jar"), "n3w", false, isTail ? WORK : more, more);
        int hogs = Integer.getInteger("trials.hogs", 0);
        List<Process> load = hogs(hogs);
        int code;
        try {
            code = compare(older, newer, words[1]);
        } finally {
            load.forEach(Process::destroyForcibly);
        }
        JsonNode change = new ObjectMapper()
                .readTree(Files.readString(folder.resolve("out")))
                .get("changes")
                .get(0);
        String verdict = change.get("verdict").asText();
        log(
                percent,
                words[1],
                hogs,
                verdict,
                change.get("verdictOfAll"),
                change.at("/ratio/ratio"),
                change.at("/ratio/n"),
                code);
        assertThat(verdict).isNotEqualTo("faster");
        if (percent == 0) {
            assertThat(verdict).isIn("same", "unknown");
        }
    }

    private static void log(Object... cells) throws IOException {
        List<String> texts = Arrays.stream(cells).map(String::valueOf).toList();
        Files.writeString(LOG, String.join("\t", texts) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static List<Process> hogs(int count) throws IOException {
        List<Process> hogs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hogs.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
        return hogs;
    }

    private int compare(Path older, Path newer, String mode) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(
                List.of("compare", older.toString(), newer.toString(), "--workloads", "^count$", "--threads", "1"));
        command.addAll(List.of("--rounds", "40", "--warmup", "2x100ms", "--json"));
        command.addAll(
                mode.equals("p99")
                        ? List.of("--measure", "1x1s", "--rate", "5000")
                        : List.of("--measure", "3x100ms", "--", "-bm", mode));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start()
                .waitFor();
    }
}
