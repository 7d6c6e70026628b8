package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.BuildLog;
import dev.touchstone.builds.agent.log.KeptLog;
import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.ProcessId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/** All attempts that the agent remembers: those that run, those that ended, those of an earlier life. Thread-safe. */
final class JobStore {
    private static final System.Logger LOGGER = System.getLogger(JobStore.class.getName());

    private final Path root;
    private final ConcurrentMap<String, BuildLog> running = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Path> ended =
            new ConcurrentHashMap<>(); // its readable log, which may not exist

    JobStore(Path root) throws IOException {
        this.root = Files.createDirectories(root);
    }

    Path root() {
        return root;
    }

    JobFolder folder(String name) {
        return new JobFolder(root.resolve(name));
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

    void forget(String name) throws IOException {
        ended.remove(name);
        folder(name).delete();
    }

    /** Finds attempts of an earlier life, ends their processes, and makes their logs readable. */
    List<Leftover> recover(Launcher launcher) throws IOException {
        List<JobFolder> found = new ArrayList<>();
        Set<String> marks = new HashSet<>();
        List<ProcessId> leaders = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            for (Path path : (Iterable<Path>) folders.sorted()::iterator) {
                JobFolder folder = new JobFolder(path);
                try {
                    marks.add(folder.job().mark());
                    found.add(folder);
                    leader(folder).ifPresent(leaders::add);
                } catch (IOException e) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "folder=" + path + " is of no attempt and is removed: " + e.getMessage());
                    folder.delete();
                }
            }
        }
        launcher.reap(marks, leaders);
        List<Leftover> leftovers = new ArrayList<>();
        for (JobFolder folder : found) {
            leftovers.add(leftover(folder));
        }
        return leftovers;
    }

    private Leftover leftover(JobFolder folder) throws IOException {
        JobFormat.Job job = folder.job();
        if (job.masked()) {
            Files.deleteIfExists(KeptLog.rawFile(folder.path())); // has secrets
        }
        ended(Job.name(job.jobId(), job.attempt()), job.masked());
        Path log = JobFolder.readableLog(folder.path(), job.masked());
        return new Leftover(
                job.jobId(), job.attempt(), job.epoch(), outcome(folder), Files.exists(log) ? Files.size(log) : 0);
    }

    private static Optional<ProcessId> leader(JobFolder folder) {
        try {
            return folder.process();
        } catch (IOException e) {
            return Optional.empty(); // the agent died while it wrote that; the mark is enough
        }
    }

    private static Optional<Outcome> outcome(JobFolder folder) {
        try {
            return folder.outcome();
        } catch (IOException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "outcome in folder=" + folder.path() + " is damaged: " + e.getMessage());
            return Optional.empty();
        }
    }
}
