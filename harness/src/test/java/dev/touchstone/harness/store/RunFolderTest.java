package dev.touchstone.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.file.ResultFormatException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFolderTest {
    private static final BuildInfo BUILD = new BuildInfo("1.0", "abc1234", false);
    private static final String HOST = "linux-2c-abcdef";
    private static final LocalDate DAY = LocalDate.of(2026, 3, 4);

    private final List<String> skipped = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path results;

    @SuppressWarnings("NullAway.Init")
    private RunFolder folder;

    @BeforeEach
    void create() throws IOException {
        folder = RunFolder.create(results, HOST, DAY, BUILD);
    }

    @Test
    void create_sameDayAndBuild_numbered() throws IOException {
        assertThat(results.relativize(folder.path())).hasToString("linux-2c-abcdef/2026-03-04-abc1234");
        assertThat(RunFolder.create(results, HOST, DAY, BUILD).path()).hasFileName("2026-03-04-abc1234-2");
        assertThat(RunFolder.create(results, HOST, DAY, BUILD).path()).hasFileName("2026-03-04-abc1234-3");
    }

    @Test
    void info_written_readsBack() throws IOException {
        folder.writeInfo(info("2026-03-04T10:00:00Z", null));
        assertThat(folder.readInfo()).isEqualTo(info("2026-03-04T10:00:00Z", null));
        assertThat(folder.path().resolve("run.json.tmp")).doesNotExist();
    }

    @Test
    void forks_appended_readBackInOrder() throws IOException {
        append(fork(0, null), fork(1, "it broke"));
        assertThat(folder.readForks()).containsExactly(fork(0, null), fork(1, "it broke"));
        assertThat(folder.torn()).isFalse();
    }

    @Test
    void forks_tornLastLine_leftOutAndOverwritten() throws IOException {
        append(fork(0, null));
        String half = ForkLines.encode(fork(1, null)).substring(0, 40);
        Files.writeString(forksFile(), half, StandardOpenOption.APPEND);
        assertThat(folder.torn()).isTrue();
        assertThat(folder.readForks()).containsExactly(fork(0, null));

        append(fork(2, null));
        assertThat(folder.torn()).isFalse();
        assertThat(folder.readForks()).containsExactly(fork(0, null), fork(2, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"score\":1.5 | \"score\":NaN | NaN",
                "\"score\":1.5 | \"score\":\"NaN\" | primary.score",
                "\"score\":1.5 | \"score\":1e999 | primary.score: expected a finite number",
                "[1.0,2.0] | [1.0,null] | primary.iterations[1]: expected a value",
                "count/t1/OURS | ../../etc/passwd | cell: expected workload/t<threads>",
                "count/t1/OURS | count/t1/../OURS | cell: expected workload/t<threads>",
                "\"subject\":\"OURS\" | \"subject\":\"<script>\" | subject: expected a word",
                "\"threads\":1 | \"threads\":-1 | threads: expected 0..10000, got -1",
                "\"round\":1 | \"round\":1.5 | round",
                "\"round\":1 | \"round\":1,\"rounds\":1 | unknown field 'rounds'",
                "\"wallMillis\":100, | | wallMillis",
                "\"secondary\":{} | \"secondary\":{\"\":{\"mode\":\"thrpt\",\"unit\":\"ops/s\",\"score\":1.0,\"iterations\":[]}} | secondary: expected a name",
                "\"error\":null | \"error\":\"yes\" | expected either primary or error, got both",
                "{\"cell\" | [\"cell\" | column",
                "\"cell\": | \"round\":1,\"cell\": | Duplicate field 'round'",
            })
    void forks_corruptLine_refusedWithFileAndLine(String good, @Nullable String bad, String message)
            throws IOException {
        append(fork(0, null), fork(1, null));
        List<String> lines = Files.readAllLines(forksFile());
        String corrupt = lines.get(1).replace(good, bad == null ? "" : bad);
        assertThat(corrupt).isNotEqualTo(lines.get(1));
        Files.write(forksFile(), List.of(lines.get(0), corrupt));
        assertThatThrownBy(folder::readForks)
                .isInstanceOf(ResultFormatException.class)
                .hasMessageStartingWith(forksFile() + ":2: ")
                .hasMessageContaining(message);
    }

    @Test
    @Timeout(60)
    void forks_deepJson_refused() throws IOException {
        Files.writeString(forksFile(), "[".repeat(10_000) + "\n");
        assertThatThrownBy(folder::readForks).isInstanceOf(ResultFormatException.class);
        Files.writeString(forksFile(), "{\"params\":" + "{\"a\":".repeat(10_000) + "\n");
        assertThatThrownBy(folder::readForks).isInstanceOf(ResultFormatException.class);
    }

    @Test
    @Timeout(60)
    void forks_hugeLineOrFile_refusedUnread() throws IOException {
        Files.writeString(forksFile(), " ".repeat(ForkLines.MAX_LINE_BYTES + 1) + "\n");
        assertThatThrownBy(folder::readForks).hasMessageContaining("expected a line of at most 1048576 bytes");
        try (var file = new RandomAccessFile(forksFile().toFile(), "rw")) {
            file.setLength(1L << 30);
        }
        assertThatThrownBy(folder::readForks).hasMessageContaining("expected at most 33554432 bytes");
    }

    @Test
    void forks_notUtf8_refused() throws IOException {
        Files.write(forksFile(), new byte[] {(byte) 0xff, '\n'});
        assertThatThrownBy(folder::readForks).hasMessageContaining("expected UTF-8");
    }

    @Test
    void info_foreignSchema_refusedByName() throws IOException {
        Files.writeString(folder.path().resolve("run.json"), "{\"schema\": 99, \"planet\": \"Mars\"}");
        assertThatThrownBy(folder::readInfo)
                .isInstanceOf(ResultFormatException.class)
                .hasMessageEndingWith("run.json: schema: expected 1, got 99");
        Files.writeString(folder.path().resolve("run.json"), "[]");
        assertThatThrownBy(folder::readInfo).hasMessageContaining("schema: expected 1, got none");
        Files.writeString(folder.path().resolve("run.json"), "");
        assertThatThrownBy(folder::readInfo).isInstanceOf(ResultFormatException.class);
    }

    @Test
    void newestUnfinished_severalRuns_lastStartedOfTheUnfinished() throws IOException {
        assertThat(newest("none")).isEmpty();
        folder.writeInfo(info("2026-03-04T10:00:00Z", null));
        RunFolder newer = RunFolder.create(results, HOST, DAY, BUILD);
        newer.writeInfo(info("2026-03-04T11:00:00.5Z", null));
        RunFolder.create(results, HOST, DAY, BUILD).writeInfo(info("2026-03-04T11:00:00Z", null));
        RunFolder finished = RunFolder.create(results, HOST, DAY, BUILD);
        finished.writeInfo(info("2026-03-04T12:00:00Z", "2026-03-04T12:30:00Z"));
        RunFolder.create(results, "linux-4c-123456", DAY, BUILD).writeInfo(info("2026-03-04T13:00:00Z", null));
        assertThat(newest(HOST)).contains(newer.path());
        assertThat(skipped).isEmpty();
    }

    @Test
    void newestUnfinished_corruptRun_passedOverWithNotice() throws IOException {
        folder.writeInfo(info("2026-03-04T10:00:00Z", null));
        RunFolder corrupt = RunFolder.create(results, HOST, DAY, BUILD);
        Files.writeString(corrupt.path().resolve("run.json"), "{");
        RunFolder timeless = RunFolder.create(results, HOST, DAY, BUILD);
        timeless.writeInfo(info("yesterday", null));
        assertThat(newest(HOST)).contains(folder.path());
        assertThat(skipped).hasSize(2).anyMatch(notice -> notice.contains("startedAt: expected an instant"));
    }

    @Test
    void open_noRun_saysSo() {
        assertThatThrownBy(() -> RunFolder.open(results)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void hostId_anyMachine_isAPathSegmentAndStable() {
        assertThat(HostId.ofThisMachine()).matches("[a-z0-9]+-[0-9]+c-[0-9a-f]{6}");
        assertThat(HostId.of("Mac OS X", 8, "seed")).isEqualTo(HostId.of("Mac OS X", 8, "seed"));
        assertThat(HostId.of("Mac OS X", 8, "seed")).startsWith("macosx-8c-");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void append_diskIsFull_namesTheFileAndTheWayOn() throws IOException {
        try (ForkLog log = ForkLog.open(Path.of("/dev/full"), 0)) {
            assertThatThrownBy(() -> log.append(Forks.of("w").score(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot record a fork: file=/dev/full cause=")
                    .hasMessageEndingWith("go on with --resume");
        }
    }

    @Test
    void buildInfo_absent_unknown() {
        assertThat(BuildInfo.load(ClassLoader.getPlatformClassLoader()))
                .isEqualTo(new BuildInfo("unknown", "unknown", false));
    }

    private Optional<Path> newest(String host) throws IOException {
        return RunFolder.newestUnfinished(results, host, failure -> skipped.add(String.valueOf(failure.getMessage())))
                .map(RunFolder::path);
    }

    private Path forksFile() {
        return folder.path().resolve("forks.jsonl");
    }

    private void append(ForkResult... forks) throws IOException {
        try (ForkLog log = folder.openLog()) {
            for (ForkResult fork : forks) {
                log.append(fork);
            }
        }
    }

    private static RunInfo info(String startedAt, @Nullable String finishedAt) {
        return new RunInfo(
                RunInfo.SCHEMA,
                "quick",
                List.of("quick", "--json"),
                "1.0",
                "abc1234",
                true,
                startedAt,
                finishedAt,
                "data",
                false,
                List.of("count/t1/OURS", "count/t1/size=SMALL/PEER"),
                3,
                "17",
                null,
                new TreeMap<>());
    }

    private static ForkResult fork(int round, @Nullable String error) {
        return new ForkResult(
                "count/t1/OURS",
                "count",
                "OURS",
                1,
                new TreeMap<>(),
                round,
                0,
                "2026-03-04T10:00:00Z",
                100,
                error,
                error == null ? new Metric("thrpt", "ops/s", 1.5, List.of(1.0, 2.0)) : null,
                new TreeMap<>(),
                List.of("-Xmx1g"),
                new Noise(0.1, 0, -1, -1, -1.0, -1.0),
                Build.OWN,
                0,
                null,
                null,
                null);
    }
}
