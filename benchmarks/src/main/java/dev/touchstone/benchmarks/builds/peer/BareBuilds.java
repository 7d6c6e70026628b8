package dev.touchstone.benchmarks.builds.peer;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheCheckout;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/**
 * Ceilings that do only what no build can do without: the script, the tree, or one after the other, by as many threads as there would be executors.
 * The script's output goes to {@code /dev/null}. The tree is written by JGit from a repository that is open and has everything; nothing is fetched.
 */
public final class BareBuilds implements BuildsUnderTest {
    private final ServiceOptions options;
    private final boolean checksOut;
    private final boolean runsScript;
    private final Repository repository;
    private final Path trees;
    private final Emptied emptied;
    private final ExecutorService threads;
    private int next;

    private BareBuilds(ServiceOptions options, boolean checksOut, boolean runsScript) throws IOException {
        this.options = options;
        this.checksOut = checksOut;
        this.runsScript = runsScript;
        this.repository = new FileRepositoryBuilder()
                .setGitDir(options.repository().folder().resolve(".git").toFile())
                .setMustExist(true)
                .build();
        this.trees = Files.createDirectory(options.folder().resolve("trees"));
        this.emptied = new Emptied(options.folder().resolve("emptied"));
        this.threads = Executors.newFixedThreadPool(options.executors());
    }

    /** The script only, of a tree that is there. */
    public static BareBuilds script(ServiceOptions options) throws IOException {
        return new BareBuilds(options, false, true);
    }

    /** The tree only. */
    public static BareBuilds checkout(ServiceOptions options) throws IOException {
        return new BareBuilds(options, true, false);
    }

    /** Both. */
    public static BareBuilds both(ServiceOptions options) throws IOException {
        return new BareBuilds(options, true, true);
    }

    @Override
    public void build(int count, int inFlight) throws IOException {
        AtomicInteger left = new AtomicInteger(count);
        int first = next;
        next += count;
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < options.executors(); i++) {
            working.add(threads.submit(() -> {
                for (int at = left.decrementAndGet(); at >= 0; at = left.decrementAndGet()) {
                    build(options.repository().branch(first + at));
                }
                return null;
            }));
        }
        try {
            for (Future<?> one : working) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    private void build(String branch) throws IOException, InterruptedException {
        Path tree = options.repository().folder();
        if (checksOut) {
            tree = trees.resolve(branch);
            checkOut(branch, tree);
        }
        if (runsScript) {
            Process process = new ProcessBuilder("bash", TestRepository.SCRIPT)
                    .directory(tree.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("script fails: branch=" + branch);
            }
        }
    }

    private void checkOut(String branch, Path tree) throws IOException {
        Files.createDirectories(tree);
        Path index = trees.resolve(branch + ".index");
        ObjectId commit = repository.resolve("refs/heads/" + branch);
        try (Repository own = new FileRepositoryBuilder()
                        .setGitDir(repository.getDirectory())
                        .setWorkTree(tree.toFile())
                        .setIndexFile(index.toFile())
                        .build();
                RevWalk walk = new RevWalk(own)) {
            DirCache locked = own.lockDirCache();
            try {
                new DirCacheCheckout(own, locked, walk.parseCommit(commit).getTree()).checkout();
            } finally {
                locked.unlock();
            }
        }
    }

    @Override
    public void emptyWorkspaces() throws IOException {
        emptied.empty(trees);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        repository.close();
    }
}
