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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(300)
final class PriceUpdatesTest {
    @Test
    void service_isFoundByTheHarness() {
        assertThat(SubCommand.load(getClass().getClassLoader())).hasAtLeastOneElementOfType(PriceUpdatesCommand.class);
    }

    @Test
    void call_somePrices_tellsSearchesAndUpdatesOfAllKinds() throws IOException, InterruptedException {
        StringWriter out = new StringWriter();
        PriceUpdatesCommand command = new PriceUpdatesCommand();
        command.writeTo(new Console(new PrintWriter(out), new PrintWriter(new StringWriter()), false));
        new CommandLine(command)
                .parseArgs(
                        "--prices=20000",
                        "--batch=50",
                        "--every=10",
                        "--seconds=0.2",
                        "--rounds=1",
                        "--readers=2",
                        "--json");

        assertThat(command.call()).isEqualTo(ExitCode.OK);

        JsonNode rows = new ObjectMapper().readTree(out.toString()).get("rows");
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0).get("publishes").get("count").intValue()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(rows.get(i).get("searches").get("count").intValue()).isPositive();
            assertThat(rows.get(i).get("publishes").get("count").intValue()).isGreaterThanOrEqualTo(Math.min(i, 1));
        }
    }
}
