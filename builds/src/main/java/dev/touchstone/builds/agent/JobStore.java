package dev.touchstone.builds.agent;

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

/** All attempts that the agent remembers: those that run, those that ended, those of an earlier life. Thread-safe. */
final class JobStore {
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
     * @param root folder of the attempts
     * @param retired folder of folders that may become other attempts'; what is in it is removed
     */
    JobStore(Path root, Path retired) throws IOException {
        this.root = OwnerOnly.folder(root);
        this.retiredRoot = OwnerOnly.folder(retired);
        OwnerOnly.tighten(root);
        try (Stream<Path> earlier = Files.list(retiredRoot)) {
            for (Path folder : (Iterable<Path>) earlier::iterator) {
                new JobFolder(folder).delete();
            }
        }
    }

    Path root() {
        return root;
    }

    JobFolder folder(String name) {
        return new JobFolder(root.resolve(name));
    }

    /** Makes the folder of a new attempt. */
    void create(JobFolder folder, JobFormat.Job job) throws IOException {
        Path used = retired.poll();
        if (used == null || !folder.create(job, used)) {
            folder.create(job);
        }
    }

    /** The attempt has a log that grows. */
    void opened(String name, BuildLog log) {
        running.put(name, log);
    }

    /** The attempt's log is complete. */
    void ended(String name, boolean masked) {
        ended.put(name, JobFolder.readableLog(root.resolve(name), masked));
        running.remove(name);
    }

    boolean knows(String name) {
        return running.containsKey(name)
                || ended.containsKey(name)
                || folder(name).exists();
    }

    /** Reads a log; empty if the attempt is not known. */
    Optional<Integer> read(String name, long offset, ByteBuffer into) throws IOException {
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

    /** Reads what an attempt has to hand to the master; returns -1 if there is nothing at the offset. */
    int readBundle(String name, long offset, ByteBuffer into) throws IOException {
        try (FileChannel in = OwnerOnly.open(folder(name).bundle(), StandardOpenOption.READ)) {
            return in.read(into, offset);
        }
    }

    void forget(String name) throws IOException {
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
     * @param workspaces folder of the workspaces; mount points in it are of those processes only
     */
    List<Leftover> recover(Launcher launcher, Path workspaces) throws IOException {
        Predicate<Path> sandboxes = mount -> mount.startsWith(workspaces) && !mount.equals(workspaces);
        List<Found> found = new ArrayList<>();
        Set<String> marks = new HashSet<>();
        List<ProcessId> leaders = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            for (Path path : (Iterable<Path>) folders.sorted()::iterator) {
                JobFolder folder = new JobFolder(path);
                try {
                    JobFormat.Entries entries = folder.entries();
                    marks.add(entries.job().mark());
                    entries.process().ifPresent(leaders::add);
                    found.add(new Found(folder, entries));
                } catch (IOException e) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "folder=" + path + " is of no attempt and is removed: " + e.getMessage());
                    folder.delete();
                }
            }
        }
        launcher.reap(marks, leaders, sandboxes);
        if (found.stream().anyMatch(Found::mayBeStarting)) {
            long deadline = System.nanoTime() + STARTING_NANOS;
            while (deadline - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                launcher.reap(marks, leaders, sandboxes);
            }
        }
        List<Leftover> leftovers = new ArrayList<>();
        for (Found one : found) {
            leftovers.add(leftover(one));
        }
        return leftovers;
    }

    /** An attempt of an earlier life. */
    private record Found(JobFolder folder, JobFormat.Entries entries) {
        /** Whether its first process may be on its way, without the mark yet: it may have been asked for right before the agent died. */
        boolean mayBeStarting() {
            return entries.process().isEmpty() && entries.outcome().isEmpty();
        }
    }

    private Leftover leftover(Found found) throws IOException {
        JobFormat.Job job = found.entries().job();
        Path folder = found.folder().path();
        if (job.masked()) {
            Files.deleteIfExists(KeptLog.rawFile(folder)); // has secrets
        }
        ended(Job.name(job.jobId(), job.attempt()), job.masked());
        Path log = JobFolder.readableLog(folder, job.masked());
        return new Leftover(
                job.jobId(),
                job.attempt(),
                job.epoch(),
                found.entries().outcome(),
                Files.exists(log) ? Files.size(log) : 0);
    }
}
