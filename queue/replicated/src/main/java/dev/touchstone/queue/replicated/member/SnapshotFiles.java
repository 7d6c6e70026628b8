package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.storage.snapshot.Snapshot;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.storage.StorageFactory;
import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files of a snapshot's folder. */
final class SnapshotFiles {
    /** Name of the folder of the machine's files. */
    static final String MACHINE = "machine";

    /** Files of snapshots, whose folders jraft moves and deletes itself. */
    static final FileIo IO = new DiskFileIo();

    private static final Pattern NAME = Pattern.compile(Snapshot.JRAFT_SNAPSHOT_PREFIX + "[0-9]{1,18}");

    private SnapshotFiles() {}

    /**
     * Reads the files of the last snapshot as a start of the member does; the log that they take the place of is gone.
     *
     * @param snapshots folder of the member's snapshots; there may be none
     * @return the damage; null if there is none
     */
    static @Nullable String damage(Path snapshots, ReplicatedMachine machine) {
        Path last = null;
        try {
            last = last(snapshots);
            if (last != null) {
                check(last, machine);
            }
            return null;
        } catch (IOException | RuntimeException e) {
            boolean isReplaced =
                    last != null && !Files.exists(last); // a later one came meanwhile, of this member or of the leader
            return isReplaced ? damage(snapshots, machine) : "the snapshot is damaged: folder=" + last + ": " + e;
        }
    }

    private static @Nullable Path last(Path snapshots) throws IOException {
        if (!Files.isDirectory(snapshots)) {
            return null;
        }
        try (Stream<Path> folders = Files.list(snapshots)) {
            return folders.filter(folder ->
                            NAME.matcher(folder.getFileName().toString()).matches())
                    .max(Comparator.comparingLong(SnapshotFiles::index))
                    .orElse(null);
        }
    }

    private static long index(Path snapshot) {
        return Long.parseLong(snapshot.getFileName().toString().substring(Snapshot.JRAFT_SNAPSHOT_PREFIX.length()));
    }

    private static void check(Path snapshot, ReplicatedMachine machine) throws IOException {
        StorageFactory.checkSnapshot(snapshot);
        new KnownMembers().load(IO, snapshot.resolve(KnownMembers.FILE));
        machine.check(snapshot.resolve(MACHINE));
    }

    /** Returns the files below {@code folder}, in the order of their names. */
    static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Returns the name by which jraft knows a file: relative to the snapshot's folder, with slashes. */
    static String name(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    /**
     * Brings a folder's files and names to the device: jraft copies a leader's snapshot without it, and drops the log that the snapshot takes
     * the place of.
     */
    static void force(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.toList();
        }
        for (Path path : all) {
            if (Files.isRegularFile(path)) {
                force(path, StandardOpenOption.WRITE);
            } else if (Files.isDirectory(path)) {
                force(path, StandardOpenOption.READ);
            }
        }
    }

    private static void force(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
