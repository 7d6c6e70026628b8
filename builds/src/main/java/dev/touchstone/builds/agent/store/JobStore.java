package dev.touchstone.builds.agent.store;

import dev.touchstone.builds.agent.log.BuildLog;
import dev.touchstone.builds.agent.log.KeptLog;
import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.ProcessId;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The attempts that an agent remembers: those that run, those that ended, and those of an earlier life. Thread-safe. */
public final class JobStore {
    /*
     * Who calls:  executors make, open and end attempts; the link, or whoever else uses the agent, reads, asks and forgets.
     * Invariants: an attempt is in `running` while its log grows, and in `ended` from then until it is forgotten; a folder in `retired` is nobody's.
     * Ordering:   `ended` adds before it removes from `running`, and `read` looks into `running` first, so that it finds the log in one of them.
     * Failure:    what an earlier life has left is found by `recover`; a folder of no attempt is removed.
     */
    private static final System.Logger LOGGER = System.getLogger(JobStore.class.getName());

    private static final long STARTING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int MAX_RETIRED = 16;

    private final Path root;
    private final Path retiredRoot;
    private final ConcurrentMap<String, BuildLog> running = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Path> ended =
            new ConcurrentHashMap<>(); // its readable log, which may not exist

    private final Queue<Path> retired = new ConcurrentLinkedQueue<>();
    private final AtomicLong retiredNames = new AtomicLong();

    /**
     * Opens the store, and makes its folders if they are not there.
     *
     * @param root folder of the attempts; not null
     * @param retired folder of folders that may become other attempts'; what is in it is removed; not null
     * @throws IOException if a folder cannot be made, read or emptied
     */
    public JobStore(Path root, Path retired) throws IOException {
        this.root = OwnerOnly.folder(root);
        this.retiredRoot = OwnerOnly.folder(retired);
        OwnerOnly.tighten(root);
        try (Stream<Path> earlier = Files.list(retiredRoot)) {
            for (Path folder : (Iterable<Path>) earlier::iterator) {
                new JobFolder(folder).delete();
            }
        }
    }

    /**
     * Returns the folder of the attempts.
     *
     * @return the folder that the store was opened with
     */
    public Path root() {
        return root;
    }

    /**
     * Returns the folder of an attempt, which need not be there.
     *
     * @param name of the attempt; not null
     * @return a new object, for one thread
     */
    public JobFolder folder(String name) {
        return new JobFolder(root.resolve(name));
    }

    /**
     * Makes the folder of a new attempt.
     *
     * @param folder of the attempt; not null
     * @param attempt what is written down first; not null
     * @throws IOException if there is such a folder already, or it cannot be made
     */
    public void create(JobFolder folder, Attempt attempt) throws IOException {
        Path used = retired.poll();
        if (used == null || !folder.create(attempt, used)) {
            folder.create(attempt);
        }
    }

    /**
     * Notes that an attempt has a log that grows.
     *
     * @param name of the attempt; not null
     * @param log of the attempt, from which {@link #read} reads from now on; not null
     */
    public void opened(String name, BuildLog log) {
        running.put(name, log);
    }

    /**
     * Notes that the log of an attempt is complete.
     *
     * @param name of the attempt; not null
     * @param masked whether only the masked log may be read
     */
    public void ended(String name, boolean masked) {
        ended.put(name, JobFolder.readableLog(root.resolve(name), masked));
        running.remove(name);
    }

    /**
     * Returns whether an attempt is remembered.
     *
     * @param name of the attempt; not null
     * @return true if it runs, has ended, or has a folder
     */
    public boolean knows(String name) {
        return running.containsKey(name)
                || ended.containsKey(name)
                || folder(name).exists();
    }

    /**
     * Reads a piece of a log.
     *
     * @param name of the attempt; not null
     * @param offset in the readable log
     * @param into buffer that takes the bytes; not null
     * @return the number of bytes, -1 at the end of a log that is complete; empty if the attempt is not known
     * @throws IOException if the log cannot be read
     */
    public Optional<Integer> read(String name, long offset, ByteBuffer into) throws IOException {
        BuildLog log = running.get(name);
        if (log != null) {
            try {
                return Optional.of(log.read(offset, into));
            } catch (ClosedChannelException e) {
                // it ended meanwhile
            }
        }
        Path file = ended.get(name);
        return file == null ? Optional.empty() : Optional.of(BuildLog.readEnded(file, offset, into));
    }

    /**
     * Reads a piece of the artefacts that an attempt has to hand to the master.
     *
     * @param name of the attempt; not null
     * @param offset in the bundle
     * @param into buffer that takes the bytes; not null
     * @return the number of bytes; -1 if there is nothing at the offset
     * @throws IOException if the bundle cannot be read
     */
    public int readBundle(String name, long offset, ByteBuffer into) throws IOException {
        try (FileChannel in = OwnerOnly.open(folder(name).bundle(), StandardOpenOption.READ)) {
            return in.read(into, offset);
        }
    }

    /**
     * Removes what is remembered of an attempt that has ended; does nothing if it is not known.
     *
     * @param name of the attempt; not null
     * @throws IOException if a file cannot be removed
     */
    public void forget(String name) throws IOException {
        ended.remove(name);
        JobFolder folder = folder(name);
        if (retired.size() < MAX_RETIRED) {
            Path to = retiredRoot.resolve(Long.toString(retiredNames.getAndIncrement()));
            try {
                folder.retire(to);
                retired.add(to);
                return;
            } catch (IOException e) {
                // is removed then
            }
        }
        folder.delete();
    }

    /**
     * Finds attempts of an earlier life, ends their processes, and makes their logs readable.
     *
     * @param launcher ends the processes; not null
     * @param workspaces folder of the workspaces; mount points in it are of those processes only; not null
     * @return the attempts, in the order of their names
     * @throws IOException if the folders or the table of processes cannot be read; the message names the folder
     */
    public List<RecoveredAttempt> recover(Launcher launcher, Path workspaces) throws IOException {
        Predicate<Path> sandboxes = mount -> mount.startsWith(workspaces) && !mount.equals(workspaces);
        List<Found> found = new ArrayList<>();
        Set<String> marks = new HashSet<>();
        List<ProcessId> leaders = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            for (Path path : (Iterable<Path>) folders.sorted()::iterator) {
                find(new JobFolder(path)).ifPresent(found::add);
            }
        }
        for (Found one : found) {
            marks.add(one.entries().attempt().mark());
            one.entries().process().ifPresent(leaders::add);
        }
        launcher.reap(marks, leaders, sandboxes);
        if (found.stream().anyMatch(Found::mayBeStarting)) {
            long deadline = System.nanoTime() + STARTING_NANOS;
            while (deadline - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                launcher.reap(marks, leaders, sandboxes);
            }
        }
        List<RecoveredAttempt> leftovers = new ArrayList<>();
        for (Found one : found) {
            leftovers.add(leftover(one));
        }
        return leftovers;
    }

    /**
     * Returns the attempt of a folder; removes a folder that is of none. A failure to read, as of a machine that is short of descriptors, says nothing of the
     * folder, which may have an outcome that the master waits for.
     */
    private static Optional<Found> find(JobFolder folder) throws IOException {
        try {
            return Optional.of(new Found(folder, folder.entries()));
        } catch (JobFormatException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "folder is of no attempt and is removed: folder=" + folder.path() + " cause=" + e.getMessage());
            folder.delete();
            return Optional.empty();
        } catch (IOException e) {
            throw new IOException(
                    "attempt of an earlier life cannot be read: folder=" + folder.path() + " cause=" + e
                            + "; remedy the cause and start the agent again, or remove the folder, and with it the attempt's outcome and log",
                    e);
        }
    }

    /** An attempt of an earlier life. */
    private record Found(JobFolder folder, JobFormat.Entries entries) {
        /** Returns whether the first process may be on its way, without the mark yet: it may have been asked for right before the agent died. */
        boolean mayBeStarting() {
            return entries.process().isEmpty() && entries.outcome().isEmpty();
        }
    }

    private RecoveredAttempt leftover(Found found) throws IOException {
        Attempt attempt = found.entries().attempt();
        Path folder = found.folder().path();
        if (attempt.masked()) {
            Files.deleteIfExists(KeptLog.rawFile(folder)); // has secrets
        }
        ended(attempt.name(), attempt.masked());
        Path log = JobFolder.readableLog(folder, attempt.masked());
        return new RecoveredAttempt(
                attempt.jobId(),
                attempt.attempt(),
                attempt.epoch(),
                found.entries().outcome(),
                Files.exists(log) ? Files.size(log) : 0);
    }
}
