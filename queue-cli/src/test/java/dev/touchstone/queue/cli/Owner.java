package dev.touchstone.queue.cli;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Another process that has a queue open: appends elements, says so, and waits until its input ends. */
final class Owner {
    private Owner() {}

    static Process start(Durability durability, Path folder, int elements) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx64m",
                        Owner.class.getName(),
                        durability.name(),
                        folder.toString(),
                        Integer.toString(elements))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        InputStream said = process.getInputStream();
        if (said.read() != '!') {
            throw new IOException("the owner ended: exitCode=" + process.destroyForcibly());
        }
        return process;
    }

    static DiskQueueBuilder<byte[]> builder(Durability durability) {
        return switch (durability) {
            case SYNCED -> DiskQueue.synced();
            case WRITTEN -> DiskQueue.written();
            case BATCHED -> DiskQueue.batched();
            case REPLICATED -> throw new IllegalArgumentException("not on one disk: " + durability);
        };
    }

    public static void main(String[] args) throws IOException {
        try (DiskQueue<String> queue = builder(Durability.valueOf(args[0]))
                .folder(Path.of(args[1]))
                .codec(Codec.utf8())
                .open()) {
            for (int i = 1; i <= Integer.parseInt(args[2]); i++) {
                queue.add("element " + i);
            }
            System.out.print('!');
            System.out.flush();
            int unused = System.in.read();
        }
    }
}
