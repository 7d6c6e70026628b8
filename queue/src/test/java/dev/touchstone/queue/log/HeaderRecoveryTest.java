package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.LogOptions.OnDamage;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments whose header is damaged in both copies: read with a header that their records and neighbours prove. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeaderRecoveryTest {
    private static final int PAYLOAD_BYTES = 1004;
    private static final int RECORD_BYTES = RecordFormat.recordBytes(PAYLOAD_BYTES);
    private static final int SEGMENTS = 4;

    private final List<CorruptLogException> told = new ArrayList<>();
    private int count;

    private LogOptions options(Commit commit, OnDamage decision) {
        LogOptions usual = Logs.options(commit);
        return new LogOptions(
                usual.folder(),
                commit,
                usual.segmentBytes(),
                usual.batch(),
                usual.lockTimeout(),
                new LogOptions.Limits(Long.MAX_VALUE, 1 << 30, 0, LogOptions.WhenFull.REFUSE),
                usual.retention(),
                usual.leases(),
                false,
                damage -> {
                    told.add(damage);
                    return decision;
                });
    }

    /** Returns a closed log of {@link #SEGMENTS} segments; {@link #count} is what it holds. */
    private FaultyFileIo closedLog(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        count = 0;
        try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
            while (log.counts().segments() < SEGMENTS || count % 50 != 0) {
                Logs.append(
                        log, ByteBuffer.allocate(PAYLOAD_BYTES).putInt(count++).array());
            }
        }
        return disk;
    }

    private static Path file(int epoch) {
        return Logs.FOLDER.resolve(SegmentStore.fileName(epoch));
    }

    private static void overwrite(FaultyFileIo disk, Path path, int bytes, int with) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(bytes);
        while (page.hasRemaining()) {
            page.put((byte) with);
        }
        try (FileIo.DataFile file = disk.open(path, FileIo.Access.WRITE)) {
            file.write(page.flip(), 0);
        }
    }

    private static List<Integer> drain(RecordLog log) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (byte[] record = Logs.poll(log); record != null; record = Logs.poll(log)) {
            numbers.add(ByteBuffer.wrap(record).getInt());
        }
        return numbers;
    }

    private List<Integer> all() {
        return IntStream.range(0, count).boxed().collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource
    void open_withTheHeaderOfAnySegmentDamaged_keepsAllRecords(Commit commit) throws IOException {
        for (int epoch = 1; epoch <= SEGMENTS; epoch++) {
            for (int with : new int[] {0xFF, 0}) {
                String what = "epoch=" + epoch + " with=" + with;
                FaultyFileIo disk = closedLog(commit);
                SegmentHeader before = header(disk, epoch);
                overwrite(disk, file(epoch), SegmentHeader.BYTES, with);
                told.clear();
                try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
                    assertThat(told).as(what).hasSize(1);
                    assertThat(told.get(0).file()).as(what).isEqualTo(file(epoch));
                    assertThat(log.outcome().damagedPlaces()).as(what).isEqualTo(1);
                    SegmentHeader after = header(disk, epoch);
                    assertThat(after.firstSequence()).as(what).isEqualTo(before.firstSequence());
                    assertThat(after.offset()).as(what).isEqualTo(before.offset());
                    assertThat(after.logId()).as(what).isEqualTo(before.logId());
                    assertThat(after.writtenThrough()).as(what).isEqualTo(before.writtenThrough());
                    assertThat(drain(log)).as(what).isEqualTo(all());
                }
                told.clear();
                RecordLog.open(options(commit, OnDamage.SKIP), disk).close();
                assertThat(told).as("told once: %s", what).isEmpty();
            }
        }
    }

    private static SegmentHeader header(FaultyFileIo disk, int epoch) throws IOException {
        try (FileIo.DataFile file = disk.open(file(epoch), FileIo.Access.READ)) {
            SegmentHeader header = SegmentHeader.read(file, file(epoch), epoch, true);
            return Objects.requireNonNull(header);
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_withSeveralHeadersDamaged_derivesEachFromTheOneBefore(Commit commit) throws IOException {
        FaultyFileIo disk = closedLog(commit);
        for (int epoch = 2; epoch <= SEGMENTS; epoch++) {
            overwrite(disk, file(epoch), SegmentHeader.BYTES, 0xFF);
        }
        try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
            assertThat(log.outcome().damagedPlaces()).isEqualTo(SEGMENTS - 1);
            assertThat(drain(log)).isEqualTo(all());
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_withTheFirstRecordsDamagedToo_losesTheseOnly(Commit commit) throws IOException {
        int perSegment = (Logs.options(commit).segmentBytes() - SegmentHeader.BYTES) / RECORD_BYTES;
        for (int epoch = 1; epoch < SEGMENTS; epoch++) {
            FaultyFileIo disk = closedLog(commit);
            int first = (int) header(disk, epoch).firstSequence() - 1;
            overwrite(disk, file(epoch), SegmentHeader.BYTES + 2 * RECORD_BYTES, 0xFF);
            List<Integer> expected = all();
            expected.removeAll(List.of(first, first + 1));
            try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
                assertThat(drain(log))
                        .as("epoch=%d of %d records", epoch, perSegment)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_withoutTheOwnersConsent_isRefused(Commit commit) throws IOException {
        FaultyFileIo disk = closedLog(commit);
        overwrite(disk, file(2), SegmentHeader.BYTES, 0xFF);
        assertThatThrownBy(() -> RecordLog.open(options(commit, OnDamage.THROW), disk))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining(file(2).toString());
    }

    @ParameterizedTest
    @EnumSource
    void open_withTheOnlyHeaderDamaged_setsTheFileAside(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
            Logs.append(log, new byte[PAYLOAD_BYTES]);
        }
        overwrite(disk, file(1), SegmentHeader.BYTES, 0xFF);
        try (RecordLog log = RecordLog.open(options(commit, OnDamage.SKIP), disk)) {
            assertThat(drain(log)).isEmpty();
            assertThat(log.outcome().damagedPlaces()).isEqualTo(1);
        }
        assertThat(disk.list(Logs.FOLDER)).contains(SegmentStore.setAside(file(1)));
    }
}
