package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.Names;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import dev.touchstone.builds.agent.source.name.ScriptPath;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.BlobBasedConfig;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/** Finds out what a tree has besides plain files, and has the git command bring submodules and large files. Thread-safe. */
final class Extras {
    private static final int MAX_REMEMBERED = 256;
    private static final int MAX_ATTRIBUTES_BYTES = 1 << 20;

    /** Encoding in which this JVM writes names of files. */
    private static final Charset FILE_NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "US-ASCII"));

    private static final List<String> UPDATE_SUBMODULES =
            List.of("submodule", "--quiet", "update", "--init", "--recursive", "--force", "--checkout");

    /** Options that "git lfs install" would have written; without it the files are fetched and not put into the tree. */
    private static final List<String> LARGE_FILES =
            List.of("-c", "filter.lfs.clean=git-lfs clean -- %f", "-c", "filter.lfs.smudge=git-lfs smudge -- %f");

    private final GitCommand git;
    private final Set<String> schemes;
    private final Map<ObjectId, TreeContent> remembered = new LinkedHashMap<>(16, 0.75f, true);

    Extras(GitCommand git, Set<String> schemes) {
        this.git = git;
        this.schemes = schemes;
    }

    /** Brings submodules and large files into the tree of {@code content}; returns notes for the log. */
    List<String> bring(Repository mirror, TreeContent content, BuildTree tree, SourceRequest request, StopSignal stop)
            throws IOException, StoppedException {
        List<String> notes = new ArrayList<>();
        if (content.submodules()) {
            checkSubmodules(mirror, content.commit());
            git.run(tree.place(), UPDATE_SUBMODULES, request.mark(), stop);
        }
        if (content.largeFiles()) {
            if (git.has("git-lfs")) {
                List<String> words = new ArrayList<>(LARGE_FILES);
                words.addAll(List.of("lfs", "pull", request.repository().text()));
                git.run(tree.place(), words, request.mark(), stop);
            } else {
                notes.add("---> git-lfs is not installed: large files stay pointers");
            }
        }
        return notes;
    }

    /** Looks at a commit's tree, or remembers what it has. */
    TreeContent look(Repository mirror, ObjectId commit) throws IOException {
        synchronized (remembered) {
            TreeContent known = remembered.get(commit);
            if (known != null) {
                return known;
            }
        }
        TreeContent found = read(mirror, commit);
        synchronized (remembered) {
            remembered.put(found.commit(), found);
            if (remembered.size() > MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
        return found;
    }

    private static TreeContent read(Repository mirror, ObjectId commit) throws IOException {
        boolean submodules = false;
        boolean largeFiles = false;
        boolean needsCommand = false;
        StringBuilder attributes = new StringBuilder();
        try (RevWalk commits = new RevWalk(mirror);
                TreeWalk walk = new TreeWalk(mirror)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                submodules |= FileMode.GITLINK.equals(walk.getRawMode(0));
                needsCommand = needsCommand || !isWritable(walk.getRawPath());
                if (walk.getNameString().equals(Constants.DOT_GIT_ATTRIBUTES)) {
                    ObjectId blob = walk.getObjectId(0);
                    attributes
                            .append(blob.name())
                            .append(' ')
                            .append(walk.getPathString())
                            .append('\n');
                    largeFiles |= saysLargeFiles(mirror.open(blob));
                }
            }
        }
        boolean command = needsCommand || !attributes.isEmpty();
        String digest = attributes.isEmpty() ? "" : Names.folder(attributes.toString());
        return new TreeContent(commit.copy(), digest, command, submodules, largeFiles);
    }

    /** Returns whether Java can give a file this name, byte by byte. */
    private static boolean isWritable(byte[] path) {
        return Arrays.equals(new String(path, FILE_NAMES).getBytes(FILE_NAMES), path);
    }

    private static boolean saysLargeFiles(ObjectLoader attributes) throws IOException {
        return attributes.getSize() <= MAX_ATTRIBUTES_BYTES
                && new String(attributes.getBytes(MAX_ATTRIBUTES_BYTES), StandardCharsets.UTF_8).contains("filter=lfs");
    }

    /** Refuses what git must not see; what submodules have of their own, git checks by the list of schemes that it is given. */
    private void checkSubmodules(Repository mirror, ObjectId commit) throws IOException {
        try (RevWalk walk = new RevWalk(mirror)) {
            RevCommit parsed = walk.parseCommit(commit);
            Config modules = new BlobBasedConfig(null, mirror, parsed, Constants.DOT_GIT_MODULES);
            for (String name : modules.getSubsections("submodule")) {
                checkName(name);
                String url = modules.getString("submodule", name, "url");
                String path = modules.getString("submodule", name, "path");
                if (path != null) {
                    ScriptPath.parse(path);
                }
                if (url != null && !url.startsWith("./") && !url.startsWith("../")) {
                    RepositoryUrl.parse(url, schemes);
                }
            }
        } catch (java.io.FileNotFoundException e) {
            throw new SourceException(
                    SourceException.Step.VCS, "commit=" + commit.name() + " has submodules but no .gitmodules", e);
        } catch (ConfigInvalidException e) {
            throw new SourceException(
                    SourceException.Step.VCS, ".gitmodules of commit=" + commit.name() + " cannot be read", e);
        }
    }

    private static void checkName(String name) {
        for (String step : name.split("[/\\\\]", -1)) {
            if (step.equals("..") || step.startsWith("-")) {
                throw new SourceRefusedException(
                        "submodule", name, "has a step of '..', or one that begins with a dash");
            }
        }
    }
}
