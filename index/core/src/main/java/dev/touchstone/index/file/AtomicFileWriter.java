package dev.touchstone.index.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written beside the one that it will replace. Several writers may do so at once. Each holds a lock on its own file until its process
 * ends: a file without a lock was left over by a killed writer, and the next writer or reader deletes it.
 *
 * <p>Unless it is created with attributes, the file takes over the permissions, the group and the owner of the file that it replaces, the latter two as
 * far as this process may. Until it has them, only its writer can access it.
 */
final class AtomicFileWriter implements Closeable {
    private static final int ATTEMPTS = 10;
    private static final Set<StandardOpenOption> NEW_FILE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private static final FileAttribute<Set<PosixFilePermission>> OF_WRITER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Map<PosixFilePermission, PosixFilePermission> OTHERS_BY_GROUP = Map.of(
            PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    /** Part of the names of the files of this JVM. The JVM must not test the locks of its own files, because closing a channel would release them. */
    private static final String WRITER = hex();

    private final Path file;
    private final Path next;
    private final FileChannel channel;
    private final boolean isTakingOver; // whether it takes over the permissions of the file that it replaces

    private AtomicFileWriter(Path file, Path next, FileChannel channel, boolean isTakingOver) {
        this.file = file;
        this.next = next;
        this.channel = channel;
        this.isTakingOver = isTakingOver;
    }

    private static String hex() {
        return String.format(Locale.ROOT, "%016x", UUID.randomUUID().getMostSignificantBits());
    }

    /** Creates a file beside another one, after deleting left-over files. If attributes are given, those of the other file play no role. */
    static AtomicFileWriter create(Path file, FileAttribute<?>... attributes) throws IOException {
        Path folder = folder(file);
        deleteLeftOver(file);
        boolean isTakingOver = attributes.length == 0
                && Files.isRegularFile(file)
                && Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
        FileAttribute<?>[] first = isTakingOver ? new FileAttribute<?>[] {OF_WRITER} : attributes;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Path next = folder.resolve(file.getFileName() + "." + WRITER + "-" + hex() + ".next");
            FileChannel channel = FileChannel.open(next, NEW_FILE, first);
            if (isHeld(channel) && Files.exists(next)) {
                return new AtomicFileWriter(file, next, channel, isTakingOver);
            }
            channel.close(); // another process took the file for a left-over one before the lock was held
            Files.deleteIfExists(next);
        }
        throw new IOException("a file to write is always deleted at once: path=" + file);
    }

    /**
     * Takes the lock that tells others of this writer. Returns true if files cannot be locked, since then no process can take the file for a
     * left-over one either.
     */
    private static boolean isHeld(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    FileChannel channel() {
        return channel;
    }

    /** Forces the file to the device and lets it replace the other one. The lock is held until then. */
    void replace() throws IOException {
        if (isTakingOver) {
            takeOver();
        }
        channel.force(true);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(folder(file));
    }

    private void takeOver() throws IOException {
        PosixFileAttributes before;
        try {
            before = Files.readAttributes(file, PosixFileAttributes.class);
        } catch (NoSuchFileException e) {
            return; // deleted meanwhile
        }
        PosixFileAttributeView view = Files.getFileAttributeView( // follows no link that somebody put there
                next, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes own = view.readAttributes();
        boolean isSameGroup = before.group().equals(own.group()) || isAllowed(() -> view.setGroup(before.group()));
        Set<PosixFilePermission> permissions = permissions(before.permissions(), isSameGroup);
        if (!permissions.equals(own.permissions())) {
            view.setPermissions(permissions);
        }
        if (!before.owner().equals(own.owner())) {
            isAllowed(() -> view.setOwner(before.owner())); // last, because only the owner may do all this
        }
    }

    /** Returns the permissions that take the place of others. Another group than before may do no more than everybody. */
    static Set<PosixFilePermission> permissions(Set<PosixFilePermission> before, boolean isSameGroup) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(before);
        OTHERS_BY_GROUP.forEach((group, others) -> {
            if (!isSameGroup && !before.contains(others)) {
                permissions.remove(group);
            }
        });
        return permissions;
    }

    /** A change of a file's attributes. */
    private interface Change {
        void run() throws IOException;
    }

    private static boolean isAllowed(Change change) {
        try {
            change.run();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Forces a folder to the device. An interrupt does not end this, because the file was replaced already; the thread stays interrupted. */
    static void forceFolder(Path folder) throws IOException {
        boolean isInterrupted = false;
        boolean isForced = false;
        try {
            while (!isForced) {
                try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                    directory.force(true);
                    isForced = true;
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(next); // if it has not replaced the file
        } finally {
            channel.close();
        }
    }

    private static Path folder(Path file) throws IOException {
        @Nullable Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("not a file: path=" + file);
        }
        return folder;
    }

    /**
     * Deletes the files that killed writers of a file have left. Files that cannot be deleted stay, and do no harm; so do links, pipes and folders, which no
     * writer makes: to open them could touch another file, or wait for ever.
     */
    static void deleteLeftOver(Path file) {
        Pattern name = Pattern.compile(Pattern.quote(String.valueOf(file.getFileName())) + "\\.(?!" + WRITER
                + ")[0-9a-f]{16}-[0-9a-f]{16}\\.next");
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                folder(file),
                path -> name.matcher(String.valueOf(path.getFileName())).matches()
                        && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))) {
            for (Path other : found) {
                deleteUnlessHeld(other);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // the folder cannot be listed, or was changed during the listing
        }
    }

    private static void deleteUnlessHeld(Path other) {
        try (FileChannel channel = FileChannel.open(other, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                Files.deleteIfExists(other);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // the file is in use, or another process has deleted it
        }
    }
}
