package dev.touchstone.samples.consumer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs every sample below the folder {@code args[0]}; ends with exit code 1 at the first that fails. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        System.setProperty("hazelcast.logging.type", "none");
        int number = 0;
        for (Map.Entry<String, Sample> sample : Sample.all().entrySet()) {
            long start = System.nanoTime();
            sample.getValue().run(Files.createDirectories(Path.of(args[0], "sample" + number++)));
            System.out.printf("  %-34s %5d ms%n", sample.getKey(), (System.nanoTime() - start) / 1_000_000);
        }
        System.exit(0);
    }
}
