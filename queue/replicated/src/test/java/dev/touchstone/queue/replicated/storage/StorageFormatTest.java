package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FaultyFileIo;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The layouts byte by byte. The bytes were computed by a program of its own. */
class StorageFormatTest {
    private static final long LOG_ID = 0x1122334455667788L;
    private static final Path FILE = Path.of("file");
    private static final FrameKey KEY = new FrameKey(LOG_ID, 9);
    private static final StorageState STATE = new StorageState(
            LOG_ID, 17, 9, 60, List.of(new StorageState.Run(5, 1, 512, 1), new StorageState.Run(8, 3, 1024, 100)));

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String hex(ByteBuffer source) {
        byte[] bytes = new byte[source.capacity()];
        source.get(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static FrameHeader header() {
        CRC32C crc = new CRC32C();
        crc.update("entry".getBytes(StandardCharsets.US_ASCII));
        return new FrameHeader(5, 2, 42, 7, 4056, (int) crc.getValue());
    }

    @Test
    void frameHeader_bytes_areThoseOfTheFormat() {
        ByteBuffer target = littleEndian(FrameHeader.BYTES);
        header().put(target, 0, KEY, 4096);

        assertThat(hex(target))
                .isEqualTo("05000000020000002a000000000000000700000000000000d80f000000000000dd8b36a6dfc0ba81");
        assertThat(FrameHeader.read(target, 0, KEY, 4096)).isEqualTo(header());
    }

    @Test
    void frameHeader_ofAnotherRunOrPlace_isNone() {
        ByteBuffer target = littleEndian(FrameHeader.BYTES);
        header().put(target, 0, KEY, 4096);

        assertThat(FrameHeader.read(target, 0, new FrameKey(LOG_ID, 8), 4096)).isNull();
        assertThat(FrameHeader.read(target, 0, new FrameKey(LOG_ID + 1, 9), 4096))
                .isNull();
        assertThat(FrameHeader.read(target, 0, KEY, 4104)).isNull();
        assertThat(FrameHeader.read(littleEndian(FrameHeader.BYTES), 0, KEY, 4096))
                .isNull();
    }

    @Test
    void frameBytes_anyLength_isTheNextMultipleOfEight() {
        assertThat(FrameHeader.frameBytes(1)).isEqualTo(48);
        assertThat(FrameHeader.frameBytes(8)).isEqualTo(48);
        assertThat(FrameHeader.frameBytes(9)).isEqualTo(56);
        assertThat(FrameHeader.frameBytes(Integer.MAX_VALUE)).isEqualTo((1L << 31) + 40);
    }

    @Test
    void state_bytes_areThoseOfTheFormat() throws CorruptLogException {
        ByteBuffer bytes = STATE.encode();

        assertThat(hex(bytes))
                .isEqualTo("4454524c535454310100000078000000254f3c170200000088776655443322111100000000000000"
                        + "09000000000000003c00000000000000050000000000000001000000000000000002000000000000"
                        + "01000000000000000800000000000000030000000000000000040000000000006400000000000000");
        assertThat(StorageState.decode(bytes, FILE, 0)).isEqualTo(STATE);
        assertThat(StorageState.decode(bytes.slice(0, bytes.limit() - 1), FILE, 0))
                .isNull();
        assertThat(StorageState.decode(ByteBuffer.allocate(100), FILE, 0)).isNull();
    }

    @Test
    void state_wholeButNotConsistent_isDamage() {
        StorageState.Run run = new StorageState.Run(5, 1, 512, 10);
        List<StorageState> states = List.of(
                new StorageState(LOG_ID, 1, 9, 0, List.of()),
                new StorageState(LOG_ID, 1, 9, 9, List.of(run)),
                new StorageState(LOG_ID, 1, 5, 10, List.of(run)),
                new StorageState(LOG_ID, 1, 9, 10, List.of(new StorageState.Run(5, 1, 511, 1))),
                new StorageState(LOG_ID, 1, 9, 10, List.of(run, run)),
                new StorageState(LOG_ID, 1, 9, 10, List.of(run, new StorageState.Run(6, 1, 512, 10))));
        for (StorageState state : states) {
            assertThatThrownBy(() -> StorageState.decode(state.encode(), FILE, 0))
                    .as("%s", state)
                    .isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void segment_headerBytes_areThoseOfTheFormat() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        SegmentFile.create(disk, LogEntries.FOLDER, 3, LOG_ID, 1024).close();
        Path path = SegmentFile.path(LogEntries.FOLDER, 3);
        ByteBuffer bytes = ByteBuffer.allocate(40);
        int unused = disk.open(path, FileIo.Access.READ).read(bytes, 0);

        assertThat(path.getFileName()).hasToString("00000000000000000003.segment");
        assertThat(SegmentFile.id(path)).isEqualTo(3);
        assertThat(hex(bytes))
                .isEqualTo("4454524c5345473101000000d77f1c25887766554433221103000000000000000004000000000000");
        assertThat(SegmentFile.open(disk, LogEntries.FOLDER, 3, LOG_ID).bytes()).isEqualTo(1024);
    }

    @Test
    void segmentId_otherNames_isNone() {
        for (String name : List.of(
                "STATE",
                "LOCK",
                "3.segment",
                "0000000000000000000x.segment",
                "99999999999999999999.segment",
                "00000000000000000003.segment.old")) {
            assertThat(SegmentFile.id(Path.of(name))).as(name).isEqualTo(-1);
        }
    }
}
