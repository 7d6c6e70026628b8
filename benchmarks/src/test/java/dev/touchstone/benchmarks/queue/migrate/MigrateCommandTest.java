package dev.touchstone.benchmarks.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.squareup.tape2.QueueFile;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
final class MigrateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @Test
    void service_isFoundByTheHarness() {
        assertThat(SubCommand.load(getClass().getClassLoader())).hasAtLeastOneElementOfType(MigrateCommand.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WRITTEN", "BATCHED", "SYNCED"})
    void tape_anyDurability_everythingCopied(String durability) throws IOException {
        assertThat(execute("--from", tape().toString(), "--to", target(), "--durability", durability))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualTo("TAPE: copied 5 records (20 bytes) to " + target()
                        + "\nleft out: 0 found twice, 0 damaged, 0 harmless\n");
        assertThat(err.toString()).isEmpty();
        assertThat(numbers()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void popout_json_oneDocument() throws IOException {
        wal("orders-0.wal", 4, 1);
        wal("orders-10.wal", 4, 3);
        wal("orders-9.wal", 4, 2);
        wal("other-0.wal", 4, 9);
        Files.createFile(popout().resolve("orders-11.wal"));
        assertThat(execute("--from", popout().toString(), "--name", "orders", "--to", target(), "--json"))
                .isEqualTo(ExitCode.OK);
        JsonNode document = new ObjectMapper().readTree(out.toString());
        assertThat(document.get("format").textValue()).isEqualTo("POPOUT_SYNCED");
        assertThat(document.get("records").intValue()).isEqualTo(3);
        assertThat(document.get("harmlessPlaces").intValue()).isEqualTo(1);
        assertThat(document.get("skipped").get(0).get("damage").booleanValue()).isFalse();
        assertThat(numbers()).containsExactly(1, 2, 3);
    }

    @Test
    void popout_lengthPrefixed_detectedUnlessGiven() throws IOException {
        Files.createDirectories(popout());
        for (int i = 0; i < 3; i++) {
            byte[] record =
                    ByteBuffer.allocate(12).putInt(8).putInt(4).putInt(i + 1).array();
            Files.write(popout().resolve("q-" + i + ".wal"), record);
        }
        assertThat(execute("--from", popout().toString(), "--to", target())).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .startsWith("POPOUT_SYNCED, payload layout LENGTH_PREFIXED: copied 3 records (12 bytes) to ");
        assertThat(numbers()).containsExactly(1, 2, 3);
        assertThat(execute("--from", popout().toString(), "--to", target(), "--payload-layout", "PLAIN"))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("POPOUT_SYNCED, payload layout PLAIN: copied 3 records (24 bytes) to ");
        assertThat(numbers()).containsExactly(4, 4, 4);
    }

    @Test
    void popout_zeros_layoutIsAsked() throws IOException {
        wal("q-0.wal", 4, 0);
        assertThatThrownBy(() -> execute("--from", popout().toString(), "--to", target()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("payload layout not detected");
        assertThat(execute("--from", popout().toString(), "--to", target(), "--payload-layout", "PLAIN", "--json"))
                .isEqualTo(ExitCode.OK);
        JsonNode document = new ObjectMapper().readTree(out.toString());
        assertThat(document.get("payloadLayout").textValue()).isEqualTo("PLAIN");
        assertThat(numbers()).containsExactly(0);
    }

    @Test
    void popout_damage_exit4ThenSkippedWithExit3() throws IOException {
        wal("q-0.wal", 4, 1);
        wal("q-1.wal", 0x7fffffff, 2);
        wal("q-2.wal", 4, 3);
        assertThat(execute("--from", popout().toString(), "--to", target())).isEqualTo(HarnessExitCode.FAILED);
        assertThat(err.toString()).contains("q-1.wal offset=0 expected=4 got=2147483647", "--skip-damaged goes on");
        assertThat(out.toString()).isEmpty();
        assertThat(execute("--from", popout().toString(), "--to", target() + "2", "--skip-damaged"))
                .isEqualTo(MigrateCommand.INCOMPLETE);
        assertThat(out.toString()).contains("copied 2 records", "1 damaged", "; 1 record lost");
    }

    @Test
    void target_notEmpty_refusedUnlessAppending() throws IOException {
        Path tape = tape();
        assertThat(execute("--from", tape.toString(), "--to", target())).isEqualTo(ExitCode.OK);
        assertThatThrownBy(() -> execute("--from", tape.toString(), "--to", target()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds 5 records; --append");
        assertThat(execute("--from", tape.toString(), "--to", target(), "--append"))
                .isEqualTo(ExitCode.OK);
        assertThat(numbers()).hasSize(10);
    }

    @Test
    void target_inUse_exit4() throws IOException {
        try (DiskQueue<byte[]> owner =
                DiskQueue.batched().folder(Path.of(target())).open()) {
            assertThat(execute("--from", tape().toString(), "--to", target())).isEqualTo(HarnessExitCode.FAILED);
            assertThat(owner).isEmpty();
        }
        assertThat(err.toString()).startsWith(target());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--from absent --to T | --from: no such file or folder: absent",
                "--from S --to S | --to: is the source",
                "--from S --to S/q-0.wal | --to: not a folder",
                "--from S --to T --format TAPE | is a folder, which TAPE is not",
                "--from S --to T --max-record-bytes 0 | --max-record-bytes: expected 1..268435455, got 0",
            })
    void misuse_anyArgument_usage(String line, String message) throws IOException {
        wal("q-0.wal", 4, 1);
        String[] args = line.replaceAll("\\bS\\b", popout().toString())
                .replaceAll("\\bT\\b", target())
                .split(" ");
        assertThatThrownBy(() -> execute(args))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void name_unknown_namesThoseThatThereAre() throws IOException {
        wal("orders-0.wal", 4, 1);
        assertThatThrownBy(() -> execute("--from", popout().toString(), "--to", target(), "--name", "ordres"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no popout queue 'ordres' here; there are: orders");
    }

    @Test
    void progress_after2Seconds_aLineEach10() {
        long[] nowNanos = {0};
        MigrationProgress progress = new MigrationProgress(console(false), () -> nowNanos[0]);
        for (int second = 0; second < 25; second++) {
            nowNanos[0] = Duration.ofSeconds(second).toNanos();
            progress.copied(second * 1_000L, second * 1_048_576L);
        }
        progress.clear();
        assertThat(err.toString().lines())
                .containsExactly(
                        "2000 records, 2.0 MiB in 2 s (1000 records/s)",
                        "12000 records, 12.0 MiB in 12 s (1000 records/s)",
                        "22000 records, 22.0 MiB in 22 s (1000 records/s)");
    }

    @Test
    void progress_terminal_oneLineThatIsCleared() {
        long[] nowNanos = {0};
        MigrationProgress progress = new MigrationProgress(console(true), () -> nowNanos[0]);
        nowNanos[0] = Duration.ofSeconds(3).toNanos();
        progress.copied(3, 3);
        progress.clear();
        assertThat(err.toString())
                .startsWith("\r3 records")
                .doesNotContain("\n")
                .endsWith(" \r");
    }

    private int execute(String... args) throws IOException {
        MigrateCommand command = new MigrateCommand();
        command.writeTo(console(false));
        new CommandLine(command).parseArgs(args);
        return command.call();
    }

    private Console console(boolean terminal) {
        return new Console(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
    }

    private String target() {
        return temp.resolve("target").toString();
    }

    private Path popout() {
        return temp.resolve("popout");
    }

    private void wal(String name, int length, int payload) throws IOException {
        Files.createDirectories(popout());
        byte[] record = ByteBuffer.allocate(8).putInt(length).putInt(payload).array();
        Files.write(popout().resolve(name), record);
    }

    private Path tape() throws IOException {
        Path file = temp.resolve("queue.tape");
        try (QueueFile queue = new QueueFile.Builder(file.toFile()).build()) {
            for (int i = 0; i < 5; i++) {
                queue.add(ByteBuffer.allocate(4).putInt(i).array());
            }
        }
        return file;
    }

    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        try (DiskQueue<byte[]> queue =
                DiskQueue.batched().folder(Path.of(target())).open()) {
            while (!queue.isEmpty()) {
                numbers.add(
                        ByteBuffer.wrap(Objects.requireNonNull(queue.poll())).getInt());
            }
        }
        return numbers;
    }
}
