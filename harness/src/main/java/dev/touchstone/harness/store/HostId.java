package dev.touchstone.harness.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** A folder name for this machine, {@code linux-2c-3fa91c}: equal on every run, and telling nothing of who owns it. */
public final class HostId {
    private static final int HASH_BYTES = 3;

    private HostId() {}

    /**
     * Returns the name of the machine that this JVM runs on.
     *
     * @return a valid folder name, the same in every run
     */
    public static String ofThisMachine() {
        String seed =
                firstLine(Path.of("/etc/machine-id"), "") + '\n' + firstLine(Path.of("/proc/cpuinfo"), "model name");
        return of(System.getProperty("os.name"), Runtime.getRuntime().availableProcessors(), seed);
    }

    static String of(String osName, int cores, String seed) {
        String os = osName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "");
        return os + "-" + cores + "c-" + shortHash(seed);
    }

    private static String shortHash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String firstLine(Path file, String prefix) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(prefix)).findFirst().orElse("");
        } catch (IOException e) {
            return ""; // a system without the file: the name is then less particular, and still a name
        }
    }
}
