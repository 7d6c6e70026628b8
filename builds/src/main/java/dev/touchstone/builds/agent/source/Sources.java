package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.CommitId;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/** Brings trees into workspaces. Thread-safe; a workspace is one caller's at a time. */
public final class Sources implements AutoCloseable {
    /*
     * Who calls:  executors `pull`, each with a workspace that is its own at the time; whoever evicts claims a workspace before it removes it.
     * Invariants: `made` and `borrowed` of a workspace are changed by whoever has the workspace. A repository has one Mirror while the agent lives,
     *             so that its locks count.
     * Ordering:   a mirror's name is in `borrowed` before the mirror is asked for, and is looked for there by whoever evicts, within `compute` of the
     *             mirror.
     */
    static {
        SystemReader.setInstance(new OwnSystemReader());
    }

    private static final System.Logger LOGGER = System.getLogger(Sources.class.getName());

    private final Path mirrorsFolder;
    private final boolean ownMirrors; // no other agent's workspaces borrow from them
    private final Path workspacesFolder;
    private final Folders folders;
    private final GitCommand git;
    private final Fetchers fetchers;
    private final Extras extras;
    private final Submodules submodules;
    private final AtomicLong clock = new AtomicLong();
    private final ConcurrentMap<String, Mirror> mirrors = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, BuildTree.Made> made = new ConcurrentHashMap<>(); // by workspace, in this life
    private final ConcurrentMap<String, Set<String>> borrowed =
            new ConcurrentHashMap<>(); // mirrors of submodules, by workspace

    /**
     * Settings of an agent for its sources.
     *
     * @param root folder of this agent
     * @param mirrors folder of the mirrors, which agents may share
     * @param schemes of repositories that are taken
     * @param commandSchemes those of them for which the git command fetches
     * @param environment what git gets of the agent's own
     * @param gitConfig the operator's configuration file for git
     * @param idle silence after which a repository is given up
     */
    public record Options(
            Path root,
            Path mirrors,
            Set<String> schemes,
            Set<String> commandSchemes,
            Map<String, String> environment,
            Path gitConfig,
            Duration idle) {}

    /**
     * Has JGit, in the whole process, measure the time stamps of file systems while builds go on. Otherwise the first build waits more than three seconds for
     * that. Until they are known, JGit takes them for coarse, and reads more files than it would need to.
     */
    public static void measureMeanwhile() {
        FS.FileStoreAttributes.setBackground(true);
    }

    /** Makes the folders that are missing. */
    public Sources(Options options, Launcher launcher) throws IOException {
        mirrorsFolder = Files.createDirectories(options.mirrors()).toRealPath();
        ownMirrors = mirrorsFolder.startsWith(options.root().toRealPath());
        workspacesFolder =
                Files.createDirectories(options.root().resolve("workspaces")).toRealPath();
        Path scratch =
                Files.createDirectories(options.root().resolve("scratch")).toRealPath();
        folders = new Folders(options.environment());
        git = new GitCommand(launcher, options.environment(), options.schemes(), options.gitConfig(), scratch);
        fetchers = new Fetchers(new JGitFetcher(options.idle()), new CommandFetcher(git), commandSchemes(options));
        extras = new Extras(git);
        submodules = new Submodules(git, options.schemes(), extras, folders);
    }

    /** Returns the schemes that git fetches: all remote ones where the operator configured git, for JGit reads no configuration. */
    private static Set<String> commandSchemes(Options options) {
        Set<String> schemes = new HashSet<>(options.commandSchemes());
        if (!options.gitConfig().equals(GitCommand.NO_CONFIG)) {
            schemes.addAll(options.schemes());
            schemes.remove("file");
        }
        return schemes;
    }

    /** Returns the present moment: the tree of a job that is known by now is at least as new. */
    public long accept() {
        return clock.incrementAndGet();
    }

    /**
     * Brings the tree that is asked for; a broken tree, and then a broken mirror, is made anew once.
     *
     * @throws SourceRefusedException if the tree has submodules that this agent does not take
     */
    public Checkout pull(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        Mirror mirror = mirror(request.repository());
        Path workspace = workspace(request);
        BuildTree tree = new BuildTree(workspace, folders, git);
        boolean freshTree = false;
        boolean freshMirror = false;
        while (true) {
            try {
                return pull(request, stop, mirror, tree, workspace);
            } catch (SourceException | SourceRefusedException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                stop.check();
                if (Faults.isFull(e, workspacesFolder)) {
                    throw new SourceException(
                            SourceException.Step.NO_SPACE, "no space for the tree: " + e.getMessage(), e);
                }
                if (freshMirror) {
                    throw new SourceException(
                            SourceException.Step.VCS,
                            "the tree cannot be had, with a new mirror neither: " + Faults.said(e),
                            e);
                }
                if (freshTree || e instanceof BrokenMirrorException) {
                    freshMirror = true;
                    mirror.renew(request, stop, e);
                } else {
                    freshTree = true;
                }
                deleteTree(tree);
            }
        }
    }

    /**
     * Adds workspaces and mirrors as folders that may go.
     *
     * @param claim returns whether a workspace, named as by {@link SourceRequest#workspaceKey}, is now the caller's
     * @param release gives a claimed workspace back
     */
    public void addTo(Eviction eviction, Predicate<String> claim, Consumer<String> release) throws IOException {
        for (Path repository : Folders.list(workspacesFolder)) {
            for (Path entry : Folders.isFolder(repository) ? Folders.list(repository) : List.<Path>of()) {
                if (Folders.isFolder(entry)) {
                    eviction.add(entry, false, workspace -> evictWorkspace(workspace, claim, release));
                }
            }
        }
        if (ownMirrors) {
            for (Path mirror : Folders.list(mirrorsFolder)) {
                if (Folders.isFolder(mirror)) {
                    eviction.add(mirror, true, this::evictMirror);
                }
            }
        }
    }

    private boolean evictWorkspace(Path workspace, Predicate<String> claim, Consumer<String> release) {
        String key = workspacesFolder.relativize(workspace).toString();
        if (!claim.test(key)) {
            return false;
        }
        try {
            made.remove(key);
            borrowed.remove(key);
            folders.delete(workspace.resolveSibling(workspace.getFileName() + ".index"));
            folders.delete(workspace);
            return true;
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "workspace=" + workspace + " cannot be removed", e);
            return false;
        } finally {
            release.accept(key);
        }
    }

    /** Leaves a mirror that a workspace borrows objects from. */
    private boolean evictMirror(Path folder) {
        String name = folder.getFileName().toString().replaceFirst("\\.git.*$", "");
        Path workspaces = workspacesFolder.resolve(name);
        AtomicBoolean removed = new AtomicBoolean();
        mirrors.compute(name, (key, mirror) -> {
            try {
                boolean isUsed = Folders.isFolder(workspaces)
                        && !Folders.list(workspaces).isEmpty();
                if (isUsed || borrowed.values().stream().anyMatch(names -> names.contains(name))) {
                    return mirror;
                }
                folders.delete(workspaces);
                if (mirror == null) {
                    folders.delete(folder);
                    removed.set(true);
                } else {
                    removed.set(mirror.evict());
                }
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.WARNING, "mirror=" + folder + " cannot be removed", e);
            }
            return mirror;
        });
        return removed.get();
    }

    @Override
    public void close() throws IOException {
        for (Mirror mirror : mirrors.values()) {
            mirror.close();
        }
    }

    private Checkout pull(SourceRequest request, StopSignal stop, Mirror mirror, BuildTree tree, Path workspace)
            throws IOException, StoppedException {
        mirror.refresh(request, stop);
        stop.check();
        Set<String> others = ConcurrentHashMap.newKeySet();
        borrowed.put(request.workspaceKey(), others);
        TreeContent content;
        mirror.hold();
        try {
            content = extras.look(mirror.repository(), mirror.resolve(request));
            BuildTree.Made before = made.remove(request.workspaceKey());
            BuildTree.Made now = tree.checkOut(mirror, request, content, before, stop);
            if (now != null) {
                made.put(request.workspaceKey(), now);
            }
        } finally {
            mirror.release();
        }
        List<Path> lent = lent(mirror, request);
        lent.addAll(submodules.bring(
                content,
                tree.place(),
                request,
                url -> {
                    others.add(url.folder());
                    return mirror(url);
                },
                stop));
        List<String> notes = extras.bring(content, tree, request, stop);
        return new Checkout(
                workspace, tree.source(), CommitId.parse(content.commit().name()), lent, notes);
    }

    private Mirror mirror(RepositoryUrl url) {
        return mirrors.computeIfAbsent(
                url.folder(),
                folder ->
                        new Mirror(url, mirrorsFolder.resolve(folder + ".git"), folders, clock, fetchers, ownMirrors));
    }

    /** Returns the folders that {@link Checkout#lent} describes; what the agent keeps of other builds is no remote repository. */
    private List<Path> lent(Mirror mirror, SourceRequest request) {
        List<Path> lent = new ArrayList<>(List.of(mirror.folder().resolve("objects")));
        if (request.repository().isLocal()) {
            Path folder = Path.of(URI.create(request.repository().text()).getPath());
            Path git = folder.resolve(Constants.DOT_GIT);
            try {
                Path real = (Files.isDirectory(git) ? git : folder).toRealPath();
                if (!real.startsWith(mirrorsFolder) && !real.startsWith(workspacesFolder.getParent())) {
                    lent.add(Files.isDirectory(git) ? git : folder);
                }
            } catch (IOException e) {
                // is gone since the fetch
            }
        }
        return lent;
    }

    private static void deleteTree(BuildTree tree) throws SourceException {
        try {
            tree.delete();
        } catch (IOException e) {
            throw new SourceException(
                    SourceException.Step.SOURCE_FOLDER, "a broken tree cannot be removed: " + e.getMessage(), e);
        }
    }

    private Path workspace(SourceRequest request) throws SourceException {
        Path repository = workspacesFolder.resolve(request.repository().folder());
        Path workspace = repository.resolve(request.branch().folder());
        try {
            folders.make(repository);
            folders.make(workspace);
            Folders.use(workspace);
            return workspace;
        } catch (IOException e) {
            boolean full = Faults.isFull(e, workspacesFolder);
            throw new SourceException(
                    full ? SourceException.Step.NO_SPACE : SourceException.Step.WORKSPACE,
                    "workspace=" + workspace + " cannot be made: " + e.getMessage(),
                    e);
        }
    }

    /** Keeps JGit, in the whole process, from reading the configuration of the user, which scripts can write, and of the system. */
    private static final class OwnSystemReader extends SystemReader.Delegate {
        OwnSystemReader() {
            super(SystemReader.getInstance());
        }

        @Override
        public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
            return new Nothing(fs);
        }

        @Override
        public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
            return new Nothing(fs);
        }

        @Override
        public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
            return new Nothing(fs);
        }
    }

    /** A configuration without a file. */
    private static final class Nothing extends FileBasedConfig {
        Nothing(FS fs) {
            super(null, new File("none"), fs);
        }

        @Override
        public void load() {
            // there is no file
        }

        @Override
        public void save() {
            // nothing that JGit learns of this machine is kept
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
