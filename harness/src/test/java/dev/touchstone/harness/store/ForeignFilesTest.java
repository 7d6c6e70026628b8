package dev.touchstone.harness.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.cli.Main;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Result files from anywhere, given to the program as its user gives them, in a JVM of 256 MB: one line with file and place, and no harm. */
@Timeout(60)
@Tag("sweep")
class ForeignFilesTest {
    private static final long HUGE = 1L << 30;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path run;

    @BeforeEach
    void write() throws IOException {
        RunFolder made = RunFolder.create(
                folder, "linux-2c-abcdef", LocalDate.of(2026, 3, 4), new BuildInfo("1.0", "abc1234", false));
        RunInfo info = new RunInfo(
                RunInfo.SCHEMA,
                "quick",
                List.of("quick"),
                "1.0",
                "abc1234",
                false,
                "2026-03-04T10:00:00Z",
                null,
                "<data>",
                false,
                List.of("count/t1/OURS"),
                3,
                "17",
                null,
                new TreeMap<>());
        made.writeInfo(info);
        run = made.path();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run.json | {\"schema\": 1, | run.json: line 1",
                "env.json | {\"schema\": 1, \"a\": [1, | env.json: line 1 column",
                "run.json | [] | run.json: schema: expected 1, got none",
                "run.json | {\"schema\": 2} | run.json: schema: expected 1, got 2",
                "run.json | {\"schema\": 1, \"a\": DEEP} | run.json: line 1 column",
                "run.json | HUGE | run.json: expected at most",
                "env.json | {\"schema\": 1} | env.json",
                "env.json | {\"schema\": 7} | env.json: schema: expected",
                "forks.jsonl | LINE | forks.jsonl:1: column",
                "forks.jsonl | WHEN | forks.jsonl:1: startedAt: expected an instant, got 'yesterday'",
                "forks.jsonl | MANY | forks.jsonl:10: expected at most 2000000 values",
                "forks.jsonl | HUGE | forks.jsonl: expected at most",
                "env.json | HUGE | env.json: expected at most",
            })
    void report_foreignFile_refusedByNameAndPlace(String name, String content, String message) throws Exception {
        fill(run.resolve(name), content);
        assertThat(report()).as(err()).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains(message).doesNotContain("Exception", "\tat ", "OutOfMemory", "REDACTED");
    }

    private void fill(Path file, String content) throws IOException {
        if (content.equals("HUGE")) {
            try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
                huge.setLength(HUGE);
            }
        } else {
            Files.writeString(
                    file,
                    content.replace("DEEP", "[".repeat(10_000))
                            .replace("MANY", scores(200_000).repeat(20))
                            .replace("WHEN", scores(1).replace("2026-03-04T10:00:00Z", "yesterday"))
                            .replace("LINE", "{}\n"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING);
        }
    }

    private static String scores(int count) {
        Metric metric = new Metric("thrpt", "ops/s", 1, Collections.nCopies(count, 1.0));
        return ForkLines.encode(new ForkResult(
                "count/t1/OURS",
                "count",
                "OURS",
                1,
                new TreeMap<>(),
                0,
                0,
                "2026-03-04T10:00:00Z",
                1,
                null,
                metric,
                new TreeMap<>(),
                List.of(),
                Noise.unknown(),
                Build.OWN,
                0,
                null,
                null,
                null));
    }

    private int report() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("report", run.toString()));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start()
                .waitFor();
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }
}
