package dev.touchstone.queue.migrate;

import dev.touchstone.queue.migrate.PopoutFormat.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A popout queue, synced or batched: the blocks of its compressed files, then those of its wal files, each once. */
final class PopoutQueue implements ForeignQueue {
    private final Format format;
    private final PopoutFiles files;
    private final PopoutOverlap overlap;
    private final int maxRecordBytes;
    private final DamageLog log;

    private int nextCompressed;
    private int nextWal;
    private @Nullable CompressedFile compressed;
    private @Nullable SourceFile wal;
    private @Nullable ElementChain batch;

    private PopoutQueue(Format format, PopoutFiles files, PopoutOverlap overlap, int maxRecordBytes, DamageLog log) {
        this.format = format;
        this.files = files;
        this.overlap = overlap;
        this.maxRecordBytes = maxRecordBytes;
        this.log = log;
        this.nextWal = overlap.leaveOutWals();
    }

    /** Lists the folder, finds out the format unless it is told, and what is there twice. */
    static PopoutQueue open(Path folder, Format told, @Nullable String name, int maxRecordBytes, DamageLog log)
            throws IOException {
        PopoutFiles files = PopoutFiles.find(folder, name, log);
        Format format = told == Format.AUTO ? detect(files) : told;
        return new PopoutQueue(format, files, PopoutOverlap.find(files, format), maxRecordBytes, log);
    }

    @Override
    public Format format() {
        return format;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
        while (true) {
            ElementChain records = batch;
            byte[] payload = records == null ? null : records.next(log);
            if (payload != null) {
                return payload;
            }
            batch = null;
            Block block = nextBlock();
            if (block == null) {
                return null;
            }
            payload = open(block);
            if (payload != null) {
                return payload;
            }
        }
    }

    @Override
    public long duplicates() {
        return overlap.blocks();
    }

    @Override
    public void close() throws IOException {
        closeCompressed();
        closeWal();
    }

    /** The block's record; null where it is a batch, which is then the open one, or where nothing can be read of it. */
    private byte @Nullable [] open(Block block) throws IOException {
        if (block.bytes() == 0) {
            log.harmless(block.file().path(), block.offset(), "empty: popout ended before it wrote anything");
            return null;
        }
        if (format == Format.POPOUT_BATCHED) {
            batch = block.batch(maxRecordBytes, log);
            return null;
        }
        long bytes = block.bytes() - PopoutFormat.LENGTH_BYTES;
        if (!block.isSynced() || bytes > maxRecordBytes) {
            boolean tooLong = block.isSynced();
            Object got = bytes < 0 ? "the end" : block.file().intAt(block.offset());
            Object expected = tooLong ? "at most " + maxRecordBytes : Math.max(bytes, 0);
            log.damage(block.file().corrupt(block.offset(), "record length", expected, got), "1 record lost");
            return null;
        }
        byte[] payload = new byte[(int) bytes];
        block.file().read(block.offset() + PopoutFormat.LENGTH_BYTES, payload, 0, payload.length);
        return payload;
    }

    private @Nullable Block nextBlock() throws IOException {
        while (true) {
            CompressedFile open = compressed;
            Block block = open == null ? null : nextOf(open);
            if (block != null) {
                return block;
            }
            closeCompressed();
            if (nextCompressed == files.compressed().size()) {
                return nextWal();
            }
            openCompressed(files.compressed().get(nextCompressed++));
        }
    }

    private void openCompressed(Path file) throws IOException {
        if (overlap.leaveOutCompressed() && nextCompressed == files.compressed().size()) {
            log.harmless(file, 0, "an unfinished copy of " + overlap.blocks() + " .wal files, which are read instead");
        } else {
            compressed = CompressedFile.open(file);
        }
    }

    private @Nullable Block nextOf(CompressedFile open) throws IOException {
        CorruptSourceException damage = null;
        try {
            Block block = open.next();
            if (block == null && !open.finished()) {
                damage = open.file().corrupt(open.position(), "end of file", "an end mark", "nothing but zeros");
            }
            if (damage == null) {
                return block;
            }
        } catch (CorruptSourceException e) {
            damage = e;
        }
        log.damage(damage, "the rest of the file lost");
        return null;
    }

    private @Nullable Block nextWal() throws IOException {
        closeWal();
        if (nextWal == files.wals().size()) {
            return null;
        }
        SourceFile open = SourceFile.open(files.wals().get(nextWal++));
        wal = open;
        return new Block(open, 0, open.size());
    }

    private void closeCompressed() throws IOException {
        CompressedFile open = compressed;
        compressed = null;
        if (open != null) {
            open.close();
        }
    }

    private void closeWal() throws IOException {
        SourceFile open = wal;
        wal = null;
        if (open != null) {
            open.close();
        }
    }

    /** By the first block that is one or the other; a queue without blocks passes for a synced one. */
    private static Format detect(PopoutFiles files) throws IOException {
        List<CorruptSourceException> undecided = new ArrayList<>(1);
        for (Path file : files.compressed()) {
            try (CompressedFile open = CompressedFile.open(file)) {
                for (Block block = open.next(); block != null; block = open.next()) {
                    Format format = detect(block, undecided);
                    if (format != Format.AUTO) {
                        return format;
                    }
                }
            } catch (CorruptSourceException e) {
                undecided.add(e); // the next file may tell
            }
        }
        for (Path file : files.wals()) {
            try (SourceFile open = SourceFile.open(file)) {
                Format format = detect(new Block(open, 0, open.size()), undecided);
                if (format != Format.AUTO) {
                    return format;
                }
            }
        }
        if (!undecided.isEmpty()) {
            throw undecided.get(0);
        }
        return Format.POPOUT_SYNCED;
    }

    private static Format detect(Block block, List<CorruptSourceException> undecided) throws IOException {
        if (block.isSynced()) {
            return Format.POPOUT_SYNCED;
        }
        if (block.isBatched()) {
            return Format.POPOUT_BATCHED;
        }
        if (block.bytes() > 0 && undecided.isEmpty()) {
            String got = block.bytes() < Integer.BYTES
                    ? block.bytes() + " bytes"
                    : "a first number of " + block.file().intAt(block.offset());
            undecided.add(block.file().corrupt(block.offset(), "block", "a record or a batch", got));
        }
        return Format.AUTO;
    }
}
