package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import dev.touchstone.queue.log.FileIo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Small storages for tests, and entries to store. */
final class LogEntries {
    static final Path FOLDER = Path.of("log");
    static final StorageOptions SMALL = new StorageOptions(16 << 10, 8 << 10, 2);

    /** Kept, so that the level stays: sweeps provoke thousands of failures. */
    private static final Logger LOG = Logger.getLogger(SegmentLogStorage.class.getName());

    static {
        LOG.setLevel(Level.OFF);
    }

    private LogEntries() {}

    static LogEntry data(long index, long term, byte[] data) {
        LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
        entry.setId(new LogId(index, term));
        entry.setData(ByteBuffer.wrap(data));
        return entry;
    }

    /** Returns an entry whose data of 100 bytes begins with index and term. */
    static LogEntry data(long index, long term) {
        byte[] data = Arrays.copyOf((index + "@" + term + " ").getBytes(StandardCharsets.US_ASCII), 100);
        return data(index, term, data);
    }

    /** Returns entries of consecutive indexes. */
    static List<LogEntry> data(long firstIndex, int count, long term) {
        List<LogEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(data(firstIndex + i, term));
        }
        return entries;
    }

    static LogEntry configuration(long index, long term, String peers) {
        LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_CONFIGURATION);
        entry.setId(new LogId(index, term));
        entry.setPeers(JRaftUtils.getConfiguration(peers).getPeers());
        return entry;
    }

    /** Returns index, term, type and a hash of the data. */
    static String describe(LogEntry entry) {
        ByteBuffer data = entry.getData();
        int hash = data == null || !data.hasRemaining() ? 0 : data.hashCode();
        return entry.getId().getIndex() + "@" + entry.getId().getTerm() + " " + entry.getType() + " "
                + Integer.toHexString(hash);
    }

    static LogStorageOptions options(ConfigurationManager manager) {
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId("group");
        options.setConfigurationManager(manager);
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        return options;
    }

    /** Returns a storage that makes its segments in the thread that uses it. */
    static SegmentLogStorage storage(FileIo io) {
        return new SegmentLogStorage(FOLDER, io, SMALL, Runnable::run, Progress.ALL, term -> {});
    }

    static boolean init(SegmentLogStorage storage) {
        return storage.init(options(new ConfigurationManager()));
    }

    static SegmentLogStorage open(FileIo io, String what) {
        SegmentLogStorage storage = storage(io);
        boolean isOpen = init(storage);
        assertThat(storage.failure()).as(what).isNull();
        assertThat(isOpen).as(what).isTrue();
        return storage;
    }

    static SegmentLogStorage open(FileIo io) {
        return open(io, "opening");
    }

    static void append(SegmentLogStorage storage, List<LogEntry> entries) {
        assertThat(storage.appendEntries(entries)).isEqualTo(entries.size());
    }
}
