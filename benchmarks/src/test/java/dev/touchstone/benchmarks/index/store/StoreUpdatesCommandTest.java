package dev.touchstone.benchmarks.index.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.SubCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
final class StoreUpdatesCommandTest {
    @TempDir
    Path folder;

    @Test
    void service_isFoundByTheHarness() {
        assertThat(SubCommand.load(getClass().getClassLoader())).hasAtLeastOneElementOfType(StoreUpdatesCommand.class);
    }

    @Test
    void call_somePrices_measuresBothTurnsAndLeavesNothing() throws IOException {
        StringWriter out = new StringWriter();
        StoreUpdatesCommand command = new StoreUpdatesCommand();
        command.writeTo(new Console(new PrintWriter(out), new PrintWriter(new StringWriter()), false));
        new CommandLine(command)
                .parseArgs(
                        "--prices", "2000", "--batch", "50", "--seconds", "0.2", "--json", "--data", folder.toString());

        assertThat(command.call()).isEqualTo(ExitCode.OK);

        JsonNode rows = new ObjectMapper().readTree(out.toString()).get("rows");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("batch").intValue()).isEqualTo(1);
        assertThat(rows.get(1).get("batch").intValue()).isEqualTo(50);
        rows.forEach(row -> assertThat(row.get("batches").longValue()).isPositive());
        assertThat(folder).isEmptyDirectory();
    }
}
