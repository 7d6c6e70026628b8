package dev.touchstone.index.server.store;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.queue.Damage;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The repair of a store whose log is damaged. Stateless. */
public final class StoreRepair {
    private StoreRepair() {}

    /**
     * Makes a damaged store one that opens: applies all entries of the log that can be read, and writes a snapshot. A copy of the log is kept in a
     * folder {@code damaged-log-N} beside it. The versions that are lost count as ones without changes.
     *
     * @param folder path of the folder
     * @param progress told of each batch that was applied
     * @return descriptions of what is lost; empty if nothing is, and then nothing was changed but what opening the log changes
     * @throws StoreDamagedException if the snapshot cannot be read
     * @throws StoreException if the folder is in use, or the log cannot be opened
     * @throws IOException if a file cannot be read or written
     */
    public static List<String> run(Path folder, StoreProgress progress) throws IOException {
        StoreFiles files = new StoreFiles(folder);
        if (!files.isStore()) {
            files.requireStore();
        }
        files.requireSnapshot();
        files.checkSnapshot(); // before anything is changed
        List<String> damages = new ArrayList<>();
        boolean hadLog = files.hasLog();
        int setAside = hadLog ? files.setAside() : 0;
        try (DiskQueue<byte[]> log = files.openLog(damage -> {
            damages.add(damage.what() + " of " + damage.file() + " at offset=" + damage.offset());
            return Damage.Decision.SKIP;
        })) {
            PriceIndex snapshot = files.readSnapshot(false);
            Replay.Result found = Replay.of(log, snapshot, progress);
            List<String> lost = new ArrayList<>();
            if (!hadLog) {
                lost.add("lost: all batches behind the snapshot; the log was missing");
            }
            int unreadable = files.setAside() - setAside;
            if (unreadable > 0) {
                lost.add("lost: entries of log files that cannot be read: files=" + unreadable
                        + "; they were kept under other names: folder=" + files.log());
            }
            found.losses().forEach(loss -> lost.add(loss.toString()));
            if (lost.isEmpty()) {
                return lost;
            }
            lost.addAll(found.problems());
            lost.addAll(damages.stream().distinct().toList());
            if (!found.losses().isEmpty()) {
                Path copy = files.copyLog();
                found.index().write(files.snapshot(), files.fileAttributes());
                log.clear();
                lost.add("the damaged log was copied: folder=" + copy);
            }
            return lost;
        } catch (QueueException e) {
            throw files.failure(e);
        }
    }
}
