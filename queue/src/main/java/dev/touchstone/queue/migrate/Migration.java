package dev.touchstone.queue.migrate;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy of another library's queue into a {@link DiskQueue}: each record that is still in the source, once, in the source's order.
 * Immutable: every method returns a new migration, and {@link #into} may be called again.
 *
 * <p><b>The source</b> is opened for reading only and is not changed. Neither popout nor tape locks its files: end the program that
 * owns them first.
 *
 * <p><b>Payloads</b> are the bytes that the element's serializer wrote. popout's serializers for strings, byte arrays and, by default,
 * all other objects put a length of four bytes in front of them, which is left out; {@link PayloadLayout} says how that is detected.
 * Nothing is deserialized.
 *
 * <p><b>An interrupted migration</b> (an exception, a killed process) leaves the first records in the target and no note of how many:
 * begin again with an empty target. A target that is not empty is refused unless {@link #append} is given.
 *
 * <p><b>Damage.</b> Neither format has checksums, so only impossible lengths, marks and positions are found. The first one throws
 * {@link CorruptSourceException}. With {@link #skipDamaged} it is counted instead, and the migration continues after it if the format
 * allows that:
 *
 * <table>
 * <caption>Loss for each damaged place</caption>
 * <tr><th>place</th><th>lost</th></tr>
 * <tr><td>popout, length of a record or count of a batch</td><td>the record or batch</td></tr>
 * <tr><td>popout, length of a record in a batch</td><td>the rest of the batch, and the record before</td></tr>
 * <tr><td>popout, length that the serializer wrote</td><td>the record</td></tr>
 * <tr><td>popout, entry of a compressed file</td><td>the rest of that file</td></tr>
 * <tr><td>tape, length of an element</td><td>the rest of the queue, and the element before</td></tr>
 * <tr><td>tape, header</td><td>everything: throws</td></tr>
 * </table>
 */
public final class Migration {
    private static final int CHUNK_RECORDS = 1_000;
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path source;

    // Never changed once the migration is handed out.
    private Format format = Format.AUTO;
    private PayloadLayout payloadLayout = PayloadLayout.AUTO;
    private @Nullable String queueName;
    private int maxRecordBytes = 16 << 20;
    private boolean skipDamaged;
    private boolean append;
    private Progress progress = (records, payloadBytes) -> {};

    private Migration(Path source) {
        this.source = requireNonNull(source, "source");
    }

    /** A listener for the progress of a migration, called between records by the thread that migrates. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Takes the current totals.
         *
         * @param records number of records in the target that this migration copied
         * @param payloadBytes number of their payload bytes
         */
        void copied(long records, long payloadBytes);
    }

    /**
     * Creates a migration that detects the formats of its source.
     *
     * @param source file of tape or folder of popout
     * @return a migration with default settings
     */
    public static Migration from(Path source) {
        return new Migration(source);
    }

    /**
     * Copies a source with default settings: see {@link #into}.
     *
     * @param source file of tape or folder of popout
     * @param format layout of the source's files
     * @param target empty queue
     * @return the summary
     * @throws IOException if the source is damaged or cannot be read
     */
    public static MigrationResult run(Path source, Format format, DiskQueue<byte[]> target) throws IOException {
        return from(source).format(format).into(target);
    }

    /**
     * Sets the layout of the source's files.
     *
     * @param format the layout; {@link Format#AUTO} by default
     * @return the changed copy
     */
    public Migration format(Format format) {
        return with(copy -> copy.format = requireNonNull(format, "format"));
    }

    /**
     * Sets how the source's serializer laid out the payload in each record.
     *
     * @param layout the layout; {@link PayloadLayout#AUTO} by default
     * @return the changed copy
     */
    public Migration payloadLayout(PayloadLayout layout) {
        return with(copy -> copy.payloadLayout = requireNonNull(layout, "layout"));
    }

    /**
     * Chooses a queue from a folder that holds several of popout's queues.
     *
     * @param name name of the queue
     * @return the changed copy
     */
    public Migration queueName(String name) {
        return with(copy -> copy.queueName = requireNonNull(name, "name"));
    }

    /**
     * Limits the memory for a record. A record with a longer payload counts as damaged.
     *
     * @param bytes longest payload, in bytes, at least 1; 16 MiB by default, which is the target's default as well
     * @return the changed copy
     * @throws IllegalArgumentException if {@code bytes} is less than 1
     */
    public Migration maxRecordBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxRecordBytes=" + bytes + " is less than 1");
        }
        return with(copy -> copy.maxRecordBytes = bytes);
    }

    /**
     * Counts damaged places and continues after them. By default the first damaged place ends the migration.
     *
     * @return the changed copy
     */
    public Migration skipDamaged() {
        return with(copy -> copy.skipDamaged = true);
    }

    /**
     * Accepts a target that is not empty, and appends to it.
     *
     * @return the changed copy
     */
    public Migration append() {
        return with(copy -> copy.append = true);
    }

    /**
     * Sets a listener, which is called about once for each mebibyte.
     *
     * @param progress the listener; none by default
     * @return the changed copy
     */
    public Migration progress(Progress progress) {
        return with(copy -> copy.progress = requireNonNull(progress, "progress"));
    }

    /**
     * Copies the source, and returns when all records are on the device. Holds about 1 MiB and one record in memory, beside the names of
     * popout's files. Reads the source once, popout's last compressed file up to four times, and all lengths in popout's files once
     * more if the payload layout is to be detected.
     *
     * @param target queue to copy into; empty, or {@link #append} is set
     * @return the summary
     * @throws IllegalArgumentException if the target is not empty; if the source is a file where the format has a folder, or the other
     *     way round; if the folder holds several popout queues and none was named; if the payload layout cannot be detected, or is
     *     {@link PayloadLayout#LENGTH_PREFIXED} for a file of tape. Nothing was copied then
     * @throws java.nio.file.NoSuchFileException if the source does not exist, or does not hold the named queue
     * @throws CorruptSourceException if the source is damaged and damage is not skipped, or nothing can be read because of it
     * @throws IOException if the source cannot be read
     * @throws IllegalStateException if the target has a limit and is full
     * @throws dev.touchstone.queue.QueueException if the target fails
     */
    public MigrationResult into(DiskQueue<byte[]> target) throws IOException {
        if (!append && target.longSize() > 0) {
            throw new IllegalArgumentException(
                    "the target is not empty: size=" + target.longSize() + "; an interrupted migration begins again");
        }
        DamageLog log = new DamageLog(skipDamaged);
        try (ForeignQueue queue = open(log)) {
            return copy(queue, target, log);
        }
    }

    private MigrationResult copy(ForeignQueue queue, DiskQueue<byte[]> target, DamageLog log) throws IOException {
        List<byte[]> chunk = new ArrayList<>(CHUNK_RECORDS);
        long records = 0;
        long payloadBytes = 0;
        long chunkBytes = 0;
        for (SourceRecord record = queue.next(); record != null; record = queue.next()) {
            byte[] payload = record.payload(queue.payloadLayout(), maxRecordBytes, log);
            if (payload == null) {
                continue;
            }
            chunk.add(payload);
            chunkBytes += payload.length;
            if (chunk.size() == CHUNK_RECORDS || chunkBytes >= CHUNK_BYTES) {
                target.addAll(chunk);
                records += chunk.size();
                payloadBytes += chunkBytes;
                progress.copied(records, payloadBytes);
                chunk.clear();
                chunkBytes = 0;
            }
        }
        target.addAll(chunk);
        target.flush();
        return new MigrationResult(
                queue.format(),
                queue.payloadLayout(),
                records + chunk.size(),
                payloadBytes + chunkBytes,
                queue.duplicates(),
                log.damaged(),
                log.harmless(),
                log.first());
    }

    private ForeignQueue open(DamageLog log) throws IOException {
        boolean folder = SourceFile.isFolder(source);
        if (format != Format.AUTO && folder == (format == Format.TAPE)) {
            throw new IllegalArgumentException(
                    source + " is a " + (folder ? "folder" : "file") + ", which " + format + " is not");
        }
        if (folder) {
            return PopoutQueue.open(source, format, payloadLayout, queueName, log);
        }
        if (payloadLayout == PayloadLayout.LENGTH_PREFIXED) {
            throw new IllegalArgumentException(source + " is a file of tape, whose payloads are not LENGTH_PREFIXED");
        }
        return TapeQueue.open(source, log);
    }

    private Migration with(Consumer<Migration> change) {
        Migration copy = new Migration(source);
        copy.format = format;
        copy.payloadLayout = payloadLayout;
        copy.queueName = queueName;
        copy.maxRecordBytes = maxRecordBytes;
        copy.skipDamaged = skipDamaged;
        copy.append = append;
        copy.progress = progress;
        change.accept(copy);
        return copy;
    }
}
