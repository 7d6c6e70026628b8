package dev.touchstone.queue.migrate;

import dev.touchstone.queue.migrate.PopoutFormat.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A synced or batched queue of popout: the blocks of its compressed files, then those of its wal files, each once. */
final class PopoutQueue implements ForeignQueue {
    private final Format format;
    private final PayloadLayout payloadLayout;
    private final PopoutFiles files;
    private final PopoutOverlap overlap;
    private final DamageLog log;

    private int nextCompressed;
    private int nextWal;
    private @Nullable CompressedFile compressed;
    private @Nullable SourceFile wal;
    private @Nullable ElementChain batch;

    private PopoutQueue(
            Format format, PayloadLayout payloadLayout, PopoutFiles files, PopoutOverlap overlap, DamageLog log) {
        this.format = format;
        this.payloadLayout = payloadLayout;
        this.files = files;
        this.overlap = overlap;
        this.log = log;
        this.nextWal = overlap.leaveOutWals();
    }

    /**
     * Lists the folder and detects what stands twice, and format and payload layout unless they are given.
     *
     * @throws IllegalArgumentException if the folder holds several queues and no name was given, or the payload layout is ambiguous
     */
    static PopoutQueue open(
            Path folder, Format givenFormat, PayloadLayout givenLayout, @Nullable String name, DamageLog log)
            throws IOException {
        PopoutFiles files = PopoutFiles.find(folder, name, log);
        Format format = givenFormat == Format.AUTO ? detect(files) : givenFormat;
        PopoutOverlap overlap = PopoutOverlap.find(files, format);
        PayloadLayout layout = givenLayout;
        if (layout == PayloadLayout.AUTO) {
            try (PopoutQueue scanned = new PopoutQueue(format, layout, files, overlap, log.empty())) {
                layout = PayloadDetection.detect(scanned);
            }
        }
        return new PopoutQueue(format, layout, files, overlap, log);
    }

    @Override
    public Format format() {
        return format;
    }

    @Override
    public PayloadLayout payloadLayout() {
        return payloadLayout;
    }

    @Override
    public @Nullable SourceRecord next() throws IOException {
        while (true) {
            ElementChain records = batch;
            SourceRecord record = records == null ? null : records.next();
            if (record != null) {
                return record;
            }
            batch = null;
            Block block = nextBlock();
            if (block == null) {
                return null;
            }
            record = open(block);
            if (record != null) {
                return record;
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

    /** Returns the block's record, or null if the block is a batch, which is then open, or if nothing can be read from it. */
    private @Nullable SourceRecord open(Block block) throws IOException {
        if (block.bytes() == 0) {
            log.harmless(block.file().path(), block.offset(), "empty: popout ended before it wrote anything");
            return null;
        }
        if (format == Format.POPOUT_BATCHED) {
            batch = block.batch(log);
            return null;
        }
        SourceFile file = block.file();
        long bytes = block.bytes() - PopoutFormat.LENGTH_BYTES;
        if (!block.isSynced()) {
            Object got = bytes < 0 ? "the end" : file.intAt(block.offset());
            log.damage(file.corrupt(block.offset(), "record length", Math.max(bytes, 0), got), "1 record lost");
            return null;
        }
        return new SourceRecord(file, block.offset() + PopoutFormat.LENGTH_BYTES, (int) bytes);
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

    /** Detects the format by the first block that is synced or batched; a queue without blocks counts as synced. */
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
                undecided.add(e); // the next file may decide
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
