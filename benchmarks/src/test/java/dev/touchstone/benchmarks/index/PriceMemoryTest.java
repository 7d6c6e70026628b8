package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.SubCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(300)
final class PriceMemoryTest {
    private static final double MEGA = 1e6;

    @Test
    void service_isFoundByTheHarness() {
        assertThat(SubCommand.load(getClass().getClassLoader())).hasAtLeastOneElementOfType(PriceMemoryCommand.class);
    }

    @Test
    void call_somePrices_oursKeepsLessThanTheOthers() throws IOException {
        StringWriter out = new StringWriter();
        PriceMemoryCommand command = new PriceMemoryCommand();
        command.writeTo(new Console(new PrintWriter(out), new PrintWriter(new StringWriter()), false));
        new CommandLine(command).parseArgs("--prices", "20000", "--json");

        assertThat(command.call()).isEqualTo(ExitCode.OK);

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.get("prices").intValue()).isEqualTo(20_000);
        assertThat(report.get("rows")).hasSize(8);
    }

    /** Sizes do not depend on the machine's speed. */
    @Test
    @Tag("slow")
    void measure_allPrices_withinWhatWasPromised() throws IOException {
        Map<String, PriceMemory.Row> rows = PriceMemory.measure(Integer.MAX_VALUE).stream()
                .collect(Collectors.toMap(PriceMemory.Row::name, Function.identity()));

        assertThat(megabytes(rows, "ours")).isLessThanOrEqualTo(25);
        assertThat(megabytes(rows, "ours, mapped")).isLessThanOrEqualTo(10);
        assertThat(megabytes(rows, "ours")).isLessThan(megabytes(rows, "Roaring bitmaps"));
        assertThat(megabytes(rows, "ours")).isLessThan(megabytes(rows, "map and scan"));
    }

    /** Measures fewer prices than were promised for, since the tests' heap is small; what each offering costs weighs more then. */
    @Test
    @Tag("slow")
    void measureOnHazelcast_somePrices_oursKeepsAFractionOfAHashIndex() throws IOException {
        Map<String, PriceMemory.Row> rows = ClusterMemory.measure(100_000).stream()
                .collect(Collectors.toMap(PriceMemory.Row::name, Function.identity()));

        assertThat(rows).hasSize(6);
        assertThat(15 * megabytes(rows, "ours, sharded over Hazelcast"))
                .isLessThanOrEqualTo(megabytes(rows, "Hazelcast, hash index of all fields"));
    }

    private static double megabytes(Map<String, PriceMemory.Row> rows, String name) {
        PriceMemory.Row row = rows.get(name);
        assertThat(row).as(name).isNotNull();
        return row == null ? 0 : row.bytes() / MEGA;
    }
}
