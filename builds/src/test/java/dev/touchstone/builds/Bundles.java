package dev.touchstone.builds;

import dev.touchstone.builds.file.BundleWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Bundles of artefacts as bytes. */
public final class Bundles {
    private Bundles() {}

    /** Returns the bundle of files with these contents. */
    public static byte[] of(Map<String, byte[]> contents) {
        Map<String, byte[]> sorted = new TreeMap<>(contents);
        try {
            Path folder = Files.createTempDirectory("bundle");
            Path file = folder.resolve("bundle");
            try (BundleWriter writer = new BundleWriter(file, List.copyOf(sorted.keySet()), Long.MAX_VALUE)) {
                for (byte[] content : sorted.values()) {
                    writer.add(Channels.newChannel(new ByteArrayInputStream(content)), () -> {});
                }
                var unused = writer.finish();
            }
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            Files.delete(folder);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
