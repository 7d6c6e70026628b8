package dev.touchstone.benchmarks.messaging;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** A process that keeps one processor busy, until it is closed or whoever started it has ended. */
final class Burner implements Closeable {

    private final Process process;

    private Burner(Process process) {
        this.process = process;
    }

    static Burner start() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Burner.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.getInputStream().read() < 0) {
            throw new IOException("the process that keeps a processor busy did not start");
        }
        return new Burner(process);
    }

    /** Ends with its input. */
    public static void main(String[] arguments) throws IOException {
        Thread burning = new Thread(() -> {
            for (; ; ) {
                Thread.onSpinWait();
            }
        });
        burning.setDaemon(true);
        burning.start();
        System.out.write('\n');
        System.out.flush();
        InputStream in = System.in;
        while (in.read() >= 0) {}
    }

    @Override
    public void close() {
        process.destroy();
    }
}
