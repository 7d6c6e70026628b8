package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.codec.LogEntryCodecFactory;
import com.alipay.sofa.jraft.entity.codec.LogEntryDecoder;
import com.alipay.sofa.jraft.entity.codec.LogEntryEncoder;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FaultyFileIo;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promises of a log storage, one by one. */
class SegmentLogStorageTest {
    private final FaultyFileIo disk = new FaultyFileIo();
    private SegmentLogStorage storage = LogEntries.open(disk);

    private void reopen() {
        storage.shutdown();
        storage = LogEntries.open(disk);
    }

    private LogContent content() {
        return LogContent.of(storage, "content");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void init_newFolder_isEmptyFromIndexOne() {
        assertThat(storage.getFirstLogIndex()).isEqualTo(1);
        assertThat(storage.getLastLogIndex()).isZero();
        assertThat(storage.getEntry(1)).isNull();
        assertThat(storage.getTerm(1)).isZero();
    }

    @Test
    void appendEntries_list_isOneWrite() {
        LogEntries.append(storage, LogEntries.data(1, 10, 1)); // takes the first segment
        int before = disk.operations();

        LogEntries.append(storage, LogEntries.data(11, 20, 1));

        assertThat(disk.operations() - before).isEqualTo(1);
        assertThat(storage.getLastLogIndex()).isEqualTo(30);
    }

    @Test
    void appendEntries_indexThatDoesNotFollow_isRefusedAndTheLogGoesOn() {
        LogEntries.append(storage, LogEntries.data(1, 3, 1));

        assertThat(storage.appendEntries(LogEntries.data(5, 1, 1))).isZero();
        assertThat(storage.appendEntries(LogEntries.data(3, 1, 1))).isZero();
        assertThat(storage.appendEntries(List.of(LogEntries.data(4, 1), LogEntries.data(6, 1))))
                .isZero();
        assertThat(storage.appendEntries(List.of())).isZero();

        assertThat(storage.appendEntry(LogEntries.data(4, 1))).isTrue();
        assertThat(storage.failure()).isNull();
        assertThat(content()).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, 4, 1)));
    }

    @Test
    void append_entryThatIsEncodedAsNothing_isRefused() throws IOException {
        storage.shutdown();
        try (SegmentLog log = SegmentLog.open(
                disk, LogEntries.FOLDER, LogEntries.SMALL, Runnable::run, (run, position, header, payload) -> {})) {
            assertThatThrownBy(() -> log.append(List.of(new FrameWriter.EncodedEntry(2, 1, 1, new byte[0]))))
                    .isInstanceOf(LogRefusedException.class)
                    .hasMessageContaining("index=1");
            log.append(List.of(new FrameWriter.EncodedEntry(2, 1, 1, new byte[1])));
            assertThat(log.last()).isEqualTo(1);
        }
    }

    @Test
    void getEntry_afterOpening_isWhatWasAppended() {
        List<LogEntry> entries = List.of(
                LogEntries.configuration(1, 1, "127.0.0.1:1,127.0.0.1:2"),
                LogEntries.data(2, 1, bytes(1)),
                LogEntries.data(3, 7, bytes(3_000)),
                LogEntries.data(4, 7, new byte[0]));
        LogEntries.append(storage, entries);
        reopen();

        assertThat(storage.getEntry(1)).isEqualTo(entries.get(0));
        assertThat(storage.getEntry(2)).isEqualTo(entries.get(1));
        assertThat(storage.getEntry(3)).isEqualTo(entries.get(2));
        assertThat(storage.getTerm(4)).isEqualTo(7);
    }

    @Test
    void appendEntries_entryLongerThanASegmentAndAWrite_isKept() {
        LogEntry large = LogEntries.data(2, 1, bytes(2 * FrameWriter.MAX_WRITE_BYTES + 1_234));
        LogEntries.append(storage, LogEntries.data(1, 1, 1));
        LogEntries.append(storage, List.of(large, LogEntries.data(3, 1)));
        LogEntries.append(storage, LogEntries.data(4, 1, 2));
        assertThat(storage.getEntry(2)).isEqualTo(large);
        reopen();

        assertThat(storage.getEntry(2)).isEqualTo(large);
        assertThat(storage.getLastLogIndex()).isEqualTo(4);
        assertThat(storage.truncatePrefix(4)).isTrue();
        assertThat(disk.list(LogEntries.FOLDER)).hasSizeLessThanOrEqualTo(1 + 1 + LogEntries.SMALL.maxSpares());
    }

    @Test
    void truncateSuffix_thenOtherEntries_areThoseThatCount() {
        LogEntries.append(storage, LogEntries.data(1, 20, 1));
        assertThat(storage.truncateSuffix(5)).isTrue();
        assertThat(storage.getLastLogIndex()).isEqualTo(5);
        assertThat(storage.getEntry(6)).isNull();
        LogEntries.append(storage, LogEntries.data(6, 3, 2)); // of the same length, so old frames follow
        LogContent expected = LogContent.EMPTY.append(LogEntries.data(1, 5, 1)).append(LogEntries.data(6, 3, 2));

        assertThat(content()).isEqualTo(expected);
        reopen();
        assertThat(content()).isEqualTo(expected);
    }

    @Test
    void truncateSuffix_overSeveralSegments_givesThemBack() {
        for (int index = 1; index <= 600; index += 10) {
            LogEntries.append(storage, LogEntries.data(index, 10, 1));
        }
        assertThat(storage.truncateSuffix(15)).isTrue();
        assertThat(disk.list(LogEntries.FOLDER)).hasSizeLessThanOrEqualTo(1 + 1 + LogEntries.SMALL.maxSpares());
        LogEntries.append(storage, LogEntries.data(16, 1, 2));
        reopen();

        assertThat(content())
                .isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, 15, 1)).append(LogEntries.data(16, 1, 2)));
    }

    @Test
    void truncateSuffix_ofAllEntries_leavesAnEmptyLogAtTheFirstIndex() {
        LogEntries.append(storage, LogEntries.data(1, 20, 1));
        assertThat(storage.truncatePrefix(8)).isTrue();
        assertThat(storage.truncateSuffix(7)).isTrue();
        reopen();

        assertThat(content()).isEqualTo(new LogContent(8, List.of()));
        assertThat(storage.truncateSuffix(6)).isFalse();
        assertThat(storage.failure()).isNull();
        LogEntries.append(storage, LogEntries.data(8, 2, 2));
        assertThat(storage.getLastLogIndex()).isEqualTo(9);
    }

    @Test
    void truncatePrefix_behindTheEnd_leavesAnEmptyLogThatGoesOnThere() {
        LogEntries.append(storage, LogEntries.data(1, 20, 1));
        assertThat(storage.truncatePrefix(101)).isTrue();
        assertThat(storage.getFirstLogIndex()).isEqualTo(101);
        assertThat(storage.getLastLogIndex()).isEqualTo(100);
        reopen();

        assertThat(content()).isEqualTo(new LogContent(101, List.of()));
        assertThat(storage.appendEntries(LogEntries.data(21, 1, 1))).isZero();
        LogEntries.append(storage, LogEntries.data(101, 2, 1));
        reopen();
        assertThat(content()).isEqualTo(new LogContent(101, List.of()).append(LogEntries.data(101, 2, 1)));
    }

    @Test
    void truncatePrefix_lowerThanTheFirstIndex_changesNothing() {
        LogEntries.append(storage, LogEntries.data(1, 20, 1));
        assertThat(storage.truncatePrefix(5)).isTrue();
        int operations = disk.operations();

        assertThat(storage.truncatePrefix(3)).isTrue();
        assertThat(storage.truncateSuffix(20)).isTrue();

        assertThat(disk.operations()).isEqualTo(operations);
        assertThat(storage.getFirstLogIndex()).isEqualTo(5);
        assertThat(storage.getEntry(4)).isNull();
        assertThat(storage.getTerm(4)).isZero();
    }

    @Test
    void reset_snapshotInstalled_goesOnAtTheNextIndex() {
        LogEntries.append(storage, LogEntries.data(1, 20, 1));
        assertThat(storage.reset(15)).isTrue();
        assertThat(content()).isEqualTo(new LogContent(15, List.of()));
        reopen();
        assertThat(content()).isEqualTo(new LogContent(15, List.of()));
        LogEntries.append(storage, LogEntries.data(15, 3, 2));
        reopen();

        assertThat(content()).isEqualTo(new LogContent(15, List.of()).append(LogEntries.data(15, 3, 2)));
        assertThatThrownBy(() -> storage.reset(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void truncatePrefix_manyTimes_usesFilesAgain() {
        long index = 1;
        for (int round = 0; round < 300; round++) {
            LogEntries.append(storage, LogEntries.data(index, 60, round));
            index += 60;
            assertThat(storage.truncatePrefix(index - 20)).isTrue();
        }

        assertThat(disk.list(LogEntries.FOLDER)).hasSizeLessThanOrEqualTo(1 + 2 + LogEntries.SMALL.maxSpares());
        reopen();
        assertThat(content())
                .isEqualTo(new LogContent(index - 20, List.of()).append(LogEntries.data(index - 20, 20, 299)));
    }

    @Test
    void init_manyTimes_leavesEntriesAndFilesAsTheyAre() {
        LogContent expected = LogContent.EMPTY;
        for (int i = 1; i <= 60; i++) {
            LogEntries.append(storage, LogEntries.data(i, 1, i));
            expected = expected.append(LogEntries.data(i, 1, i));
            reopen();
            reopen();
        }

        assertThat(content()).isEqualTo(expected);
        assertThat(disk.list(LogEntries.FOLDER)).hasSizeLessThanOrEqualTo(1 + 2 + LogEntries.SMALL.maxSpares());
    }

    @Test
    void init_configurations_areToldInOrderFromTheFirstIndexOn() {
        LogEntry joint = LogEntries.configuration(9, 1, "127.0.0.1:3");
        joint.setOldPeers(JRaftUtils.getConfiguration("127.0.0.1:2").getPeers());
        LogEntries.append(storage, List.of(LogEntries.configuration(1, 1, "127.0.0.1:1"), LogEntries.data(2, 1)));
        LogEntries.append(storage, LogEntries.data(3, 4, 1));
        LogEntries.append(
                storage, List.of(LogEntries.configuration(7, 1, "127.0.0.1:2"), LogEntries.data(8, 1), joint));
        assertThat(storage.truncatePrefix(4)).isTrue();
        storage.shutdown();

        storage = LogEntries.storage(disk);
        ConfigurationManager manager = new ConfigurationManager();
        assertThat(storage.init(LogEntries.options(manager))).isTrue();

        assertThat(manager.get(6).isEmpty()).isTrue();
        assertThat(manager.get(8).getId().getIndex()).isEqualTo(7);
        assertThat(manager.get(8).getConf()).isEqualTo(JRaftUtils.getConfiguration("127.0.0.1:2"));
        assertThat(manager.getLastConfiguration().getId().getIndex()).isEqualTo(9);
        assertThat(manager.getLastConfiguration().getOldConf()).isEqualTo(JRaftUtils.getConfiguration("127.0.0.1:2"));
    }

    @Test
    void appendEntries_fullDisk_isRefusedUntilThereIsRoom() {
        disk.setFull(true);
        long index = 1;
        while (storage.appendEntries(LogEntries.data(index, 10, 1)) == 10) {
            index += 10;
        }
        assertThat(index).isGreaterThan(1);
        assertThat(storage.failure()).isNull();
        assertThat(storage.reason())
                .hasMessageContaining("no segment of the log can be made: file=" + LogEntries.FOLDER)
                .hasMessageContaining("bytes=");
        assertThat(content()).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, (int) index - 1, 1)));

        disk.setFull(false);
        LogEntries.append(storage, LogEntries.data(index, 10, 1));
        reopen();
        assertThat(content()).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, (int) index + 9, 1)));
    }

    @Test
    void appendEntries_noMemoryInTheEncoder_isTheReason() {
        storage.shutdown();
        storage = LogEntries.storage(disk);
        LogStorageOptions options = LogEntries.options(new ConfigurationManager());
        options.setLogEntryCodecFactory(new LogEntryCodecFactory() {
            @Override
            public LogEntryEncoder encoder() {
                return entry -> {
                    throw new OutOfMemoryError("injected");
                };
            }

            @Override
            public LogEntryDecoder decoder() {
                return LogEntryV2CodecFactory.getInstance().decoder();
            }
        });
        assertThat(storage.init(options)).isTrue();
        assertThat(storage.appendEntries(LogEntries.data(1, 1, 1))).isZero();
        assertThat(storage.reason()).hasMessageContaining("OutOfMemoryError").hasRootCauseMessage("injected");
        reopen();
        assertThat(content()).isEqualTo(LogContent.EMPTY);
    }

    @Test
    void appendEntries_forceOfTheFolderHasFailedInTheBackground_failsWhereANewSegmentIsNeeded() {
        disk.failAt(6, false); // 1 and 2: the state with the first segment; 3 to 5: the next segment; 6: its name
        int appended = 0;
        while (storage.appendEntries(LogEntries.data(appended + 1, 10, 1)) == 10) {
            appended += 10;
        }

        assertThat(appended).isGreaterThan(10);
        assertThat(storage.failure()).hasMessageContaining("injected failure of force of log");
        assertThat(storage.appendEntries(LogEntries.data(appended + 1, 1, 1))).isZero();
        reopen();
        assertThat(content()).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, appended, 1)));
    }

    @Test
    void truncatePrefix_fullDisk_makesRoom() {
        disk.setFull(true);
        long index = 1;
        while (storage.appendEntries(LogEntries.data(index, 10, 1)) == 10) {
            index += 10;
        }

        assertThat(storage.truncatePrefix(index)).isTrue();
        assertThat(storage.reset(index + 5)).isTrue();
        LogEntries.append(storage, LogEntries.data(index + 5, 10, 1));
    }

    @Test
    void appendEntries_moreRunsThanAStateHolds_isRefusedUntilTheStartIsCutOff() {
        FaultyFileIo small = new FaultyFileIo();
        StorageOptions options = new StorageOptions(1024, 1024, 2); // a state of 14 runs
        storage = new SegmentLogStorage(LogEntries.FOLDER, small, options, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        int appended = 0;
        while (storage.appendEntries(LogEntries.data(appended + 1, 3, 1)) == 3) {
            appended += 3;
        }
        assertThat(appended).isEqualTo(30);
        assertThat(storage.truncateSuffix(20)).isFalse();
        assertThat(storage.failure()).isNull();
        storage.shutdown();

        storage = new SegmentLogStorage(LogEntries.FOLDER, small, options, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        assertThat(content()).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, 30, 1)));
        assertThat(storage.truncatePrefix(20)).isTrue();
        LogEntries.append(storage, LogEntries.data(31, 3, 1));
        assertThat(content()).isEqualTo(new LogContent(20, List.of()).append(LogEntries.data(20, 14, 1)));
    }

    @Test
    void shutdown_twice_andCallsAfterIt_answerNothing() {
        LogEntries.append(storage, LogEntries.data(1, 3, 1));
        storage.shutdown();
        storage.shutdown();

        assertThat(storage.getEntry(1)).isNull();
        assertThat(storage.appendEntries(LogEntries.data(4, 1, 1))).isZero();
        assertThat(storage.truncatePrefix(2)).isFalse();
        assertThat(storage.failure()).isNull();
    }

    @Test
    void init_folderInUse_isRefused(@TempDir Path folder) throws IOException {
        SegmentLogStorage first = onDisk(folder);
        SegmentLogStorage second = onDisk(folder);
        assertThat(LogEntries.init(first)).isTrue();
        LogEntries.append(first, LogEntries.data(1, 3, 1));

        assertThat(LogEntries.init(second)).isFalse();
        assertThat(second.failure()).isInstanceOf(LogLockedException.class);
        second.shutdown();
        LogEntries.append(first, LogEntries.data(4, 3, 1));
        first.shutdown();

        SegmentLogStorage third = onDisk(folder);
        assertThat(LogEntries.init(third)).isTrue();
        assertThat(LogContent.of(third, "third")).isEqualTo(LogContent.EMPTY.append(LogEntries.data(1, 6, 1)));
        third.shutdown();
    }

    private static SegmentLogStorage onDisk(Path folder) {
        return new SegmentLogStorage(
                folder.resolve("log"), new DiskFileIo(), LogEntries.SMALL, Runnable::run, Progress.ALL, term -> {});
    }
}
