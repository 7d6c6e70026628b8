package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.source.name.BranchName;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jgit.lib.Constants;

/**
 * The {@code .git} folder of a build's tree: a repository of the build's own, which borrows the mirror's objects. It looks like a fresh clone of
 * the branch, with the remote {@code origin}. {@link #restore} removes everything else from it, so that what a script has written there ends with
 * its build. One thread at a time: the one that has the workspace.
 */
final class BuildRepository {
    private static final Set<String> KEPT =
            Set.of(Constants.HEAD, Constants.CONFIG, Constants.PACKED_REFS, "index", "objects", "refs");

    private final Path folder;
    private final Folders folders;

    BuildRepository(Path folder, Folders folders) {
        this.folder = folder;
        this.folders = folders;
    }

    Path folder() {
        return folder;
    }

    /**
     * Writes the folder as a clone would have it, and removes what a clone would not have. Files that are as they should be stay untouched.
     *
     * @param mirror folder of the mirror
     * @param refs references of the remote repository
     */
    void restore(RepositoryUrl url, BranchName branch, String commit, Path mirror, RemoteRefs refs) throws IOException {
        folders.make(folder);
        Folders.forEach(folder, entry -> {
            if (!KEPT.contains(entry.getFileName().toString())) {
                folders.delete(entry);
            }
        });
        Path objects = folder.resolve("objects");
        folders.make(objects);
        keepOnly(objects, "info");
        folders.make(objects.resolve("info"));
        keepOnly(objects.resolve("info"), "alternates");
        folders.make(folder.resolve("refs"));
        keepOnly(folder.resolve("refs"), "");
        folders.ensure(objects.resolve("info/alternates"), mirror.resolve("objects") + "\n");
        folders.ensure(folder.resolve(Constants.CONFIG), config(url, branch));
        folders.ensure(folder.resolve(Constants.PACKED_REFS), refs.packed(branch, commit));
        folders.ensure(folder.resolve(Constants.HEAD), "ref: " + branch.ref() + "\n");
    }

    /** Gives the build a copy of the agent's index, which the agent itself never reads again. */
    void copyIndex(Path index) throws IOException {
        Path copy = folder.resolve("index");
        boolean same = Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)
                && Files.isReadable(copy)
                && Files.mismatch(copy, index) < 0;
        if (!same) {
            folders.delete(copy);
            Files.copy(index, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private void keepOnly(Path parent, String name) throws IOException {
        Folders.forEach(parent, entry -> {
            if (!entry.getFileName().toString().equals(name)) {
                folders.delete(entry);
            }
        });
    }

    private static String config(RepositoryUrl url, BranchName branch) {
        String quoted = branch.name().replace("\\", "\\\\").replace("\"", "\\\"");
        return String.format(
                Locale.ROOT,
                """
                [core]
                \trepositoryformatversion = 0
                \tfilemode = true
                \tbare = false
                \tlogallrefupdates = true
                [remote "origin"]
                \turl = "%s"
                \tfetch = +refs/heads/*:refs/remotes/origin/*
                [branch "%s"]
                \tremote = origin
                \tmerge = "%s"
                [gc]
                \tauto = 0
                """,
                url.text().replace("\\", "\\\\").replace("\"", "\\\""),
                quoted,
                branch.ref().replace("\"", "\\\""));
    }
}
