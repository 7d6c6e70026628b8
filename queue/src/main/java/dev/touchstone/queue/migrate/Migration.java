package dev.touchstone.queue.migrate;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of another library's queue into a {@link DiskQueue}: every record that is still in it, once, in its order, byte for byte.
 * Immutable: every method returns a new migration, and {@link #into} may be called again.
 *
 * <p><b>The source</b> is opened for reading only and stays as it is. Neither popout nor tape locks its files: end the program that
 * owns them first. Records are payloads as the other library's serializer made them.
 *
 * <p><b>An interrupted migration</b> (an exception, a killed process) leaves the first records in the target, and nothing says how many
 * of the source's they are: begin again with an empty target. A target that is not empty is refused unless {@link #append} is given.
 *
 * <p><b>Damage.</b> Neither format has checksums: what is found out is a length, a mark or a position that cannot be. The first such
 * place throws {@link CorruptSourceException}, or with {@link #skipDamaged} is counted and passed over, where the format allows it:
 *
 * <table>
 * <caption>What a damaged place costs</caption>
 * <tr><th>place</th><th>lost</th></tr>
 * <tr><td>popout, length of a record or batch count in its block</td><td>the block: a record, or a batch</td></tr>
 * <tr><td>popout, length of a record in a batch</td><td>the rest of the batch, and the record before</td></tr>
 * <tr><td>popout, entry of a compressed file</td><td>the rest of that file</td></tr>
 * <tr><td>tape, length of an element</td><td>the rest of the queue, and the element before</td></tr>
 * <tr><td>tape, header</td><td>everything: throws</td></tr>
 * </table>
 */
public final class Migration {
    private static final int CHUNK_RECORDS = 1_000;
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int MAX_RECORD_BYTES = 16 << 20;

    private final Options options;

    private Migration(Options options) {
        this.options = options;
    }

    private record Options(
            Path source,
            Format format,
            @Nullable String queueName,
            int maxRecordBytes,
            boolean skipDamaged,
            boolean append,
            Progress progress) {}

    /** Hears how far a migration is. Called between records by the thread that migrates. */
    @FunctionalInterface
    public interface Progress {
        /** So many records, and bytes of payload, are in the target. */
        void copied(long records, long payloadBytes);
    }

    /** A migration from a file or a folder, of the format that is found there. */
    public static Migration from(Path source) {
        return new Migration(new Options(
                requireNonNull(source, "source"),
                Format.AUTO,
                null,
                MAX_RECORD_BYTES,
                false,
                false,
                (records, bytes) -> {}));
    }

    /** Copies a source with all settings as they are unless told otherwise: see {@link #into}. */
    public static MigrationResult run(Path source, Format format, DiskQueue<byte[]> target) throws IOException {
        return from(source).format(format).into(target);
    }

    /** What the source is; {@link Format#AUTO} unless told otherwise. */
    public Migration format(Format format) {
        return new Migration(new Options(
                options.source,
                requireNonNull(format, "format"),
                options.queueName,
                options.maxRecordBytes,
                options.skipDamaged,
                options.append,
                options.progress));
    }

    /** Which of the folder's popout queues; needed where there are several. */
    public Migration queueName(String name) {
        return new Migration(new Options(
                options.source,
                options.format,
                requireNonNull(name, "name"),
                options.maxRecordBytes,
                options.skipDamaged,
                options.append,
                options.progress));
    }

    /** Longest record for which memory is taken; a longer one is damage. 16 MiB unless told otherwise, as the target's own limit. */
    public Migration maxRecordBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxRecordBytes=" + bytes + " is less than 1");
        }
        return new Migration(new Options(
                options.source,
                options.format,
                options.queueName,
                bytes,
                options.skipDamaged,
                options.append,
                options.progress));
    }

    /** Goes on behind damage and counts it; unless told otherwise the first damage ends the migration. */
    public Migration skipDamaged() {
        return new Migration(new Options(
                options.source,
                options.format,
                options.queueName,
                options.maxRecordBytes,
                true,
                options.append,
                options.progress));
    }

    /** Takes a target that is not empty, and copies behind what it holds. */
    public Migration append() {
        return new Migration(new Options(
                options.source,
                options.format,
                options.queueName,
                options.maxRecordBytes,
                options.skipDamaged,
                true,
                options.progress));
    }

    /** Tells how far it is, about once a mebibyte. */
    public Migration progress(Progress progress) {
        return new Migration(new Options(
                options.source,
                options.format,
                options.queueName,
                options.maxRecordBytes,
                options.skipDamaged,
                options.append,
                requireNonNull(progress, "progress")));
    }

    /**
     * Copies, and returns when everything is on the device. Reads the source once (popout's last compressed file up to four times) and
     * holds about 1 MiB and one record in memory, beside the names of popout's files.
     *
     * @throws IllegalArgumentException if the target is not empty, if the source is a file where the format has a folder or the other
     *     way round, or if the folder holds several popout queues and none was named
     * @throws java.nio.file.NoSuchFileException if there is no such source, or no such queue in it
     * @throws CorruptSourceException if the source is damaged, and damage is not to be skipped or nothing can be read for it
     * @throws IOException if the source cannot be read
     * @throws IllegalStateException if the target has a limit, and no room
     * @throws dev.touchstone.queue.QueueException if the target fails
     */
    public MigrationResult into(DiskQueue<byte[]> target) throws IOException {
        if (!options.append && target.longSize() > 0) {
            throw new IllegalArgumentException(
                    "the target is not empty: size=" + target.longSize() + "; an interrupted migration begins again");
        }
        DamageLog log = new DamageLog(options.skipDamaged);
        try (ForeignQueue source = open(options, log)) {
            return copy(source, target, log);
        }
    }

    private MigrationResult copy(ForeignQueue source, DiskQueue<byte[]> target, DamageLog log) throws IOException {
        List<byte[]> chunk = new ArrayList<>(CHUNK_RECORDS);
        long records = 0;
        long payloadBytes = 0;
        long chunkBytes = 0;
        for (byte[] payload = source.next(); payload != null; payload = source.next()) {
            chunk.add(payload);
            chunkBytes += payload.length;
            if (chunk.size() == CHUNK_RECORDS || chunkBytes >= CHUNK_BYTES) {
                handOver(chunk, target);
                records += chunk.size();
                payloadBytes += chunkBytes;
                options.progress.copied(records, payloadBytes);
                chunk.clear();
                chunkBytes = 0;
            }
        }
        handOver(chunk, target);
        target.flush();
        return new MigrationResult(
                source.format(),
                records + chunk.size(),
                payloadBytes + chunkBytes,
                source.duplicates(),
                log.damaged(),
                log.harmless(),
                log.first());
    }

    /** Appends a chunk, in one commit where the target has one for many elements; throws where it has no room. */
    private static void handOver(List<byte[]> chunk, DiskQueue<byte[]> target) {
        target.addAll(chunk);
    }

    private static ForeignQueue open(Options options, DamageLog log) throws IOException {
        boolean folder = SourceFile.isFolder(options.source);
        Format format = options.format;
        if (format != Format.AUTO && folder == (format == Format.TAPE)) {
            throw new IllegalArgumentException(
                    options.source + " is a " + (folder ? "folder" : "file") + ", which " + format + " is not");
        }
        return folder
                ? PopoutQueue.open(options.source, format, options.queueName, options.maxRecordBytes, log)
                : TapeQueue.open(options.source, options.maxRecordBytes, log);
    }
}
