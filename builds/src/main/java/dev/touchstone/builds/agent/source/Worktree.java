package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheCheckout;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/**
 * A tree of a mirror's, linked to it as {@code git worktree add} would: the tree has a file that names a folder in the mirror, which has the
 * index, the commit and the way back. One thread at a time; whoever has the workspace.
 */
final class Worktree {
    /** Where a repository keeps what belongs to its worktrees. */
    static final String ADMIN_FOLDER = "worktrees";

    private static final String INDEX = "index";

    private final Path mirror;
    private final Path source;
    private final Path admin;
    private final Folders folders;

    /** @param name of the worktree, no other's in the mirror */
    Worktree(Path mirror, Path source, String name, Folders folders) {
        this.mirror = mirror;
        this.source = source;
        this.admin = mirror.resolve(ADMIN_FOLDER).resolve(name);
        this.folders = folders;
    }

    /**
     * What a tree was made.
     *
     * @param at when, as {@link Folders#changed} tells it
     */
    record Made(ObjectId commit, FileTime at) {}

    /**
     * Makes the tree the commit's, whatever was there.
     *
     * @param objects the mirror, open
     * @param before what the last call for this tree gave; null if there was none, or it failed
     * @return for the next call; null if the file system does not tell it
     */
    @Nullable
    Made checkOut(Repository objects, ObjectId commit, @Nullable Made before, StopSignal stop) throws IOException {
        link(commit);
        boolean tellsChanges = Folders.tellsChanges(source);
        if (before == null && tellsChanges) {
            Files.deleteIfExists(admin.resolve(INDEX)); // nobody knows what was done to the tree
        }
        try (Repository repository = WorktreeRepository.of(objects, admin, source);
                RevWalk walk = new RevWalk(repository)) {
            if (before != null && before.commit().equals(commit) && isUntouched(repository, before.at())) {
                return before;
            }
            PointerFilter.use(repository.getConfig());
            DirCache index = repository.lockDirCache();
            try {
                new Cleaner(folders, index, before == null ? null : before.at()).clean(source);
                DirCacheCheckout checkout = new DirCacheCheckout(
                        repository, index, walk.parseCommit(commit).getTree());
                checkout.setFailOnConflict(false);
                checkout.setProgressMonitor(new StopMonitor(stop));
                checkout.checkout();
            } finally {
                index.unlock();
            }
        }
        return tellsChanges ? new Made(commit, stamp(admin.resolve(Constants.HEAD))) : null;
    }

    /**
     * A moment that no change so far is behind; what is changed from now on is changed then or later. Linux counts changes in ticks of some milliseconds,
     * but finer behind one that somebody has looked at.
     */
    private static FileTime stamp(Path file) throws IOException {
        FileTime at = FileTime.from(Instant.now());
        Files.setLastModifiedTime(file, at);
        FileTime unused = Folders.changed(file);
        Files.setLastModifiedTime(file, at);
        return Folders.changed(file);
    }

    /** Whether the tree is what it was made; what is in it besides is gone then too. */
    private boolean isUntouched(Repository repository, FileTime made) throws IOException {
        Path index = admin.resolve(INDEX);
        return Folders.exists(index)
                && Folders.changed(index).compareTo(made) < 0
                && new Cleaner(folders, repository.readDirCache(), made).clean(source);
    }

    /** Removes the tree and what the mirror knows of it. */
    void delete() throws IOException {
        folders.delete(source);
        folders.delete(admin);
    }

    /** Writes what links tree and mirror, over whatever a script has made of it. */
    private void link(ObjectId commit) throws IOException {
        folders.make(source);
        folders.make(mirror.resolve(ADMIN_FOLDER));
        folders.make(admin);
        Files.deleteIfExists(admin.resolve("index.lock")); // of a git that was killed
        Files.deleteIfExists(admin.resolve("HEAD.lock"));
        ensure(admin.resolve("commondir"), "../..\n");
        ensure(admin.resolve("gitdir"), source.resolve(Constants.DOT_GIT) + "\n");
        ensure(source.resolve(Constants.DOT_GIT), "gitdir: " + admin + "\n");
        ensure(admin.resolve(Constants.HEAD), commit.name() + "\n");
    }

    private void ensure(Path file, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == bytes.length;
        if (!plain || !Files.readString(file).equals(content)) {
            folders.delete(file);
            Files.write(file, bytes);
        }
    }
}
