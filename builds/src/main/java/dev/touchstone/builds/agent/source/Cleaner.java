package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * Removes from a tree all that its index does not have: ignored files, other repositories and, before a checkout could write through
 * them, links in the place of folders. The trees of submodules go too; they are brought back from their own repositories.
 */
final class Cleaner {
    private static final int MAX_DEPTH = 1_000;

    private final Folders folders;
    private final DirCache index;
    private final @Nullable FileTime checkedOut;
    private int kept;

    /**
     * Makes a cleaner for one tree.
     *
     * @param checkedOut when the last checkout was done; files that were changed since then go too, whatever length and time of
     *     modification they pretend; null where that cannot be told
     */
    Cleaner(Folders folders, DirCache index, @Nullable FileTime checkedOut) {
        this.folders = folders;
        this.index = index;
        this.checkedOut = checkedOut;
    }

    /** Cleans a tree, and returns whether all that the index has is left. */
    boolean clean(Path tree) throws IOException {
        clean(tree, "", 0);
        return kept == index.getEntryCount();
    }

    private void clean(Path folder, String prefix, int depth) throws IOException {
        Folders.forEach(folder, entry -> clean(entry, entry.getFileName().toString(), prefix, depth));
    }

    private void clean(Path entry, String name, String prefix, int depth) throws IOException {
        if (depth == 0 && name.equals(Constants.DOT_GIT)) {
            return; // ours; BuildRepository sees to it
        }
        String path = prefix + name;
        boolean isFolder = Folders.isFolder(entry);
        if (isFolder && depth < MAX_DEPTH && hasEntriesIn(path)) {
            clean(entry, path + "/", depth + 1);
        } else if (isFolder || !hasFile(path) || wasChanged(entry)) {
            folders.delete(entry);
        } else {
            kept++;
        }
    }

    private boolean wasChanged(Path file) throws IOException {
        return checkedOut != null && Folders.changed(file).compareTo(checkedOut) >= 0;
    }

    private boolean hasFile(String path) {
        DirCacheEntry entry = index.getEntry(path);
        return entry != null && !FileMode.GITLINK.equals(entry.getRawMode());
    }

    private boolean hasEntriesIn(String path) {
        int at = index.findEntry(path + "/");
        int next = at < 0 ? -(at + 1) : at;
        return next < index.getEntryCount()
                && index.getEntry(next).getPathString().startsWith(path + "/");
    }
}
