package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jgit.lib.ObjectId;

/** Brings trees into workspaces. Thread-safe; a workspace is one caller's at a time. */
public final class Sources implements AutoCloseable {
    private final Path mirrorsFolder;
    private final Path workspacesFolder;
    private final Folders folders;
    private final Fetchers fetchers;
    private final Extras extras;
    private final AtomicLong clock = new AtomicLong();
    private final ConcurrentMap<String, Mirror> mirrors = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Worktree.Made> made = new ConcurrentHashMap<>(); // by workspace, in this life
    private final String agentName;

    /**
     * How sources are brought.
     *
     * @param root folder of this agent
     * @param mirrors folder of the mirrors, which agents may share
     * @param schemes of repositories that are taken
     * @param commandSchemes those of them for which the git command fetches
     * @param environment what git gets of the agent's own
     * @param idle after which a repository that says nothing is given up
     */
    public record Options(
            Path root,
            Path mirrors,
            Set<String> schemes,
            Set<String> commandSchemes,
            Map<String, String> environment,
            Duration idle) {}

    public Sources(Options options, Launcher launcher) throws IOException {
        mirrorsFolder = Files.createDirectories(options.mirrors()).toRealPath();
        workspacesFolder =
                Files.createDirectories(options.root().resolve("workspaces")).toRealPath();
        Path scratch =
                Files.createDirectories(options.root().resolve("scratch")).toRealPath();
        folders = new Folders(options.environment());
        GitCommand git = new GitCommand(launcher, options.environment(), options.schemes(), scratch);
        fetchers = new Fetchers(new JGitFetcher(options.idle()), new CommandFetcher(git), options.commandSchemes());
        extras = new Extras(git, options.schemes());
        agentName = Names.folder(workspacesFolder.toString());
    }

    /** The present moment: the tree of a job that is known of by now is at least as new. */
    public long accept() {
        return clock.incrementAndGet();
    }

    /**
     * Brings the tree that is asked for; a broken worktree, and then a broken mirror, is made anew once.
     *
     * @throws SourceRefusedException if the tree has submodules that this agent does not take
     */
    public Checkout pull(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        Mirror mirror = mirrors.computeIfAbsent(
                request.repository().folder(),
                folder -> new Mirror(
                        request.repository(), mirrorsFolder.resolve(folder + ".git"), folders, clock, fetchers));
        Path workspace = workspace(request);
        Worktree worktree = new Worktree(
                mirror.folder(), workspace.resolve("src"), request.branch().folder() + "-" + agentName, folders);
        boolean freshTree = false;
        boolean freshMirror = false;
        while (true) {
            try {
                return pull(request, stop, mirror, worktree, workspace);
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
                            "the tree cannot be had, with a new mirror neither: " + said(e),
                            e);
                }
                if (freshTree || e instanceof BrokenMirrorException) {
                    freshMirror = true;
                    renew(mirror, request, stop, e);
                } else {
                    freshTree = true;
                }
                deleteTree(worktree);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Mirror mirror : mirrors.values()) {
            mirror.close();
        }
    }

    private Checkout pull(SourceRequest request, StopSignal stop, Mirror mirror, Worktree worktree, Path workspace)
            throws IOException, StoppedException {
        mirror.refresh(request, stop);
        stop.check();
        mirror.hold();
        try {
            ObjectId commit = mirror.resolve(request);
            Worktree.Made before = made.remove(request.workspaceKey());
            Worktree.Made now = worktree.checkOut(mirror.repository(), commit, before, stop);
            if (now != null) {
                made.put(request.workspaceKey(), now);
            }
            Path source = workspace.resolve("src");
            List<String> notes = extras.bring(mirror.repository(), commit, source, request, stop);
            return new Checkout(workspace, source, CommitId.parse(commit.name()), notes);
        } finally {
            mirror.release();
        }
    }

    private static void renew(Mirror mirror, SourceRequest request, StopSignal stop, Exception broken)
            throws IOException, StoppedException {
        try {
            mirror.replace(request, stop);
        } catch (SourceException e) {
            e.addSuppressed(broken);
            throw e;
        } catch (IOException | RuntimeException e) {
            stop.check();
            e.addSuppressed(broken);
            throw new SourceException(
                    SourceException.Step.PULL,
                    "repository=" + request.repository() + " cannot be fetched: " + said(e),
                    e);
        }
    }

    private static void deleteTree(Worktree worktree) throws SourceException {
        try {
            worktree.delete();
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
            return workspace;
        } catch (IOException e) {
            boolean full = Faults.isFull(e, workspacesFolder);
            throw new SourceException(
                    full ? SourceException.Step.NO_SPACE : SourceException.Step.WORKSPACE,
                    "workspace=" + workspace + " cannot be made: " + e.getMessage(),
                    e);
        }
    }

    private static String said(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
