package dev.touchstone.serialization.hazelcast;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs a main class of the tests. It ends when its standard input does: at the latest with this JVM. */
final class OwnJvm implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private final BufferedReader out;

    private OwnJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts one with the class path of the tests. */
    static OwnJvm start(Class<?> main, String... args) throws IOException {
        return start(System.getProperty("java.class.path"), main, args);
    }

    /** Starts one with a class path. */
    static OwnJvm start(String classPath, Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        new StringTokenizer(System.getProperty("hazelcast.jvmFlags", ""))
                .asIterator()
                .forEachRemaining(flag -> command.add((String) flag));
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(args));
        Path errors = Files.createTempFile("own-jvm", ".err");
        return new OwnJvm(
                new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
    }

    /** The class path of the tests with another Hazelcast. */
    static String classPathWith(Path hazelcast) {
        List<String> entries = new ArrayList<>(List.of(hazelcast.toString()));
        for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
            if (!Path.of(entry).getFileName().toString().matches("hazelcast-(sql-)?5.*\\.jar")) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Reads lines until one begins so, and gives what follows. */
    String await(String begin) throws IOException {
        List<String> before = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(begin)) {
                return line.substring(begin.length());
            }
            before.add(line);
        }
        throw new IOException("ended without " + begin + ": " + before + "\n" + Files.readString(errors));
    }

    /** Sends it a line. */
    void tell(String line) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Kills it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        out.close();
        Files.deleteIfExists(errors);
    }
}
