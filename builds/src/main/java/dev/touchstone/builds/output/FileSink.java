package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file {@code <job>.log} for each job, of mode 0600 where it is created here. Not forced to the device: the master's log is what survives a power
 * cut, and is compared after it.
 */
final class FileSink implements Sink {
    /*
     * Invariants:     `located` has the file key of each file whose content was compared; `open` has channels of some of them, the least recently
     *                 used first.
     * Failure:        whatever is thrown leaves the file as it is; the next `locate` compares all of it.
     */
    private static final int MAX_OPEN = 64;

    private final Path folder;
    private final TargetCheck check = new TargetCheck();
    private final Map<String, Target> located = new HashMap<>();
    private final Map<String, FileChannel> open = new LinkedHashMap<>(16, 0.75f, true);

    /** A file that was compared; {@code key} is its inode, null where the file system has none. */
    private record Target(@Nullable Object key) {}

    FileSink(Path folder) throws IOException {
        this.folder = Files.isDirectory(folder) ? folder : OwnerOnly.folder(folder);
    }

    @Override
    public OutputMode mode() {
        return OutputMode.FILES;
    }

    @Override
    public boolean isFed() {
        return true;
    }

    private Path file(String jobId) {
        return folder.resolve(jobId + ".log");
    }

    @Override
    public long locate(String jobId, Log log) throws IOException {
        release(jobId);
        Path file = file(jobId);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            attributes(file); // a pipe would not open
        }
        FileChannel channel =
                OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        keep(jobId, channel);
        long length = channel.size();
        if (length > 0 && check.commonBytes((at, into) -> read(channel, at, into), log, length) < length) {
            channel.truncate(0);
            length = 0;
        }
        located.put(jobId, new Target(attributes(file).fileKey()));
        return length;
    }

    @Override
    public void append(String jobId, long offset, ByteBuffer bytes) throws IOException {
        requireUnchanged(jobId, offset);
        FileChannel out = channel(jobId);
        long at = offset;
        while (bytes.hasRemaining()) {
            at += out.write(bytes, at);
        }
    }

    @Override
    public void confirm(String jobId, long length, Log log) throws IOException {
        BasicFileAttributes before = requireUnchanged(jobId, length);
        try (FileChannel in = OwnerOnly.open(file(jobId), StandardOpenOption.READ)) {
            long common = check.commonBytes((at, into) -> read(in, at, into), log, length);
            if (common < length) {
                throw new IOException(
                        "file has not what was written: file=" + file(jobId) + " length=" + length + " from=" + common);
            }
        }
        BasicFileAttributes after = requireUnchanged(jobId, length);
        if (!after.lastModifiedTime().equals(before.lastModifiedTime())) {
            throw new IOException("file was changed while it was read: file=" + file(jobId));
        }
        release(jobId);
    }

    /** Checks that the path leads to the file that was compared, and that the file is as long as this sink has left it. */
    private BasicFileAttributes requireUnchanged(String jobId, long length) throws IOException {
        Path file = file(jobId);
        BasicFileAttributes found = attributes(file);
        Target target = located.get(jobId);
        if (target == null || !Objects.equals(target.key(), found.fileKey())) {
            throw new IOException("file was replaced: file=" + file);
        }
        if (found.size() != length) {
            throw new IOException(
                    "file was changed by others: file=" + file + " expected=" + length + " got=" + found.size());
        }
        return found;
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException("not a regular file, so nothing is written to it: file=" + file);
        }
        return found;
    }

    private static void read(FileChannel in, long offset, ByteBuffer into) throws IOException {
        long at = offset;
        int read = 0;
        while (into.hasRemaining() && read >= 0) {
            read = in.read(into, at);
            at += Math.max(0, read);
        }
    }

    private FileChannel channel(String jobId) throws IOException {
        FileChannel known = open.get(jobId);
        if (known != null) {
            return known;
        }
        FileChannel opened = OwnerOnly.open(file(jobId), StandardOpenOption.READ, StandardOpenOption.WRITE);
        keep(jobId, opened);
        return opened;
    }

    private void keep(String jobId, FileChannel channel) throws IOException {
        if (open.size() >= MAX_OPEN) {
            Iterator<FileChannel> oldest = open.values().iterator();
            FileChannel closing = oldest.next();
            oldest.remove();
            closing.close();
        }
        open.put(jobId, channel);
    }

    private void release(String jobId) throws IOException {
        located.remove(jobId);
        FileChannel channel = open.remove(jobId);
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : open.values()) {
            channel.close();
        }
        open.clear();
        located.clear();
    }
}
