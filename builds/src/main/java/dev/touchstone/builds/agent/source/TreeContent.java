package dev.touchstone.builds.agent.source;

import org.eclipse.jgit.lib.ObjectId;

/**
 * Properties that decide how a commit's tree is brought.
 *
 * @param commit whose tree it is
 * @param attributes the same for trees that have the same {@code .gitattributes} files; empty if there are none
 * @param needsCommand whether only the git command writes all files as they should be: there are attributes, or names that Java cannot write
 * @param submodules whether there are submodules
 * @param largeFiles whether there are files of git-lfs
 */
record TreeContent(ObjectId commit, String attributes, boolean needsCommand, boolean submodules, boolean largeFiles) {}
