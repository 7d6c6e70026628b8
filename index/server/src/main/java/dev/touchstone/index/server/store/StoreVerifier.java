package dev.touchstone.index.server.store;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.queue.RecordVisitor;
import dev.touchstone.queue.inspect.FolderInUseException;
import dev.touchstone.queue.inspect.FolderReport;
import dev.touchstone.queue.inspect.FoundCursor;
import dev.touchstone.queue.inspect.FoundDamage;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A check of all files of a store that is not open. Changes none of them. Used by one thread. */
public final class StoreVerifier {
    /** Names of damage to the files of the cursor, of which there are two. */
    private static final Set<String> CURSOR_DAMAGES = Set.of("cursor checkpoint", "consumption entry");

    private final StoreFiles files;
    private final StoreProgress progress;
    private final List<String> losses = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private StoreVerifier(StoreFiles files, StoreProgress progress) {
        this.files = files;
        this.progress = progress;
    }

    /**
     * Reads every byte of a store, and applies its log in memory.
     *
     * @param folder path of the folder
     * @param progress told of each file and of each batch that was applied
     * @return report
     * @throws java.nio.file.NoSuchFileException if the folder holds no store
     * @throws StoreInUseException if the store is open
     * @throws IOException if a file cannot be read
     */
    public static StoreReport verify(Path folder, StoreProgress progress) throws IOException {
        StoreFiles files = new StoreFiles(folder);
        if (!files.isStore() && !Files.isDirectory(files.log())) {
            files.requireStore();
        }
        return new StoreVerifier(files, progress).run();
    }

    private StoreReport run() throws IOException {
        FolderReport log = log();
        PriceIndex snapshot = snapshot();
        if (snapshot == null) {
            losses.add("lost: all prices of the snapshot; put it back from a copy, the log goes on from there");
            return new StoreReport(false, 0, 0, 0, 0, 0, losses, problems, false, false);
        }
        if (log == null) {
            losses.add("lost: all batches behind the snapshot");
            return report(snapshot, 0, 0, snapshot, false);
        }
        long first = log.cursors().stream()
                .filter(cursor -> cursor.name().isEmpty())
                .mapToLong(FoundCursor::floor)
                .findFirst()
                .orElse(1);
        Replay.Result found = new Replay(snapshot).run(this::visit, first, log.nextSequence(), progress);
        found.losses().forEach(loss -> losses.add(loss.toString()));
        problems.addAll(found.problems());
        for (FoundDamage damage : log.damages()) {
            problems.add("damage: file=" + damage.file() + " offset=" + damage.offset() + " " + damage.what()
                    + " expected=" + damage.expected() + " got=" + damage.got()
                    + (damage.harmless() ? "; harmless" : ""));
        }
        boolean opens = losses.isEmpty() && !isRefused(log.damages());
        return report(snapshot, found.entries(), found.bytes(), found.index(), opens);
    }

    /**
     * Returns whether an open refuses the log. The entries in damaged records are judged by the replay. Of the two checkpoints one that is whole is enough,
     * and what a damaged entry of it says of removals is known from the versions.
     */
    private static boolean isRefused(List<FoundDamage> damages) {
        return damages.stream()
                .anyMatch(damage -> !damage.harmless()
                        && !damage.what().startsWith("record")
                        && !CURSOR_DAMAGES.contains(damage.what()));
    }

    private StoreReport report(PriceIndex snapshot, int entries, long bytes, PriceIndex last, boolean opens) {
        return new StoreReport(
                true,
                snapshot.version(),
                entries,
                bytes,
                last.version(),
                last.stats().prices(),
                losses,
                problems,
                opens,
                true);
    }

    private @Nullable FolderReport log() throws IOException {
        if (!Files.isDirectory(files.log(), LinkOption.NOFOLLOW_LINKS)) {
            problems.add("log is missing, or no folder: folder=" + files.log());
            return null;
        }
        try {
            long[] read = new long[1];
            return new QueueFolder(files.log()).verify(file -> progress.at("read log files", ++read[0], 0));
        } catch (FolderInUseException e) {
            throw new StoreInUseException(
                    "store is in use: folder=" + files.folder() + ": " + e.getMessage()
                            + "; stop the process that serves it",
                    e);
        }
    }

    private @Nullable PriceIndex snapshot() throws IOException {
        if (!Files.isRegularFile(files.snapshot(), LinkOption.NOFOLLOW_LINKS)) {
            problems.add("snapshot is missing, or no regular file: file=" + files.snapshot());
            return null;
        }
        try {
            return PriceIndex.map(files.snapshot());
        } catch (CorruptIndexException e) {
            problems.add("snapshot is damaged: file=" + files.snapshot() + ": " + e.getMessage());
            return null;
        }
    }

    private void visit(RecordVisitor visitor) throws IOException {
        new QueueFolder(files.log()).visitAtRest(0, "", new QueueFolder.LogVisitor() {
            @Override
            public boolean element(long sequence, long notBeforeMillis, byte[] element) {
                return visitor.visit(sequence, ByteBuffer.wrap(element));
            }

            @Override
            public void consumed(long cursor, long first, long end) {
                // the report has it
            }

            @Override
            public void attempted(long cursor, long sequence, int deliveries, long notBeforeMillis) {
                // nothing is handed out
            }

            @Override
            public void damaged(FoundDamage damage) {
                // the report has it
            }
        });
    }
}
