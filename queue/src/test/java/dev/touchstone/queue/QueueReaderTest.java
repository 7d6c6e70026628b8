package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
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

    @TempDir
    Path folder;

    /** Appends elements that hold their own sequence, and removes them a while later, so that files are deleted and used again. */
    static final class Owner {
        public static void main(String[] args) {
            long end = Long.parseLong(args[2]);
            try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(Durability.valueOf(args[0]))
                    .folder(Path.of(args[1]))
                    .segmentBytes(64 << 10)
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
    @EnumSource
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
    @EnumSource
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
    @EnumSource
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
