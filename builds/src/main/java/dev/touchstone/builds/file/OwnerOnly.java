package dev.touchstone.builds.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Makes files of mode 0600 and folders of mode 0700, and takes the rights of group and others from older ones. Never follows a symbolic link at
 * the end of a path. On a file system without POSIX permissions, only the links are checked. Stateless.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnly() {}

    /**
     * Creates a folder, and its missing parents, or takes the rights of others from one that is there.
     *
     * @param folder path of the folder; not null
     * @return the path
     * @throws FileSystemException if a symbolic link or another file is there
     * @throws IOException if the folder cannot be created, or belongs to another user and is open to others
     */
    public static Path folder(Path folder) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new FileSystemException(
                    folder.toString(), null, "is a symbolic link; give the path of the folder that it leads to");
        }
        Files.createDirectories(folder, attributes(folder, "rwx------"));
        restrict(folder);
        return folder;
    }

    /**
     * Creates a folder in one that is there.
     *
     * @param folder path of the folder; not null
     * @throws IOException if something is there already, or the parent is not
     */
    public static void newFolder(Path folder) throws IOException {
        Files.createDirectory(folder, attributes(folder, "rwx------"));
    }

    /**
     * Opens a file, without following a link. Where the options create the file, its mode is 0600; the mode of one that is there is left.
     *
     * @param file path of the file; not null
     * @param options as for {@link FileChannel#open(Path, OpenOption...)}; not null
     * @return the open file, which the caller closes
     * @throws IOException if the file cannot be opened, or is a symbolic link
     */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, all, attributes(file, "rw-------"));
    }

    /**
     * Writes a file of mode 0600 in one step: a reader has the earlier file, or this one, which is on the device when the method returns.
     *
     * @param file path of the file, beside which a file of the same name and {@code .new} is made and renamed; not null
     * @param bytes its content; not null
     * @throws IOException if it cannot be written; the earlier file is left
     */
    public static void replace(Path file, ByteBuffer bytes) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (FileChannel out = open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
            out.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        force(Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder"));
    }

    /** Has the names in a folder on the device when it returns. */
    public static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /**
     * Takes the rights of group and others from a folder and all that is in it. Leaves links, and what they lead to, alone.
     *
     * @param folder path of the folder; nothing is done if it is not there
     * @throws IOException if a file that is open to others belongs to another user, or cannot be read
     */
    public static void tighten(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes found) throws IOException {
                restrict(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes found) throws IOException {
                if (found.isRegularFile()) {
                    restrict(path);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // deleted meanwhile
                }
                throw failure;
            }
        });
    }

    private static void restrict(Path path) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            return;
        }
        try {
            Set<PosixFilePermission> now = view.readAttributes().permissions();
            if (!OWNERS.containsAll(now)) {
                Set<PosixFilePermission> kept = EnumSet.copyOf(OWNERS);
                kept.retainAll(now);
                view.setPermissions(kept);
            }
        } catch (NoSuchFileException e) {
            // deleted meanwhile
        }
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
