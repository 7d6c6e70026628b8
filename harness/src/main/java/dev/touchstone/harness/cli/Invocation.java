package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Shutdown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One start of the program, as its commands see it.
 *
 * @param args the command's own arguments
 * @param jmhOptions what stood behind {@code --}
 * @param loader the class path with the benchmarks
 */
record Invocation(List<String> args, List<String> jmhOptions, Console console, Shutdown shutdown, ClassLoader loader) {

    static Invocation of(String[] args, Console console, Shutdown shutdown, ClassLoader loader) {
        List<String> all = Arrays.asList(args);
        int dashes = all.indexOf("--");
        return dashes < 0
                ? new Invocation(List.copyOf(all), List.of(), console, shutdown, loader)
                : new Invocation(
                        List.copyOf(all.subList(0, dashes)),
                        List.copyOf(all.subList(dashes + 1, all.size())),
                        console,
                        shutdown,
                        loader);
    }

    /** What to type to go on with a run that this start began. */
    String toResume(Path folder) {
        List<String> all = new ArrayList<>(args);
        int resume = all.indexOf("--resume");
        if (resume < 0) {
            all.addAll(List.of("--resume", folder.toString()));
        }
        if (!jmhOptions.isEmpty()) {
            all.add("--");
            all.addAll(jmhOptions);
        }
        return all.stream().map(Invocation::quoted).collect(Collectors.joining(" "));
    }

    static String quoted(String arg) {
        return arg.matches("[A-Za-z0-9_./:=,+-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }

    /** As typed. */
    List<String> commandLine() {
        if (jmhOptions.isEmpty()) {
            return args;
        }
        List<String> all = new ArrayList<>(args);
        all.add("--");
        all.addAll(jmhOptions);
        return List.copyOf(all);
    }
}
