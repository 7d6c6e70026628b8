package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.LogIterator;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged files: never a wrong record, a hang or an allocation that the file does not justify. */
@Tag("sweep")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamageTest {
    private static final int RECORDS = 40;
    private static final int PAYLOAD_BYTES = 100;
    private static final int RECORD_BYTES = RecordFormat.recordBytes(PAYLOAD_BYTES);
    private static final Path SEGMENT = Path.of("queue", "0000000000000001.seg");
    private static final LogOptions OPTIONS = options(Commit.DEVICE);

    private FaultyFileIo disk = new FaultyFileIo();

    private void fill(Commit commit) throws IOException {
        disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(options(commit), disk)) {
            for (int i = 0; i < RECORDS; i++) {
                Logs.append(log, record(i));
            }
        }
    }

    private static LogOptions options(Commit commit) {
        return Logs.options(commit);
    }

    private static byte[] record(int number) {
        return ByteBuffer.allocate(PAYLOAD_BYTES)
                .putInt(number)
                .putInt(96, ~number)
                .array();
    }

    private static void flip(FaultyFileIo image, Path path, int at, int bits) throws IOException {
        try (FileIo.DataFile file = image.open(path, FileIo.Access.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, at);
            one.put(0, (byte) (one.get(0) ^ bits)).flip();
            file.write(one, at);
        }
    }

    private static List<Integer> drain(FaultyFileIo image) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (RecordLog log = RecordLog.open(OPTIONS, image)) {
            for (Integer number = next(log); number != null; number = next(log)) {
                numbers.add(number);
            }
        } catch (CorruptLogException told) {
            assertThat(told).hasMessageContaining("file=").hasMessageContaining("offset=");
        }
        return numbers;
    }

    /** The next record's number, having been told of damage at most once. */
    private static @Nullable Integer next(RecordLog log) throws IOException {
        byte[] payload;
        try {
            payload = Logs.poll(log);
        } catch (CorruptLogException told) {
            assertThat(told).hasMessageContaining("file=").hasMessageContaining("offset=");
            payload = Logs.poll(log);
        }
        if (payload == null) {
            return null;
        }
        int number = ByteBuffer.wrap(payload).getInt();
        assertThat(payload).isEqualTo(record(number));
        return number;
    }

    @ParameterizedTest
    @EnumSource
    void open_withAnyByteOfTheSegmentDamaged_losesThatRecordOnly(Commit commit) throws IOException {
        fill(commit);
        int end = SegmentHeader.BYTES + RECORDS * RECORD_BYTES;
        for (int at = 0; at < end; at += at < SegmentHeader.BYTES ? 61 : 1) {
            FaultyFileIo image = disk.afterKill();
            flip(image, SEGMENT, at, 1 << (at % 8));
            List<Integer> left = drain(image);
            int place = (at - SegmentHeader.BYTES) % RECORD_BYTES;
            List<Integer> expected = IntStream.range(0, RECORDS).boxed().collect(Collectors.toList());
            if (at >= SegmentHeader.BYTES && place < RecordFormat.HEADER_BYTES + PAYLOAD_BYTES) {
                expected.remove(Integer.valueOf((at - SegmentHeader.BYTES) / RECORD_BYTES));
            }
            assertThat(left).as("byte %d", at).isEqualTo(expected);
        }
    }

    @Test
    void iterator_overADamagedRecord_saysSoOnceAndGoesOn() throws IOException {
        fill(Commit.DEVICE);
        FaultyFileIo image = disk.afterKill();
        flip(image, SEGMENT, SegmentHeader.BYTES + 3 * RECORD_BYTES + 50, 1);
        try (RecordLog log = RecordLog.open(OPTIONS, image)) {
            LogIterator records = log.iterator();
            for (int i = 0; i < 3; i++) {
                assertThat(records.next()).isEqualTo(record(i));
            }
            assertThatThrownBy(records::next)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("offset=");
            for (int i = 4; i < RECORDS; i++) {
                assertThat(records.next()).isEqualTo(record(i));
            }
            assertThat(records.next()).isNull();
        }
    }

    /** Every 16 bytes of the damaged record look like the header of a large one, so each would cost a checksum of its own. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 300_000})
    void poll_overADamagedRecordOfLikelyLengthsAndSequences_readsTheSegmentAFewTimes(int length) throws IOException {
        LogOptions options = LogOptions.of(Logs.FOLDER, Commit.DEVICE, 8 << 20);
        byte[] numbers = new byte[2 << 20];
        ByteBuffer longs = ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN);
        while (longs.hasRemaining()) {
            longs.putLong(length).putLong(3);
        }
        byte[] behind = new byte[length];
        disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(options, disk)) {
            Logs.append(log, record(1));
            Logs.append(log, numbers);
            Logs.append(log, behind);
            Logs.append(log, record(4));
        }
        flip(disk, Path.of("queue", "0000000000000002.seg"), SegmentHeader.BYTES + 5000, 1);
        long before = disk.bytesRead();
        try (RecordLog log = RecordLog.open(options, disk)) {
            assertThat(Logs.poll(log)).isEqualTo(record(1));
            assertThatThrownBy(() -> Logs.poll(log)).isInstanceOf(CorruptLogException.class);
            assertThat(Arrays.equals(Logs.poll(log), behind)).isTrue();
            assertThat(Logs.poll(log)).isEqualTo(record(4));
        }
        assertThat(disk.bytesRead() - before).isLessThan(200L * numbers.length);
    }

    /** With {@code -Dtouchstone.damage.step=1} every byte of all files. */
    @Test
    void open_withAnyByteOfAThreeSegmentQueueDamaged_losesAtMostOneRecord() throws IOException {
        int step = Integer.getInteger("touchstone.damage.step", 61);
        disk = new FaultyFileIo();
        int count = 0;
        try (RecordLog log = RecordLog.open(OPTIONS, disk)) {
            for (; log.counts().segments() < 3; count++) {
                Logs.append(log, record(count));
                if (count % 100 == 50) {
                    Logs.poll(log); // so that floors are written between the records, and cursors
                }
            }
        }
        int first = drain(disk.afterKill()).get(0);
        int flips = 0;
        for (Path path : disk.afterKill().list(Logs.FOLDER)) {
            long bytes = disk.open(path, FileIo.Access.READ).size();
            for (int at = 0; at < bytes; at += stepAt(path, at, step)) {
                FaultyFileIo image = disk.afterKill();
                flip(image, path, at, 1 << (at % 8));
                List<Integer> left = drain(image);
                assertThat(left).as("%s byte %d", path, at).hasSizeGreaterThanOrEqualTo(count - first - 1);
                assertThat(left).as("%s byte %d", path, at).isSorted().doesNotHaveDuplicates();
                flips++;
            }
        }
        assertThat(flips).isGreaterThan(1000);
    }

    /** Returns a small step where a cursor file has a checkpoint and its first slots, and a large one behind. */
    private static int stepAt(Path path, int at, int step) {
        boolean isCursor = path.getFileName().toString().startsWith("CURSOR");
        return isCursor ? (at < 1024 ? 7 : 16 * step) : step;
    }

    @Test
    void open_withAnyByteOfASpareDamaged_losesNothing() throws IOException {
        fill(Commit.DEVICE);
        Path spare = SEGMENT.resolveSibling(SegmentStore.fileName(9));
        for (int at = 0; at < 2 * SegmentHeader.BYTES; at += 7) {
            FaultyFileIo image = disk.afterKill();
            try (FileIo.DataFile file = image.create(spare, FileIo.Access.WRITE_THROUGH)) {
                file.write(
                        ByteBuffer.allocate(
                                (int) image.open(SEGMENT, FileIo.Access.READ).size()),
                        0);
            }
            flip(image, spare, at, 1 << (at % 8));
            assertThat(drain(image)).as("byte %d", at).hasSize(RECORDS);
        }
    }

    @Test
    void open_withAnyByteOfTheCursorDamaged_losesNothing() throws IOException {
        fill(Commit.DEVICE);
        for (String file : List.of("CURSOR-a", "CURSOR-b")) {
            for (int at = 0; at < 8192; at += 3) {
                FaultyFileIo image = disk.afterKill();
                flip(image, Path.of("queue", file), at, 0x55);
                assertThat(drain(image)).as("%s byte %d", file, at).hasSize(RECORDS);
            }
        }
    }

    @Test
    void open_afterTheLastBatchWasTornAnywhere_keepsAllBefore() throws IOException {
        fill(Commit.DEVICE);
        int start = SegmentHeader.BYTES + (RECORDS - 1) * RECORD_BYTES;
        for (int cut = 0; cut < RECORD_BYTES; cut++) {
            FaultyFileIo image = disk.afterKill();
            try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
                file.write(ByteBuffer.allocate(RECORD_BYTES - cut), start + cut);
            }
            int least = cut < 116 ? RECORDS - 1 : RECORDS;
            assertThat(drain(image).size())
                    .as("cut at %d", cut)
                    .isBetween(RECORDS - 1, RECORDS)
                    .isGreaterThanOrEqualTo(least - 1);
        }
    }

    @Test
    void open_ofForeignFiles_isRefusedByName() throws IOException {
        fill(Commit.DEVICE);
        FaultyFileIo image = disk.afterKill();
        try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
            file.write(ByteBuffer.allocate(8192).putInt(0, 0xCAFEBABE), 0);
        }
        assertThatThrownBy(() -> RecordLog.open(OPTIONS, image))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("segment magic")
                .hasMessageContaining(SEGMENT.toString());
    }
}
