package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.SubCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The sub-commands that this module adds to {@code touchstone}. */
class SubCommandsTest {
    private static List<CommandLine> commands() {
        return SubCommand.load(SubCommandsTest.class.getClassLoader()).stream()
                .map(CommandLine::new)
                .toList();
    }

    @Test
    void load_classPath_findsAll() {
        assertThat(commands())
                .extracting(CommandLine::getCommandName)
                .contains("migrate", "http-load", "price-memory", "price-updates", "price-store", "queue-idle");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void help_everyCommand_wholeSentencesWithinTheColumns(int columns) {
        for (CommandLine command : commands()) {
            command.setUsageHelpWidth(columns);
            assertThat(command.getUsageMessage().lines())
                    .as(command.getCommandName())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
            assertThat(command.getCommandSpec().usageMessage().description())
                    .as(command.getCommandName())
                    .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
            assertThat(command.getUsageMessage()).doesNotContain("2147483647");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "price-updates --readers 0, '--readers: expected 1 or more, got 0'",
        "price-updates --seconds 0, '--seconds: expected a number above 0, up to 86400, got 0.0'",
        "price-memory --prices 0, '--prices: expected 1 or more, got 0'",
        "price-store --prices 0, '--prices: expected 1 or more, got 0'",
        "queue-idle --queues 0, '--queues: expected 1..100000, got 0'",
        "http-load --items 0, '--items: expected 1 or more, got 0'",
        "http-load --threads 4, '--connections: expected at least as many as --threads=4, got 1'",
        "http-load --duration 0, '--duration: expected 0.001..86400.0, got 0.0'",
    })
    void number_outOfRange_namesThatOptionOnly(String line, String message) {
        String[] words = line.split(" ", -1);
        SubCommand command = SubCommand.load(getClass().getClassLoader()).stream()
                .filter(each -> new CommandLine(each).getCommandName().equals(words[0]))
                .findFirst()
                .orElseThrow();
        command.writeTo(Console.of(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter())));
        new CommandLine(command).parseArgs(words[1], words[2]);
        assertThatThrownBy(command::call).isInstanceOf(UsageException.class).hasMessage(message);
    }
}
