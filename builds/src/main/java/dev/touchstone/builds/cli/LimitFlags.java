package dev.touchstone.builds.cli;

import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.cli.UsageException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that limit what a build can use of an agent's machine. */
final class LimitFlags {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([KMGT]?)");
    private static final String UNITS = "KMGT";

    @Option(
            names = "--limit-memory",
            paramLabel = "BYTES",
            description =
                    "Most memory of all processes of a build together, such as 4G; more ends all of them. Needs control groups "
                            + "of version 2, as the other limits do. Default: no limit.")
    Optional<String> memory = Optional.empty();

    @Option(
            names = "--limit-processes",
            paramLabel = "COUNT",
            description = "Most processes and threads of a build at a time. Default: no limit.")
    Optional<Long> processes = Optional.empty();

    @Option(
            names = "--limit-cpus",
            paramLabel = "COUNT",
            description = "Most processors of a build, such as 1.5. Default: no limit.")
    Optional<Double> cpus = Optional.empty();

    /** Returns the limits. */
    Limits limits() {
        long count = processes.orElse(1L);
        if (count < 1 || count > Limits.MAX_PROCESSES) {
            throw new UsageException("--limit-processes: expected 1.." + Limits.MAX_PROCESSES + ", got " + count);
        }
        double most = cpus.orElse(Limits.MIN_CPUS);
        if (!(most >= Limits.MIN_CPUS && most <= Limits.MAX_CPUS)) {
            throw new UsageException(
                    "--limit-cpus: expected " + Limits.MIN_CPUS + ".." + (long) Limits.MAX_CPUS + ", got " + most);
        }
        return new Limits(memory.map(LimitFlags::bytes).orElse(0L), processes.orElse(0L), cpus.orElse(0.0));
    }

    private static long bytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (size.matches()) {
            int unit = size.group(2).isEmpty() ? 0 : UNITS.indexOf(size.group(2)) + 1;
            long number = Long.parseLong(size.group(1));
            long bytes = number << (10 * unit);
            if (bytes >> (10 * unit) == number && bytes >= Limits.MIN_MEMORY_BYTES) {
                return bytes;
            }
        }
        throw new UsageException(
                "--limit-memory: expected a number of bytes with K, M, G, T or nothing behind it, from 1M, got "
                        + text);
    }
}
