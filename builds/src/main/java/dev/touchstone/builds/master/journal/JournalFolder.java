package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The folders of a journal in the master's folder. Not thread-safe; for one process.
 *
 * <pre>
 *   journal              the queue of events
 *   journal-draft        a new journal that is being written; complete once `journal` is not there
 *   journal-old          a journal that another has replaced, about to be deleted
 *   damaged-journal-N    a damaged journal, kept by a repair
 * </pre>
 */
public final class JournalFolder {
    private static final int SEGMENT_BYTES = 32 << 20;
    private static final int MAX_DAMAGED = 1000;
    private static final int EVENTS_TOGETHER = 256;
    private static final int BYTES_TOGETHER = 1 << 20;

    private final Path root;

    /** Gives the events of a new journal. */
    public interface Events {
        /** Gives each event, in order. */
        void each(Consumer<byte[]> to) throws IOException;
    }

    /**
     * Creates a view of the folders below the master's.
     *
     * @param root the master's folder; not null
     */
    public JournalFolder(Path root) {
        this.root = root;
    }

    /** Returns the master's folder. */
    Path root() {
        return root;
    }

    /** Returns the folder of the journal. */
    public Path path() {
        return root.resolve("journal");
    }

    private Path draft() {
        return root.resolve("journal-draft");
    }

    private Path old() {
        return root.resolve("journal-old");
    }

    static DiskQueue<byte[]> open(Path folder) {
        return DiskQueue.synced().folder(folder).segmentBytes(SEGMENT_BYTES).open();
    }

    /**
     * Ends a replacement that was interrupted.
     *
     * @throws IOException if a folder cannot be renamed or deleted
     */
    public void resume() throws IOException {
        if (!Files.exists(path(), LinkOption.NOFOLLOW_LINKS) && Files.exists(draft(), LinkOption.NOFOLLOW_LINKS)) {
            move(draft(), path());
        }
        delete(draft());
        delete(old());
    }

    /**
     * Writes a new journal, and deletes the one that is there.
     *
     * @param events all events of the new journal; not null
     * @param close closes the journal that is there; not null
     * @throws IOException if a file cannot be written
     */
    void replace(Events events, Runnable close) throws IOException {
        write(events);
        close.run();
        delete(old());
        move(path(), old());
        move(draft(), path());
        delete(old());
    }

    /**
     * Writes a new journal, and keeps the one that is there.
     *
     * @param events all events of the new journal; not null
     * @return folder of the old journal
     * @throws IOException if a file cannot be written
     */
    public Path replaceDamaged(Events events) throws IOException {
        write(events);
        Path kept = damaged();
        move(path(), kept);
        move(draft(), path());
        return kept;
    }

    private Path damaged() throws IOException {
        for (int i = 1; i < MAX_DAMAGED; i++) {
            Path free = root.resolve("damaged-journal-" + i);
            if (!Files.exists(free, LinkOption.NOFOLLOW_LINKS)) {
                return free;
            }
        }
        throw new IOException("too many damaged journals, delete some: folder=" + root);
    }

    private void write(Events events) throws IOException {
        delete(draft());
        try (DiskQueue<byte[]> draft = open(OwnerOnly.folder(draft()))) {
            List<byte[]> together = new ArrayList<>();
            int[] bytes = {0};
            events.each(event -> {
                together.add(event);
                bytes[0] += event.length;
                if (together.size() >= EVENTS_TOGETHER || bytes[0] >= BYTES_TOGETHER) {
                    append(draft, together);
                    bytes[0] = 0;
                }
            });
            append(draft, together);
        }
    }

    private static void append(DiskQueue<byte[]> draft, List<byte[]> events) {
        if (!events.isEmpty() && !draft.offerAll(events)) {
            throw new IllegalStateException("journal takes no events: count=" + events.size());
        }
        events.clear();
    }

    private void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        OwnerOnly.force(root);
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes found) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
