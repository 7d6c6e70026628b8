package dev.touchstone.benchmarks.queue.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
final class QueueIdleTest {
    private static final int RECORD_BYTES = 512;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"SYNCED", "BATCHED", "WRITTEN"})
    @EnabledOnOs(OS.LINUX)
    void call_someQueues_reportsThemAndLeavesNothing(String durability) throws Exception {
        StringWriter out = new StringWriter();

        int code = command(out, "--queues", "3", "--seconds", "1", "--durability", durability, "--json")
                .call();

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(report.get("opened").intValue()).isEqualTo(3);
        assertThat(report.get("durability").textValue()).isEqualToIgnoringCase(durability);
        assertThat(report.get("diskBytesPerQueue").longValue()).isGreaterThan(RECORD_BYTES);
        assertThat(report.get("switchesPerSecondBefore").doubleValue()).isPositive();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void call_diskHasLessThanIsToStayFree_isRefused() throws IOException {
        assertThatThrownBy(() -> command(
                                new StringWriter(),
                                "--queues",
                                "1",
                                "--seconds",
                                "1",
                                "--keep-free-mib",
                                Integer.toString(Integer.MAX_VALUE))
                        .call())
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--keep-free-mib: ");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void switches_someThreads_areReadAndAddedUp() throws IOException {
        task("1", 40);
        task("2", 7);
        Map<String, Long> before = ProcessUsage.switches(folder);
        assertThat(before).containsExactlyInAnyOrderEntriesOf(Map.of("1", 40L, "2", 7L));

        Files.delete(folder.resolve("2").resolve("status")); // the thread has ended
        task("1", 45);
        task("3", 9);
        assertThat(ProcessUsage.growth(before, ProcessUsage.switches(folder))).isEqualTo(5 + 9);
    }

    @Test
    void switches_statusWithoutTheLine_namesTheFile() throws IOException {
        Path status = Files.createDirectory(folder.resolve("1")).resolve("status");
        Files.writeString(status, "Name:\tjava\n");
        assertThatThrownBy(() -> ProcessUsage.switches(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("voluntary_ctxt_switches")
                .hasMessageContaining(status.toString());
    }

    @Test
    void text_figureAboveItsBar_isMarked() {
        String text = new IdleReport(1, "synced", 2, 2, 5, 5, 49.9, 20, 64 << 10, (1 << 20) + 1024).text();
        assertThat(text.lines().filter(line -> line.endsWith("missed")))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("threads"))
                .anyMatch(line -> line.startsWith("disk"));
    }

    private void task(String id, long switches) throws IOException {
        Path status = Files.createDirectories(folder.resolve(id)).resolve("status");
        Files.writeString(
                status, "Name:\tjava\nvoluntary_ctxt_switches:\t" + switches + "\nnonvoluntary_ctxt_switches:\t3\n");
    }

    private QueueIdleCommand command(StringWriter out, String... options) {
        QueueIdleCommand command = new QueueIdleCommand();
        command.writeTo(Console.of(new PrintWriter(out), new PrintWriter(new StringWriter())));
        new CommandLine(command)
                .parseArgs(Stream.concat(Stream.of("--data", folder.toString()), Stream.of(options))
                        .toArray(String[]::new));
        return command;
    }
}
