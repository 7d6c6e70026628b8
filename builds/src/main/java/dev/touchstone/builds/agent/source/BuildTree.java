package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheCheckout;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a build, with a repository of the build's own in its {@code .git} folder. The index by which the agent knows what it wrote is a file
 * beside the workspace; the build gets a copy. One thread at a time: the one that has the workspace.
 */
final class BuildTree {
    private final Path source;
    private final Path index;
    private final BuildRepository repository;
    private final Folders folders;
    private final GitCommand git;

    /**
     * Makes the tree of a workspace, without touching it.
     *
     * @param workspace folder of the repository and branch
     */
    BuildTree(Path workspace, Folders folders, GitCommand git) {
        this.source = workspace.resolve("src");
        this.index = workspace.resolveSibling(workspace.getFileName() + ".index");
        this.repository = new BuildRepository(source.resolve(Constants.DOT_GIT), folders);
        this.folders = folders;
        this.git = git;
    }

    /**
     * The state in which a tree was left by a checkout.
     *
     * @param content of the tree
     * @param at when, as {@link Folders#changed} tells it
     */
    record Made(TreeContent content, FileTime at) {}

    /**
     * Makes the tree the commit's, whatever was there.
     *
     * @param mirror the mirror, open and fetched into
     * @param content of the commit
     * @param before result of the last call for this tree; null if there was none, or it failed
     * @return for the next call; null if the file system does not tell when files were changed
     */
    @Nullable
    Made checkOut(Mirror mirror, SourceRequest request, TreeContent content, @Nullable Made before, StopSignal stop)
            throws IOException, StoppedException {
        folders.make(source);
        String commit = content.commit().name();
        repository.restore(request.repository(), request.branch(), commit, mirror.folder(), mirror.refs());
        folders.delete(lockOfIndex()); // of a git that was killed
        boolean tellsChanges = Folders.tellsChanges(source);
        Made known = before != null && isOurs(before, content) ? before : null;
        if (known == null && tellsChanges) {
            folders.delete(index); // nobody knows what was done to the tree
        }
        try (Repository view = OwnRepository.of(mirror.repository(), source, index)) {
            boolean untouched = known != null
                    && known.content().commit().equals(content.commit())
                    && new Cleaner(folders, view.readDirCache(), known.at()).clean(source);
            if (!untouched) {
                write(view, content, known == null ? null : known.at(), request.mark(), stop);
            }
            repository.copyIndex(index);
            if (untouched) {
                return known;
            }
        }
        return tellsChanges ? new Made(content, stamp(source.resolve(".git/HEAD"))) : null;
    }

    /** Returns where commands work on the tree with the build's own copy of the index. */
    GitCommand.Place place() {
        return new GitCommand.Place(repository.folder(), source, null);
    }

    Path source() {
        return source;
    }

    /** Removes the tree and the index. */
    void delete() throws IOException {
        folders.delete(source);
        folders.delete(index);
    }

    /** Returns whether the index is as the last checkout left it, with the attributes of this commit. */
    private boolean isOurs(Made before, TreeContent content) throws IOException {
        return Folders.exists(index)
                && Folders.changed(index).compareTo(before.at()) < 0
                && before.content().attributes().equals(content.attributes());
    }

    /** Writes with JGit, which starts no process, unless only git itself writes such files as they should be. */
    private void write(
            Repository view, TreeContent content, @Nullable FileTime checkedOut, String mark, StopSignal stop)
            throws IOException, StoppedException {
        if (content.needsCommand()) {
            new Cleaner(folders, view.readDirCache(), checkedOut).clean(source);
            List<String> words =
                    List.of("read-tree", "--reset", "-u", content.commit().name());
            try {
                git.run(new GitCommand.Place(repository.folder(), source, index), words, mark, stop);
            } catch (SourceException e) {
                if (e.step() == SourceException.Step.PULL) {
                    throw new IOException(e.getMessage(), e); // the tree or the mirror may be the reason
                }
                throw e;
            }
            return;
        }
        try (RevWalk walk = new RevWalk(view)) {
            DirCache locked = view.lockDirCache();
            try {
                new Cleaner(folders, locked, checkedOut).clean(source);
                DirCacheCheckout checkout = new DirCacheCheckout(
                        view, locked, walk.parseCommit(content.commit()).getTree());
                checkout.setFailOnConflict(false);
                checkout.setProgressMonitor(new StopMonitor(stop));
                checkout.checkout();
            } finally {
                locked.unlock();
            }
        }
    }

    private Path lockOfIndex() {
        return index.resolveSibling(index.getFileName() + ".lock");
    }

    /**
     * Returns a moment that no change so far is behind; what is changed from now on is changed then or later. Linux counts changes in ticks of some
     * milliseconds, but finer behind one that somebody has looked at.
     */
    private static FileTime stamp(Path file) throws IOException {
        FileTime at = FileTime.from(Instant.now());
        Files.setLastModifiedTime(file, at);
        FileTime unused = Folders.changed(file);
        Files.setLastModifiedTime(file, at);
        return Folders.changed(file);
    }
}
