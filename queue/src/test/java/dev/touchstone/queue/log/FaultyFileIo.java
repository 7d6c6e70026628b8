package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file system in memory that knows what is on the device and what is only in the page cache, so that a test can cut the power:
 * of what was not forced, any sectors in any order may survive, and of the folder's changes any prefix. Thread-safe.
 */
public final class FaultyFileIo implements FileIo {
    private static final int SECTOR_BYTES = 512;

    private final Map<Path, Content> names = new TreeMap<>();
    private Map<Path, Content> forcedNames = new TreeMap<>();
    private final List<Map<Path, Content>> unforcedNames = new ArrayList<>();
    private int operations;
    private long bytesRead;
    private int failAt = Integer.MAX_VALUE;
    private boolean failForGood;
    private boolean full;
    private boolean copyOnWrite;
    private boolean noFiles;
    private volatile Runnable afterFolderForce = () -> {};

    /** One file: what a reader sees, and what the device has. */
    private static final class Content {
        byte[] seen = new byte[0];
        byte[] forced = new byte[0];
        final Set<Integer> dirtySectors = new TreeSet<>();
        boolean mapped;

        /** Sectors that a power cut may take; with a mapping, whose stores are not seen here, those that differ. */
        Collection<Integer> unforcedSectors() {
            if (!mapped) {
                return dirtySectors;
            }
            List<Integer> changed = new ArrayList<>();
            for (int from = 0; from < seen.length; from += SECTOR_BYTES) {
                int to = Math.min(from + SECTOR_BYTES, seen.length);
                if (to > forced.length || !Arrays.equals(seen, from, to, forced, from, to)) {
                    changed.add(from / SECTOR_BYTES);
                }
            }
            return changed;
        }

        void force() {
            forced = seen.clone();
            dirtySectors.clear();
        }
    }

    /** Lets the {@code n}-th write, force or change of a name from now on fail, and all after it too where {@code forGood}. */
    public synchronized void failAt(int n, boolean forGood) {
        failAt = n == Integer.MAX_VALUE ? n : operations + n;
        failForGood = forGood;
    }

    /** Lets no file grow and none be made, as a full disk does. */
    public synchronized void setFull(boolean isFull) {
        full = isFull;
    }

    /** Lets each write need room, as on a file system that copies a block before it is changed. */
    public synchronized void setCopyOnWrite() {
        copyOnWrite = true;
    }

    /** Lets no file be opened and none be made, as a process does that has too many open; those that are open stay usable. */
    public synchronized void setNoFiles(boolean areNone) {
        noFiles = areNone;
    }

    private void checkFiles(Path file) throws IOException {
        if (noFiles) {
            throw new IOException("Too many open files: injected for " + file);
        }
    }

    private void checkRoom(String what) throws IOException {
        if (full) {
            throw new IOException("No space left on device: injected for " + what);
        }
    }

    /** Lets the thread that has forced the folder do this before it goes on. */
    public void afterFolderForce(Runnable hook) {
        afterFolderForce = hook;
    }

    public synchronized int operations() {
        return operations;
    }

    public synchronized long bytesRead() {
        return bytesRead;
    }

    /** What is found after the power was cut now. */
    public synchronized FaultyFileIo afterPowerCut(SplittableRandom random) {
        FaultyFileIo after = new FaultyFileIo();
        int survivors = random.nextInt(unforcedNames.size() + 1);
        Map<Path, Content> folder = survivors == 0 ? forcedNames : unforcedNames.get(survivors - 1);
        folder.forEach((path, content) -> {
            Content left = new Content();
            left.seen = content.forced.clone();
            if (random.nextBoolean()) {
                left.seen = Arrays.copyOf(left.seen, Math.max(left.seen.length, content.seen.length));
            }
            for (int sector : content.unforcedSectors()) {
                int from = sector * SECTOR_BYTES;
                int to = Math.min(from + SECTOR_BYTES, Math.min(content.seen.length, left.seen.length));
                if (from < to && random.nextBoolean()) {
                    System.arraycopy(content.seen, from, left.seen, from, to - from);
                }
            }
            left.force();
            after.names.put(path, left);
        });
        after.forcedNames = new TreeMap<>(after.names);
        return after;
    }

    /** What is found after the process was killed now: everything that was written. */
    public synchronized FaultyFileIo afterKill() {
        FaultyFileIo after = new FaultyFileIo();
        names.forEach((path, content) -> {
            Content left = new Content();
            left.seen = content.seen.clone();
            left.force();
            after.names.put(path, left);
        });
        after.forcedNames = new TreeMap<>(after.names);
        return after;
    }

    /** The files and what their segment headers say. */
    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        names.forEach((path, content) -> {
            text.append(path.getFileName()).append('(').append(content.seen.length);
            if (content.seen.length > 56 && !path.getFileName().toString().startsWith("CURSOR")) {
                ByteBuffer header = ByteBuffer.wrap(content.seen).order(ByteOrder.LITTLE_ENDIAN);
                text.append(" epoch ")
                        .append(header.getLong(32))
                        .append(" first ")
                        .append(header.getLong(40));
            }
            text.append(") ");
        });
        return text.toString();
    }

    private void operation(String what) throws IOException {
        operations++;
        if (operations == failAt || (failForGood && operations > failAt)) {
            throw new IOException("injected failure of " + what);
        }
    }

    private void namesChanged() {
        unforcedNames.add(new TreeMap<>(names));
    }

    @Override
    public synchronized DataFile open(Path file, Access access) throws IOException {
        checkFiles(file);
        Content content = names.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        return new OpenFile(content, access);
    }

    @Override
    public synchronized DataFile create(Path file, Access access) throws IOException {
        checkFiles(file);
        if (!names.containsKey(file)) {
            checkRoom("create " + file);
            operation("create " + file);
            names.put(file, new Content());
            namesChanged();
        }
        return open(file, access);
    }

    @Override
    public synchronized List<Path> list(Path folder) {
        return new ArrayList<>(names.keySet());
    }

    @Override
    public void createFolder(Path folder) {}

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        operation("rename " + from);
        names.put(to, names.remove(from));
        namesChanged();
    }

    @Override
    public synchronized void delete(Path file) throws IOException {
        operation("delete " + file);
        names.remove(file);
        namesChanged();
    }

    @Override
    public long lastWrittenMillis(Path file) {
        return 0;
    }

    @Override
    public void setLastWrittenMillis(Path file, long millis) {}

    @Override
    public synchronized long usableBytes(Path folder) {
        return full ? 0 : Long.MAX_VALUE;
    }

    @Override
    public synchronized boolean storesNeedRoom(Path folder) {
        return copyOnWrite;
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        synchronized (this) {
            operation("force of " + folder);
            forcedNames = new TreeMap<>(names);
            unforcedNames.clear();
        }
        afterFolderForce.run();
    }

    @Override
    public Closeable lock(Path file, Duration timeout) {
        return () -> {};
    }

    private final class OpenFile implements DataFile {
        private final Content content;
        private final Access access;

        OpenFile(Content content, Access access) {
            this.content = content;
            this.access = access;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            synchronized (FaultyFileIo.this) {
                int bytes = (int) Math.min(target.remaining(), Math.max(0, content.seen.length - position));
                target.put(content.seen, (int) Math.min(position, content.seen.length), bytes);
                bytesRead += bytes;
                return bytes;
            }
        }

        @Override
        public ByteBuffer mapForWriting(int bytes) {
            synchronized (FaultyFileIo.this) {
                content.mapped = true;
                if (copyOnWrite) {
                    throw new AssertionError("a store into a mapping is lost where the disk is full");
                }
                return ByteBuffer.wrap(content.seen).slice(0, bytes);
            }
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            synchronized (FaultyFileIo.this) {
                int from = (int) position;
                int to = from + source.remaining();
                if (copyOnWrite) {
                    checkRoom("write");
                }
                int room = full ? Math.max(content.seen.length - from, 0) : to - from;
                int fits = Math.min(room, to - from);
                if (from + fits > content.seen.length) {
                    content.seen = Arrays.copyOf(content.seen, from + fits);
                }
                source.get(content.seen, Math.min(from, content.seen.length), fits);
                for (int sector = from / SECTOR_BYTES; sector * SECTOR_BYTES < from + fits; sector++) {
                    content.dirtySectors.add(sector);
                }
                if (fits < to - from) { // as on a disk, what there is room for is written
                    checkRoom("write");
                }
                operation("write"); // a write that fails may have reached the page cache
                if (access == Access.WRITE_THROUGH) {
                    content.force();
                }
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (FaultyFileIo.this) {
                operation("force");
                content.force();
            }
        }

        @Override
        public void truncate(long bytes) throws IOException {
            synchronized (FaultyFileIo.this) {
                operation("truncate");
                content.seen = Arrays.copyOf(content.seen, (int) Math.min(bytes, content.seen.length));
            }
        }

        @Override
        public long size() {
            synchronized (FaultyFileIo.this) {
                return content.seen.length;
            }
        }

        @Override
        public void close() {}
    }
}
