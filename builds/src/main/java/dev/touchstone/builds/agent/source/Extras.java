package dev.touchstone.builds.agent.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.Names;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** Finds out what a tree has besides plain files, and has the git command bring large files. Thread-safe. */
final class Extras {
    /*
     * Who calls:  executors.
     * Invariants: a commit's tree never changes: it is read without the lock, and two threads may do so at once.
     */
    private static final int MAX_REMEMBERED = 256;
    private static final int MAX_ATTRIBUTES_BYTES = 1 << 20;

    /** Encoding in which this JVM writes names of files. */
    private static final Charset FILE_NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "US-ASCII"));

    /** Options that "git lfs install" would have written; without it the files are fetched and not put into the tree. */
    private static final List<String> LARGE_FILES =
            List.of("-c", "filter.lfs.clean=git-lfs clean -- %f", "-c", "filter.lfs.smudge=git-lfs smudge -- %f");

    private final GitCommand git;

    @GuardedBy("this")
    private final Map<ObjectId, TreeContent> remembered = new LinkedHashMap<>(16, 0.75f, true); // by commit

    Extras(GitCommand git) {
        this.git = git;
    }

    /** Brings large files into the tree of {@code content}; returns notes for the log. */
    List<String> bring(TreeContent content, BuildTree tree, SourceRequest request, StopSignal stop)
            throws IOException, StoppedException {
        if (!content.largeFiles()) {
            return List.of();
        }
        if (!git.has("git-lfs")) {
            return List.of("---> git-lfs is not installed: large files stay pointers");
        }
        List<String> words = new ArrayList<>(LARGE_FILES);
        words.addAll(List.of("lfs", "pull", request.repository().text()));
        git.run(tree.place(), words, request.mark(), stop);
        return List.of();
    }

    /** Looks at a commit's tree, or remembers what it has. */
    TreeContent look(Repository mirror, ObjectId commit) throws IOException {
        synchronized (this) {
            TreeContent known = remembered.get(commit);
            if (known != null) {
                return known;
            }
        }
        TreeContent found = read(mirror, commit);
        synchronized (this) {
            remembered.put(found.commit(), found);
            if (remembered.size() > MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
        return found;
    }

    private static TreeContent read(Repository mirror, ObjectId commit) throws IOException {
        Map<String, ObjectId> links = new LinkedHashMap<>(); // by path
        boolean largeFiles = false;
        boolean needsCommand = false;
        StringBuilder attributes = new StringBuilder();
        List<TreeContent.Submodule> submodules = List.of();
        try (RevWalk commits = new RevWalk(mirror);
                TreeWalk walk = new TreeWalk(mirror)) {
            RevCommit parsed = commits.parseCommit(commit);
            walk.addTree(parsed.getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                if (FileMode.GITLINK.equals(walk.getRawMode(0))) {
                    links.put(walk.getPathString(), walk.getObjectId(0));
                }
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
            if (!links.isEmpty()) {
                submodules = submodules(mirror, parsed, links);
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

    /** Returns the submodules of a commit; refuses a {@code .gitmodules} of which git could read another value than this does. */
    private static List<TreeContent.Submodule> submodules(
            Repository mirror, RevCommit commit, Map<String, ObjectId> links) throws IOException {
        Config modules;
        try {
            modules = new BlobBasedConfig(null, mirror, commit, Constants.DOT_GIT_MODULES);
        } catch (FileNotFoundException e) {
            throw new SourceException(
                    SourceException.Step.VCS, "commit=" + commit.name() + " has submodules but no .gitmodules", e);
        } catch (ConfigInvalidException e) {
            throw new SourceException(
                    SourceException.Step.VCS, ".gitmodules of commit=" + commit.name() + " cannot be read", e);
        }
        Map<String, String> names = new HashMap<>(); // by path
        for (String name : modules.getSubsections("submodule")) {
            String path = single(modules, name, "path");
            if (!path.isEmpty() && names.put(path, name) != null) {
                throw new SourceRefusedException("submodule", name, "has the path of another");
            }
        }
        List<TreeContent.Submodule> submodules = new ArrayList<>();
        links.forEach((path, id) -> {
            String name = names.getOrDefault(path, "");
            submodules.add(new TreeContent.Submodule(path, name, single(modules, name, "url"), id));
        });
        return submodules;
    }

    /** Returns the value of a key; empty if there is none. */
    private static String single(Config modules, String name, String key) {
        String[] values = modules.getStringList("submodule", name, key);
        if (values.length > 1) {
            throw new SourceRefusedException("submodule", name, "has more than one " + key);
        }
        return values.length == 0 || values[0] == null ? "" : values[0];
    }
}
