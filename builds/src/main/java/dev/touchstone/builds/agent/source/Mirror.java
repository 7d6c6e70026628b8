package dev.touchstone.builds.agent.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.name.CommitId;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/** A bare copy of one repository, with all its branches and tags. Thread-safe. */
final class Mirror implements AutoCloseable {
    /*
     * Who calls:  executors, each for its own request; whoever evicts `evict`; whoever closes the agent `close`.
     * Coalescing: clock counts moments at which jobs became known, and started fetches. A fetch that started after a job was known, and succeeded,
     *             serves the job: the branch is at least as new as it was then. So jobs that wait, also at the master, find it done for them.
     * Ordering:   locks are taken in this order: fetching (one fetch at a time), then the file's (between agents), then use: read to read objects,
     *             write to change folders.
     * Seal:       scripts cannot be kept from writing into the mirror's objects, but the next fetch sees that files of objects are not those that the
     *             last one left, and the mirror is replaced. Folders that agents share have no seal.
     * Failure:    a mirror is replaced by a new one only when that one is complete; until then the old one stays.
     */
    private static final long WAIT_MILLIS = 20;

    private final RepositoryUrl url;
    private final Path folder;
    private final Folders folders;
    private final AtomicLong clock;
    private final Fetchers fetchers;
    private final boolean sealed;
    private final FileGuard guard;
    private final ReentrantLock fetching = new ReentrantLock();
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    @GuardedBy("fetching")
    private long freshAsOf; // start of the last good fetch

    @GuardedBy("fetching")
    private Set<String> failedRefs = Set.of(); // of it

    private volatile @Nullable Set<String> seal; // of the objects after it; null if unknown; written under fetching
    private volatile RemoteRefs refs = RemoteRefs.NONE; // of it; written under fetching
    private volatile @Nullable Repository opened; // written under the write lock of `use`

    Mirror(RepositoryUrl url, Path folder, Folders folders, AtomicLong clock, Fetchers fetchers, boolean sealed) {
        this.url = url;
        this.folder = folder;
        this.folders = folders;
        this.clock = clock;
        this.fetchers = fetchers;
        this.sealed = sealed;
        this.guard = new FileGuard(sibling(".lock"));
    }

    Path folder() {
        return folder;
    }

    /** Sees to it that the mirror has what was there when the request was accepted. */
    void refresh(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        if (has(request) && seemsIntact()) {
            return;
        }
        lock(fetching, stop);
        try {
            boolean isServed = has(request) || freshAsOf > request.accepted();
            if (opened == null || !isServed || !seemsIntact()) {
                fetch(request, stop);
            }
            if (!has(request) && failedRefs.contains(request.branch().ref())) {
                throw new BrokenMirrorException(
                        "branch=" + request.branch() + " could not be written to the mirror", null);
            }
        } finally {
            fetching.unlock();
        }
    }

    /** Returns the commit that the request asks for. */
    ObjectId resolve(SourceRequest request) throws IOException {
        if (request.commit().isPresent()) {
            CommitId commit = request.commit().get();
            if (!hasCommit(repository(), commit)) {
                throw new SourceException(
                        SourceException.Step.PULL, "commit=" + commit + " is not in repository=" + url, null);
            }
            return ObjectId.fromString(commit.hex());
        }
        ObjectId head = refs.head(request.branch());
        if (head == null) {
            throw new SourceException(
                    SourceException.Step.PULL, "branch=" + request.branch() + " is not in repository=" + url, null);
        }
        return head;
    }

    /** Returns whether the mirror is open and has the commit that a request names. */
    boolean has(SourceRequest request) throws IOException {
        Repository now = opened;
        return now != null
                && request.commit().isPresent()
                && hasCommit(now, request.commit().get());
    }

    /** Returns the branches and tags that the last fetch brought. */
    RemoteRefs refs() {
        return refs;
    }

    /** Holds off whoever would replace the mirror, until {@link #release}. */
    void hold() {
        use.readLock().lock();
    }

    void release() {
        use.readLock().unlock();
    }

    /** Returns the mirror, which has been fetched into. */
    Repository repository() throws IOException {
        Repository repository = opened;
        if (repository == null) {
            throw new BrokenMirrorException("mirror=" + folder + " is closed", null);
        }
        return repository;
    }

    /** Puts a new mirror in the place of one that may have failed; a failure of that is the repository's. */
    void renew(SourceRequest request, StopSignal stop, Exception broken) throws IOException, StoppedException {
        try {
            replace(request, stop);
        } catch (SourceException e) {
            e.addSuppressed(broken);
            throw e;
        } catch (IOException | RuntimeException e) {
            stop.check();
            e.addSuppressed(broken);
            throw new SourceException(
                    SourceException.Step.PULL, "repository=" + url + " cannot be fetched: " + Faults.said(e), e);
        }
    }

    /** Puts a new mirror in the place of this one. The old one stays if the new one cannot be filled. */
    void replace(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        lock(fetching, stop);
        try {
            FileLock lock = guard.lock(stop);
            try {
                replaceLocked(request, stop);
            } finally {
                lock.release();
            }
        } finally {
            fetching.unlock();
        }
    }

    /** Removes the mirror's folder; the next fetch makes it anew. Returns false if somebody uses the mirror. */
    boolean evict() throws IOException {
        if (!fetching.tryLock()) {
            return false;
        }
        try {
            if (!use.writeLock().tryLock()) {
                return false;
            }
            try {
                closeRepository();
                seal = null;
                folders.delete(folder);
                return true;
            } finally {
                use.writeLock().unlock();
            }
        } finally {
            fetching.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        use.writeLock().lock();
        try {
            closeRepository();
            guard.close();
        } finally {
            use.writeLock().unlock();
        }
    }

    @GuardedBy("fetching")
    private void fetch(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        FileLock lock = guard.lock(stop);
        try {
            Repository repository = openOrCreate(stop);
            Folders.use(folder);
            long started = clock.incrementAndGet();
            seal = null;
            try {
                failedRefs = fetchInto(repository, request, stop);
            } catch (SourceException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                throw new BrokenMirrorException("repository=" + url + " could not be fetched into its mirror", e);
            }
            MirrorFolder.tidy(repository, folder);
            seal = sealed ? MirrorFolder.seal(folder) : null;
            freshAsOf = started;
        } finally {
            lock.release();
        }
    }

    @GuardedBy("fetching")
    private Set<String> fetchInto(Repository repository, SourceRequest request, StopSignal stop)
            throws IOException, StoppedException {
        Set<String> failed;
        try (Repository view = OwnRepository.of(repository)) {
            failed = fetchers.fetch(view, url, request.mark(), stop);
        }
        refs = RemoteRefs.read(repository);
        return failed;
    }

    /** Opens the mirror, after removing from it whatever is not the agent's or the fetches'. */
    @GuardedBy("fetching")
    private Repository openOrCreate(StopSignal stop) throws IOException, StoppedException {
        Repository repository = opened;
        if (repository != null && MirrorFolder.isWhole(folder)) {
            MirrorFolder.restore(folder, folders);
            if (!isIntact()) {
                throw new BrokenMirrorException(
                        "objects of mirror=" + folder + " are not those that were fetched", null);
            }
        } else {
            lock(use.writeLock(), stop);
            try {
                closeRepository();
                seal = null;
                repository = Folders.isFolder(folder)
                        ? MirrorFolder.open(folder, folders)
                        : MirrorFolder.create(folder, folders);
                opened = repository;
            } catch (IOException | RuntimeException e) {
                throw new BrokenMirrorException("mirror=" + folder + " cannot be opened", e);
            } finally {
                use.writeLock().unlock();
            }
        }
        return repository;
    }

    @GuardedBy("fetching")
    private void replaceLocked(SourceRequest request, StopSignal stop) throws IOException, StoppedException {
        Path fresh = sibling(".new");
        folders.delete(fresh);
        long started = clock.incrementAndGet();
        try (Repository repository = MirrorFolder.create(fresh, folders)) {
            failedRefs = fetchInto(repository, request, stop);
        }
        lock(use.writeLock(), stop);
        try {
            closeRepository();
            swap(fresh);
            opened = MirrorFolder.open(folder, folders);
            seal = sealed ? MirrorFolder.seal(folder) : null;
            freshAsOf = started;
        } finally {
            use.writeLock().unlock();
        }
    }

    private void swap(Path fresh) throws IOException {
        Path old = sibling(".old");
        folders.delete(old);
        if (Folders.isFolder(folder)) {
            Files.move(folder, old);
        } else {
            folders.delete(folder);
        }
        Files.move(fresh, folder);
        folders.delete(old);
    }

    /** Returns {@link #isIntact}; false if the folder is gone, or a fetch changes it meanwhile. Any thread's. */
    private boolean seemsIntact() {
        try {
            return isIntact();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether the objects are those that the last fetch has left, as far as is known. */
    private boolean isIntact() throws IOException {
        Set<String> known = seal;
        return known == null || known.equals(MirrorFolder.seal(folder));
    }

    private static boolean hasCommit(Repository repository, CommitId commit) throws IOException {
        try (RevWalk walk = new RevWalk(repository)) {
            walk.parseCommit(ObjectId.fromString(commit.hex()));
            return true;
        } catch (MissingObjectException | IncorrectObjectTypeException e) {
            return false;
        }
    }

    private void closeRepository() {
        Repository repository = opened;
        opened = null;
        if (repository != null) {
            repository.close();
        }
    }

    private static void lock(Lock lock, StopSignal stop) throws StoppedException {
        boolean locked = false;
        while (!locked) {
            stop.check();
            try {
                locked = lock.tryLock(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop.stop(StopSignal.Cause.AGENT_CLOSED, "interrupted");
            }
        }
    }

    private Path sibling(String suffix) {
        return folder.resolveSibling(folder.getFileName() + suffix);
    }
}
