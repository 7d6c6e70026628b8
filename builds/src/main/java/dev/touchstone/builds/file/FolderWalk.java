package dev.touchstone.builds.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a folder that others may write meanwhile. Each step is made from the open folder before it and follows no link, so that nothing outside is
 * ever seen. The walk has a thread of its own, which is left behind if something has become a named pipe: opening one may never end. For one thread.
 */
public final class FolderWalk {
    /*
     * Who calls:  the thread of the walk everything but `await`, which is the caller's.
     * Invariants: `opening` is what the walk opens at the moment, since `openingNanos`; the visitor is told nothing more when the caller's call has ended.
     * Failure:    a thread that is left behind ends when somebody opens the pipe, or with the process.
     */
    private static final int MAX_DEPTH = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long QUIET_MILLIS = 10;
    private static final int HEAP_SHIFT = 10; // a name takes up to 100 bytes in most folders
    private static final int MAX_NAMES =
            (int) Math.min(1_000_000, Runtime.getRuntime().maxMemory() >> HEAP_SHIFT);

    private final Visitor visitor;
    private final int maxNames;

    @GuardedBy("this")
    private @Nullable Path opening;

    @GuardedBy("this")
    private long openingNanos;

    @GuardedBy("this")
    private boolean isLeft;

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
    public final class Entry {
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

        /** Opens the file for reading, unless it has become a link or a pipe; the caller closes it. */
        public SeekableByteChannel open() throws IOException {
            SeekableByteChannel file = FolderWalk.this.open(
                    path, () -> in.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
            try {
                return file.position(0); // which no pipe has: reading one may never end
            } catch (IOException e) {
                file.close();
                throw new FileSystemException(path.toString(), null, "is no plain file any more: " + e.getMessage());
            }
        }
    }

    private interface Opener<T> {
        T open() throws IOException;
    }

    FolderWalk(Visitor visitor, int maxNames) {
        this.visitor = visitor;
        this.maxNames = maxNames;
    }

    /**
     * Walks a folder.
     *
     * @param trusted folder above it, whose own path may lead through links; not null
     * @param below relative path from there to the folder, which may lead through none; not null
     * @param visitor told what there is; not null
     * @throws NoSuchFileException if there is no such folder
     * @throws IOException if a folder cannot be read, or has more entries than there is memory for, if a step is a link or a pipe, or the visitor fails
     */
    public static void walk(Path trusted, Path below, Visitor visitor) throws IOException {
        new FolderWalk(visitor, MAX_NAMES).walk(trusted, below, PATIENCE);
    }

    /** Walks a folder on a thread that may be left behind after a time between one and two patiences. */
    void walk(Path trusted, Path below, Duration patience) throws IOException {
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(trusted)) {
                descend(secure(stream, trusted), below, 0);
            }
            return null;
        });
        Thread thread = new Thread(task, "builds-walk");
        thread.setDaemon(true);
        thread.start();
        await(task, thread, patience);
    }

    private void await(FutureTask<@Nullable Void> task, Thread thread, Duration patience) throws IOException {
        try {
            while (!task.isDone()) {
                try {
                    task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    leaveIfStuck(patience);
                }
            }
            task.get();
        } catch (InterruptedException e) {
            leave();
            thread.interrupt(); // what the visitor reads or writes at the moment fails
            awaitQuiet(task);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a folder was read");
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        }
    }

    /** Waits, whoever interrupts, until the walk has ended or opens something, behind which it tells the visitor nothing more. */
    private void awaitQuiet(FutureTask<@Nullable Void> task) {
        while (!task.isDone() && !isOpening()) {
            try {
                task.get(QUIET_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | InterruptedException | ExecutionException e) {
                // looks again; how it ended is nobody's concern any more
            }
        }
    }

    private static IOException thrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException exception) {
            throw exception;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException exception ? exception : new IOException(cause);
    }

    private synchronized void leaveIfStuck(Duration patience) throws IOException {
        if (opening != null && System.nanoTime() - openingNanos > patience.toNanos()) {
            isLeft = true;
            throw new FileSystemException(
                    opening.toString(), null, "cannot be opened within " + patience + "; it may have become a pipe");
        }
    }

    private synchronized void leave() {
        isLeft = true;
    }

    private <T extends Closeable> T open(Path path, Opener<T> opener) throws IOException {
        begin(path);
        T opened;
        try {
            opened = opener.open();
        } finally {
            end();
        }
        try {
            checkNotLeft();
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void checkNotLeft() throws IOException {
        if (isLeft()) {
            throw new InterruptedIOException("folder is not read any more: its reader has given up");
        }
    }

    private synchronized void begin(Path path) {
        opening = path;
        openingNanos = System.nanoTime();
    }

    private synchronized void end() {
        opening = null;
    }

    private synchronized boolean isOpening() {
        return opening != null;
    }

    private synchronized boolean isLeft() {
        return isLeft;
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
        Path name = steps.getName(step);
        if (!attributes(from, name).isDirectory()) {
            // a pipe would have to be opened to find that out
            throw new FileSystemException(steps.toString(), null, "is no folder: name=" + name);
        }
        try (SecureDirectoryStream<Path> next = folder(from, name, name)) {
            descend(next, steps, step + 1);
        }
    }

    private SecureDirectoryStream<Path> folder(SecureDirectoryStream<Path> in, Path name, Path path)
            throws IOException {
        return open(path, () -> in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }

    private static PosixFileAttributes attributes(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private void walk(SecureDirectoryStream<Path> folder, @Nullable Path path, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new FileSystemException(String.valueOf(path), null, "folder is deeper than " + MAX_DEPTH);
        }
        for (Path name : names(folder, path)) {
            checkNotLeft();
            PosixFileAttributes attributes;
            try {
                attributes = attributes(folder, name);
            } catch (NoSuchFileException e) {
                continue; // gone meanwhile
            }
            Entry entry = new Entry(folder, name, path == null ? name : path.resolve(name), attributes);
            if (!attributes.isDirectory()) {
                visitor.visit(entry);
            } else if (visitor.enter(entry)) {
                try (SecureDirectoryStream<Path> inner = folder(folder, name, entry.path())) {
                    walk(inner, entry.path(), depth + 1);
                }
                visitor.leave(entry);
            }
        }
    }

    private List<Path> names(SecureDirectoryStream<Path> folder, @Nullable Path path) throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            for (Path entry : folder) {
                if (names.size() == maxNames) {
                    throw new FileSystemException(
                            String.valueOf(path), null, "folder has more entries than most=" + maxNames);
                }
                names.add(entry.getFileName());
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }
}
