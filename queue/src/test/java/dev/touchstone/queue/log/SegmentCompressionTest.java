package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Codecs;
import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.LogOptions.OnDamage;
import dev.touchstone.queue.log.engine.LogIterator;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentCompressor;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed segments: each step of their making cut off, each byte of their files changed, and what opens and releases them. */
@Tag("sweep")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentCompressionTest {
    private static final int SEGMENT_BYTES = 256 << 10;
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int PAYLOAD_BYTES = 1004;
    private static final int RECORD_BYTES = RecordFormat.recordBytes(PAYLOAD_BYTES);
    private static final int SEGMENTS = 3;
    private static final int CUTS = 4;
    private static final BlockCodec DEFLATE = Logs.deflate(1);

    private final List<CorruptLogException> told = new ArrayList<>();
    private int count;

    private LogOptions options(Commit commit, OnDamage decision, Codecs codecs) {
        LogOptions usual = Logs.options(commit);
        return new LogOptions(
                usual.folder(),
                commit,
                SEGMENT_BYTES,
                usual.batch(),
                usual.lockTimeout(),
                usual.limits(),
                usual.retention(),
                usual.leases(),
                false,
                damage -> {
                    told.add(damage);
                    return decision;
                },
                codecs);
    }

    private LogOptions reading(Commit commit, OnDamage decision) {
        return options(commit, decision, new Codecs(null, List.of(DEFLATE)));
    }

    private LogOptions compressing(Commit commit, BlockCodec codec) {
        return options(commit, OnDamage.THROW, new Codecs(codec, List.of(codec)));
    }

    private static byte[] record(int number) {
        ByteBuffer record = ByteBuffer.allocate(PAYLOAD_BYTES).putInt(number);
        SplittableRandom random = new SplittableRandom(number);
        for (int i = 0; i < 3; i++) {
            record.putInt(random.nextInt()); // so that blocks have some length
        }
        return record.array();
    }

    /** Returns the disk of a closed log of {@link #SEGMENTS} segments as they were written; {@link #count} is what it holds. */
    private FaultyFileIo filled(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        count = 0;
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.THROW), disk)) {
            while (log.counts().segments() < SEGMENTS || count % 50 != 0) {
                Logs.append(log, record(count++));
            }
        }
        return disk;
    }

    /** Compresses all segments of an earlier use but its last, on this thread. */
    private void compress(RecordLog log, FileIo disk, Commit commit, BlockCodec codec) {
        try (SegmentCompressor compressor =
                new SegmentCompressor(disk, compressing(commit, codec), codec, log.segments(), Runnable::run)) {
            log.segments().live().stream().limit(SEGMENTS - 1).forEach(compressor::add);
        }
    }

    /** Returns the disk of a closed log whose segments but the last are compressed. */
    private FaultyFileIo compressed(Commit commit, BlockCodec codec) throws IOException {
        FaultyFileIo disk = filled(commit);
        try (RecordLog log = RecordLog.open(compressing(commit, codec), disk)) {
            compress(log, disk, commit, codec);
            assertThat(log.segments().live()).filteredOn(Segment::isCompressed).hasSize(SEGMENTS - 1);
        }
        return disk;
    }

    private static Path file(int epoch) {
        return Logs.FOLDER.resolve(SegmentStore.fileName(epoch));
    }

    private static long size(FaultyFileIo disk, Path path) throws IOException {
        try (FileIo.DataFile file = disk.open(path, FileIo.Access.READ)) {
            return file.size();
        }
    }

    private static void fill(FaultyFileIo disk, Path path, long at, int bytes, int with) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(bytes);
        while (page.hasRemaining()) {
            page.put((byte) with);
        }
        try (FileIo.DataFile file = disk.open(path, FileIo.Access.WRITE)) {
            file.write(page.flip(), at);
        }
    }

    private static void flip(FaultyFileIo disk, Path path, long at) throws IOException {
        try (FileIo.DataFile file = disk.open(path, FileIo.Access.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, at);
            one.put(0, (byte) (one.get(0) ^ (1 << (at % 8)))).flip();
            file.write(one, at);
        }
    }

    private static int number(byte[] payload) {
        int number = ByteBuffer.wrap(payload).getInt();
        assertThat(payload).isEqualTo(record(number));
        return number;
    }

    private static List<Integer> drain(RecordLog log) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (byte[] payload = Logs.poll(log); payload != null; payload = Logs.poll(log)) {
            numbers.add(number(payload));
        }
        return numbers;
    }

    private static List<Integer> iterate(RecordLog log) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        LogIterator records = log.iterator();
        for (byte[] payload = records.next(); payload != null; payload = records.next()) {
            numbers.add(number(payload));
        }
        return numbers;
    }

    private List<Integer> all() {
        return IntStream.range(0, count).boxed().collect(Collectors.toList());
    }

    private static void closeQuietly(RecordLog log) {
        try {
            log.close();
        } catch (IOException expected) {
            assertThat(expected).hasMessageContaining("injected");
        }
    }

    /** The layout of a table, by hand: a change here is a new version of the format. */
    @Test
    void compressedSegment_hasTheDocumentedLayout() throws IOException {
        FaultyFileIo disk = compressed(Commit.DEVICE, DEFLATE);
        int bytes = (int) size(disk, file(1));
        ByteBuffer file = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try (FileIo.DataFile open = disk.open(file(1), FileIo.Access.READ)) {
            assertThat(open.read(file, 0)).isEqualTo(bytes);
        }
        int table = SegmentHeader.BYTES;
        int blocks = 4;
        int tableBytes = 80 + 8 * blocks + 8;
        byte[] magic = new byte[8];
        file.get(table, magic);
        assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("DTQSTLB1");
        assertThat(file.slice(table + 8, 64)).isEqualTo(file.slice(0, 64));
        assertThat(file.getInt(table + 72)).isEqualTo(1);
        assertThat(file.getInt(table + 76)).isEqualTo(SEGMENT_BYTES);
        assertThat(file.getInt(table + 80 + 8 * blocks)).isEqualTo(crc(file.slice(table, 80 + 8 * blocks)));
        assertThat(file.getInt(table + 84 + 8 * blocks)).isEqualTo(tableBytes);
        assertThat(file.slice(bytes - tableBytes, tableBytes)).isEqualTo(file.slice(table, tableBytes));
        int at = table + tableBytes;
        for (int block = 0; block < blocks; block++) {
            int length = file.getInt(table + 80 + 8 * block);
            assertThat(file.getInt(table + 84 + 8 * block)).isEqualTo(crc(file.slice(at, length)));
            at += length;
        }
        assertThat(at).isEqualTo(bytes - tableBytes);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @ParameterizedTest
    @EnumSource
    void compress_leavesEveryRecordReadableAndTakesLess(Commit commit) throws IOException {
        FaultyFileIo disk = filled(commit);
        try (RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk)) {
            LogIterator before = log.iterator();
            assertThat(before.next()).isEqualTo(record(0));
            long bytes = log.counts().diskBytes();
            compress(log, disk, commit, DEFLATE);
            assertThat(before.next()).as("a reader from before").isEqualTo(record(1));
            assertThat(log.counts().diskBytes()).isLessThan(bytes - SEGMENT_BYTES);
            assertThat(size(disk, file(1))).isLessThan(SEGMENT_BYTES / 2);
            assertThat(iterate(log)).isEqualTo(all());
        }
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.THROW), disk)) {
            assertThat(log.outcome().damagedPlaces()).isZero();
            assertThat(log.read(2, true)).isEqualTo(record(1));
            Logs.append(log, record(count));
            assertThat(drain(log)).startsWith(0, 1).hasSize(count + 1);
        }
        assertThat(told).isEmpty();
    }

    /** A file system on which each read of each file finds that an interrupt has closed it, and opens it again by its path. */
    private static final class Interrupted implements InvocationHandler {
        private final FileIo disk;
        private final List<Path> open = new ArrayList<>();
        private int replaced;

        Interrupted(FileIo disk) {
            this.disk = disk;
        }

        FileIo io() {
            return proxy(FileIo.class, this);
        }

        private static <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }

        private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("rename") && SegmentStore.isUnfinished((Path) arguments[0])) {
                Path to = (Path) arguments[1];
                if (SegmentStore.epoch(to) <= SEGMENTS) { // not a spare
                    assertThat(open).as("the compressor's own alone").containsOnlyOnce(to);
                    replaced++;
                }
            }
            return method.getName().equals("open") && arguments[1] == FileIo.Access.READ
                    ? file((Path) arguments[0], (FileIo.DataFile) call(disk, method, arguments))
                    : call(disk, method, arguments);
        }

        private FileIo.DataFile file(Path path, FileIo.DataFile first) {
            open.add(path);
            AtomicBoolean closed = new AtomicBoolean();
            return proxy(FileIo.DataFile.class, (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                    boolean unused = closed.getAndSet(true) || open.remove(path);
                    return null;
                }
                if (closed.get()) {
                    throw new ClosedChannelException();
                }
                return method.getName().equals("force")
                        ? call(first, method, arguments)
                        : call(disk.open(path, FileIo.Access.READ), method, arguments);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void readers_thatOpenTheirFilesAgainByPath_goOnInTheCompressedFile(Commit commit) throws IOException {
        Interrupted disk = new Interrupted(filled(commit));
        try (RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk.io())) {
            LogIterator early = log.iterator();
            assertThat(early.next()).isEqualTo(record(0));
            assertThat(Logs.poll(log)).isEqualTo(record(0));
            compress(log, disk.io(), commit, DEFLATE);
            assertThat(disk.replaced).isEqualTo(SEGMENTS - 1);
            for (int number = 1; number < count; number++) {
                assertThat(early.next()).isEqualTo(record(number));
            }
            assertThat(drain(log)).hasSize(count - 1);
        }
        assertThat(told).isEmpty();
    }

    /** The slots of a written log's batches still have records of a segment that is compressed by then. */
    @ParameterizedTest
    @EnumSource
    void kill_rightAfterASegmentWasCompressed_keepsEveryRecord(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo killed;
        try (RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk)) {
            for (count = 0; log.counts().segments() < 2; ) {
                Logs.append(log, record(count++));
            }
            log.flush();
            while (!log.segments().holding(1).isCompressed()) {
                LockSupport.parkNanos(100_000);
            }
            killed = disk.afterKill();
        }
        for (FaultyFileIo left : List.of(killed, disk)) {
            long bytes = size(left, file(1));
            try (RecordLog log = RecordLog.open(reading(commit, OnDamage.THROW), left)) {
                assertThat(log.segments().holding(1).isCompressed()).isTrue();
                assertThat(size(left, file(1))).as("never written again").isEqualTo(bytes);
                assertThat(drain(log)).isEqualTo(all());
            }
        }
        assertThat(told).isEmpty();
    }

    /** Kills the log at each write, force and renaming, also where it is refused only once and the log goes on. */
    @ParameterizedTest
    @EnumSource
    void powerCutKillOrRefusal_atEachStep_keepsEveryRecord(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        FaultyFileIo full = filled(commit);
        int compressedFiles = 0;
        int steps = 1;
        for (int step = 1; step <= steps; step++) {
            for (boolean forGood : new boolean[] {true, false}) {
                String what = "seed=" + seed + " step=" + step + " forGood=" + forGood;
                FaultyFileIo disk = full.afterKill();
                List<FaultyFileIo> after = new ArrayList<>();
                RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk);
                int before = disk.operations();
                disk.failAt(step, forGood);
                compress(log, disk, commit, DEFLATE);
                steps = Math.max(steps, disk.operations() - before);
                assertThat(iterate(log)).as(what).isEqualTo(all());
                for (int cut = 0; cut < CUTS; cut++) {
                    after.add(disk.afterPowerCut(random));
                }
                after.add(disk.afterKill());
                closeQuietly(log);
                after.add(disk.afterKill());
                for (FaultyFileIo left : after) {
                    try (RecordLog again = RecordLog.open(compressing(commit, DEFLATE), left)) {
                        assertThat(again.outcome().damagedPlaces()).as(what).isZero();
                        compressedFiles += (int) again.segments().live().stream()
                                .filter(Segment::isCompressed)
                                .count();
                        assertThat(drain(again)).as(what).isEqualTo(all());
                    }
                    assertThat(left.list(Logs.FOLDER)).as(what).noneMatch(SegmentStore::isUnfinished);
                }
            }
        }
        assertThat(steps).isGreaterThan(10);
        assertThat(compressedFiles).isPositive();
        assertThat(told).isEmpty();
    }

    @Test
    void open_withAnyByteOfACompressedSegmentDamaged_losesTheRecordsOfThatBlockOnly() throws IOException {
        FaultyFileIo disk = compressed(Commit.DEVICE, DEFLATE);
        int end = (int) size(disk, file(1));
        int blocks = 4;
        int tableBytes = 88 + 8 * blocks;
        int losses = 0;
        for (int at = 0; at < end; at += at < SegmentHeader.BYTES ? 61 : 1) {
            FaultyFileIo image = disk.afterKill();
            flip(image, file(1), at);
            told.clear();
            List<Integer> left;
            try (RecordLog log = RecordLog.open(reading(Commit.DEVICE, OnDamage.SKIP), image)) {
                left = iterate(log);
            }
            if (at < SegmentHeader.BYTES + tableBytes || at >= end - tableBytes) {
                assertThat(left).as("byte %d", at).isEqualTo(all());
                assertThat(told).as("byte %d", at).isEmpty();
                continue;
            }
            losses++;
            assertThat(told).as("byte %d", at).isNotEmpty();
            List<Integer> lost = all();
            lost.removeAll(left);
            long first = SegmentHeader.BYTES + (long) lost.get(0) * RECORD_BYTES;
            int block = (int) ((first + RECORD_BYTES - 1 - SegmentHeader.BYTES) / BLOCK_BYTES);
            assertThat(lost).as("byte %d", at).allMatch(number -> touches(number, block));
            List<Integer> mayBeLost =
                    all().stream().filter(number -> touches(number, block)).toList();
            assertThat(lost).as("byte %d", at).isEqualTo(mayBeLost.subList(0, lost.size()));
        }
        assertThat(losses).isGreaterThan(1000);
    }

    private static boolean touches(int number, int block) {
        long from = (long) number * RECORD_BYTES;
        return from < (block + 1L) * BLOCK_BYTES && from + RECORD_BYTES > (long) block * BLOCK_BYTES;
    }

    @ParameterizedTest
    @EnumSource
    void open_withBothTablesDamaged_asksTheOwnerAndKeepsTheOtherSegments(Commit commit) throws IOException {
        FaultyFileIo disk = compressed(commit, DEFLATE);
        long end = size(disk, file(1));
        fill(disk, file(1), SegmentHeader.BYTES, 16, 0xFF);
        fill(disk, file(1), end - 16, 16, 0xFF);
        assertThatThrownBy(() -> RecordLog.open(reading(commit, OnDamage.THROW), disk))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("block table")
                .hasMessageContaining(file(1).toString());
        told.clear();
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.SKIP), disk)) {
            assertThat(told).hasSize(1);
            List<Integer> left = drain(log);
            assertThat(left).hasSizeGreaterThan(count / 3).endsWith(count - 1).isSorted();
            assertThat(all()).containsAll(left);
        }
        assertThat(disk.list(Logs.FOLDER)).contains(SegmentStore.setAside(file(1)));
    }

    @ParameterizedTest
    @EnumSource
    void open_withBothHeadersOfACompressedSegmentDamaged_takesThatOfTheTable(Commit commit) throws IOException {
        for (int epoch = 1; epoch < SEGMENTS; epoch++) {
            for (int with : new int[] {0xFF, 0}) {
                FaultyFileIo disk = compressed(commit, DEFLATE);
                fill(disk, file(epoch), 0, SegmentHeader.BYTES, with);
                told.clear();
                for (int opened = 0; opened < 2; opened++) {
                    try (RecordLog log = RecordLog.open(reading(commit, OnDamage.SKIP), disk)) {
                        assertThat(told).as("told once").hasSize(1);
                        assertThat(iterate(log))
                                .as("epoch=%d with=%d", epoch, with)
                                .isEqualTo(all());
                    }
                }
            }
        }
    }

    /** Neighbours of a damaged header tell where it begins, also where they are compressed. */
    @ParameterizedTest
    @EnumSource
    void open_withTheHeaderBehindCompressedSegmentsDamaged_derivesIt(Commit commit) throws IOException {
        FaultyFileIo disk = compressed(commit, DEFLATE);
        fill(disk, file(SEGMENTS), 0, SegmentHeader.BYTES, 0xFF);
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.SKIP), disk)) {
            assertThat(told).hasSize(1);
            assertThat(drain(log)).isEqualTo(all());
        }
    }

    @Test
    void open_withoutTheCodec_namesIdAndFileAndChangesNothing() throws IOException {
        BlockCodec own = Logs.deflate(77);
        FaultyFileIo disk = compressed(Commit.DEVICE, own);
        assertThatThrownBy(() -> RecordLog.open(reading(Commit.DEVICE, OnDamage.SKIP), disk))
                .isInstanceOf(MissingCodecException.class)
                .hasMessageContaining("id=77")
                .hasMessageContaining(file(1).toString());
        try (RecordLog log = RecordLog.open(compressing(Commit.DEVICE, own), disk)) {
            assertThat(drain(log)).isEqualTo(all());
        }
        assertThat(told).isEmpty();
    }

    @Test
    void codecThatFailsOrDoesNotShrink_leavesSegmentsAsTheyAre() throws IOException {
        BlockCodec failing = new BlockCodec() {
            @Override
            public int id() {
                return 80;
            }

            @Override
            public byte[] compress(byte[] block) {
                throw new IllegalStateException("no codec");
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                throw new IllegalStateException("no codec");
            }
        };
        BlockCodec storing = new BlockCodec() {
            @Override
            public int id() {
                return 81;
            }

            @Override
            public byte[] compress(byte[] block) {
                return new byte[2 * block.length];
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                throw new IllegalStateException("nothing is compressed");
            }
        };
        for (BlockCodec codec : List.of(failing, storing)) {
            FaultyFileIo disk = filled(Commit.DEVICE);
            try (RecordLog log = RecordLog.open(compressing(Commit.DEVICE, codec), disk)) {
                compress(log, disk, Commit.DEVICE, codec);
                assertThat(log.segments().live()).noneMatch(Segment::isCompressed);
                assertThat(disk.list(Logs.FOLDER)).noneMatch(SegmentStore::isUnfinished);
                assertThat(drain(log)).isEqualTo(all());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void compress_onAFullDiskOrWithoutDescriptors_leavesSegmentsAsTheyAre(Commit commit) throws IOException {
        FaultyFileIo disk = filled(commit);
        try (RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk)) {
            disk.setFull(true);
            compress(log, disk, commit, DEFLATE);
            disk.setFull(false);
            disk.setNoFiles(true);
            compress(log, disk, commit, DEFLATE);
            disk.setNoFiles(false);
            assertThat(log.segments().live()).noneMatch(Segment::isCompressed);
            assertThat(disk.list(Logs.FOLDER)).noneMatch(SegmentStore::isUnfinished);
            assertThat(drain(log)).isEqualTo(all());
        }
    }

    @ParameterizedTest
    @EnumSource
    void consumed_compressedSegments_areDeletedAndNeverUsedAgain(Commit commit) throws IOException {
        FaultyFileIo disk = compressed(commit, DEFLATE);
        try (RecordLog log = RecordLog.open(compressing(commit, DEFLATE), disk)) {
            assertThat(drain(log)).isEqualTo(all());
            log.cursors().release(log.segments());
            assertThat(log.segments().live()).noneMatch(Segment::isCompressed);
            assertThat(disk.list(Logs.FOLDER)).doesNotContain(file(1), file(2));
            for (Path file : disk.list(Logs.FOLDER)) {
                ByteBuffer version = ByteBuffer.allocate(1);
                if (SegmentStore.isSegment(file)) {
                    int unused = disk.open(file, FileIo.Access.READ).read(version, 8);
                    assertThat(version.get(0)).as("%s", file).isNotEqualTo((byte) 3);
                }
            }
            for (int i = 0; i < count; i++) {
                Logs.append(log, record(i));
                assertThat(Logs.poll(log)).isEqualTo(record(i));
            }
        }
    }

    /** Without a checkpoint a hole would end a log that did not write through; not one that damage has made in a compressed file. */
    @ParameterizedTest
    @EnumSource
    void open_withDamageInACompressedSegmentBehindTheCheckpoint_keepsWhatIsBehind(Commit commit) throws IOException {
        FaultyFileIo disk = compressed(commit, DEFLATE);
        disk.delete(file(SEGMENTS));
        disk.delete(Logs.FOLDER.resolve("CURSOR-a"));
        disk.delete(Logs.FOLDER.resolve("CURSOR-b"));
        long bytes = size(disk, file(2));
        flip(disk, file(2), SegmentHeader.BYTES + 200);
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.SKIP), disk)) {
            assertThat(log.outcome().damagedPlaces()).isPositive();
            List<Integer> left = iterate(log);
            long lost = left.get(left.size() - 1) + 1L - left.size();
            assertThat(lost).isBetween(1L, BLOCK_BYTES / RECORD_BYTES + 2L);
        }
        assertThat(size(disk, file(2))).isEqualTo(bytes);
    }

    /** The last whole segment may be a compressed one, where a power cut has undone those behind it. */
    @ParameterizedTest
    @EnumSource
    void open_whereACompressedSegmentIsTheLast_goesOnBehindItAndDoesNotCutIt(Commit commit) throws IOException {
        FaultyFileIo disk = compressed(commit, DEFLATE);
        disk.delete(file(SEGMENTS));
        disk.delete(Logs.FOLDER.resolve("CURSOR-a"));
        disk.delete(Logs.FOLDER.resolve("CURSOR-b"));
        long bytes = size(disk, file(2));
        List<Integer> left;
        try (RecordLog log = RecordLog.open(reading(commit, OnDamage.SKIP), disk)) {
            Logs.append(log, record(count));
            left = iterate(log);
        }
        assertThat(size(disk, file(2))).isEqualTo(bytes);
        assertThat(left).endsWith(count).hasSizeGreaterThan(count / 3);
        assertThat(left.subList(0, left.size() - 1)).isEqualTo(all().subList(0, left.size() - 1));
    }
}
