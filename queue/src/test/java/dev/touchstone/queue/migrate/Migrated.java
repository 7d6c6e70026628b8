package dev.touchstone.queue.migrate;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outcome of a migration; making one checks that the source was not changed. */
record Migrated(
        List<String> records,
        @Nullable MigrationResult result,
        @Nullable CorruptSourceException damage) {

    /** Opens the queue into which a test migrates, again and again. */
    static DiskQueue<byte[]> target(Path temp) {
        return DiskQueue.batched()
                .folder(temp.resolve("target"))
                .segmentBytes(1 << 20)
                .open();
    }

    static Migrated from(Path source, DiskQueue<byte[]> target) throws IOException {
        return from(source, target, migration -> migration);
    }

    static Migrated skipping(Path source, DiskQueue<byte[]> target) throws IOException {
        return from(source, target, Migration::skipDamaged);
    }

    static Migrated from(Path source, DiskQueue<byte[]> target, UnaryOperator<Migration> settings) throws IOException {
        Map<Path, ByteBuffer> before = content(source);
        MigrationResult result = null;
        CorruptSourceException damage = null;
        try {
            result = settings.apply(Migration.from(source)).into(target);
        } catch (CorruptSourceException e) {
            damage = e;
        }
        if (!before.equals(content(source))) {
            throw new AssertionError("the source was changed: " + source);
        }
        List<String> records = new ArrayList<>();
        for (byte[] payload = target.poll(); payload != null; payload = target.poll()) {
            records.add(new String(payload, StandardCharsets.UTF_8));
        }
        return new Migrated(records, result, damage);
    }

    MigrationResult done() {
        MigrationResult there = result;
        if (there == null) {
            throw new AssertionError("not migrated", damage);
        }
        return there;
    }

    /** Returns whether the records are a subsequence of {@code whole}. */
    boolean arePartOf(List<String> whole) {
        Iterator<String> left = whole.iterator();
        return records.stream().allMatch(record -> {
            while (left.hasNext()) {
                if (left.next().equals(record)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static Map<Path, ByteBuffer> content(Path source) throws IOException {
        Map<Path, ByteBuffer> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file, ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return content;
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
