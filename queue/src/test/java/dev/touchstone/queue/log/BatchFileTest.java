package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The mapped batches of a log that commits to the page cache: what a killed process leaves in them, whole or damaged. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchFileTest {
    private static final Path BUFFER = Logs.FOLDER.resolve("BUFFER");
    private static final int RECORDS = 60;
    private static final int RECORD_BYTES = 300;
    private static final int LARGE_BYTES = 20_000;

    private static byte[] record(int number) {
        int bytes = number == RECORDS / 2 ? LARGE_BYTES : RECORD_BYTES; // one that is larger than a batch
        ByteBuffer record = ByteBuffer.allocate(bytes).putInt(number);
        while (record.hasRemaining()) {
            record.put((byte) number);
        }
        return record.array();
    }

    /** A disk as a process left it that was killed after it had appended, and consumed some of it. */
    private static FaultyFileIo killed(int consumed) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(Commit.PAGE_CACHE), disk)) {
            for (int number = 0; number < RECORDS; number++) {
                Logs.append(log, record(number));
                if (number < consumed) {
                    assertThat(Logs.poll(log)).isEqualTo(record(number));
                }
            }
            return disk.afterKill();
        }
    }

    private static List<Integer> reopen(FaultyFileIo disk, Commit commit) throws IOException {
        return drain(disk, Logs.options(commit), 0);
    }

    private static List<Integer> drain(FaultyFileIo disk, LogOptions options, int damagedPlaces) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (RecordLog log = RecordLog.open(options, disk)) {
            assertThat(log.outcome().damagedPlaces()).isEqualTo(damagedPlaces);
            for (byte[] record = Logs.poll(log); record != null; record = Logs.poll(log)) {
                int number = ByteBuffer.wrap(record).getInt();
                assertThat(record).isEqualTo(record(number));
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().collect(Collectors.toList());
    }

    @ParameterizedTest
    @EnumSource
    void open_afterAKill_withAnyDurability_hasEveryRecordAndNoBufferOnceClosed(Commit next) throws IOException {
        for (int consumed : new int[] {0, 7, RECORDS - 1}) {
            FaultyFileIo disk = killed(consumed);
            assertThat(disk.list(Logs.FOLDER)).contains(BUFFER);
            assertThat(reopen(disk, next)).as("consumed=%d", consumed).isEqualTo(numbers(consumed, RECORDS));
            assertThat(disk.list(Logs.FOLDER)).doesNotContain(BUFFER);
        }
    }

    @Test
    void open_killedAgainDuringRecovery_hasEveryRecord() throws IOException {
        FaultyFileIo clean = killed(7);
        int before = clean.operations();
        assertThat(reopen(clean, Commit.PAGE_CACHE)).isEqualTo(numbers(7, RECORDS));
        int operations = clean.operations() - before;
        for (int at = 1; at <= operations; at++) {
            FaultyFileIo disk = killed(7);
            disk.failAt(at, true);
            List<Integer> seen = new ArrayList<>();
            try {
                seen.addAll(reopen(disk, Commit.PAGE_CACHE));
            } catch (IOException refused) {
                assertThat(refused).hasStackTraceContaining("injected");
            }
            disk.failAt(Integer.MAX_VALUE / 2, false);
            FaultyFileIo after = disk.afterKill();
            List<Integer> left = reopen(after, Commit.PAGE_CACHE);
            assertThat(left).as("at=%d", at).isEqualTo(numbers(RECORDS - left.size(), RECORDS));
            assertThat(seen.size() + left.size()).as("at=%d", at).isLessThanOrEqualTo(RECORDS - 7);
        }
    }

    /** The slots' headers: the magic is known, and all else that is used has a checksum. */
    @Test
    void open_withAnyByteOfASlotsHeaderChanged_losesNothingOrTells() throws IOException {
        FaultyFileIo killed = killed(0);
        LogOptions options = Logs.options(Commit.PAGE_CACHE);
        List<Integer> slots = usedSlots(killed);
        assertThat(slots).isNotEmpty();
        for (int at = 0; at < 36; at++) {
            FaultyFileIo disk = killed.afterKill();
            for (int slot : slots) {
                flip(disk, slot + at);
            }
            if (at < Long.BYTES) {
                assertThat(reopen(disk, Commit.PAGE_CACHE)).as("at=%d", at).isEqualTo(numbers(0, RECORDS));
                continue;
            }
            assertThatThrownBy(() -> RecordLog.open(options, disk))
                    .as("at=%d", at)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("buffer slot CRC")
                    .hasMessageContaining(BUFFER.toString());
            LogOptions skipping = Logs.onDamage(options, damage -> LogOptions.OnDamage.SKIP);
            List<Integer> left = drain(disk, skipping, slots.size());
            assertThat(left).as("at=%d", at).isEqualTo(numbers(0, left.size()));
        }
    }

    /** Returns where the slots begin that have a header. */
    private static List<Integer> usedSlots(FaultyFileIo disk) throws IOException {
        List<Integer> used = new ArrayList<>();
        try (FileIo.DataFile buffer = disk.open(BUFFER, FileIo.Access.READ)) {
            for (int at = 0; at < buffer.size(); at += (int) buffer.size() / 4) {
                ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
                assertThat(buffer.read(magic, at)).isEqualTo(Long.BYTES);
                if (magic.getLong(0) != 0) {
                    used.add(at);
                }
            }
        }
        return used;
    }

    private static void flip(FaultyFileIo disk, int at) throws IOException {
        try (FileIo.DataFile buffer = disk.open(BUFFER, FileIo.Access.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            assertThat(buffer.read(one, at)).isEqualTo(1);
            one.put(0, (byte) (one.get(0) ^ 0x41));
            buffer.write(one.flip(), at);
        }
    }

    /** A file that is longer than any that was mapped is refused before memory is taken for it. */
    @Test
    void open_withABufferOfSixGigabytes_tells(@TempDir Path folder) throws IOException {
        LogOptions options = LogOptions.of(folder, Commit.PAGE_CACHE, 64 << 10);
        try (RecordLog log = RecordLog.open(options, new DiskFileIo())) {
            Logs.append(log, record(1));
        }
        Path buffer = folder.resolve("BUFFER");
        try (FileChannel file = FileChannel.open(buffer, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), (6L << 30) - 1);
        }
        assertThatThrownBy(() -> RecordLog.open(options, new DiskFileIo()))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("buffer length");
        LogOptions skipping = Logs.onDamage(options, damage -> LogOptions.OnDamage.SKIP);
        try (RecordLog log = RecordLog.open(skipping, new DiskFileIo())) {
            assertThat(log.outcome().damagedPlaces()).isEqualTo(1);
            assertThat(Logs.poll(log)).isEqualTo(record(1));
        }
    }

    /** Every byte: each changed byte may end the log early, but never in an error, a hole, or a record that is not right. */
    @Test
    void open_withAnyByteOfTheBufferChanged_hasAPrefix() throws IOException {
        FaultyFileIo killed = killed(0);
        int bytes;
        try (FileIo.DataFile buffer = killed.open(BUFFER, FileIo.Access.READ)) {
            bytes = (int) buffer.size();
        }
        List<Integer> slots = usedSlots(killed);
        int shorter = 0;
        for (int at = 0; at < bytes; at += at % 4096 < 400 ? 1 : 37) {
            FaultyFileIo disk = killed.afterKill();
            flip(disk, at);
            int inSlot = at % (bytes / 4);
            boolean isHeader = inSlot >= Long.BYTES && inSlot < 36 && slots.contains(at - inSlot);
            LogOptions options = Logs.onDamage(Logs.options(Commit.PAGE_CACHE), damage -> LogOptions.OnDamage.SKIP);
            List<Integer> left = drain(disk, options, isHeader ? 1 : 0);
            assertThat(left).as("at=%d", at).isEqualTo(numbers(0, left.size()));
            shorter += left.size() < RECORDS ? 1 : 0;
        }
        assertThat(shorter).isPositive();
    }
}
