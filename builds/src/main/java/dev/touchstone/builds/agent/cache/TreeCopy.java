package dev.touchstone.builds.agent.cache;

import dev.touchstone.builds.file.BundleWriter;
import dev.touchstone.builds.file.FolderWalk;
import dev.touchstone.builds.file.RelativePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Copies a tree as it is walked: files with their permissions and times, links as links, and nothing else. For one thread.
 */
final class TreeCopy implements FolderWalk.Visitor {
    private static final int COPY_BYTES = 256 << 10;
    private static final int MAX_ENTRIES = 1_000_000;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path from;
    private final Path to;
    private final long maxBytes;
    private final BundleWriter.Check check;
    private final ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    private int files;
    private int entries;
    private long bytes;

    /** Counts of what was copied. */
    record Copied(int files, long bytes) {
        @Override
        public String toString() {
            return "files=" + files + " bytes=" + bytes;
        }
    }

    /**
     * Creates a copy into an empty folder that nobody else writes.
     *
     * @param from path of the tree that is walked, by which links in it are read
     * @param check called often, and throws what is to end the copy
     */
    TreeCopy(Path from, Path to, long maxBytes, BundleWriter.Check check) {
        this.from = from;
        this.to = to;
        this.maxBytes = maxBytes;
        this.check = check;
    }

    Copied copied() {
        return new Copied(files, bytes);
    }

    private void count(FolderWalk.Entry entry, long more) throws IOException {
        check.run();
        entries++;
        if (more > maxBytes - bytes || entries > MAX_ENTRIES) {
            throw new IOException("folder is too large: more than bytes=" + maxBytes + " or entries=" + MAX_ENTRIES
                    + ", with " + RelativePath.shown(entry.path().toString()));
        }
        bytes += more;
    }

    @Override
    public boolean enter(FolderWalk.Entry folder) throws IOException {
        count(folder, 0);
        Files.createDirectory(to.resolve(folder.path()));
        return true;
    }

    @Override
    public void leave(FolderWalk.Entry folder) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNERS);
        permissions.addAll(folder.attributes().permissions());
        describe(to.resolve(folder.path()), folder.attributes(), permissions);
    }

    @Override
    public void visit(FolderWalk.Entry entry) throws IOException {
        PosixFileAttributes attributes = entry.attributes();
        Path target = to.resolve(entry.path());
        if (attributes.isSymbolicLink()) {
            count(entry, 0);
            Files.createSymbolicLink(target, Files.readSymbolicLink(from.resolve(entry.path())));
        } else if (attributes.isRegularFile()) {
            count(
                    entry,
                    attributes
                            .size()); // first: a copy of a sparse file could fill the disk before it is found too large
            bytes -= attributes.size();
            files++;
            copy(entry, target);
            describe(target, attributes, attributes.permissions());
        }
    }

    private void copy(FolderWalk.Entry entry, Path target) throws IOException {
        try (ReadableByteChannel in = entry.open();
                FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            buffer.clear();
            while (in.read(buffer) >= 0) {
                count(entry, buffer.position());
                entries--;
                buffer.flip();
                while (buffer.hasRemaining()) {
                    int unused = out.write(buffer);
                }
                buffer.clear();
            }
        }
    }

    private static void describe(Path target, PosixFileAttributes attributes, Set<PosixFilePermission> permissions)
            throws IOException {
        FileTime changed = attributes.lastModifiedTime();
        Files.setLastModifiedTime(target, changed);
        Files.setPosixFilePermissions(target, permissions);
    }
}
