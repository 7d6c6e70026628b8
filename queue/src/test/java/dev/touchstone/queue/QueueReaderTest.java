package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of a queue that another process, or this one, has open. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueReaderTest {
    private static final int ELEMENTS = 30_000;
    private static final int KEPT = 700;
    private static final int BYTES = 200;
    private static final long COMPRESSED_ELEMENTS = 1500;
    private static final int HEADER_BYTES = 4096;
    private static final int VERSION_AT = 8;
    private static final int COMPRESSED = 3;

    @TempDir
    Path folder;

    /** Appends elements that hold their own sequence, and removes them a while later, so that files are compressed, deleted and used again. */
    static final class Owner {
        public static void main(String[] args) {
            long end = Long.parseLong(args[2]);
            try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(Durability.valueOf(args[0]))
                    .folder(Path.of(args[1]))
                    .segmentBytes(64 << 10)
                    .compression(Compression.deflate())
                    .open()) {
                for (long next = queue.stats().nextSequence(); next <= end; next++) {
                    queue.add(element(next));
                    if (queue.size() > KEPT) {
                        queue.remove();
                    }
                }
            }
        }
    }

    private static byte[] element(long sequence) {
        byte[] element = new byte[BYTES];
        for (int at = 0; at + Long.BYTES <= BYTES; at += Long.BYTES) {
            ByteBuffer.wrap(element).putLong(at, sequence * (at + 1));
        }
        return element;
    }

    private Process owner(Durability durability, long end) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        Owner.class.getName(),
                        durability.name(),
                        folder.toString(),
                        Long.toString(end))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(new File("/dev/null"))
                .start();
    }

    /** Reads until the owner has ended and nothing is left, or the sequence is reached; checks each element. */
    private static long read(QueueReader<byte[]> reader, Process owner, long until) {
        long given = 0;
        while (reader.sequence() < until) {
            boolean ended = !owner.isAlive();
            byte[] element = reader.next();
            if (element != null) {
                assertThat(element).isEqualTo(element(reader.sequence()));
                given++;
            } else if (ended) {
                break;
            } else {
                Thread.onSpinWait();
            }
        }
        return given;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_whileAnotherProcessAppendsAndRemoves_givesOrCountsEveryElement(Durability durability)
            throws IOException, InterruptedException {
        int elements = durability == Durability.SYNCED ? ELEMENTS / 6 : ELEMENTS;
        Process owner = owner(durability, elements);
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            long given = read(reader, owner, Long.MAX_VALUE);
            assertThat(owner.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(owner.exitValue()).isZero();
            assertThat(given + reader.skipped()).isEqualTo(elements);
            assertThat(reader.sequence()).isEqualTo(elements);
            assertThat(given).isGreaterThanOrEqualTo(KEPT);
        } finally {
            owner.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_whileTheOwnerIsKilledAndStartedAgain_goesOn(Durability durability)
            throws IOException, InterruptedException {
        int step = durability == Durability.SYNCED ? 600 : 4000;
        Process owner = owner(durability, Long.MAX_VALUE);
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            long given = 0;
            long left = 0;
            for (int cycle = 1; cycle <= 3; cycle++) {
                given += read(reader, owner, left + step);
                owner.destroyForcibly();
                assertThat(owner.waitFor(30, TimeUnit.SECONDS)).isTrue();
                given += read(reader, owner, Long.MAX_VALUE);
                try (DiskQueue<byte[]> queue =
                        DiskQueueBuilder.of(durability).folder(folder).open()) {
                    left = queue.stats().nextSequence() - 1;
                }
                assertThat(reader.sequence()).isEqualTo(left);
                assertThat(given + reader.skipped()).isEqualTo(left);
                owner = owner(durability, cycle < 3 ? Long.MAX_VALUE : left + step);
            }
            given += read(reader, owner, Long.MAX_VALUE);
            assertThat(given + reader.skipped()).isEqualTo(left + step);
        } finally {
            owner.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_whileFilesAreUsedAgain_neverGivesWhatStoodThereBefore(Durability durability) {
        try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(durability)
                        .folder(folder)
                        .segmentBytes(64 << 10)
                        .open();
                QueueReader<byte[]> slow = QueueReader.open(folder, Codec.bytes(), 1);
                QueueReader<byte[]> fast = QueueReader.open(folder, Codec.bytes())) {
            long given = 0;
            for (long sequence = 1; sequence <= 6000; sequence++) {
                queue.add(element(sequence));
                queue.flush();
                queue.remove();
                assertThat(fast.next()).isEqualTo(element(sequence));
                assertThat(fast.sequence()).isEqualTo(sequence);
                byte[] late = sequence % 7 == 0 ? slow.next() : null;
                if (late != null) {
                    assertThat(late).isEqualTo(element(slow.sequence()));
                    given++;
                }
                assertThat(given + slow.skipped()).isEqualTo(slow.sequence());
            }
            assertThat(slow.skipped()).isPositive();
            assertThat(fast.skipped()).isZero();
            assertThat(fast.next()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_inAFileThatIsCutToItsHeader_countsWhatItCannotGive(Durability durability) {
        try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(durability)
                        .folder(folder)
                        .segmentBytes(64 << 10)
                        .open();
                QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes())) {
            for (long sequence = 1; sequence <= 3000; sequence++) {
                queue.add(element(sequence));
            }
            queue.flush();
            Lease<byte[]> keepsTheFirstFile = requireNonNull(queue.lease());
            Path second = folder.resolve("0000000000000002.seg");
            while (reader.sequence() < 350) { // there are 284 in a file
                assertThat(reader.next()).isEqualTo(element(reader.sequence()));
            }
            for (int i = 2; i <= 3000; i++) {
                assertThat(queue.poll()).isEqualTo(element(i));
            }
            Waits.until("the second file cut to its header", () -> {
                queue.flush();
                return second.toFile().length() <= HEADER_BYTES;
            });
            long given = reader.sequence();
            for (byte[] element = reader.next(); element != null; element = reader.next()) {
                assertThat(element).isEqualTo(element(reader.sequence()));
                given++;
                assertThat(given + reader.skipped()).isEqualTo(reader.sequence());
            }
            assertThat(reader.skipped()).isPositive();
            assertThat(reader.sequence()).isEqualTo(3000);
            assertThat(keepsTheFirstFile.ack()).isTrue();
        }
    }

    private Path firstFile() {
        return folder.resolve("0000000000000001.seg");
    }

    private boolean isCompressed(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(VERSION_AT + 1)[VERSION_AT] == COMPRESSED;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Fills some files, and waits until the first is compressed. */
    private void fillCompressed(DiskQueue<byte[]> queue) {
        for (long sequence = 1; sequence <= COMPRESSED_ELEMENTS; sequence++) {
            queue.add(element(sequence));
        }
        queue.flush();
        Waits.until("a compressed file", () -> isCompressed(firstFile()));
    }

    private DiskQueueBuilder<byte[]> compressing(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .compression(Compression.deflate());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_whileTheFileIsCompressed_goesOnInTheFileFromBeforeAndAfterAnInterruptInTheNewOne(Durability durability) {
        try (DiskQueue<byte[]> queue = compressing(durability).open();
                QueueReader<byte[]> undisturbed = QueueReader.open(folder, Codec.bytes(), 1);
                QueueReader<byte[]> interrupted = QueueReader.open(folder, Codec.bytes(), 1)) {
            queue.add(element(1));
            queue.flush();
            assertThat(undisturbed.next()).isEqualTo(element(1));
            assertThat(interrupted.next()).isEqualTo(element(1));
            for (long sequence = 2; sequence <= COMPRESSED_ELEMENTS; sequence++) {
                queue.add(element(sequence));
            }
            queue.flush();
            Waits.until("a compressed file", () -> isCompressed(firstFile()));
            for (long sequence = 2; sequence <= COMPRESSED_ELEMENTS; sequence++) {
                assertThat(undisturbed.next()).isEqualTo(element(sequence));
                Thread.currentThread().interrupt(); // closes the file, which is opened again by its name
                assertThat(interrupted.next()).isEqualTo(element(sequence));
                assertThat(interrupted.sequence()).isEqualTo(sequence);
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(undisturbed.next()).isNull();
            assertThat(interrupted.next()).isNull();
            assertThat(undisturbed.skipped() + interrupted.skipped()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void next_overADamagedBlock_namesItOnceAndGoesOn(Durability durability) throws IOException {
        try (DiskQueue<byte[]> queue = compressing(durability).open()) {
            fillCompressed(queue);
        }
        try (RandomAccessFile file = new RandomAccessFile(firstFile().toFile(), "rw")) {
            file.seek(file.length() / 2);
            int was = file.read();
            file.seek(file.length() / 2);
            file.write(~was);
        }
        long given = 0;
        int damages = 0;
        String told = "";
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            while (reader.sequence() < COMPRESSED_ELEMENTS) {
                try {
                    assertThat(reader.next()).isEqualTo(element(reader.sequence()));
                    given++;
                } catch (CorruptQueueException damage) {
                    told = damage.getMessage();
                    damages++;
                }
            }
            assertThat(reader.skipped()).isZero();
        }
        assertThat(told).contains("compressed block").contains(firstFile().toString());
        assertThat(damages).isEqualTo(1);
        assertThat(given).isBetween(COMPRESSED_ELEMENTS / 2, COMPRESSED_ELEMENTS - 1L);
    }

    @Test
    void next_overLostTables_saysSoOnceAndGoesOnBehindTheFile() throws IOException {
        try (DiskQueue<byte[]> queue = compressing(Durability.WRITTEN).open()) {
            fillCompressed(queue);
        }
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            assertThat(reader.next()).isEqualTo(element(1));
            try (RandomAccessFile file = new RandomAccessFile(firstFile().toFile(), "rw")) {
                file.seek(HEADER_BYTES);
                file.write(0);
                file.seek(file.length() - 1);
                file.write(0x55);
            }
        }
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes())) {
            assertThatThrownBy(reader::next)
                    .isInstanceOf(CorruptQueueException.class)
                    .hasMessageContaining("block table");
            byte[] next = reader.next();
            assertThat(reader.sequence()).isGreaterThan(1);
            assertThat(next).isEqualTo(element(reader.sequence()));
        }
    }

    @Test
    void open_ofAQueueWithAnotherCompression_needsIt() {
        try (DiskQueue<byte[]> queue = compressing(Durability.WRITTEN)
                        .compression(new CustomCompression())
                        .open();
                QueueReader<byte[]> without = QueueReader.open(folder, Codec.bytes(), 1);
                QueueReader<byte[]> behind = QueueReader.open(folder, Codec.bytes(), COMPRESSED_ELEMENTS);
                QueueReader<byte[]> with = QueueReader.open(folder, Codec.bytes(), 1, new CustomCompression())) {
            fillCompressed(queue);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(without::next)
                        .isInstanceOf(UnknownCompressionException.class)
                        .hasMessageContaining("id=64");
            }
            assertThat(behind.next()).isEqualTo(element(COMPRESSED_ELEMENTS));
            for (long sequence = 1; sequence <= COMPRESSED_ELEMENTS; sequence++) {
                assertThat(with.next()).isEqualTo(element(sequence));
            }
        }
    }

    @Test
    void next_overADamagedElement_saysSoOnceAndGoesOn() throws IOException {
        try (DiskQueue<byte[]> queue = DiskQueue.written().folder(folder).open()) {
            for (long sequence = 1; sequence <= 9; sequence++) {
                queue.add(element(sequence));
            }
        }
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("0000000000000001.seg").toFile(), "rw")) {
            file.seek(4096 + 4 * (16 + BYTES) + 50);
            file.write(77);
        }
        List<Long> given = new ArrayList<>();
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 2)) {
            for (int i = 0; i < 3; i++) {
                assertThat(reader.next()).isNotNull();
                given.add(reader.sequence());
            }
            assertThatThrownBy(reader::next)
                    .isInstanceOf(CorruptQueueException.class)
                    .hasMessageContaining("offset=");
            while (reader.next() != null) {
                given.add(reader.sequence());
            }
            assertThat(reader.skipped()).isZero();
        }
        assertThat(given).containsExactly(2L, 3L, 4L, 6L, 7L, 8L, 9L);
    }

    @Test
    void next_ofAWrittenQueue_givesWhatIsInTheOwnersBatchesOnly() throws IOException {
        int large = 100_000; // more than the reader looks at first
        try (DiskQueue<byte[]> queue = DiskQueue.written().folder(folder).open();
                QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            for (int i = 0; i < 3; i++) {
                queue.add(new byte[] {(byte) i});
            }
            Path segment = folder.resolve("0000000000000001.seg");
            assertThat(segment).hasSize(4096);
            for (int i = 0; i < 3; i++) {
                assertThat(reader.next()).containsExactly(i);
            }
            queue.add(new byte[large]);
            assertThat(Files.size(segment)).isLessThan(large);
            assertThat(reader.next()).hasSize(large);
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void next_givesWhatTheCodecReadsAndGoesOnBehindWhatItDoesNot() {
        Codec<String> codec = new Codec<>() {
            @Override
            public byte[] encode(String element) {
                return Codec.utf8().encode(element);
            }

            @Override
            public String decode(byte[] payload) {
                if (payload.length == 3) {
                    throw new IllegalStateException("three");
                }
                return Codec.utf8().decode(payload);
            }
        };
        try (DiskQueue<String> queue =
                        DiskQueue.written().folder(folder).codec(codec).open();
                QueueReader<String> reader = QueueReader.open(folder, codec)) {
            queue.addAll(List.of("a", "abc", "b"));
            assertThat(reader.next()).isEqualTo("a");
            assertThatThrownBy(reader::next).isInstanceOf(UndecodableElementException.class);
            assertThat(reader.next()).isEqualTo("b");
            assertThat(reader.sequence()).isEqualTo(3);
        }
    }

    @Test
    void open_ofAFolder_changesNothingThereAndLeavesTheLockAlone() throws IOException {
        try (DiskQueue<byte[]> queue = DiskQueue.written().folder(folder).open()) {
            queue.add(element(1));
        }
        List<String> before = content();
        try (QueueReader<byte[]> reader = QueueReader.open(folder, Codec.bytes(), 1)) {
            assertThat(reader.next()).isEqualTo(element(1));
            assertThat(reader.next()).isNull();
            assertThat(content()).isEqualTo(before);
            try (DiskQueue<byte[]> queue = DiskQueue.written().folder(folder).open()) {
                queue.add(element(2));
                assertThat(reader.next()).isEqualTo(element(2));
            }
        }
        assertThatThrownBy(() -> QueueReader.open(folder, Codec.bytes(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sequence=0");
    }

    private List<String> content() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> lines = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                lines.add(file.getFileName() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
            return lines;
        }
    }
}
