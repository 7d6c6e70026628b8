package dev.touchstone.builds.agent.source;

import java.util.List;
import org.eclipse.jgit.lib.ObjectId;

/**
 * Properties that decide how a commit's tree is brought. Immutable.
 *
 * @param commit whose tree it is
 * @param attributes the same for trees that have the same {@code .gitattributes} files; empty if there are none
 * @param needsCommand whether only the git command writes all files as they should be: there are attributes, or names that Java cannot write
 * @param submodules the submodules that are to be brought, in the order of the tree
 * @param largeFiles whether there are files of git-lfs
 */
record TreeContent(
        ObjectId commit, String attributes, boolean needsCommand, List<Submodule> submodules, boolean largeFiles) {
    TreeContent {
        submodules = List.copyOf(submodules);
    }

    /**
     * A submodule as the tree and its {@code .gitmodules} have it, which anybody may have written: nothing is checked.
     *
     * @param name by which git keeps its repository; empty if {@code .gitmodules} does not have it
     * @param url of its repository, which may be relative to that of the tree; empty if {@code .gitmodules} does not have it
     */
    record Submodule(String path, String name, String url, ObjectId commit) {}
}
