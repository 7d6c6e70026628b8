package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues with compressed files on a real file system. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompressedQueueTest {
    private static final int VERSION_AT = 8;
    private static final int ELEMENTS = 600;

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .batch(64, 16 << 10, Duration.ofMillis(5))
                .codec(Codec.utf8());
    }

    private static String element(long number) {
        return number + ":" + "x".repeat((int) (number * 37 % 2000));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private List<Path> segments() throws IOException {
        return files().stream().filter(file -> file.toString().endsWith(".seg")).toList();
    }

    private long compressedFiles() {
        try {
            long count = 0;
            for (Path file : segments()) {
                try (InputStream in = Files.newInputStream(file)) {
                    byte[] start = in.readNBytes(VERSION_AT + 1);
                    count += start.length > VERSION_AT && start[VERSION_AT] == 3 ? 1 : 0;
                } catch (NoSuchFileException consumed) {
                    // and so counts no more
                }
            }
            return count;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Appends elements until some files are compressed; returns how many. */
    private long fillCompressed(DiskQueue<String> queue, int files) {
        fill(queue);
        queue.flush();
        Waits.until("compressed files", () -> compressedFiles() >= files);
        return ELEMENTS;
    }

    private static void expect(DiskQueue<String> queue, long from, long to) {
        for (long number = from; number < to; number++) {
            assertThat(queue.poll()).isEqualTo(element(number));
        }
        assertThat(queue.poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void compressedFiles_areReadWithAnotherCompressionOrNone(Durability durability) throws IOException {
        long count;
        try (DiskQueue<String> queue =
                builder(durability).compression(Compression.deflate(9)).open()) {
            count = fillCompressed(queue, 5);
            Waits.until("less disk use", () -> queue.stats().diskBytes() < ELEMENTS * 1000 / 2);
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            assertThat(queue).hasSize((int) count);
            assertThat(queue.get(2)).isEqualTo(element(1));
        }
        try (DiskQueue<String> queue =
                builder(durability).compression(new CustomCompression()).open()) {
            expect(queue, 0, count);
            Waits.until("release of all files but the last", () -> queue.stats().segments() == 1);
            fillCompressed(queue, 5);
        }
        assertThatThrownBy(() -> builder(durability).open())
                .isInstanceOf(UnknownCompressionException.class)
                .hasMessageContaining("id=64")
                .hasMessageContaining(folder.toString());
        try (DiskQueue<String> queue =
                builder(durability).compression(new CustomCompression()).open()) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            expect(queue, 0, ELEMENTS);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void filesFromBefore_areReadBesideCompressedOnes(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            for (long number = 0; number < ELEMENTS; number++) {
                queue.add(element(number));
            }
        }
        for (int opened = 1; opened <= 3; opened++) {
            try (DiskQueue<String> queue =
                    builder(durability).compression(Compression.deflate()).open()) {
                long first = (long) opened * ELEMENTS;
                for (long number = first; number < first + ELEMENTS; number++) {
                    queue.add(element(number));
                }
                queue.flush();
                int atLeast = 4 * opened;
                Waits.until("compressed files", () -> compressedFiles() >= atLeast);
                Iterator<String> all = queue.iterator();
                for (long number = 0; number < first + ELEMENTS; number++) {
                    assertThat(all.next()).isEqualTo(element(number));
                }
            }
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            expect(queue, 0, 4 * ELEMENTS);
        }
    }

    /** Readers with leases, cursors and iterators, each interrupted again and again, while the files under them are replaced. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void readers_whoseFilesAreReplaced_missNothing(Durability durability) throws Exception {
        long elements = 4000;
        AtomicLong appended = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        try (DiskQueue<String> queue = builder(durability)
                .compression(Compression.deflate())
                .namedCursorsOnly()
                .retain(1L << 40, Duration.ofDays(1))
                .open()) {
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                QueueCursor<String> cursor = queue.cursor("reader" + reader);
                readers.add(CompletableFuture.runAsync(() -> {
                    for (long next = 0; next < elements; ) {
                        if (next % 5 == 0) {
                            Thread.currentThread().interrupt();
                        }
                        String element = cursor.poll();
                        if (element != null) {
                            assertThat(element).isEqualTo(element(next));
                            next++;
                        }
                        boolean unused = Thread.interrupted();
                    }
                }));
            }
            readers.add(CompletableFuture.runAsync(() -> {
                SplittableRandom random = new SplittableRandom(1);
                while (!ended.get()) {
                    long sequence = 1 + random.nextLong(appended.get() + 1);
                    Thread.currentThread().interrupt();
                    Iterator<String> records = queue.iterator(sequence);
                    for (int i = 0; i < 50 && records.hasNext(); i++) {
                        assertThat(records.next()).isEqualTo(element(sequence - 1 + i));
                    }
                    boolean unused = Thread.interrupted();
                }
            }));
            for (long number = 0; number < elements; number++) {
                queue.add(element(number));
                appended.set(number);
            }
            for (CompletableFuture<Void> reader : readers.subList(0, 3)) {
                reader.get();
            }
            queue.flush();
            Waits.until("compressed files", () -> compressedFiles() > 40);
            ended.set(true);
            readers.get(3).get();
            assertThat(queue.stats().skipped()).isZero();
        }
    }

    /** An iterator, which stays in a file while that is compressed, and is interrupted right after it. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void iterator_inAFileThatIsCompressed_goesOnInIt(Durability durability) {
        try (DiskQueue<String> queue =
                builder(durability).compression(Compression.deflate()).open()) {
            queue.add(element(0));
            queue.add(element(1));
            queue.flush();
            for (long number = 2; number < 10; number++) {
                queue.add(element(number));
            }
            Iterator<String> early = queue.iterator();
            assertThat(early.next()).isEqualTo(element(0));
            for (long number = 10; number < ELEMENTS; number++) {
                queue.add(element(number));
            }
            queue.flush();
            Waits.until("compressed files", () -> compressedFiles() >= 5);
            for (long number = 1; number < 10; number++) {
                Thread.currentThread().interrupt();
                assertThat(early.next()).isEqualTo(element(number));
            }
            assertThat(Thread.interrupted()).isTrue();
            expect(queue, 0, ELEMENTS);
            Waits.until("release of all files but the last", () -> queue.stats().segments() == 1);
        }
    }

    @Test
    void bytesThatDoNotShrink_areLeftAsTheyAre() {
        SplittableRandom random = new SplittableRandom(7);
        try (DiskQueue<byte[]> queue = DiskQueue.written()
                .folder(folder)
                .segmentBytes(64 << 10)
                .compression(Compression.deflate())
                .open()) {
            List<byte[]> elements = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                byte[] element = new byte[1000];
                if (i < 400) {
                    random.nextBytes(element);
                }
                elements.add(element);
                queue.add(element);
            }
            queue.flush();
            Waits.until("the file of zeros", () -> compressedFiles() == 1);
            for (byte[] element : elements) {
                assertThat(queue.poll()).isEqualTo(element);
            }
        }
    }

    @Test
    void compression_keepsTheTimeOfTheRecords() throws IOException {
        FileTime old = FileTime.fromMillis(1_700_000_000_000L);
        AtomicBoolean wait = new AtomicBoolean(true);
        Compression late = new Compression() {
            @Override
            public int id() {
                return MIN_CUSTOM_ID;
            }

            @Override
            public byte[] compress(byte[] block) {
                Waits.until("the file's time is set", () -> !wait.get());
                return Compression.deflate().compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return Compression.deflate().decompress(compressed, bytes);
            }
        };
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).compression(late).open()) {
            for (long number = 0; number < 200; number++) {
                queue.add(element(number));
            }
            Path first = segments().get(0);
            Files.setLastModifiedTime(first, old);
            wait.set(false);
            Waits.until("compressed files", () -> compressedFiles() >= 1);
            assertThat(Files.getLastModifiedTime(first)).isEqualTo(old);
        }
    }

    /** Deflate whose {@link #compress} waits until it may go on. */
    private static final class BlockingCompression implements Compression {
        private final Compression deflate = new CustomCompression();
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

        @Override
        public int id() {
            return deflate.id();
        }

        @Override
        public byte[] compress(byte[] block) {
            threads.add(Thread.currentThread());
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return deflate.compress(block);
        }

        @Override
        public byte[] decompress(byte[] compressed, int bytes) {
            return deflate.decompress(compressed, bytes);
        }
    }

    private void fill(DiskQueue<String> queue) {
        for (long number = 0; number < ELEMENTS; number++) {
            queue.add(element(number));
        }
    }

    @Test
    void compression_thatBlocksInThreeQueues_doesNotStopTheMaintenanceOfAnyQueue() throws Exception {
        BlockingCompression blocking = new BlockingCompression();
        List<DiskQueue<String>> queues = new ArrayList<>();
        try {
            for (int i = 1; i <= 3; i++) {
                queues.add(builder(Durability.WRITTEN)
                        .folder(folder.resolve("blocked" + i))
                        .compression(blocking)
                        .open());
                fill(queues.get(i - 1));
                int count = i;
                Waits.until("a compression that blocks", () -> blocking.threads.size() == count);
            }
            queues.add(
                    builder(Durability.SYNCED).folder(folder.resolve("other")).open());
            fill(queues.get(3));
            for (DiskQueue<String> queue : queues) {
                expect(queue, 0, ELEMENTS);
                queue.flush();
                Waits.until(
                        "release of all files but the last", () -> queue.stats().segments() == 1);
            }
        } finally {
            blocking.goOn.countDown();
            queues.forEach(DiskQueue::close);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void close_whileACompressionBlocks_abandonsIt(Durability durability) throws Exception {
        BlockingCompression blocking = new BlockingCompression();
        try {
            DiskQueue<String> blocked =
                    builder(durability).compression(blocking).open();
            fill(blocked);
            Waits.until("a compression that blocks", () -> !blocking.threads.isEmpty());
            CompletableFuture<Void> closed = CompletableFuture.runAsync(blocked::close);
            Waits.until("the end of close", closed::isDone);
            closed.join();
            List<Path> files = files();
            assertThat(files).noneMatch(CompressedQueueTest::isUnfinished);
            blocking.goOn.countDown();
            for (Thread thread : blocking.threads) {
                thread.join();
            }
            assertThat(files()).isEqualTo(files);
            assertThat(compressedFiles()).isZero();
            try (DiskQueue<String> queue = builder(durability).open()) {
                expect(queue, 0, ELEMENTS);
            }
        } finally {
            blocking.goOn.countDown();
        }
    }

    static Stream<Throwable> thrown() {
        return Stream.of(
                new IllegalStateException("injected"),
                new TimeoutException("injected"),
                new NoClassDefFoundError("injected"),
                new OutOfMemoryError("injected"),
                new StackOverflowError("injected"));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void compression_thatThrowsOnce_leavesThatFileAndCompressesTheOthers(Throwable thrown) throws IOException {
        AtomicBoolean hasThrown = new AtomicBoolean();
        Compression throwing = new Compression() {
            @Override
            public int id() {
                return MIN_CUSTOM_ID;
            }

            @Override
            public byte[] compress(byte[] block) {
                if (!hasThrown.getAndSet(true)) {
                    throw CompressedQueueTest.<RuntimeException>undeclared(thrown);
                }
                return Compression.deflate().compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return Compression.deflate().decompress(compressed, bytes);
            }
        };
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).compression(throwing).open()) {
            fillCompressed(queue, 5);
            Waits.until("no unfinished file", () -> unfinishedFiles() == 0);
            expect(queue, 0, ELEMENTS);
            queue.add(element(0));
        }
    }

    private long unfinishedFiles() {
        try {
            return files().stream().filter(CompressedQueueTest::isUnfinished).count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isUnfinished(Path file) {
        return file.getFileName().toString().startsWith("new-");
    }

    static Stream<Compression> ofTheLibrary() {
        return Stream.concat(IntStream.of(1, 5, 9).mapToObj(Compression::deflate), Stream.of(Compression.lz4()));
    }

    @ParameterizedTest
    @MethodSource("ofTheLibrary")
    void compression_ofAnyBytes_isUndone(Compression compression) {
        SplittableRandom random = new SplittableRandom(compression.id());
        for (int bytes : new int[] {1, 7, 1000, 64 << 10}) {
            for (boolean compressible : new boolean[] {true, false}) {
                byte[] block = new byte[bytes];
                if (!compressible) {
                    random.nextBytes(block);
                }
                byte[] compressed = compression.compress(block);
                assertThat(compression.decompress(compressed, bytes)).isEqualTo(block);
                byte[] cut = Arrays.copyOf(compressed, compressed.length / 2);
                assertThatThrownBy(() -> compression.decompress(cut, bytes)).isInstanceOf(RuntimeException.class);
                for (int at = 0; at < Math.min(compressed.length, 2000); at++) {
                    byte[] flipped = compressed.clone();
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                    try {
                        assertThat(compression.decompress(flipped, bytes)).hasSize(bytes);
                    } catch (RuntimeException malformed) {
                        // the queue's own checksum tells the others
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void lz4_isReadWithoutTheOption(Durability durability) throws IOException {
        try (DiskQueue<String> queue =
                builder(durability).compression(Compression.lz4()).open()) {
            fillCompressed(queue, 5);
            assertThat(queue.get(2)).isEqualTo(element(1));
        }
        try (DiskQueue<String> queue = builder(durability).open();
                QueueReader<String> reader = QueueReader.open(folder, Codec.utf8())) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            for (long number = 0; number < ELEMENTS; number++) {
                assertThat(reader.next()).isEqualTo(element(number));
            }
            expect(queue, 0, ELEMENTS);
        }
    }

    @Test
    void lz4_withoutItsLibrary_isRefusedByName() throws Exception {
        try (DiskQueue<String> queue =
                builder(Durability.SYNCED).compression(Compression.lz4()).open()) {
            fillCompressed(queue, 5);
        }
        URL classes = DiskQueue.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Method lz4 = alone.loadClass(Compression.class.getName()).getMethod("lz4");
            assertThatThrownBy(() -> lz4.invoke(null))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .cause()
                    .hasMessageContaining("at.yawk.lz4:lz4-java");
            Object builder = alone.loadClass(DiskQueue.class.getName())
                    .getMethod("synced")
                    .invoke(null);
            Object withFolder =
                    builder.getClass().getMethod("folder", Path.class).invoke(builder, folder);
            assertThatThrownBy(() -> withFolder.getClass().getMethod("open").invoke(withFolder))
                    .cause()
                    .hasMessageContaining("id=2")
                    .hasMessageContaining("add at.yawk.lz4:lz4-java");
        }
    }

    @Test
    void values_outOfRange_areRefused() {
        IntStream.of(-1, 0, 10)
                .forEach(level -> assertThatThrownBy(() -> Compression.deflate(level))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("level=" + level));
        Compression nameless = new Compression() {
            @Override
            public int id() {
                return 0;
            }

            @Override
            public byte[] compress(byte[] block) {
                return block;
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return ByteBuffer.wrap(compressed).array();
            }
        };
        assertThatThrownBy(
                        () -> builder(Durability.SYNCED).compression(nameless).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("compression id=0");
    }
}
