package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.conf.ConfigurationEntry;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.LogEntryDecoder;
import com.alipay.sofa.jraft.entity.codec.LogEntryEncoder;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The log storage of a member: a {@link SegmentLog} behind the interface of the consensus library. Every list of entries is on the device
 * when {@link #appendEntries} returns, whatever the library's options say.
 */
final class SegmentLogStorage implements LogStorage {
    /*
     * Who calls:      the library's log thread appends and truncates; its replicators and its state machine read meanwhile.
     * Invariants:     a storage is opened once. The library keeps the configurations up to date by itself after init().
     * Failure:        the library's interface has no exceptions: a call that fails returns false, 0 or null, on which the library ends the
     *                 member. The first failure is logged once, with its cause, and kept; a refusal is logged each time. An Error, as for want
     *                 of memory, is a failure as others are: the library would end the member without telling its cause.
     */
    /** Number of the type of configuration entries. */
    static final int CONFIGURATION = EntryType.ENTRY_TYPE_CONFIGURATION.getNumber();

    private static final Logger LOG = System.getLogger(SegmentLogStorage.class.getName());

    private final Path folder;
    private final FileIo io;
    private final StorageOptions options;
    private final Executor background;

    private final RecentEntries recent = new RecentEntries();

    private final TermFloor stored;

    @GuardedBy("this")
    private final MemoryBrake brake;

    private volatile @Nullable SegmentLog log;
    private volatile @Nullable IOException failure;
    private volatile @Nullable IOException refusal; // of the last change
    private volatile @Nullable LogEntryDecoder decoder;

    @GuardedBy("this")
    private @Nullable LogEntryEncoder encoder;

    /**
     * Creates a storage, which {@link #init} opens.
     *
     * @param folder folder of the log, made where absent
     * @param background runs the making of segments ahead of their use
     * @param progress how far the entries were applied
     * @param stored told the term of entries before they are appended
     */
    SegmentLogStorage(
            Path folder, FileIo io, StorageOptions options, Executor background, Progress progress, TermFloor stored) {
        this.folder = folder;
        this.io = io;
        this.options = options;
        this.background = background;
        this.stored = stored;
        this.brake = new MemoryBrake(progress);
    }

    /** A place where the member's term is stored. */
    interface TermFloor {
        /** Returns when the stored term is this one or a later one. */
        void raise(long term) throws IOException;
    }

    /** Opens the log, and tells the configuration manager the log's configuration entries. Returns false if it cannot be opened. */
    @Override
    public synchronized boolean init(LogStorageOptions opts) {
        if (log != null) {
            return true;
        }
        LogEntryDecoder entries = opts.getLogEntryCodecFactory().decoder();
        encoder = opts.getLogEntryCodecFactory().encoder();
        decoder = entries;
        List<ConfigurationEntry> configurations = new ArrayList<>();
        try {
            log = SegmentLog.open(io, folder, options, background, (run, position, header, payload) -> {
                LogEntry entry = entries.decode(payload);
                if (entry == null) {
                    throw new CorruptLogException(
                            run.segment().path(), position, "payload", "a configuration entry", "none");
                }
                configurations.add(configuration(entry));
            });
        } catch (IOException e) {
            report("open", e);
            return false;
        }
        ConfigurationManager manager = opts.getConfigurationManager();
        if (manager != null) {
            configurations.forEach(manager::add);
        }
        return true;
    }

    private static ConfigurationEntry configuration(LogEntry entry) {
        ConfigurationEntry configuration = new ConfigurationEntry();
        configuration.setId(new LogId(entry.getId().getIndex(), entry.getId().getTerm()));
        configuration.setConf(new Configuration(entry.getPeers(), entry.getLearners()));
        if (entry.getOldPeers() != null) {
            configuration.setOldConf(new Configuration(entry.getOldPeers(), entry.getOldLearners()));
        }
        return configuration;
    }

    /** Closes the log. Does nothing if it is not open. */
    @Override
    public synchronized void shutdown() {
        SegmentLog open = log;
        log = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                report("close", e);
            }
        }
    }

    /** Returns the first failure, after which the storage accepts nothing; null if there was none. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /** Returns why the last call was not carried out, on which the library ends the member: the failure, or a refusal; null if it was. */
    @Nullable
    IOException reason() {
        IOException failed = failure;
        return failed == null ? refusal : failed;
    }

    @Override
    public long getFirstLogIndex() {
        SegmentLog open = log;
        return open == null ? 1 : open.first();
    }

    @Override
    public long getLastLogIndex() {
        SegmentLog open = log;
        return open == null ? 0 : open.last();
    }

    /** Returns the entry of an index; null if the log does not have it, or if it is damaged, which {@link #failure} then says. */
    @Override
    public @Nullable LogEntry getEntry(long index) {
        SegmentLog open = log;
        LogEntryDecoder entries = decoder;
        if (open == null || entries == null) {
            return null;
        }
        try {
            LogEntry kept = recent.get(index);
            if (kept != null
                    && open.term(index) == kept.getId().getTerm()) { // entries of one index and term are the same
                return kept;
            }
            LogEntry read = open.read(index, entries::decode);
            if (read != null) {
                recent.put(read);
            }
            return read;
        } catch (IOException | RuntimeException | Error e) {
            report("read of index " + index, e);
            return null;
        }
    }

    /** Returns the term of an index, as {@link #getEntry} does, and 0 in the place of null. */
    @Override
    @SuppressWarnings("deprecation") // the library does not call it any more
    public long getTerm(long index) {
        SegmentLog open = log;
        if (open == null) {
            return 0;
        }
        try {
            return open.term(index);
        } catch (IOException | RuntimeException | Error e) {
            report("read of index " + index, e);
            return 0;
        }
    }

    /** Returns the term of the last entry; 0 if there is none. */
    long lastTerm() {
        return getTerm(getLastLogIndex());
    }

    /** Reads each entry that the log has now; see {@link StorageFactory#readAll}. */
    StorageFactory.Reading readAll() {
        SegmentLog open = log;
        LogEntryDecoder entries = decoder;
        if (open == null || entries == null) {
            return new StorageFactory.Reading(0, 0, "the log is not open");
        }
        long last = open.last();
        long index = open.first();
        try {
            for (; index <= last; index++) {
                open.check(index, entries::decode);
            }
            return new StorageFactory.Reading(open.first(), last, null);
        } catch (IOException e) {
            return new StorageFactory.Reading(open.first(), index - 1, "entry " + index + ": " + e.getMessage());
        }
    }

    @Override
    public boolean appendEntry(LogEntry entry) {
        return appendEntries(List.of(entry)) == 1;
    }

    /** Appends entries; returns their number when all are on the device, and 0 if not. */
    @Override
    public synchronized int appendEntries(List<LogEntry> entries) {
        LogEntryEncoder encoding = encoder;
        if (entries == null || entries.isEmpty() || encoding == null) {
            return 0;
        }
        brake.awaitRoom();
        List<FrameWriter.EncodedEntry> encoded = new ArrayList<>(entries.size());
        long lastTerm = entries.get(entries.size() - 1).getId().getTerm();
        boolean done = change("append", open -> {
            stored.raise(lastTerm);
            encode(entries, encoding, encoded);
            open.append(encoded);
        });
        if (!done) {
            return 0;
        }
        entries.forEach(recent::put);
        brake.appended(
                entries.get(entries.size() - 1).getId().getIndex(),
                encoded.stream().mapToLong(FrameWriter.EncodedEntry::frameBytes).sum());
        return entries.size();
    }

    private static void encode(
            List<LogEntry> entries, LogEntryEncoder encoding, List<FrameWriter.EncodedEntry> target) {
        for (LogEntry each : entries) {
            target.add(new FrameWriter.EncodedEntry(
                    each.getType().getNumber(),
                    each.getId().getIndex(),
                    each.getId().getTerm(),
                    encoding.encode(each)));
        }
    }

    @Override
    public boolean truncatePrefix(long firstIndexKept) {
        return change("truncation before index " + firstIndexKept, open -> open.truncatePrefix(firstIndexKept));
    }

    @Override
    public synchronized boolean truncateSuffix(long lastIndexKept) {
        brake.clear();
        return change("truncation behind index " + lastIndexKept, open -> open.truncateSuffix(lastIndexKept));
    }

    /** Removes all entries, so that the next one has the index {@code nextLogIndex}. */
    @Override
    public synchronized boolean reset(long nextLogIndex) {
        brake.clear();
        if (nextLogIndex <= 0) {
            throw new IllegalArgumentException("nextLogIndex=" + nextLogIndex + ": expected 1 or more");
        }
        return change("reset to index " + nextLogIndex, open -> open.reset(nextLogIndex));
    }

    /** A change of the log. */
    private interface Change {
        void on(SegmentLog log) throws IOException;
    }

    private boolean change(String what, Change change) {
        SegmentLog open = log;
        if (open == null) {
            return false;
        }
        try {
            change.on(open);
            refusal = null;
            return true;
        } catch (IOException | RuntimeException | Error e) {
            report(what, e);
            return false;
        }
    }

    private void report(String what, Throwable thrown) {
        IOException e = thrown instanceof IOException failed && !IOException.class.equals(thrown.getClass())
                ? failed
                : new IOException(
                        "log storage has failed: operation=" + what + " folder=" + folder + ": "
                                + (thrown instanceof IOException ? thrown.getMessage() : thrown),
                        thrown);
        if (e instanceof LogRefusedException) {
            refusal = e;
            LOG.log(Level.WARNING, "log storage has refused: operation=" + what + " folder=" + folder, e);
        } else if (failure == null && !(e instanceof LogFailedException)) {
            failure = e; // nothing else is needed to tell it, should there be no memory
            LOG.log(Level.ERROR, "log storage has failed: operation=" + what + " folder=" + folder, e);
        }
    }
}
