package dev.touchstone.queue.migrate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A writer of popout files, made from the layouts; a writer is a queue that is never reopened. */
final class PopoutWriter {
    static final int ENTRY_HEADER_BYTES = 9;

    private final Path folder;
    private final String name;
    private final Deque<Path> wals = new ArrayDeque<>();
    private final Deque<Path> compressed = new ArrayDeque<>();
    private int nextWal;
    private int nextCompressed;

    PopoutWriter(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /** Returns what popout's serializers for strings and byte arrays write. */
    static byte[] prefixed(byte[] bytes) {
        return record(bytes);
    }

    /** Returns the block of a synced queue. */
    static byte[] record(byte[] payload) {
        return ByteBuffer.allocate(4 + payload.length)
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    /** Returns the block of a batched queue; the payloads with an index in {@code removed} get negative lengths. */
    static byte[] batch(List<byte[]> payloads, List<Integer> removed) {
        int bytes =
                4 + payloads.stream().mapToInt(payload -> 4 + payload.length).sum();
        ByteBuffer block = ByteBuffer.allocate(bytes).putInt(payloads.size());
        for (int i = 0; i < payloads.size(); i++) {
            int length = payloads.get(i).length;
            block.putInt(removed.contains(i) ? -length : length).put(payloads.get(i));
        }
        return block.array();
    }

    void append(byte[] block) throws IOException {
        Path wal = folder.resolve(name + "-" + nextWal++ + ".wal");
        Files.write(wal, block);
        wals.add(wal);
    }

    /** Copies all wal files into a complete compressed file, and deletes them except the last {@code left}. */
    Path compress(int left) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Path wal : wals) {
            byte[] block = Files.readAllBytes(wal);
            content.write(entry(1, block.length));
            content.write(block);
        }
        content.write(entry(4, 0));
        Path file = folder.resolve(name + "-" + nextCompressed++ + ".compressed");
        Files.write(file, content.toByteArray());
        compressed.add(file);
        while (wals.size() > left) {
            Files.delete(wals.remove());
        }
        return file;
    }

    /** Starts a {@link #compress} that ends after {@code bytes} bytes; the rest of the file is zeros, and all wal files are left. */
    Path compressUntil(int bytes) throws IOException {
        Path file = compress(wals.size());
        zeroFrom(file, bytes);
        return file;
    }

    /** Removes the first block: writes a jump at the beginning of the compressed file, or deletes a file. */
    void poll() throws IOException {
        Path first = compressed.peek();
        if (first == null) {
            Files.delete(wals.remove());
            return;
        }
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(first));
        int at = content.get(0) == 2 ? (int) content.getLong(1) : 0;
        int next = at + ENTRY_HEADER_BYTES + (int) content.getLong(at + 1);
        if (content.get(next) == 4) {
            Files.delete(compressed.remove());
        } else {
            overwrite(first, 0, entry(2, next));
        }
    }

    boolean isEmpty() {
        return wals.isEmpty() && compressed.isEmpty();
    }

    int wals() {
        return wals.size();
    }

    static byte[] entry(int marker, long value) {
        return ByteBuffer.allocate(ENTRY_HEADER_BYTES)
                .put((byte) marker)
                .putLong(value)
                .array();
    }

    static void zeroFrom(Path file, int offset) throws IOException {
        byte[] content = Files.readAllBytes(file);
        Arrays.fill(content, offset, content.length, (byte) 0);
        Files.write(file, content);
    }

    static void overwrite(Path file, long offset, byte[] bytes) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.position(offset).write(ByteBuffer.wrap(bytes));
        }
    }
}
