package dev.touchstone.builds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An agent in a process of its own. */
final class AgentProcess implements AutoCloseable {
    private final List<String> arguments;
    private final CommandProcess process;
    private final Path root;

    /** @param folder for its workspace, as {@code folder/identity}, and for what it says */
    AgentProcess(Path folder, String identity, int masterPort, List<String> arguments) throws IOException {
        this(List.of(), System.getProperty("java.class.path"), folder, identity, masterPort, arguments);
    }

    /**
     * Starts it through another program.
     *
     * @param before words before the JVM's
     * @param classPath of the JVM
     */
    AgentProcess(
            List<String> before, String classPath, Path folder, String identity, int masterPort, List<String> arguments)
            throws IOException {
        root = folder.resolve(identity);
        this.arguments = new ArrayList<>(List.of("agent", "-identity", identity, "-workspace", root.toString()));
        this.arguments.addAll(List.of("-master", "builds://127.0.0.1:" + masterPort));
        this.arguments.addAll(
                List.of("--token-file", CommandProcess.tokenFile(folder).toString()));
        this.arguments.addAll(arguments);
        process = new CommandProcess(
                before, classPath, List.of("-Xmx256m"), this.arguments, folder.resolve(identity + ".err"));
    }

    /** Its folder. */
    Path root() {
        return root;
    }

    void start() throws IOException {
        process.start(arguments);
    }

    /** Starts another program in its place. */
    void start(String classPath) throws IOException {
        process.use(classPath);
        start();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
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
