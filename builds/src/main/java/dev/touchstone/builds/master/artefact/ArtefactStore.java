package dev.touchstone.builds.master.artefact;

import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.builds.file.RelativePath;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The artefacts of all jobs. The dispatcher begins and ends leases, one thread appends and reads, and a thread of the store's checks what is whole, keeps it by
 * digest, and removes what is too much. Thread-safe.
 */
public final class ArtefactStore implements AutoCloseable {
    /*
     * Who calls:      the dispatcher `begin`, `lease`, `complete`, `fence`, `end`, `delete`; the service's thread `append` and `read`; the keeper's tasks alone
     *                 use `kept`, `uses` and `bytes`, once `recover` has returned.
     * Invariants:     `uses` counts how often the lists in `kept` name a content; a content without uses is no file. A list is written when all of its
     *                 contents are there.
     * Ordering:       an attempt that begins has the list of the one before deleted by a task, behind the task that may write it.
     * Failure:        a crash leaves contents without uses, which `recover` removes, or a bundle, whose rest the agent sends.
     */
    private static final Logger LOG = System.getLogger(ArtefactStore.class.getName());
    private static final int BLOCK = 4096; // that even an empty file costs, about
    private static final int MAX_CONTENTS = 100_000; // of about 200 bytes in memory each

    private final ArtefactFiles files;
    private final ArtefactLimits limits;
    private final Map<Long, Incoming> leased = new ConcurrentHashMap<>();
    private final Map<Long, Long> kept = new LinkedHashMap<>(); // bytes of each job's list, the oldest first
    private final Map<String, Integer> uses = new HashMap<>(); // by digest
    private final ExecutorService keeper;
    private long bytes; // of all contents and lists, in blocks
    private volatile @Nullable Listed last; // list that was read

    private record Listed(long job, Bundle bundle) {}

    /**
     * The end of a transfer of a job's artefacts.
     *
     * @param files number of files that are stored
     * @param bytes bytes of these together
     * @param problem why there are none; empty if they are stored
     */
    public record Arrival(int files, long bytes, String problem) {}

    /** Bytes that were read, which are the caller's, and whether they are the last. */
    record Piece(ByteBuffer bytes, boolean isLast) {}

    /**
     * Creates a store.
     *
     * @param folder of the artefacts alone; not null
     * @param limits what they may take; not null
     * @param failed told the name of a thread and its failure if artefacts cannot be dealt with, and their jobs would wait for ever; not null
     */
    public ArtefactStore(Path folder, ArtefactLimits limits, BiConsumer<String, Throwable> failed) {
        this.files = new ArtefactFiles(folder);
        this.limits = limits;
        keeper = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "builds-artefact-keeper");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((ended, e) -> failed.accept(ended.getName(), e));
            return thread;
        });
    }

    /** Returns what artefacts may take. */
    public ArtefactLimits limits() {
        return limits;
    }

    /**
     * Finds what an earlier life of the master has left, and removes what belongs to no job.
     *
     * @param isKept says of a job's number whether the job has ended and has artefacts; not null
     * @param isLeased says whether a job is with an agent; not null
     */
    public void recover(LongPredicate isKept, LongPredicate isLeased) throws IOException {
        OwnerOnly.folder(files.lists());
        OwnerOnly.folder(files.contents());
        OwnerOnly.folder(files.incoming());
        for (long job : files.jobs()) {
            if (!isKept.test(job)) {
                Files.deleteIfExists(files.list(job));
                continue;
            }
            try {
                add(job, files.read(job));
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, "artefacts of a job cannot be read; see verify: job=" + job, e);
            }
        }
        for (Path folder : ArtefactFiles.entries(files.contents())) {
            for (Path file : ArtefactFiles.entries(folder)) {
                if (!uses.containsKey(file.getFileName().toString())) {
                    Files.deleteIfExists(file);
                }
            }
        }
        for (Path file : ArtefactFiles.entries(files.incoming())) {
            String number = file.getFileName().toString().replaceFirst("-.*", "");
            if (!number.matches("\\d{1,18}") || !isLeased.test(Long.parseLong(number))) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Begins a new attempt, to which nothing that was sent before belongs. */
    public void begin(long job, String agent, int attempt, long epoch) {
        Incoming incoming = incoming(job, agent, attempt, epoch);
        try {
            Files.deleteIfExists(incoming.file);
        } catch (IOException e) {
            incoming.fail("an earlier bundle cannot be removed: " + e);
        }
    }

    /** Goes on with an attempt after a restart. */
    public void lease(long job, String agent, int attempt, long epoch) {
        Incoming incoming = incoming(job, agent, attempt, epoch);
        try {
            incoming.resume();
        } catch (IOException e) {
            incoming.fail("the bundle cannot be read: " + e);
        }
    }

    private Incoming incoming(long job, String agent, int attempt, long epoch) {
        end(job);
        delete(job);
        long most = limits.bytes() + Bundle.MAX_LIST_BYTES;
        Incoming incoming = new Incoming(agent, attempt, epoch, files.incoming(job, epoch), most);
        leased.put(job, incoming);
        return incoming;
    }

    /** Has {@code done} told, by a thread of the store's, what became of the artefacts, once their bundle is here up to {@code length}. */
    public void complete(long job, long length, Consumer<Arrival> done) {
        Incoming incoming = leased.get(job);
        if (incoming == null) {
            throw new IllegalStateException("no lease: job=" + job);
        }
        incoming.expect(length, done);
        keep(job, incoming);
    }

    /**
     * Appends a piece of a bundle.
     *
     * @return up to where the agent may send now if that is worth telling, else {@link Incoming#NOTHING}, or {@link Incoming#STALE} if the lease is over
     */
    long append(String agent, long job, int attempt, long epoch, long offset, ByteBuffer piece, long window) {
        Incoming incoming = leased.get(job);
        if (incoming == null) {
            return Incoming.STALE;
        }
        long credit = incoming.append(agent, attempt, epoch, offset, piece, window);
        keep(job, incoming);
        return credit;
    }

    /** Returns how many bytes of a leased job's bundle are here. */
    public long received(long job) {
        Incoming incoming = leased.get(job);
        return incoming == null ? 0 : incoming.length();
    }

    /** Returns how often one after the other this was asked since the last byte of a job's bundle came. */
    public int stuck(long job) {
        Incoming incoming = leased.get(job);
        return incoming == null ? 0 : incoming.stuck();
    }

    private void keep(long job, Incoming incoming) {
        Consumer<Arrival> done = incoming.takeDone();
        if (done != null) {
            keeper.execute(() -> done.accept(kept(job, incoming)));
        }
    }

    private Arrival kept(long job, Incoming incoming) {
        try {
            incoming.close();
            String problem = incoming.problem();
            if (!problem.isEmpty()) {
                return new Arrival(0, 0, problem);
            }
            Bundle bundle = unpack(job, incoming.file);
            evict(job);
            return new Arrival(bundle.items().size(), bundle.contentBytes(), "");
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "artefacts cannot be stored: job=" + job, e);
            return new Arrival(0, 0, e.getMessage() == null ? e.toString() : e.getMessage());
        } finally {
            remove(incoming.file);
        }
    }

    private Bundle unpack(long job, Path file) throws IOException {
        List<Path> made = new ArrayList<>();
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ)) {
            Bundle bundle = Bundle.read(in);
            long content = bundle.contentBytes();
            long most = Math.min(limits.bytes(), limits.totalBytes());
            if (bundle.items().size() > limits.files() || content < 0 || content > most) {
                throw new IOException("more than the master keeps of a job: files="
                        + bundle.items().size() + " most=" + limits.files() + " bytes=" + content + " most="
                        + most);
            }
            if (in.size() - in.position() != content) {
                throw new IOException("the bundle has another length: expected bytes=" + (in.position() + content)
                        + " got=" + in.size());
            }
            for (Bundle.Item item : bundle.items()) {
                unpack(in, item, made);
            }
            OwnerOnly.replace(files.list(job), ByteBuffer.wrap(bundle.encode()));
            add(job, bundle);
            made.clear();
            return bundle;
        } finally {
            made.forEach(ArtefactStore::remove);
        }
    }

    /** Copies a file to where it is kept, unless an equal one is there. */
    private void unpack(FileChannel in, Bundle.Item item, List<Path> made) throws IOException {
        Path to = files.content(item.sha256());
        if (uses.containsKey(item.sha256()) || made.contains(to)) {
            long size = Files.size(to);
            if (item.size() != size) {
                throw new IOException("file has another size than its content: name=" + RelativePath.shown(item.name())
                        + " expected bytes=" + size + " got=" + item.size());
            }
            in.position(in.position() + item.size());
            return;
        }
        OwnerOnly.folder(to.resolveSibling(""));
        Path draft = to.resolveSibling(item.sha256() + ".new");
        Files.deleteIfExists(draft);
        try (FileChannel out = OwnerOnly.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Bundle.copy(in, item, out);
            out.force(true);
        } catch (IOException e) {
            remove(draft);
            throw e;
        }
        made.add(to);
        Files.move(draft, to, StandardCopyOption.ATOMIC_MOVE);
        OwnerOnly.force(to.resolveSibling(""));
    }

    private void add(long job, Bundle bundle) throws IOException {
        long list = Files.size(files.list(job));
        kept.put(job, list);
        bytes += blocks(list);
        for (Bundle.Item item : bundle.items()) {
            if (uses.merge(item.sha256(), 1, Integer::sum) == 1) {
                bytes += blocks(item.size());
            }
        }
    }

    private static long blocks(long size) {
        return Math.max(1, (size + BLOCK - 1) / BLOCK) * BLOCK;
    }

    /** Removes the oldest artefacts until the rest is small enough, but not the newest. */
    private void evict(long newest) {
        while (bytes > limits.totalBytes() || uses.size() > MAX_CONTENTS) {
            Long oldest = kept.keySet().iterator().next();
            if (oldest == newest) {
                return;
            }
            LOG.log(Logger.Level.INFO, "artefacts are removed, for others need their room: job=" + oldest);
            deleteNow(oldest);
        }
    }

    /** Ends a lease: nothing is appended from now on. */
    public void fence(long job) {
        Incoming incoming = leased.get(job);
        if (incoming != null) {
            incoming.fence();
        }
    }

    /** Ends a lease of a job that has ended or is given away again, and removes the bundle. What is kept stays. */
    public void end(long job) {
        Incoming incoming = leased.remove(job);
        if (incoming != null) {
            incoming.fence();
            keeper.execute(() -> discard(incoming));
        }
    }

    private static void discard(Incoming incoming) {
        try {
            incoming.close();
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "bundle cannot be closed: file=" + incoming.file, e);
        }
        remove(incoming.file);
    }

    /** Deletes the artefacts of a job, by and by. */
    public void delete(long job) {
        keeper.execute(() -> deleteNow(job));
    }

    private void deleteNow(long job) {
        Long list = kept.remove(job);
        if (list == null) {
            remove(files.list(job)); // which may be damaged
            return;
        }
        last = null;
        bytes -= blocks(list);
        try {
            Bundle bundle = files.read(job);
            remove(files.list(job)); // first, so that a crash leaves no list without its contents
            for (Bundle.Item item : bundle.items()) {
                if (uses.merge(item.sha256(), -1, (before, less) -> before + less == 0 ? null : before + less)
                        == null) {
                    bytes -= blocks(item.size());
                    remove(files.content(item.sha256()));
                }
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "artefacts cannot be removed: job=" + job, e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "file cannot be removed: file=" + file, e);
        }
    }

    /**
     * Reads bytes of a job's list or of one of its files. By one thread.
     *
     * @param file 0 for the list, 1 for the first file in it
     * @param most most bytes to read
     * @throws java.nio.file.NoSuchFileException if there is no such file any more
     */
    Piece read(long job, int file, long offset, int most) throws IOException {
        Path path = file == 0 ? files.list(job) : files.content(item(job, file).sha256());
        try (FileChannel in = OwnerOnly.open(path, StandardOpenOption.READ)) {
            long length = in.size();
            ByteBuffer into = ByteBuffer.allocate((int) Math.max(0, Math.min(most, length - offset)));
            long at = offset;
            int got = 0;
            while (into.hasRemaining() && got >= 0) {
                got = in.read(into, at);
                at += Math.max(0, got);
            }
            return new Piece(into.flip(), at >= length);
        }
    }

    private Bundle.Item item(long job, int file) throws IOException {
        Listed listed = last;
        if (listed == null || listed.job() != job) {
            listed = new Listed(job, files.read(job));
            last = listed;
        }
        List<Bundle.Item> items = listed.bundle().items();
        if (file > items.size()) {
            throw new IOException("job has fewer artefacts: file=" + file + " files=" + items.size());
        }
        return items.get(file - 1);
    }

    @Override
    public void close() {
        keeper.shutdown();
        for (Incoming incoming : leased.values()) {
            try {
                incoming.close();
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, "bundle cannot be closed", e);
            }
        }
    }
}
