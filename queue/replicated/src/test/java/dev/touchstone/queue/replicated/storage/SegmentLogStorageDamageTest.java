package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FaultyFileIo;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files and torn writes, at every byte: nothing that was acknowledged is left out in silence. */
@Tag("sweep")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentLogStorageDamageTest {
    private static final Path STATE = LogEntries.FOLDER.resolve("STATE");
    private static final int STATE_HALF = LogEntries.SMALL.stateBytes() / 2;
    private static final int FRAME_BYTES = (int) FrameHeader.frameBytes(
            LogEntryV2CodecFactory.getInstance().encoder().encode(LogEntries.data(1, 1)).length);

    private final FaultyFileIo disk = new FaultyFileIo();
    private LogContent content = LogContent.EMPTY;

    /** Three lists, a truncation, and three more, the last of three entries. */
    private void fill() {
        SegmentLogStorage storage = LogEntries.open(disk);
        append(storage, 1, 3, 1);
        append(storage, 4, 2, 1);
        append(storage, 6, 4, 1);
        assertThat(storage.truncateSuffix(7)).isTrue();
        content = content.truncateSuffix(7);
        append(storage, 8, 1, 2);
        append(storage, 9, 2, 2);
        append(storage, 11, 3, 2);
    }

    private void append(SegmentLogStorage storage, long firstIndex, int count, long term) {
        LogEntries.append(storage, LogEntries.data(firstIndex, count, term));
        content = content.append(LogEntries.data(firstIndex, count, term));
    }

    private Path segment() {
        Path used = LogEntries.FOLDER;
        for (Path file : disk.list(LogEntries.FOLDER)) {
            if (SegmentFile.id(file) == 1) {
                used = file;
            }
        }
        return used;
    }

    private static byte[] read(FileIo io, Path path) throws IOException {
        try (FileIo.DataFile file = io.open(path, FileIo.Access.READ)) {
            ByteBuffer content = ByteBuffer.allocate((int) file.size());
            int unused = file.read(content, 0);
            return content.array();
        }
    }

    private static void write(FileIo io, Path path, byte[] bytes, int position, int length) throws IOException {
        try (FileIo.DataFile file = io.open(path, FileIo.Access.WRITE_THROUGH)) {
            file.write(ByteBuffer.wrap(bytes, position, length), position);
        }
    }

    private static void flip(FileIo io, Path path, int position, int bit) throws IOException {
        byte[] bytes = read(io, path);
        bytes[position] ^= (byte) (1 << bit);
        write(io, path, bytes, position, 1);
    }

    @Test
    void init_bitFlippedInASegment_isDamageOrATornEnd() throws IOException {
        fill();
        int end = SegmentFile.HEADER_BYTES + 13 * FRAME_BYTES;
        int damaged = 0;
        int torn = 0;
        for (int position = 0; position < end + 64; position++) {
            String what = "position=" + position;
            FaultyFileIo after = disk.afterKill();
            flip(after, segment(), position, position % 8);
            SegmentLogStorage storage = LogEntries.storage(after);
            if (LogEntries.init(storage)) {
                LogContent found = LogContent.of(storage, what);
                assertThat(content.entries())
                        .as(what)
                        .startsWith(found.entries().toArray(new String[0]));
                assertThat(found.last()).as(what).isGreaterThanOrEqualTo(10);
                torn += found.last() < 13 ? 1 : 0;
            } else {
                CorruptLogException damage = damage(storage);
                assertThat(damage.file()).as(what).isEqualTo(segment());
                assertThat(damage.offset()).as(what).isBetween((long) position - FRAME_BYTES, (long) position);
                assertThat(damage).as(what).hasMessageContainingAll("expected=", "got=");
                damaged++;
            }
        }
        int headAndPayload = 9 * FRAME_BYTES;
        assertThat(damaged).isGreaterThan(headAndPayload);
        assertThat(torn).isBetween(2 * FRAME_BYTES, 3 * FRAME_BYTES);
    }

    @Test
    void init_bitFlippedInAState_isRead() throws IOException {
        fill();
        for (int position = 0; position < 2 * STATE_HALF; position++) {
            if (position % STATE_HALF < 400) { // the rest of each half is zeros
                FaultyFileIo after = disk.afterKill();
                flip(after, STATE, position, position % 8);
                String what = "position=" + position;
                assertThat(LogContent.of(LogEntries.open(after, what), what))
                        .as(what)
                        .isEqualTo(content);
            }
        }
    }

    /** A state's write that ends at any byte, and then that of the next opening, too. */
    @Test
    void init_stateTornAtAnyByteTwice_isTheOldOneOrTheNew() throws IOException {
        fill();
        LogContent cutOff = content.truncateSuffix(9);
        int firstHalf = -1;
        for (int write = 1; write <= 2; write++) {
            FaultyFileIo running = disk.afterKill();
            SegmentLogStorage storage = LogEntries.open(running);
            FaultyFileIo before = running.afterKill();
            running.failAt(write, true);
            assertThat(storage.truncateSuffix(9)).isFalse();
            firstHalf = write == 1 ? changedHalf(before, running) : firstHalf;
            for (FaultyFileIo once : tornStates(before, running, write == 1 ? firstHalf : 1 - firstHalf, 1)) {
                assertThat(LogContent.of(LogEntries.open(once.afterKill()), "once"))
                        .isIn(content, cutOff);
                FaultyFileIo opening = once.afterKill();
                opening.failAt(1, true);
                assertThat(LogEntries.init(LogEntries.storage(opening))).isFalse();
                for (FaultyFileIo twice : tornStates(once, opening, changedHalf(once, opening), 17)) {
                    assertThat(LogContent.of(LogEntries.open(twice), "twice")).isIn(content, cutOff);
                }
            }
        }
    }

    /** Returns the half of the state in which two disks differ; the lower one if they differ in both. */
    private static int changedHalf(FaultyFileIo before, FaultyFileIo after) throws IOException {
        return Arrays.mismatch(read(before, STATE), read(after, STATE)) / STATE_HALF;
    }

    /** Returns disks on which a half of the state is new up to a byte and then old. */
    private static List<FaultyFileIo> tornStates(FaultyFileIo before, FaultyFileIo after, int half, int step)
            throws IOException {
        byte[] old = read(before, STATE);
        List<FaultyFileIo> torn = new ArrayList<>();
        for (int cut = 0; cut < 200; cut += step) {
            FaultyFileIo disk = after.afterKill();
            write(disk, STATE, old, half * STATE_HALF + cut, STATE_HALF - cut);
            torn.add(disk);
        }
        return torn;
    }

    @Test
    void init_stateGone_isDamage() throws IOException {
        fill();
        write(disk, STATE, new byte[2 * STATE_HALF], 0, 2 * STATE_HALF);
        assertDamage(disk, STATE, "state");
        disk.delete(STATE);
        assertDamage(disk, STATE, "state");
    }

    /** A write that ends at any byte, once over zeros and once over frames of the same length that were cut off. */
    @Test
    void init_writeTornAtAnyByte_leavesAPrefixOfTheList() throws IOException {
        fill();
        SegmentLogStorage storage = LogEntries.open(disk);
        for (boolean overOldFrames : new boolean[] {false, true}) {
            if (overOldFrames) {
                append(storage, content.last() + 1, 3, 5);
                assertThat(storage.truncateSuffix(content.last() - 3)).isTrue();
                content = content.truncateSuffix(content.last() - 3);
            }
            FaultyFileIo before = disk.afterKill();
            LogContent acknowledged = content;
            byte[] old = read(before, segment());
            append(storage, content.last() + 1, 3, 6);
            byte[] whole = read(disk, segment());
            int from = mismatch(old, whole);
            for (int cut = from; cut <= from + 3 * FRAME_BYTES; cut++) {
                FaultyFileIo after = before.afterKill();
                write(after, segment(), whole, from, cut - from);
                LogContent found = assertPrefix(after, acknowledged, "prefix of " + (cut - from));
                assertNothingOldFollows(after, found);
                FaultyFileIo other = before.afterKill(); // the last bytes may be on the device before the first
                write(other, segment(), whole, cut, from + 3 * FRAME_BYTES - cut);
                found = assertPrefix(other, acknowledged, "without the first " + (cut - from));
                assertNothingOldFollows(other, found);
            }
        }
    }

    private static int mismatch(byte[] a, byte[] b) {
        int at = Arrays.mismatch(a, b);
        return at - (at - SegmentFile.HEADER_BYTES) % FRAME_BYTES;
    }

    private LogContent assertPrefix(FaultyFileIo after, LogContent acknowledged, String what) {
        SegmentLogStorage storage = LogEntries.open(after, what);
        LogContent found = LogContent.of(storage, what);
        storage.shutdown();
        assertThat(found.entries()).as(what).startsWith(acknowledged.entries().toArray(new String[0]));
        assertThat(content.entries()).as(what).startsWith(found.entries().toArray(new String[0]));
        return found;
    }

    /** Puts an entry in the place of the first torn one: whole frames of the torn list may lie behind it. */
    private static void assertNothingOldFollows(FaultyFileIo after, LogContent found) {
        SegmentLogStorage storage = LogEntries.open(after);
        LogEntries.append(storage, LogEntries.data(found.last() + 1, 1, 9));
        LogContent expected = found.append(LogEntries.data(found.last() + 1, 1, 9));
        SegmentLogStorage again = LogEntries.open(after.afterKill());
        assertThat(LogContent.of(again, "again")).isEqualTo(expected);
    }

    @Test
    void getEntry_damagedAfterTheOpening_failsOnceForAll() throws IOException {
        fill();
        SegmentLogStorage storage = LogEntries.open(disk);
        flip(disk, segment(), SegmentFile.HEADER_BYTES + FRAME_BYTES + FrameHeader.BYTES + 9, 3);

        assertThat(storage.getEntry(1)).isNotNull();
        assertThat(storage.getTerm(2)).isEqualTo(1);
        assertThat(storage.getEntry(2)).isNull();
        assertThat(storage.failure()).isInstanceOf(CorruptLogException.class).hasMessageContaining("payload CRC");
        assertThat(storage.appendEntries(LogEntries.data(14, 1, 2))).isZero();
        assertThat(storage.getEntry(3)).isNotNull();
    }

    @Test
    void init_segmentIsSomethingElse_isDamage() throws IOException {
        fill();
        FaultyFileIo text = disk.afterKill();
        byte[] words = "This is a letter, not a segment. ".repeat(40).getBytes(StandardCharsets.US_ASCII);
        write(text, segment(), words, 0, words.length);
        assertDamage(text, segment(), "segment magic");

        FaultyFileIo shorter = disk.afterKill();
        shorter.open(segment(), FileIo.Access.WRITE).truncate(5_000);
        assertDamage(shorter, segment(), "segment length");

        FaultyFileIo empty = disk.afterKill();
        empty.open(segment(), FileIo.Access.WRITE).truncate(0);
        assertDamage(empty, segment(), "segment header length");

        FaultyFileIo missing = disk.afterKill();
        missing.delete(segment());
        assertDamage(missing, segment(), "segment");

        FaultyFileIo ofAnotherLog = disk.afterKill();
        FaultyFileIo other = new FaultyFileIo();
        LogEntries.append(LogEntries.open(other), LogEntries.data(1, 3, 1));
        byte[] foreign = read(other, segment());
        write(ofAnotherLog, segment(), foreign, 0, foreign.length);
        assertDamage(ofAnotherLog, segment(), "log id");
    }

    @Test
    void init_segmentsBehindOneThatEndsEarly_isDamage() throws IOException {
        SegmentLogStorage storage = LogEntries.open(disk);
        for (int index = 1; index <= 200; index += 10) {
            LogEntries.append(storage, LogEntries.data(index, 10, 1));
        }
        byte[] bytes = read(disk, segment());
        byte[] zeros = new byte[bytes.length];
        int from = SegmentFile.HEADER_BYTES + 40 * FRAME_BYTES;
        write(disk, segment(), zeros, from, bytes.length - from);

        assertDamage(disk, segment(), "frame header");
    }

    @Test
    void init_firstIndexBehindADamagedEnd_isDamage() throws IOException {
        SegmentLogStorage storage = LogEntries.open(disk);
        LogEntries.append(storage, LogEntries.data(1, 10, 1));
        assertThat(storage.truncatePrefix(9)).isTrue();
        flip(disk, segment(), SegmentFile.HEADER_BYTES + 3 * FRAME_BYTES, 1);

        assertDamage(disk, segment(), "end of log");
    }

    /** A length that a file claims decides over nothing before it was checked. */
    @Test
    void init_hugeLengths_areNotBelieved() throws IOException {
        fill();
        ByteBuffer lengths = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < 64; at += 4) {
            lengths.putInt(at, 0x7fff_fff8);
        }
        for (int position = SegmentFile.HEADER_BYTES; position < SegmentFile.HEADER_BYTES + 64; position += 4) {
            FaultyFileIo after = disk.afterKill();
            try (FileIo.DataFile file = after.open(segment(), FileIo.Access.WRITE)) {
                file.write(lengths.slice(0, 4), position);
            }
            SegmentLogStorage storage = LogEntries.storage(after);
            assertThat(LogEntries.init(storage)).as("position=%d", position).isFalse();
            assertThat(storage.failure()).isInstanceOf(CorruptLogException.class);
        }
        for (int half = 0; half < 2; half++) {
            FaultyFileIo after = disk.afterKill();
            try (FileIo.DataFile file = after.open(STATE, FileIo.Access.WRITE)) {
                file.write(lengths.slice(0, 4), half * STATE_HALF + 12);
                file.write(lengths.slice(0, 4), half * STATE_HALF + 20);
            }
            assertThat(LogContent.of(LogEntries.open(after), "state")).isEqualTo(content);
        }
    }

    @Test
    void init_foreignFilesAndHalfMadeSegments_areLeftAndDeleted() throws IOException {
        fill();
        Path notes = LogEntries.FOLDER.resolve("notes.txt");
        disk.create(notes, FileIo.Access.WRITE).write(ByteBuffer.wrap(new byte[10]), 0);
        Path half = SegmentFile.path(LogEntries.FOLDER, 77);
        disk.create(half, FileIo.Access.WRITE).write(ByteBuffer.wrap(new byte[1000]), 0);

        SegmentLogStorage storage = LogEntries.open(disk);

        assertThat(LogContent.of(storage, "content")).isEqualTo(content);
        assertThat(disk.list(LogEntries.FOLDER)).contains(notes).doesNotContain(half);
    }

    @Test
    void init_segmentIsALink_isDamage(@TempDir Path folder) throws IOException {
        SegmentLogStorage storage = new SegmentLogStorage(
                folder, new DiskFileIo(), LogEntries.SMALL, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        LogEntries.append(storage, LogEntries.data(1, 3, 1));
        storage.shutdown();
        Path segment = SegmentFile.path(folder, 1);
        Path elsewhere = Files.move(segment, folder.resolve("elsewhere"));
        Path unused = Files.createSymbolicLink(segment, elsewhere);

        SegmentLogStorage again = new SegmentLogStorage(
                folder, new DiskFileIo(), LogEntries.SMALL, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(again)).isFalse();
        assertThat(again.failure()).isInstanceOf(CorruptLogException.class).hasMessageContaining("symbolic link");
        List<Path> left = new ArrayList<>(new DiskFileIo().list(folder));
        assertThat(left).contains(segment, elsewhere);
    }

    private static void assertDamage(FaultyFileIo disk, Path file, String field) {
        SegmentLogStorage storage = LogEntries.storage(disk);
        assertThat(LogEntries.init(storage)).isFalse();
        assertThat(damage(storage).file()).isEqualTo(file);
        assertThat(damage(storage).field()).isEqualTo(field);
    }

    private static CorruptLogException damage(SegmentLogStorage storage) {
        if (storage.failure() instanceof CorruptLogException damage) {
            return damage;
        }
        throw new AssertionError("not a damage", storage.failure());
    }
}
