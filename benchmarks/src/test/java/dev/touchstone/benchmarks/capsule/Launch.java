package dev.touchstone.benchmarks.capsule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One start of a capsule, {@code java <jvmArgs> -jar capsule <args>}, by the JVM that runs the tests. */
final class Launch {
    static final long TIMEOUT_SECONDS = 60;

    private final Path capsule;
    private final Path cache;
    private final List<String> jvmArgs = new ArrayList<>(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1"));

    private Launch(Path capsule, Path cache) {
        this.capsule = capsule;
        this.cache = cache;
    }

    /** How a start ended. */
    record Outcome(int code, String out, String err) {}

    static Launch of(Path capsule, Path cache) {
        return new Launch(capsule, cache);
    }

    Launch with(String... arguments) {
        jvmArgs.addAll(List.of(arguments));
        return this;
    }

    /** Starts it and waits for its end. */
    Outcome run(String... args) throws IOException, InterruptedException, TimeoutException {
        Path out = Files.createTempFile("capsule", ".out");
        Path err = Files.createTempFile("capsule", ".err");
        Process process = builder(args)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new TimeoutException("still running after " + TIMEOUT_SECONDS + " s: " + List.of(args));
            }
            return new Outcome(
                    process.exitValue(),
                    Files.readString(out).strip(),
                    Files.readString(err).strip());
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Starts it; standard output is a pipe. */
    Process start(String... args) throws IOException {
        return builder(args).redirectErrorStream(true).start();
    }

    private ProcessBuilder builder(String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArgs);
        command.add("-jar");
        command.add(capsule.toString());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CAPSULE_CACHE_DIR", cache.toString());
        return builder;
    }
}
