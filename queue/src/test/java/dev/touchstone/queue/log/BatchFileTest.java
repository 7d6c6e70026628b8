package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        List<Integer> numbers = new ArrayList<>();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
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

    /** Every byte: each changed byte may end the log early, but never in an error, a hole, or a record that is not right. */
    @Test
    void open_withAnyByteOfTheBufferChanged_hasAPrefix() throws IOException {
        FaultyFileIo killed = killed(0);
        int bytes;
        try (FileIo.DataFile buffer = killed.open(BUFFER, FileIo.Access.READ)) {
            bytes = (int) buffer.size();
        }
        int shorter = 0;
        for (int at = 0; at < bytes; at += at % 4096 < 400 ? 1 : 37) {
            FaultyFileIo disk = killed.afterKill();
            try (FileIo.DataFile buffer = disk.open(BUFFER, FileIo.Access.WRITE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThat(buffer.read(one, at)).isEqualTo(1);
                one.put(0, (byte) (one.get(0) ^ 0x41));
                buffer.write(one.flip(), at);
            }
            List<Integer> left = reopen(disk, Commit.PAGE_CACHE);
            assertThat(left).as("at=%d", at).isEqualTo(numbers(0, left.size()));
            shorter += left.size() < RECORDS ? 1 : 0;
        }
        assertThat(shorter).isPositive();
    }
}
