package dev.touchstone.harness.run;

import dev.touchstone.harness.store.JsonProblem;
import dev.touchstone.harness.store.StrictJson;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs semantic checks under the flags that the benchmarks' forks get: one JVM for every set of flags. Results come back through a file, one line
 * a check, so that what a peer prints cannot be taken for a result.
 */
public final class CheckJvms {
    private static final Set<String> NULLABLE = Set.of("CheckResult.error");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ForkFlags flags;
    private final Path dataFolder;
    private final String mainClass;

    /** @param mainClass runs {@code verify --in-process --subjects <names> --workloads <ids> --data <folder> --output <file>} */
    public CheckJvms(ForkFlags flags, Path dataFolder, String mainClass) {
        this.flags = flags;
        this.dataFolder = dataFolder;
        this.mainClass = mainClass;
    }

    /** Runs the checks; {@code results} hears of all of them, those that a dead JVM never came to as failed. */
    public void run(List<SemanticCheck> checks, Consumer<CheckResult> results) throws IOException {
        Map<List<String>, List<SemanticCheck>> byFlags = new LinkedHashMap<>();
        checks.forEach(check -> byFlags.computeIfAbsent(flags.of(check.subject()), key -> new ArrayList<>())
                .add(check));
        for (Map.Entry<List<String>, List<SemanticCheck>> entry : byFlags.entrySet()) {
            Path work = Files.createTempDirectory(dataFolder, "verify-");
            try {
                runJvm(entry.getKey(), entry.getValue(), work, results);
            } finally {
                Folders.delete(work);
            }
        }
    }

    private void runJvm(List<String> jvmFlags, List<SemanticCheck> checks, Path work, Consumer<CheckResult> results)
            throws IOException {
        Path output = work.resolve("results.jsonl");
        Path log = work.resolve("output.log");
        Process process = new ProcessBuilder(command(jvmFlags, checks, work, output))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        String end = await(process);
        List<CheckResult> done = read(output);
        done.forEach(results);
        for (SemanticCheck check : checks) {
            boolean reported = done.stream()
                    .anyMatch(result -> result.workload().equals(check.workload())
                            && result.subject().equals(check.subject()));
            if (!reported) {
                String error = "its JVM " + end + " before the check gave a result: " + lastLine(log);
                results.accept(new CheckResult(check.workload(), check.subject(), error, 0));
            }
        }
    }

    private List<String> command(List<String> jvmFlags, List<SemanticCheck> checks, Path work, Path output) {
        Set<String> subjects = new TreeSet<>();
        checks.forEach(check -> subjects.add(check.subject()));
        Set<String> workloads = new TreeSet<>();
        checks.forEach(check -> workloads.add(check.workload()));
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(jvmFlags);
        command.add(ForkFlags.data(work));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of("verify", "--in-process", "--subjects", String.join(",", subjects)));
        command.addAll(List.of("--workloads", String.join(",", workloads)));
        command.addAll(List.of("--data", work.toString(), "--output", output.toString()));
        return command;
    }

    private static String await(Process process) throws IOException {
        try {
            if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return "ended with exit code " + process.exitValue();
            }
            return "was killed after " + Durations.about(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while checks ran", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<CheckResult> read(Path output) throws IOException {
        List<CheckResult> results = new ArrayList<>();
        if (Files.exists(output)) {
            for (String line : Files.readAllLines(output)) {
                try {
                    results.add(StrictJson.read(line, CheckResult.class, NULLABLE));
                } catch (JsonProblem e) {
                    break; // the line that a dying JVM tore; its check counts as not reported
                }
            }
        }
        return results;
    }

    private static String lastLine(Path log) throws IOException {
        String text = Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        return text.lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("no output");
    }
}
