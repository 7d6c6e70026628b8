package dev.touchstone.harness;

import dev.touchstone.cli.Console;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

/**
 * A sub-command that the harness does not bring along, found with {@link ServiceLoader}: a public class with a public constructor
 * without parameters, annotated with picocli's {@code @Command}. It is parsed, helped and failed as the harness's own commands are;
 * its {@code call} returns an {@link dev.touchstone.cli.ExitCode}, and throws {@link dev.touchstone.cli.UsageException} or
 * {@link java.io.IOException} for one line and the
 * code that goes with it.
 *
 * <p>Commands are made whenever the names of all are needed: a constructor does nothing.
 */
public interface SubCommand extends Callable<Integer> {

    /**
     * Tells the command where to write, before {@code call}.
     *
     * @param console where all of the command's output goes
     */
    void writeTo(Console console);

    /**
     * Creates the sub-commands that the class path offers, in its order.
     *
     * @param loader the class path
     * @return new instances, not parsed yet; empty if there are none
     */
    static List<SubCommand> load(ClassLoader loader) {
        return ServiceLoader.load(SubCommand.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
