package dev.touchstone.queue.migrate;

import dev.touchstone.queue.migrate.PopoutFormat.Block;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A reader of popout's {@code .compressed} file. Each step goes forward, so reading ends for any content. Belongs to one thread. */
final class CompressedFile implements Closeable {
    private final SourceFile file;
    private final @Nullable Format removedFormat; // of removed blocks, if they are returned too
    private long at;
    private boolean jumped;
    private boolean finished;
    private boolean ended;

    private CompressedFile(SourceFile file, @Nullable Format removedFormat) {
        this.file = file;
        this.removedFormat = removedFormat;
    }

    /** Opens a file to read the blocks that are still in the queue. */
    static CompressedFile open(Path path) throws IOException {
        return new CompressedFile(SourceFile.open(path), null);
    }

    /** Opens a file to read the removed blocks as well, as far as their bytes say where they end. */
    static CompressedFile openWithRemoved(Path path, Format format) throws IOException {
        return new CompressedFile(SourceFile.open(path), format);
    }

    SourceFile file() {
        return file;
    }

    /** Returns whether blocks were removed from the part that was read. */
    boolean jumped() {
        return jumped;
    }

    /** Returns whether the file has an end mark; valid after {@link #next} has returned null. */
    boolean finished() {
        return finished;
    }

    /** Returns the offset of the next entry. */
    long position() {
        return at;
    }

    /** Returns the next block, or null at the end mark or if the rest was never written. */
    @Nullable
    Block next() throws IOException {
        while (!ended) {
            if (file.size() - at < PopoutFormat.ENTRY_HEADER_BYTES) {
                return cutOff();
            }
            int marker = file.byteAt(at);
            long value = file.longAt(at + 1);
            switch (marker) {
                case PopoutFormat.RECORD -> {
                    return block(value);
                }
                case PopoutFormat.JUMP -> {
                    Block removed = jump(value);
                    if (removed != null) {
                        return removed;
                    }
                }
                case PopoutFormat.END -> end(value);
                case PopoutFormat.NOTHING_WRITTEN -> unwritten();
                default -> throw file.corrupt(at, "entry marker", "1, 2 or 4", marker & 0xff);
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private Block block(long bytes) throws CorruptSourceException {
        long begin = at + PopoutFormat.ENTRY_HEADER_BYTES;
        long max = file.size() - begin;
        if (bytes < 0 || bytes > max) {
            throw file.corrupt(at + 1, "entry length", "0.." + max, bytes);
        }
        at = begin + bytes;
        return new Block(file, begin, bytes);
    }

    /** Continues at the jump's target and returns null, or returns the removed block whose header the jump replaced. */
    private @Nullable Block jump(long target) throws IOException {
        long min = at + PopoutFormat.ENTRY_HEADER_BYTES;
        if (target < min || target > file.size()) {
            throw file.corrupt(at + 1, "jump target", min + ".." + file.size(), target);
        }
        jumped = true;
        Format format = removedFormat;
        long bytes = format == null ? -1 : PopoutFormat.blockBytes(file, min, target, format);
        if (bytes < 0) {
            at = target;
            return null;
        }
        at = min + bytes;
        return new Block(file, min, bytes);
    }

    private void end(long value) throws CorruptSourceException {
        if (value != 0) {
            throw file.corrupt(at + 1, "end mark's value", 0, value);
        }
        finished = true;
        ended = true;
    }

    private void unwritten() throws IOException {
        long other = file.firstNonZero(at);
        if (other < file.size()) {
            throw file.corrupt(other, "byte after an entry marker of 0", 0, file.byteAt(other) & 0xff);
        }
        ended = true;
    }

    /** popout reserves the whole length of a file first, so a file without room for the end mark was cut or never begun. */
    private @Nullable Block cutOff() throws CorruptSourceException {
        if (file.size() > 0) {
            throw file.corrupt(at, "end of file", "an end mark of 9 bytes", (file.size() - at) + " bytes");
        }
        ended = true;
        return null;
    }
}
