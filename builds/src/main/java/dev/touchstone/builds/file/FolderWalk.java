package dev.touchstone.builds.file;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a folder that others may write meanwhile. Each step is made from the open folder before it and follows no link, so that nothing outside is
 * ever seen. For one thread.
 */
public final class FolderWalk {
    private static final int MAX_DEPTH = 100;

    private final Visitor visitor;

    /** Is told what there is, in the order of the names. */
    public interface Visitor {
        /** Takes a folder before what is in it, and returns whether to look into it. */
        boolean enter(Entry folder) throws IOException;

        /** Takes a folder that was entered, behind what is in it. */
        default void leave(Entry folder) throws IOException {}

        /** Takes anything that is no folder: a file, a link, a socket. */
        void visit(Entry entry) throws IOException;
    }

    /** Something in a folder, whose stream is open during the call only. */
    public static final class Entry {
        private final SecureDirectoryStream<Path> in;
        private final Path name;
        private final Path path;
        private final PosixFileAttributes attributes;

        private Entry(SecureDirectoryStream<Path> in, Path name, Path path, PosixFileAttributes attributes) {
            this.in = in;
            this.name = name;
            this.path = path;
            this.attributes = attributes;
        }

        /** Returns the path relative to the folder that is walked, with the bytes that the file system has. */
        public Path path() {
            return path;
        }

        /** Returns what the file system says of the entry itself. */
        public PosixFileAttributes attributes() {
            return attributes;
        }

        /** Opens the file for reading, unless it has become a link; the caller closes it. */
        public SeekableByteChannel open() throws IOException {
            return in.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        }
    }

    private FolderWalk(Visitor visitor) {
        this.visitor = visitor;
    }

    /**
     * Walks a folder.
     *
     * @param trusted folder above it, whose own path may lead through links; not null
     * @param below relative path from there to the folder, which may lead through none; not null
     * @param visitor told what there is; not null
     * @throws NoSuchFileException if there is no such folder
     * @throws IOException if a folder cannot be read, a step is a link, or the visitor fails
     */
    public static void walk(Path trusted, Path below, Visitor visitor) throws IOException {
        FolderWalk walk = new FolderWalk(visitor);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(trusted)) {
            walk.descend(secure(stream, trusted), below, 0);
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream, Path folder) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new FileSystemException(folder.toString(), null, "file system cannot be walked without following links");
    }

    private void descend(SecureDirectoryStream<Path> from, Path steps, int step) throws IOException {
        if (step == steps.getNameCount()) {
            walk(from, null, 0);
            return;
        }
        try (SecureDirectoryStream<Path> next =
                from.newDirectoryStream(steps.getName(step), LinkOption.NOFOLLOW_LINKS)) {
            descend(next, steps, step + 1);
        }
    }

    private void walk(SecureDirectoryStream<Path> folder, @Nullable Path path, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new FileSystemException(String.valueOf(path), null, "folder is deeper than " + MAX_DEPTH);
        }
        for (Path name : names(folder)) {
            PosixFileAttributes attributes;
            try {
                attributes = folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
            } catch (NoSuchFileException e) {
                continue; // gone meanwhile
            }
            Entry entry = new Entry(folder, name, path == null ? name : path.resolve(name), attributes);
            if (!attributes.isDirectory()) {
                visitor.visit(entry);
            } else if (visitor.enter(entry)) {
                try (SecureDirectoryStream<Path> inner = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    walk(inner, entry.path(), depth + 1);
                }
                visitor.leave(entry);
            }
        }
    }

    private static List<Path> names(SecureDirectoryStream<Path> folder) throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            folder.forEach(entry -> names.add(entry.getFileName()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }
}
