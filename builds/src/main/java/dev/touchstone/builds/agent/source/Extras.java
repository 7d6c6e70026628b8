package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** What a tree has beside its files: submodules and large files, which the git command brings. Thread-safe. */
final class Extras {
    private static final int MAX_REMEMBERED = 256;
    private static final int MAX_ATTRIBUTES_BYTES = 1 << 20;

    /** What "git lfs install" would have written; without it the files are fetched and not put into the tree. */
    private static final List<String> LARGE_FILES =
            List.of("-c", "filter.lfs.clean=git-lfs clean -- %f", "-c", "filter.lfs.smudge=git-lfs smudge -- %f");

    private final GitCommand git;
    private final Set<String> schemes;
    private final Map<ObjectId, Found> remembered = new LinkedHashMap<>(16, 0.75f, true);

    /** What a tree has. */
    private record Found(boolean submodules, boolean largeFiles) {}

    Extras(GitCommand git, Set<String> schemes) {
        this.git = git;
        this.schemes = schemes;
    }

    /** Brings them into the tree; returns notes for the log. */
    List<String> bring(Repository mirror, ObjectId commit, Path source, SourceRequest request, StopSignal stop)
            throws IOException, StoppedException {
        Found found = find(mirror, commit);
        List<String> notes = new ArrayList<>();
        if (found.submodules()) {
            checkSubmodules(mirror, commit);
            git.run(source, List.of("submodule", "--quiet", "sync", "--recursive"), request.mark(), stop);
            git.run(
                    source,
                    List.of("submodule", "--quiet", "update", "--init", "--recursive", "--force"),
                    request.mark(),
                    stop);
        }
        if (found.largeFiles()) {
            if (git.has("git-lfs")) {
                List<String> words = new ArrayList<>(LARGE_FILES);
                words.addAll(List.of("lfs", "pull", request.repository().text()));
                git.run(source, words, request.mark(), stop);
            } else {
                notes.add("---> git-lfs is not installed: large files stay pointers");
            }
        }
        return notes;
    }

    private Found find(Repository mirror, ObjectId commit) throws IOException {
        synchronized (remembered) {
            Found known = remembered.get(commit);
            if (known != null) {
                return known;
            }
        }
        Found found = look(mirror, commit);
        synchronized (remembered) {
            remembered.put(commit.copy(), found);
            if (remembered.size() > MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
        return found;
    }

    private static Found look(Repository mirror, ObjectId commit) throws IOException {
        boolean submodules = false;
        boolean largeFiles = false;
        try (RevWalk commits = new RevWalk(mirror);
                TreeWalk walk = new TreeWalk(mirror)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                submodules |= FileMode.GITLINK.equals(walk.getRawMode(0));
                largeFiles = largeFiles
                        || (walk.getNameString().equals(Constants.DOT_GIT_ATTRIBUTES)
                                && saysLargeFiles(mirror.open(walk.getObjectId(0))));
            }
        }
        return new Found(submodules, largeFiles);
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
