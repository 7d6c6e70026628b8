package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.harness.run.fork.HiddenPaths;
import dev.touchstone.harness.run.fork.Shutdown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A start of the program, as its commands see it.
 *
 * @param args the command's own arguments
 * @param jmhOptions the arguments after {@code --}
 * @param loader the class path with the benchmarks
 */
record Invocation(List<String> args, List<String> jmhOptions, Console console, Shutdown shutdown, ClassLoader loader) {

    private static final Map<String, String> PATHS = Map.of(
            "--data",
            HiddenPaths.DATA,
            "--results",
            "<results>",
            "--resume",
            "<run>",
            "--baseline",
            "<baseline>",
            "--publish",
            "<folder>");

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

    /** Returns the arguments, quoted for a shell, that resume the run in {@code folder}. */
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

    /** Returns the command line with placeholders for its paths, which would tell whose machine it was and say nothing about the figures. */
    List<String> recordedCommandLine() {
        List<String> all = new ArrayList<>();
        String named = null; // what stands for the value of the option before
        for (String arg : args) {
            String name = arg.replaceFirst("=.*", "");
            String path = PATHS.get(name);
            if (path != null && !name.equals(arg)) {
                all.add(name + "=" + path);
                named = null;
            } else {
                all.add(named == null || arg.startsWith("-") ? HiddenPaths.inArgument(arg) : named);
                named = path;
            }
        }
        if (!jmhOptions.isEmpty()) {
            all.add("--");
            jmhOptions.forEach(option -> all.add(HiddenPaths.inArgument(option)));
        }
        return List.copyOf(all);
    }
}
