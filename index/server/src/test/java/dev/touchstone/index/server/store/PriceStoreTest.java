package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PriceStoreTest {
    private static final StoreOptions NO_BACKGROUND = new StoreOptions(Long.MAX_VALUE, false);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final StoreModel model = new StoreModel(random);

    @TempDir
    Path folder;

    private Path store() {
        return folder.resolve("store");
    }

    private PriceStore open() throws IOException {
        return PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE);
    }

    /** Copies a folder, as it would be found if the process were killed now. Copies it again where the log has renamed a file that it makes ready meanwhile. */
    static Path image(Path from, Path to) {
        for (int attempt = 1; ; attempt++) {
            try {
                copy(from, to);
                return to;
            } catch (IOException e) {
                if (!(e instanceof NoSuchFileException) || attempt == 10) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.exists(to) ? Files.walk(to) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Test
    void open_afterClose_hasEveryUpdateAndGoesOn() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            for (int i = 0; i < 50; i++) {
                assertThat(store.update(model.next(10))).isEqualTo(model.version());
            }
        }
        for (int round = 0; round < 3; round++) {
            try (PriceStore store = open()) {
                assertThat(store.index().version()).isEqualTo(model.version());
                assertThat(store.stats()).isEqualTo(new StoreStats(model.version(), model.version(), 0, 0));
                model.check(store.index(), "seed=" + seed);
                store.update(model.next(10));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void open_afterAKill_hasEveryUpdate(boolean isMapped) throws IOException {
        StoreOptions options = new StoreOptions(Long.MAX_VALUE, isMapped);
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            for (int i = 0; i < 20; i++) {
                store.update(model.next(10));
                if (i == 8) {
                    assertThat(store.snapshot()).isEqualTo(model.version());
                }
                Path image = image(store(), folder.resolve("image" + i));
                try (PriceStore found = PriceStore.open(image, options, StoreProgress.NONE)) {
                    assertThat(found.index().version()).isEqualTo(model.version());
                    model.check(found.index(), "seed=" + seed + " update=" + i);
                }
            }
        }
    }

    @Test
    void snapshot_whereAnotherStoreStandsInThePlace_leavesBothAsTheyAre() throws IOException {
        Path moved = folder.resolve("moved");
        PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND);
        store.update(model.next(10));
        Files.move(store(), moved);
        assertThatThrownBy(store::snapshot)
                .isInstanceOf(StoreFailedException.class)
                .hasMessageContaining("folder of the log cannot be found any more");
        Path other = folder.resolve("other");
        PriceStore.create(other, StoreModel.empty(), NO_BACKGROUND).close();
        Files.move(other, store());
        store.update(model.next(10));
        assertThatThrownBy(store::snapshot)
                .isInstanceOf(StoreFailedException.class)
                .hasMessageContaining("folder was replaced while the store was open: folder=" + store());
        assertThatThrownBy(store::compact).isInstanceOf(StoreFailedException.class);
        assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);
        try (PriceStore found = open()) {
            assertThat(found.index().version()).isEqualTo(1);
        }
        try (PriceStore found = PriceStore.open(moved, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(found.index().version()).isEqualTo(model.version());
            model.check(found.index(), "seed=" + seed);
        }
    }

    @Test
    void open_afterACrashAtAnyPoint_losesNothingAcknowledged() throws IOException {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        Map<CrashPoint, Integer> passed = new EnumMap<>(CrashPoint.class);
        long[] acknowledged = {1};
        int[] images = {0};
        CrashPoint.Observer observer = point -> {
            passed.merge(point, 1, Integer::sum);
            Path image = image(store(), folder.resolve("image" + images[0]++));
            String what = "seed=" + seed + " point=" + point + " image=" + image.getFileName();
            for (int again = 0; again < 2; again++) { // opening a crashed store is a use that may crash, too
                try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                    long version = found.index().version();
                    boolean isDone = point != CrashPoint.BEFORE_APPEND && point != CrashPoint.AFTER_APPEND;
                    assertThat(version)
                            .as(what)
                            .isBetween(acknowledged[0], isDone ? acknowledged[0] + 1 : model.version());
                    model.check(found.index(), what);
                } catch (IOException e) {
                    throw new UncheckedIOException(what, e);
                }
            }
        };
        PriceStore store = PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE, observer);
        for (int i = 0; i < 12; i++) {
            acknowledged[0] = store.update(model.next(8));
            if (i % 4 == 3) {
                store.snapshot();
            } else if (i == 9) {
                store.compact();
            }
        }
        store.update(model.next(8));
        acknowledged[0] = model.version();
        store.close();

        assertThat(passed.keySet()).containsExactly(CrashPoint.values());
        try (PriceStore found = open()) {
            assertThat(found.index().version()).isEqualTo(model.version());
            model.check(found.index(), "seed=" + seed);
        }
    }

    @Test
    void open_afterACrashWithinASnapshot_deletesWhatWasWrittenOfIt() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            store.update(model.next(8));
            Path image = image(store(), folder.resolve("image"));
            Path left = image.resolve("snapshot.index.0123456789abcdef-0123456789abcdef.next");
            Files.write(left, new byte[100]);
            try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                model.check(found.index(), "seed=" + seed);
                assertThat(left).doesNotExist();
            }
        }
    }

    @Test
    void update_byManyThreads_isCommittedInGroupsInTheOrderOfTheLog() throws Exception {
        int threads = 8;
        int updates = 100;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), new StoreOptions(20_000, false))) {
            CountDownLatch start = new CountDownLatch(threads);
            List<Future<List<Long>>> versions = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                versions.add(pool.submit(() -> {
                    start.countDown();
                    start.await();
                    List<Long> own = new ArrayList<>();
                    for (int n = 1; n <= updates; n++) {
                        own.add(store.update(new PriceBatch().put(price(thread, n))));
                        SearchResult.Found found = (SearchResult.Found)
                                store.index().search(store.index().query().offering("o" + thread));
                        assertThat(found.value(0)).isEqualTo(BigDecimal.valueOf(n));
                    }
                    return own;
                }));
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> each : versions) {
                assertThat(each.get()).isSorted();
                all.addAll(each.get());
            }
            assertThat(all).doesNotHaveDuplicates().hasSize(threads * updates);
            assertThat(store.index().version()).isEqualTo(1 + threads * updates);
        } finally {
            pool.shutdownNow();
            assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
        try (PriceStore found = open()) {
            assertThat(found.index().version()).isEqualTo(1 + threads * updates);
            for (int t = 0; t < threads; t++) {
                assertThat(found.index().prices("o" + t)).containsExactly(price(t, updates));
            }
        }
    }

    private static Price price(int thread, int n) {
        return Price.of("p", "o" + thread, Map.of("months", (long) n), BigDecimal.valueOf(n));
    }

    @Test
    void update_manyAtOnce_shareForces() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        int[] appends = {0};
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try (PriceStore store = PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE, point -> {
            if (point == CrashPoint.BEFORE_APPEND && appends[0]++ == 0) {
                first.countDown();
                try {
                    others.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        })) {
            List<Future<Long>> updates = new ArrayList<>();
            updates.add(pool.submit(() -> store.update(new PriceBatch().put(price(0, 1)))));
            first.await();
            for (int t = 1; t < 8; t++) {
                int thread = t;
                updates.add(pool.submit(() -> store.update(new PriceBatch().put(price(thread, 1)))));
            }
            while (store.waiting() < 7) {
                LockSupport.parkNanos(100_000);
            }
            others.countDown();
            for (Future<Long> each : updates) {
                assertThat(each.get()).isBetween(2L, 9L);
            }
            assertThat(appends[0]).isEqualTo(2);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void update_thatTheIndexRefuses_changesNothingAndIsNotInTheLog() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            PriceBatch good = new PriceBatch().put(price(0, 1));
            assertThatThrownBy(() -> store.update(new PriceBatch()
                            .put(price(1, 1))
                            .put(Price.of("a", "o", Map.of("colour", "red"), BigDecimal.ONE))))
                    .isInstanceOf(UnknownFieldException.class);
            assertThatThrownBy(() -> store.update(
                            new PriceBatch().put(Price.of("a", "o", Map.of("months", "red"), BigDecimal.ONE))))
                    .isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(
                            () -> store.update(new PriceBatch().put(Price.of("\uD800", "o", Map.of(), BigDecimal.ONE))))
                    .isInstanceOf(InvalidValueException.class);
            assertThat(store.stats().logBytes()).isZero();
            assertThat(store.update(good)).isEqualTo(2);
            Path image = image(store(), folder.resolve("image"));
            try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                assertThat(found.index().version()).isEqualTo(2);
                assertThat(found.index().prices("o0")).containsExactly(price(0, 1));
            }
        }
    }

    @Test
    void remove_ofATextThatIsNone_isRefusedAndRemovesNothingElse() {
        assertThatThrownBy(() -> new PriceBatch().remove("o", "\uDC00")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> new PriceBatch().remove("a\uD800b", "x")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void snapshot_isMadeInTheBackgroundBeyondTheLimit() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), new StoreOptions(2_000, false))) {
            while (store.stats().snapshotVersion() == 1) {
                store.update(model.next(10));
            }
            for (int i = 0; i < 100; i++) {
                store.update(model.next(10));
            }
            assertThat(store.stats().snapshotFailures()).isZero();
        }
        try (PriceStore found = open()) {
            model.check(found.index(), "seed=" + seed);
            assertThat(found.index().version()).isEqualTo(model.version());
        }
    }

    /** The log begins with short files, and the first update of a store may be longer than they are. */
    @Test
    void firstUpdate_ofAnySize_isThereAfterACrash() throws IOException {
        int[] sizes = {100, 250_000, 300_000, 1_000_000, 15_000_000};
        for (int size : sizes) {
            Path at = folder.resolve("store" + size);
            Price large = new Price("p", "o", Map.of(), BigDecimal.ONE, "", false, "-".repeat(size));
            try (PriceStore store = PriceStore.create(at, StoreModel.empty(), NO_BACKGROUND)) {
                assertThat(store.update(new PriceBatch().put(large))).isEqualTo(2);
                Path image = image(at, folder.resolve("image" + size));
                assertThat(StoreVerifier.verify(image, StoreProgress.NONE).opens())
                        .isTrue();
                try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                    assertThat(found.index().price("o", "p")).isEqualTo(large);
                }
            }
            assertThat(StoreVerifier.verify(at, StoreProgress.NONE).opens()).isTrue();
            try (PriceStore found = PriceStore.open(at, NO_BACKGROUND, StoreProgress.NONE)) {
                assertThat(found.index().price("o", "p")).isEqualTo(large);
            }
        }
    }

    @Test
    void create_overALogWithEntries_isRefusedAndKeepsThem() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            store.update(model.next(8));
            Path image = image(store(), folder.resolve("image"));
            Path snapshot = image.resolve("snapshot.index");
            byte[] kept = Files.readAllBytes(snapshot);
            Files.delete(snapshot);
            assertThatThrownBy(() -> PriceStore.create(image, StoreModel.empty(), NO_BACKGROUND))
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining("log without a snapshot");
            Files.write(snapshot, kept);
            try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                model.check(found.index(), "seed=" + seed);
            }
        }
    }

    /** Updates go on while a snapshot is written; what it does not contain stays in the log, and counts towards the next one. */
    @Test
    void snapshot_withAnUpdateMeanwhile_keepsItsEntry() throws IOException {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        List<PriceStore> updated = new ArrayList<>();
        CrashPoint.Observer observer = point -> {
            if (point == CrashPoint.AFTER_SNAPSHOT && !updated.isEmpty()) {
                try {
                    long unused = updated.remove(0).update(model.next(8));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        try (PriceStore store = PriceStore.open(store(), NO_BACKGROUND, StoreProgress.NONE, observer)) {
            store.update(model.next(8));
            updated.add(store);
            assertThat(store.snapshot()).isEqualTo(2);
            Path image = image(store(), folder.resolve("image"));
            try (PriceStore found = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
                assertThat(found.index().version()).isEqualTo(3);
                model.check(found.index(), "seed=" + seed);
                assertThat(found.stats().logBytes())
                        .isEqualTo(store.stats().logBytes())
                        .isPositive();
            }
        }
    }

    @Test
    void snapshot_thatCannotBeWritten_losesNothingAndIsCounted() throws IOException {
        PriceStore store = PriceStore.create(store(), StoreModel.empty(), new StoreOptions(1, false));
        Path snapshot = store().resolve("snapshot.index");
        Path away = folder.resolve("away.index");
        Files.move(snapshot, away);
        Files.createDirectories(snapshot.resolve("in the way"));
        store.update(model.next(10));
        while (store.stats().snapshotFailures() == 0) {
            LockSupport.parkNanos(100_000);
        }
        store.update(model.next(10));
        assertThatThrownBy(store::close).isInstanceOf(IOException.class);
        Files.delete(snapshot.resolve("in the way"));
        Files.delete(snapshot);
        Files.move(away, snapshot);
        try (PriceStore found = open()) {
            model.check(found.index(), "seed=" + seed);
            assertThat(found.index().version()).isEqualTo(model.version());
        }
    }

    /** A snapshot that fails is tried again once the log has grown by its limit, not with each update; one that succeeds restores the limit. */
    @Test
    void snapshotInBackground_afterAFailure_isTriedAgainBeyondTheLimit() throws Exception {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        AtomicBoolean isBroken = new AtomicBoolean(true);
        AtomicInteger attempts = new AtomicInteger();
        CrashPoint.Observer observer = point -> {
            if (point == CrashPoint.BEFORE_SNAPSHOT) {
                attempts.incrementAndGet();
                if (isBroken.get()) {
                    throw new IllegalStateException("broken");
                }
            }
        };
        int limit = 1000;
        try (PriceStore store =
                PriceStore.open(store(), new StoreOptions(limit, false), StoreProgress.NONE, observer)) {
            long due = limit;
            int expected = 0;
            int successes = 0;
            for (int n = 0; n < 400; n++) {
                isBroken.set(n < 150 || (n >= 250 && n < 300));
                long before = store.stats().logBytes();
                store.update(new PriceBatch().put(price(0, n)));
                awaitSnapshots();
                long after = store.stats().logBytes();
                String what = "update=" + n + " before=" + before + " after=" + after + " due=" + due;
                if (expected < attempts.get()) {
                    expected++;
                    boolean isDone = after == 0;
                    successes += isDone ? 1 : 0;
                    assertThat(isDone).as(what).isEqualTo(!isBroken.get());
                    assertThat(before).as(what).isBetween(due - 100, due); // an entry has less than 100 bytes
                    due = isDone ? limit : after + limit;
                }
                assertThat(attempts).as(what).hasValue(expected);
                assertThat(after).as(what).isLessThanOrEqualTo(due);
            }
            assertThat(store.stats().snapshotFailures())
                    .isEqualTo(expected - successes)
                    .isPositive();
            assertThat(successes).isPositive();
        }
    }

    /** Waits for the snapshots that updates have started. */
    private static void awaitSnapshots() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("index-snapshot")) {
                thread.join();
            }
        }
    }

    @Test
    void compact_keepsPricesAndVersion_andNothingThatIsGone() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            for (int i = 0; i < 500; i++) {
                store.update(new PriceBatch()
                        .put(Price.of("p", "gone" + i, Map.of("region", "gone" + i), BigDecimal.ONE))
                        .remove("gone" + (i - 1), "p"));
            }
            store.update(
                    new PriceBatch().remove("gone499", "p").put(price(2, 2)).put(price(1, 1)));
            assertThat(store.compact()).isEqualTo(502);
            assertThat(store.compact()).isEqualTo(502);
            assertThat(store.snapshotBytes()).isLessThan(2000);
        }
        try (PriceStore found = open()) {
            assertThat(found.index().version()).isEqualTo(502);
            assertThat(found.index().stats().prices()).isEqualTo(2);
            assertThat(found.index().prices("o2")).containsExactly(price(2, 2));
        }
    }

    @Test
    void files_areForTheirOwnerOnly() throws IOException {
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            store.update(model.next(5));
            store.snapshot();
            try (Stream<Path> files = Files.walk(store())) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .as(file.toString())
                            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
                }
            }
        }
    }

    @Test
    void open_whatIsInUseMissingOrALink_isRefused() throws IOException {
        assertThat(PriceStore.exists(store())).isFalse();
        assertThatThrownBy(this::open).isInstanceOf(NoSuchFileException.class).hasMessageContaining("no store in this");
        try (PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND)) {
            assertThat(PriceStore.exists(store())).isTrue();
            assertThatThrownBy(this::open)
                    .isInstanceOf(StoreInUseException.class)
                    .hasMessageContaining("store is in use: folder=" + store());
            assertThatThrownBy(() -> PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND))
                    .isInstanceOf(StoreInUseException.class);
            assertThatThrownBy(() -> StoreVerifier.verify(store(), StoreProgress.NONE))
                    .isInstanceOf(StoreInUseException.class);
            assertThat(store.index().version()).isEqualTo(1);
        }
        assertThatThrownBy(() -> PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND))
                .isInstanceOf(FileAlreadyExistsException.class);
        Path snapshot = store().resolve("snapshot.index");
        Files.move(snapshot, folder.resolve("elsewhere"));
        Files.createSymbolicLink(snapshot, folder.resolve("elsewhere"));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("no regular file: file=" + snapshot);
        assertThatThrownBy(() -> StoreRepair.run(store(), StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("no regular file: file=" + snapshot);
        assertThat(Files.exists(snapshot, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void logThatIsALink_isNotFollowed() throws IOException {
        PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND).close();
        Path log = store().resolve("log");
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(log, elsewhere);
        Files.createSymbolicLink(log, elsewhere);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Files.createSymbolicLink(empty.resolve("log"), elsewhere);
        List<ThrowableAssert.ThrowingCallable> uses = List.of(
                this::open,
                () -> StoreRepair.run(store(), StoreProgress.NONE),
                () -> PriceStore.create(empty, StoreModel.empty(), NO_BACKGROUND));
        for (ThrowableAssert.ThrowingCallable use : uses) {
            assertThatThrownBy(use).isInstanceOf(StoreDamagedException.class).hasMessageContaining("log is no folder");
        }
        assertThat(StoreVerifier.verify(store(), StoreProgress.NONE).opens()).isFalse();
    }

    @Test
    void update_afterClose_failsWithTheReason() throws IOException {
        PriceStore store = PriceStore.create(store(), StoreModel.empty(), NO_BACKGROUND);
        store.update(model.next(5));
        store.close();
        store.close();
        assertThatThrownBy(() -> store.update(new PriceBatch()))
                .isInstanceOf(StoreFailedException.class)
                .hasMessage("store is closed: folder=" + store());
        assertThatThrownBy(store::snapshot).hasMessage("store is closed: folder=" + store());
        model.check(store.index(), "seed=" + seed);
    }

    @Test
    void oldIndexFile_becomesAStoreAtItsVersion() throws IOException {
        PriceIndex index = StoreModel.empty();
        for (int i = 0; i < 5; i++) {
            index.update(model.next(10));
        }
        Path file = folder.resolve("old.index");
        index.write(file);
        try (PriceStore store = PriceStore.create(store(), PriceIndex.open(file), NO_BACKGROUND)) {
            assertThat(store.update(model.next(10))).isEqualTo(7);
        }
        try (PriceStore store = open()) {
            model.check(store.index(), "seed=" + seed);
        }
    }
}
