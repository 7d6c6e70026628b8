package dev.touchstone.builds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A master in a process of its own. */
final class MasterProcess implements AutoCloseable {
    private final List<String> arguments;
    private final CommandProcess process;
    private final int port;

    MasterProcess(Path folder, List<String> jvmFlags, List<String> arguments) throws IOException {
        this(System.getProperty("java.class.path"), folder, jvmFlags, arguments);
    }

    /** @param classPath of the JVM */
    MasterProcess(String classPath, Path folder, List<String> jvmFlags, List<String> arguments) throws IOException {
        this.arguments = new ArrayList<>(
                List.of("master", "--folder", folder.resolve("master").toString()));
        this.arguments.addAll(
                List.of("--token-file", CommandProcess.tokenFile(folder).toString()));
        this.arguments.addAll(arguments);
        process = new CommandProcess(List.of(), classPath, jvmFlags, atPort(0), folder.resolve("master.err"));
        String ready = process.ready();
        port = Integer.parseInt(ready.substring(ready.lastIndexOf(':') + 1));
    }

    /** Starts it again, on its port, and returns when it is ready. */
    void start() throws IOException {
        process.start(atPort(port));
    }

    /** Starts another program in its place. */
    void start(String classPath) throws IOException {
        process.use(classPath);
        start();
    }

    private List<String> atPort(int number) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--port", Integer.toString(number)));
        return all;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** kill -9, and waits for the end. */
    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
