package dev.touchstone.queue.migrate;

import dev.touchstone.queue.migrate.PopoutFormat.Block;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** popout's {@code .compressed} file from front to back. Each step goes forward, so that every file comes to an end. */
final class CompressedFile implements Closeable {
    private final SourceFile file;
    private final @Nullable Format removedToo;
    private long at;
    private boolean jumped;
    private boolean finished;
    private boolean ended;

    private CompressedFile(SourceFile file, @Nullable Format removedToo) {
        this.file = file;
        this.removedToo = removedToo;
    }

    /** The blocks that are still in the queue. */
    static CompressedFile open(Path path) throws IOException {
        return new CompressedFile(SourceFile.open(path), null);
    }

    /** Those that were removed too, as far as their bytes say where they end. */
    static CompressedFile openWithRemoved(Path path, Format format) throws IOException {
        return new CompressedFile(SourceFile.open(path), format);
    }

    SourceFile file() {
        return file;
    }

    /** Whether something was removed from the part that was read. */
    boolean jumped() {
        return jumped;
    }

    /** Whether the end was marked; known when {@link #next} has returned null. */
    boolean finished() {
        return finished;
    }

    /** Where it is in the file. */
    long position() {
        return at;
    }

    /** The next block, or null at the end mark, or where the rest was never written. */
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
        long most = file.size() - begin;
        if (bytes < 0 || bytes > most) {
            throw file.corrupt(at + 1, "entry length", "0.." + most, bytes);
        }
        at = begin + bytes;
        return new Block(file, begin, bytes);
    }

    /** Goes on at the jump's target, or returns the removed block that its header was written over. */
    private @Nullable Block jump(long target) throws IOException {
        long least = at + PopoutFormat.ENTRY_HEADER_BYTES;
        if (target < least || target > file.size()) {
            throw file.corrupt(at + 1, "jump target", least + ".." + file.size(), target);
        }
        jumped = true;
        Format format = removedToo;
        long bytes = format == null ? -1 : PopoutFormat.blockBytes(file, least, target, format);
        if (bytes < 0) {
            at = target;
            return null;
        }
        at = least + bytes;
        return new Block(file, least, bytes);
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
            throw file.corrupt(other, "byte behind an entry marker of 0", 0, file.byteAt(other) & 0xff);
        }
        ended = true;
    }

    /** popout reserves a file's whole length first, so that one without room for the end mark was cut, or never begun. */
    private @Nullable Block cutOff() throws CorruptSourceException {
        if (file.size() > 0) {
            throw file.corrupt(at, "end of file", "an end mark of 9 bytes", (file.size() - at) + " bytes");
        }
        ended = true;
        return null;
    }
}
