package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

/**
 * A sub-command that the harness does not bring along, found with {@link ServiceLoader}: a public class with a public constructor
 * without parameters, annotated with picocli's {@code @Command}. It is parsed, helped and failed as the harness's own commands are;
 * its {@code call} returns an {@link ExitCode}, and throws {@link UsageException} or {@link java.io.IOException} for one line and the
 * code that goes with it.
 *
 * <p>Commands are made whenever the names of all are needed: a constructor does nothing.
 */
public interface SubCommand extends Callable<Integer> {

    /** Told before {@code call}: where to write. */
    void writeTo(Console console);

    /** Those on the class path, in its order. */
    static List<SubCommand> load(ClassLoader loader) {
        return ServiceLoader.load(SubCommand.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
