package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.snapshot.Snapshot;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotMetaTable;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotStorage;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotWriter;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The library's snapshots, with a checksum of each one's list of files, index, term and members, which the library writes without any. The files
 * themselves have checksums of their own. Thread-safe.
 */
final class SealedSnapshots extends LocalSnapshotStorage {
    /** File of a snapshot's folder that has the checksum. */
    static final String SEAL = "seal";

    private static final Pattern NAME = Pattern.compile(Snapshot.JRAFT_SNAPSHOT_PREFIX + "[1-9][0-9]{0,17}");
    private static final int MAX_SEAL_BYTES = 1_024;
    private static final FileIo IO = new DiskFileIo(); // the library moves and deletes the folders itself

    private final Path folder;
    private final RaftOptions options;
    private final LongSupplier firstOfLog;
    private final Consumer<IOException> failed;

    /**
     * Creates a storage, which {@link #init} opens.
     *
     * @param folder folder of the snapshots
     * @param temporary folder for a snapshot that is being made; null for one in {@code folder}
     * @param firstOfLog returns the first index of the log, which is open
     * @param failed told the damage for which a snapshot cannot be opened
     */
    SealedSnapshots(
            Path folder,
            @Nullable String temporary,
            RaftOptions options,
            LongSupplier firstOfLog,
            Consumer<IOException> failed) {
        super(folder.toString(), temporary, options);
        this.folder = folder;
        this.options = options;
        this.firstOfLog = firstOfLog;
        this.failed = failed;
    }

    /**
     * Finds the last snapshot. Returns false if it is damaged, if the log begins behind a snapshot that is missing, or if the folder has something else
     * in the place of a snapshot. All that is checked first: the library deletes each snapshot but the one with the highest number.
     */
    @Override
    public boolean init(@Nullable Void none) {
        try {
            long last = lastOfFolder();
            requireReach(last);
            if (last != 0) {
                check(ofIndex(last));
            }
        } catch (IOException e) {
            failed.accept(e);
            return false;
        }
        if (super.init(null)) {
            return true;
        }
        failed.accept(
                new IOException("the snapshots cannot be opened, or an earlier one not be deleted: folder=" + folder));
        return false;
    }

    /**
     * Returns the index of the last snapshot, 0 if there is none.
     *
     * @throws CorruptLogException if the folder has something else under a name that begins as those of snapshots do
     */
    private long lastOfFolder() throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return 0;
        }
        if (!Files.isDirectory(folder)) {
            throw new CorruptLogException(folder, 0, "file type", "folder", "another one");
        }
        long last = 0;
        try (DirectoryStream<Path> snapshots = Files.newDirectoryStream(folder, Snapshot.JRAFT_SNAPSHOT_PREFIX + "*")) {
            for (Path each : snapshots) {
                last = Math.max(last, index(each));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return last;
    }

    private static long index(Path snapshot) throws CorruptLogException {
        String name = snapshot.getFileName().toString();
        if (!NAME.matcher(name).matches()) {
            throw new CorruptLogException(
                    snapshot, 0, "name of a snapshot", Snapshot.JRAFT_SNAPSHOT_PREFIX + " and an index", name);
        }
        if (!Files.isDirectory(snapshot, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptLogException(snapshot, 0, "file type", "folder", "another one");
        }
        return Long.parseLong(name.substring(Snapshot.JRAFT_SNAPSHOT_PREFIX.length()));
    }

    private void requireReach(long last) throws CorruptLogException {
        long needed = firstOfLog.getAsLong() - 1;
        if (last < needed) {
            throw new CorruptLogException(
                    folder,
                    0,
                    "snapshot",
                    "one up to index " + needed + " or later, behind which the log begins",
                    last == 0 ? "none" : "one up to index " + last);
        }
    }

    private Path ofIndex(long index) {
        return folder.resolve(Snapshot.JRAFT_SNAPSHOT_PREFIX + index);
    }

    private boolean isWhole(Path snapshot) {
        try {
            check(snapshot);
            return true;
        } catch (IOException e) {
            failed.accept(e);
            return false;
        }
    }

    /** Opens the last snapshot. Returns null if there is none, or it is damaged. */
    @Override
    public @Nullable SnapshotReader open() {
        SnapshotReader reader = super.open();
        if (reader == null) {
            long last = getLastSnapshotIndex();
            boolean unused = last == 0 || isWhole(ofIndex(last)); // tells the damage
            return null;
        }
        if (isWhole(Path.of(reader.getPath()))) {
            return reader;
        }
        try {
            reader.close();
        } catch (IOException e) {
            failed.accept(e);
        }
        return null;
    }

    @Override
    public @Nullable SnapshotWriter create(boolean fromEmpty) {
        SnapshotWriter made = super.create(fromEmpty);
        if (made == null) {
            return null;
        }
        LocalSnapshotWriter sealing = new SealingWriter(made.getPath());
        return sealing.init(null) ? sealing : null;
    }

    /** A writer that writes the checksum behind what it is of. */
    private final class SealingWriter extends LocalSnapshotWriter {
        SealingWriter(String path) {
            super(path, SealedSnapshots.this, options);
        }

        @Override
        public boolean sync() throws IOException {
            if (!super.sync()) {
                return false;
            }
            Path snapshot = Path.of(getPath());
            SmallFile.write(IO, snapshot.resolve(SEAL), text(meta(snapshot)));
            return true;
        }
    }

    /**
     * Checks the list of files, index, term and members of a snapshot, and that it has all files.
     *
     * @param snapshot folder of the snapshot
     * @throws CorruptLogException if they are not what was written
     */
    static void check(Path snapshot) throws IOException {
        Path meta = meta(snapshot);
        Path seal = snapshot.resolve(SEAL);
        StorageFactory.requireFile(meta, "snapshot");
        StorageFactory.requireFile(seal, "snapshot");
        String expected = SmallFile.read(IO, seal, MAX_SEAL_BYTES);
        String got = text(meta);
        if (!got.equals(expected)) {
            throw new CorruptLogException(meta, 0, "snapshot", expected.strip(), got.strip());
        }
        LocalSnapshotMetaTable files = new LocalSnapshotMetaTable(new RaftOptions());
        if (!files.loadFromFile(meta.toString()) || !files.hasMeta()) {
            throw new CorruptLogException(meta, 0, "snapshot", "index and term", "none");
        }
        for (String name : files.listFiles()) {
            StorageFactory.requireFile(snapshot.resolve(name), "snapshot");
        }
    }

    private static Path meta(Path snapshot) {
        return snapshot.resolve(Snapshot.JRAFT_SNAPSHOT_META_FILE);
    }

    private static String text(Path meta) throws IOException {
        byte[] bytes = Files.readAllBytes(meta);
        return "touchstone-seal 1 bytes=" + bytes.length + " crc=" + SmallFile.crc(bytes) + "\n";
    }
}
