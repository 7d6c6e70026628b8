package dev.touchstone.queue.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes on disk, pinned: a change here is a new version of the format. */
@SuppressWarnings("ByteBufferBackingArray") // headers are heap buffers of their own
class FormatTest {
    private static final UUID LOG_ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final Path FILE = Path.of("queue", "0000000000000007.seg");

    private static SegmentHeader header() {
        return new SegmentHeader(1 << 20, LOG_ID, 3, 7, 4711, true);
    }

    @Test
    void record_ofKnownContent_hasTheGoldenBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(24, -1);
        RecordFormat.put(buffer, 0, 7, header().salt(), RecordFormat.APPENDED, "touchstone".getBytes(US_ASCII));
        assertThat(HexFormat.of().formatHex(buffer.array()))
                .isEqualTo("0a000000ebec3d6b0700000000000000746f75636873746f6e65000000000000");
        assertThat(RecordFormat.length(RecordFormat.word(buffer, 0))).isEqualTo(10);
        assertThat(RecordFormat.sequence(buffer, 0)).isEqualTo(7);
    }

    @Test
    @Timeout(60)
    void put_ofAnArrayThatChangesMeanwhile_checksWhatWasCopied() throws InterruptedException {
        byte[] payload = new byte[64 << 10];
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong changes = new AtomicLong();
        Thread owner = new Thread(() -> {
            for (int at = 0; !done.get(); at = (at + 777) % payload.length) {
                payload[at]++;
                changes.incrementAndGet();
            }
        });
        ByteBuffer buffer = ByteBuffer.allocateDirect(RecordFormat.recordBytes(payload.length))
                .order(ByteOrder.LITTLE_ENDIAN);
        owner.start();
        try {
            byte[] copy = new byte[payload.length];
            for (int i = 0; i < 300; i++) {
                for (long before = changes.get(); changes.get() == before; ) {
                    Thread.onSpinWait(); // the owner runs
                }
                RecordFormat.put(buffer, 0, 7, header().salt(), RecordFormat.APPENDED, payload);
                buffer.get(RecordFormat.HEADER_BYTES, copy);
                assertThat(RecordFormat.check(buffer, 0))
                        .isEqualTo(RecordFormat.check(7, header().salt(), copy.length, copy));
            }
        } finally {
            done.set(true);
            owner.join();
        }
    }

    @Test
    void segmentHeader_ofKnownContent_hasTheGoldenBytes() {
        ByteBuffer bytes = header().encode();
        assertThat(bytes.remaining()).isEqualTo(SegmentHeader.BYTES);
        assertThat(HexFormat.of().formatHex(bytes.array(), 0, 64))
                .isEqualTo(
                        "445451535345473102000000000010007766554433221100ffeeddccbbaa9988030000000000000007000000000000006712000000000000010000009605255f");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 512})
    void recordBytes_ofAnyPayload_isHeaderPlusPaddedPayload(int payload) {
        assertThat(RecordFormat.recordBytes(payload))
                .isGreaterThanOrEqualTo(16 + payload)
                .isLessThan(24 + payload);
        assertThat(RecordFormat.recordBytes(payload) % 8).isZero();
    }

    @Test
    void segmentHeader_ofACompressedSegment_hasTheGoldenBytes() throws IOException {
        SegmentHeader compressed = new SegmentHeader(1 << 20, LOG_ID, 3, 7, 4711, true, true);
        ByteBuffer bytes = compressed.encode();
        assertThat(HexFormat.of().formatHex(bytes.array(), 0, 64))
                .isEqualTo(
                        "445451535345473103000000000010007766554433221100ffeeddccbbaa998803000000000000000700000000000000671200000000000003000000f0944f49");
        FaultyFileIo disk = new FaultyFileIo();
        try (FileIo.DataFile file = disk.create(FILE, FileIo.Access.WRITE)) {
            file.write(bytes, 0);
            assertThat(SegmentHeader.read(file, FILE, 1, true)).isEqualTo(compressed);
        }
    }

    @Test
    void segmentHeader_withAnyBitFlipped_isReadFromTheOtherCopy() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (FileIo.DataFile file = disk.create(FILE, FileIo.Access.WRITE)) {
            for (int bit = 0; bit < SegmentHeader.BYTES * 8; bit++) {
                ByteBuffer damaged = header().encode();
                damaged.array()[bit / 8] ^= (byte) (1 << (bit % 8));
                file.write(damaged, 0);
                assertThat(SegmentHeader.read(file, FILE, 1, true))
                        .as("bit %d", bit)
                        .isEqualTo(header());
            }
        }
    }

    @Test
    void segmentHeader_withBothCopiesDamaged_isRefused() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (FileIo.DataFile file = disk.create(FILE, FileIo.Access.WRITE)) {
            for (int at = 0; at < SegmentHeader.BYTES / 2; at++) {
                ByteBuffer damaged = header().encode();
                damaged.array()[at] ^= 1;
                damaged.array()[at + SegmentHeader.BYTES / 2] ^= 1;
                file.write(damaged, 0);
                assertThatThrownBy(() -> SegmentHeader.read(file, FILE, 1, true))
                        .as("byte %d", at)
                        .isInstanceOf(CorruptLogException.class)
                        .hasMessageContaining("file=" + FILE);
            }
        }
    }

    @Test
    void segmentHeader_tornWhileItIsWrittenOverAnother_isOneOfTheTwo() throws IOException {
        SegmentHeader earlier = new SegmentHeader(1 << 20, LOG_ID, header().epoch() - 1, 1, 0, true);
        FaultyFileIo disk = new FaultyFileIo();
        try (FileIo.DataFile file = disk.create(FILE, FileIo.Access.WRITE)) {
            file.write(ByteBuffer.allocate(header().segmentBytes()), 0);
            for (ByteBuffer old : List.of(ByteBuffer.allocate(SegmentHeader.BYTES), earlier.encode())) {
                for (int written = 0; written <= SegmentHeader.BYTES; written++) {
                    file.write(old.duplicate(), 0);
                    file.write(header().encode().limit(written), 0);
                    SegmentHeader read = SegmentHeader.read(file, FILE, header().epoch(), true);
                    assertThat(read).as("written=%d", written).isEqualTo(read == null ? null : header());
                    assertThat(read != null || written < SegmentHeader.BYTES)
                            .as("written=%d", written)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void check_ofTheSameRecordInAnotherUseOfTheFile_differs() {
        byte[] payload = {1, 2, 3};
        int check = RecordFormat.check(5, header().salt(), payload.length, payload);
        for (long epoch = 4; epoch < 5000; epoch++) {
            long salt = new SegmentHeader(1 << 20, LOG_ID, epoch, 7, 4711, true).salt();
            assertThat(RecordFormat.check(5, salt, payload.length, payload)).isNotEqualTo(check);
        }
    }
}
