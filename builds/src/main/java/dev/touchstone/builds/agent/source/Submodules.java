package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.CommitId;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import dev.touchstone.builds.agent.source.name.ScriptPath;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Brings the submodules of a tree, and theirs, into it by the git command. Each borrows the objects of a mirror, as the tree does. Names, paths and URLs
 * are those of whoever has written the commit, and each is checked before git or a fetch sees it. Thread-safe.
 */
final class Submodules {
    /** Maximum number of submodules of a tree, theirs included: each may be another mirror. */
    private static final int MAX_SUBMODULES = 1_000;

    private static final List<String> UPDATE =
            List.of("submodule", "--quiet", "update", "--init", "--force", "--checkout");

    private final GitCommand git;
    private final Set<String> schemes;
    private final Extras extras;
    private final Folders folders;

    Submodules(GitCommand git, Set<String> schemes, Extras extras, Folders folders) {
        this.git = git;
        this.schemes = schemes;
        this.extras = extras;
        this.folders = folders;
    }

    /**
     * Brings all submodules. The caller holds no mirror.
     *
     * @param place tree of the commit, with a repository that has no submodules yet
     * @param mirrors returns the mirror of a repository, which stays until the workspace is used again
     * @return the folders of objects that they borrow from
     * @throws SourceRefusedException if a name, path or URL is not one that this agent takes, or there are too many
     */
    List<Path> bring(
            TreeContent content,
            GitCommand.Place place,
            SourceRequest request,
            Function<RepositoryUrl, Mirror> mirrors,
            StopSignal stop)
            throws IOException, StoppedException {
        Run run = new Run(request, mirrors, stop);
        run.bring(content, request.repository().text(), place);
        return List.copyOf(run.objects);
    }

    /** The submodules of one tree. For one thread. */
    private final class Run {
        private final SourceRequest request;
        private final Function<RepositoryUrl, Mirror> mirrors;
        private final StopSignal stop;
        private final Set<Path> objects = new LinkedHashSet<>();
        private int count;

        private Run(SourceRequest request, Function<RepositoryUrl, Mirror> mirrors, StopSignal stop) {
            this.request = request;
            this.mirrors = mirrors;
            this.stop = stop;
        }

        private void bring(TreeContent content, String base, GitCommand.Place place)
                throws IOException, StoppedException {
            for (TreeContent.Submodule submodule : content.submodules()) {
                stop.check();
                count++;
                if (count > MAX_SUBMODULES) {
                    throw new SourceRefusedException(
                            "submodule", submodule.path(), "is one of more than " + MAX_SUBMODULES);
                }
                bring(submodule, base, place);
            }
        }

        private void bring(TreeContent.Submodule submodule, String base, GitCommand.Place place)
                throws IOException, StoppedException {
            RepositoryUrl url = check(submodule, base);
            Path tree = Objects.requireNonNull(place.tree(), "tree").resolve(submodule.path());
            Path repository = place.repository().resolve("modules/" + submodule.name());
            Mirror mirror = mirrors.apply(url);
            SourceRequest wanted = new SourceRequest(
                    url,
                    request.branch(),
                    Optional.of(CommitId.parse(submodule.commit().name())),
                    request.accepted(),
                    request.mark());
            TreeContent inner;
            try {
                mirror.refresh(wanted, stop);
                inner = update(submodule, mirror, wanted, place);
            } catch (SourceRefusedException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                stop.check();
                mirror.renew(wanted, stop, e); // it may be the reason
                folders.delete(tree);
                folders.delete(repository);
                inner = update(submodule, mirror, wanted, place);
            }
            objects.add(mirror.folder().resolve("objects"));
            if (inner != null) {
                bring(inner, url.text(), new GitCommand.Place(repository, tree, null));
            }
        }

        /** Has git make the submodule; returns what its tree has, or null if it is not in the mirror and git has brought all below it too. */
        private @Nullable TreeContent update(
                TreeContent.Submodule submodule, Mirror mirror, SourceRequest wanted, GitCommand.Place place)
                throws IOException, StoppedException {
            mirror.hold();
            try {
                ObjectId commit = submodule.commit();
                TreeContent inner = mirror.has(wanted) ? extras.look(mirror.repository(), commit) : null;
                List<String> words = new ArrayList<>(UPDATE);
                if (inner == null) {
                    words.add("--recursive"); // the remote repository may give a commit that no branch has
                }
                words.addAll(List.of("--reference", mirror.folder().toString(), "--", submodule.path()));
                git.run(place, words, request.mark(), stop);
                return inner;
            } finally {
                mirror.release();
            }
        }
    }

    private RepositoryUrl check(TreeContent.Submodule submodule, String base) throws SourceException {
        if (submodule.url().isEmpty()) {
            throw new SourceException(
                    SourceException.Step.VCS,
                    "submodule path=" + submodule.path() + " has no URL in .gitmodules",
                    null);
        }
        for (String step : submodule.name().split("[/\\\\]", -1)) {
            if (step.isEmpty() || step.equals("..") || step.startsWith("-")) {
                throw new SourceRefusedException(
                        "submodule", submodule.name(), "has a step that is empty, '..', or begins with a dash");
            }
        }
        ScriptPath unused = ScriptPath.parse(submodule.path());
        return RepositoryUrl.parse(absolute(base, submodule.url()), schemes);
    }

    /** Returns the URL that git makes of one that may be relative. */
    private static String absolute(String base, String url) {
        if (!url.startsWith("./") && !url.startsWith("../")) {
            return url;
        }
        String parent = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        String rest = url;
        while (rest.startsWith("./") || rest.startsWith("../")) {
            if (rest.startsWith("../")) {
                parent = parent.substring(0, Math.max(0, parent.lastIndexOf('/')));
            }
            rest = rest.substring(rest.indexOf('/') + 1);
        }
        return parent + "/" + (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest);
    }
}
