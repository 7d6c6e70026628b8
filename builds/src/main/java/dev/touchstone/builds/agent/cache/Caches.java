package dev.touchstone.builds.agent.cache;

import dev.touchstone.builds.agent.source.Eviction;
import dev.touchstone.builds.agent.source.Folders;
import dev.touchstone.builds.file.BundleWriter;
import dev.touchstone.builds.file.FolderWalk;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The cached folders of all repositories: {@code <repository>/<key>}. A build gets a copy, and what it leaves is copied, too, so that no build ever has a
 * cache itself in its hands. Thread-safe.
 */
public final class Caches {
    /*
     * Who calls:      executors, and the thread that evicts.
     * Invariants:     a folder is in its place whole or not at all: it is made in `drafts` and renamed. What is in `drafts` when the agent starts is removed.
     * Ordering:       who copies a cache has its lock for reading, and who replaces or removes one, for writing: only for the rename, so that builds
     *                 wait for no copy but of those who read.
     * Failure:        a crash between the two renames of a replacement loses the cache, and nothing else.
     */
    private static final String DRAFTS = ".drafts"; // no name of a repository's folder

    private final Path root;
    private final Path drafts;
    private final Folders folders;
    private final long maxBytes;
    private final AtomicLong lastDraft = new AtomicLong();
    private final ConcurrentMap<Path, ReadWriteLock> locks = new ConcurrentHashMap<>();

    /**
     * Makes the folders that are missing, and removes what an earlier life of the agent has not completed.
     *
     * @param root folder of the caches alone; not null
     * @param maxBytes most bytes of one cache
     */
    public Caches(Path root, Folders folders, long maxBytes) throws IOException {
        this.root = OwnerOnly.folder(root).toRealPath();
        this.drafts = this.root.resolve(DRAFTS);
        this.folders = folders;
        this.maxBytes = maxBytes;
        folders.delete(drafts);
        OwnerOnly.newFolder(drafts);
    }

    private ReadWriteLock lock(Path cache) {
        return locks.computeIfAbsent(cache, unused -> new ReentrantReadWriteLock());
    }

    private Path cache(String repository, String key) {
        return root.resolve(repository).resolve(key);
    }

    private Path draft() {
        return drafts.resolve(Long.toString(lastDraft.incrementAndGet()));
    }

    /**
     * Puts a copy of a cache to where nothing is.
     *
     * @param repository name of the repository's folder
     * @param key name of the key's folder
     * @param target path of the copy, whose parent is there
     * @return what was copied; empty if there is no such cache
     */
    Optional<TreeCopy.Copied> restore(String repository, String key, Path target, BundleWriter.Check check)
            throws IOException {
        Path cache = cache(repository, key);
        Path draft = draft();
        ReadWriteLock lock = lock(cache);
        lock.readLock().lock();
        try {
            if (!Folders.isFolder(cache)) {
                return Optional.empty();
            }
            Folders.use(cache);
            OwnerOnly.newFolder(draft);
            TreeCopy copy = new TreeCopy(cache, draft, Long.MAX_VALUE, check);
            FolderWalk.walk(root, root.relativize(cache), copy);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(copy.copied());
        } finally {
            lock.readLock().unlock();
            folders.delete(draft);
        }
    }

    /**
     * Keeps a copy of a folder in place of what was kept before.
     *
     * @param trusted folder above, which no build can replace
     * @param folder relative path of the folder, which may lead through no link
     */
    TreeCopy.Copied keep(String repository, String key, Path trusted, Path folder, BundleWriter.Check check)
            throws IOException {
        Path cache = cache(repository, key);
        Path draft = draft();
        Path before = draft();
        try {
            OwnerOnly.newFolder(draft);
            TreeCopy copy = new TreeCopy(trusted.resolve(folder), draft, maxBytes, check);
            FolderWalk.walk(trusted, folder, copy);
            ReadWriteLock lock = lock(cache);
            lock.writeLock().lock();
            try {
                Path unused = OwnerOnly.folder(root.resolve(repository));
                if (Folders.isFolder(cache)) {
                    Files.move(cache, before, StandardCopyOption.ATOMIC_MOVE);
                }
                Folders.use(draft);
                Files.move(draft, cache, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                lock.writeLock().unlock();
            }
            return copy.copied();
        } finally {
            folders.delete(draft);
            folders.delete(before);
        }
    }

    /** Adds all caches as folders that may go. */
    public void addTo(Eviction eviction) throws IOException {
        for (Path repository : Folders.list(root)) {
            if (!repository.equals(drafts) && Folders.isFolder(repository)) {
                for (Path cache : Folders.list(repository)) {
                    eviction.add(cache, false, this::evict);
                }
            }
        }
    }

    /** Removes a cache; returns false if a build copies it. */
    private boolean evict(Path cache) {
        ReadWriteLock lock = lock(cache);
        if (!lock.writeLock().tryLock()) {
            return false;
        }
        try {
            Path gone = draft();
            Files.move(cache, gone, StandardCopyOption.ATOMIC_MOVE);
            folders.delete(gone);
            return true;
        } catch (IOException e) {
            System.getLogger(Caches.class.getName())
                    .log(System.Logger.Level.WARNING, "cache=" + cache + " cannot be removed", e);
            return false;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
