package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.inspect.FoundCursor;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores with flipped bits, missing files and forged entries: what opens, what is told, and what a repair saves. */
class StoreDamageTest {
    private static final StoreOptions NO_BACKGROUND = new StoreOptions(Long.MAX_VALUE, false);
    private static final int UPDATES = 10;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @TempDir
    Path folder;

    private static Price price(int n) {
        return Price.of("id", "o" + n, Map.of("region", "region number " + n), BigDecimal.valueOf(n));
    }

    /** Makes a store that was killed, with a snapshot of version 3 and versions 4 to 11 in the log. */
    private Path killed() throws IOException {
        Path store = folder.resolve("store");
        try (PriceStore open = PriceStore.create(store, StoreModel.empty(), NO_BACKGROUND)) {
            for (int n = 1; n <= UPDATES; n++) {
                assertThat(open.update(new PriceBatch().put(price(n)))).isEqualTo(n + 1);
                if (n == 2) {
                    open.snapshot();
                }
            }
            return PriceStoreTest.image(store, folder.resolve("killed"));
        }
    }

    private static Path segment(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("log"))) {
            return files.filter(file -> file.toString().endsWith(".seg"))
                    .filter(file -> contains(file, "region number "))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Flips a bit of the entry of an update. */
    private static void damage(Path store, int n) throws IOException {
        Path file = segment(store);
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.indexOf("region number " + n) + 3] ^= 4;
        Files.write(file, bytes);
    }

    @Test
    void verify_wholeStore_saysSo() throws IOException {
        Path store = killed();

        StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);

        assertThat(report)
                .isEqualTo(new StoreReport(true, 3, 8, report.logBytes(), 11, 10, List.of(), List.of(), true, true));
        assertThat(report.logBytes()).isPositive();
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(11);
        }
        assertThat(StoreRepair.run(store, StoreProgress.NONE)).isEmpty();
    }

    @Test
    void damagedEntry_isRefusedTold_andGivenUpByARepair() throws IOException {
        Path store = killed();
        damage(store, 5);

        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("log is damaged: log=" + store.resolve("log"))
                .hasMessageContaining("lost: entries=5..5 after version=5 before version=7")
                .hasMessageContaining(segment(store).toString())
                .hasMessageContaining("'index-server verify' says what is lost, 'index-server repair' opens the rest");
        StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);
        assertThat(report.opens()).isFalse();
        assertThat(report.isRepairable()).isTrue();
        assertThat(report.losses()).containsExactly("lost: entries=5..5 after version=5 before version=7");
        assertThat(report.problems()).hasSize(1).first().asString().contains("offset=", "record expected=matching CRC");
        assertThat(report.version()).isEqualTo(11);
        assertThat(report.prices()).isEqualTo(9);

        List<String> lost = StoreRepair.run(store, StoreProgress.NONE);

        assertThat(lost).first().isEqualTo("lost: entries=5..5 after version=5 before version=7");
        assertThat(store.resolve("damaged-log-1")).isDirectory();
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE)) // the entries left the log, the damaged one too
                .isEqualTo(new StoreReport(true, 11, 0, 0, 11, 9, List.of(), List.of(), true, true));
        assertThat(unconsumed(store)).isZero();
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(11);
            for (int n = 1; n <= UPDATES; n++) {
                assertThat(open.index().prices("o" + n)).hasSize(n == 5 ? 0 : 1);
            }
            assertThat(open.update(new PriceBatch().put(price(5)))).isEqualTo(12);
        }
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE).opens()).isTrue();
    }

    @Test
    void damagedEntry_thatTheSnapshotContains_doesNoHarm() throws IOException {
        Path store = folder.resolve("store");
        Path[] image = {store};
        PriceStore.create(store, StoreModel.empty(), NO_BACKGROUND).close();
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE, point -> {
            if (point == CrashPoint.AFTER_SNAPSHOT && image[0].equals(store)) {
                image[0] = PriceStoreTest.image(store, folder.resolve("image"));
            }
        })) {
            for (int n = 1; n <= UPDATES; n++) {
                open.update(new PriceBatch().put(price(n)));
            }
            open.snapshot();
        }
        damage(image[0], 5);

        StoreReport report = StoreVerifier.verify(image[0], StoreProgress.NONE);
        assertThat(report.opens()).isTrue();
        assertThat(report.problems()).hasSize(1);
        try (PriceStore open = PriceStore.open(image[0], NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(11);
            assertThat(open.index().stats().prices()).isEqualTo(10);
        }
    }

    /** Returns how many elements the log of a store has that were not removed. */
    private static long unconsumed(Path store) throws IOException {
        return new QueueFolder(store.resolve("log"))
                .stats().cursors().stream().mapToLong(FoundCursor::unconsumed).sum();
    }

    private static Path checkpoint(Path store, String name) {
        return store.resolve("log").resolve(name);
    }

    /** Checks that a report says of each of the two checkpoints that the log opens without it, as it does, and of both that it does not. */
    @Test
    void damagedCheckpoints_ofTheLog_areToldAsTheyOpen() throws IOException {
        Path store = killed();
        for (String name : List.of("CURSOR-a", "CURSOR-b")) {
            Path one = PriceStoreTest.image(store, folder.resolve("one-" + name));
            Path file = checkpoint(one, name);
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 1000));
            StoreReport report = StoreVerifier.verify(one, StoreProgress.NONE);
            assertThat(report.problems()).as(name).hasSize(1).first().asString().contains("cursor checkpoint");
            assertThat(report.opens()).as(name).isTrue();
            try (PriceStore open = PriceStore.open(one, NO_BACKGROUND, StoreProgress.NONE)) {
                assertThat(open.index().version()).isEqualTo(11);
            }
        }
        for (String name : List.of("CURSOR-a", "CURSOR-b")) {
            Files.write(checkpoint(store, name), new byte[66_048]);
        }
        StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);
        assertThat(report.losses()).isEmpty();
        assertThat(report.problems()).first().asString().contains("cursor checkpoints expected=a whole one got=none");
        assertThat(report.opens()).isFalse();
        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("corrupt cursor checkpoints");
        assertThat(StoreRepair.run(store, StoreProgress.NONE)).isEmpty();
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(11);
            assertThat(open.index().stats().prices()).isEqualTo(10);
        }
    }

    /** Checks that log files which were deleted because the snapshot has all of them are no damage, also if the newer checkpoint is lost that says so. */
    @Test
    void missingCheckpoint_behindDeletedLogFiles_doesNoHarm() throws IOException {
        Path store = folder.resolve("store");
        Path image;
        try (PriceStore open = PriceStore.create(store, StoreModel.empty(), NO_BACKGROUND)) {
            for (int n = 1; n <= UPDATES; n++) {
                Price large = new Price("id", "o" + n, Map.of(), BigDecimal.ONE, "", false, "-".repeat(200_000));
                open.update(new PriceBatch().put(large));
                if (n == 2) {
                    open.snapshot();
                }
            }
            image = PriceStoreTest.image(store, folder.resolve("image"));
        }
        Files.delete(checkpoint(image, "CURSOR-a"));
        StoreReport report = StoreVerifier.verify(image, StoreProgress.NONE);
        assertThat(report.problems())
                .hasSize(1)
                .first()
                .asString()
                .containsPattern(
                        "first sequence expected=1 got=[23], behind missing files; harmless$"); // as far as they were
        // deleted
        assertThat(report.opens()).isTrue();
        try (PriceStore open = PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(11);
        }
    }

    /** Checks that a repair does not call a store whole from which a file with acknowledged batches was set aside. */
    @Test
    void unreadableLogFile_isRefused_andToldAsLostByARepair() throws IOException {
        Path store = killed();
        Files.write(segment(store), new byte[0]);
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE).opens()).isFalse();
        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("corrupt segment header length");

        assertThat(StoreRepair.run(store, StoreProgress.NONE))
                .hasSize(2)
                .anyMatch(lost -> lost.startsWith("lost: entries of log files that cannot be read: files=1"))
                .anyMatch(lost -> lost.startsWith("segment header length of "));

        assertThat(StoreRepair.run(store, StoreProgress.NONE)).isEmpty();
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(3);
        }
    }

    @Test
    void everyFlippedBitOfTheLog_isHarmlessOrTold() throws IOException {
        Path store = killed();
        List<Path> files = List.of(segment(store), checkpoint(store, "CURSOR-a"), checkpoint(store, "CURSOR-b"));
        int told = 0;
        for (int round = 0; round < 200; round++) {
            Path file = files.get(round % 4 % files.size()); // half of the rounds in the segment
            byte[] bytes = Files.readAllBytes(file);
            int at = random.nextInt(random.nextBoolean() ? 600 : 6000);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Path copy = PriceStoreTest.image(store, folder.resolve("copy" + round));
            Files.write(copy.resolve("log").resolve(file.getFileName().toString()), bytes);
            String what = "seed=" + seed + " round=" + round + " file=" + file.getFileName() + " offset=" + at;
            StoreReport report = StoreVerifier.verify(copy, StoreProgress.NONE);
            try (PriceStore open = PriceStore.open(copy, NO_BACKGROUND, StoreProgress.NONE)) {
                assertThat(report.opens())
                        .as(what + " " + report + " " + open.stats())
                        .isTrue();
                // the newest entry of a killed process cannot be told from one that was being written
                assertThat(open.index().version()).as(what).isBetween(10L, 11L);
                for (int n = 1; n < UPDATES; n++) {
                    assertThat(open.index().prices("o" + n)).as(what).hasSize(1);
                }
            } catch (StoreDamagedException e) {
                told++;
                assertThat(report.opens()).as(what + " " + e).isFalse();
                List<String> unused = StoreRepair.run(copy, StoreProgress.NONE);
                PriceStore.open(copy, NO_BACKGROUND, StoreProgress.NONE).close();
            }
        }
        assertThat(told).as("seed=" + seed).isPositive();
    }

    @Test
    void damagedOrMissingSnapshot_isToldAndNotRepaired() throws IOException {
        Path store = killed();
        Path snapshot = store.resolve("snapshot.index");
        byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length - 9] ^= 1;
        Files.write(snapshot, bytes);

        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("snapshot is damaged: file=" + snapshot + ": checksum is wrong");
        assertThatThrownBy(() -> StoreRepair.run(store, StoreProgress.NONE)).isInstanceOf(StoreDamagedException.class);
        StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);
        assertThat(report.isSnapshotWhole()).isFalse();
        assertThat(report.isRepairable()).isFalse();
        assertThat(report.problems()).first().asString().contains("checksum is wrong");

        Files.delete(snapshot);
        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("snapshot is missing");
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE).problems())
                .containsExactly("snapshot is missing, or no regular file: file=" + snapshot);
    }

    @Test
    void missingLog_isTold_andARepairGoesOnWithoutIt() throws IOException {
        Path store = killed();
        Files.move(store.resolve("log"), folder.resolve("log"));

        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("log is missing");
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE).losses())
                .containsExactly("lost: all batches behind the snapshot");
        assertThat(StoreRepair.run(store, StoreProgress.NONE)).hasSize(1);
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(3);
        }
    }

    @Test
    void snapshotOfEarlier_isTold() throws IOException {
        Path store = folder.resolve("store");
        Path early = folder.resolve("early.index");
        try (PriceStore open = PriceStore.create(store, StoreModel.empty(), NO_BACKGROUND)) {
            Files.copy(store.resolve("snapshot.index"), early);
            open.update(new PriceBatch().put(price(1)));
            open.snapshot();
            open.update(new PriceBatch().put(price(2)));
            Path image = PriceStoreTest.image(store, folder.resolve("image"));
            Files.delete(image.resolve("snapshot.index"));
            Files.copy(early, image.resolve("snapshot.index"));
            assertThatThrownBy(() -> PriceStore.open(image, NO_BACKGROUND, StoreProgress.NONE))
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining("lost: after version=1 before version=3");
        }
    }

    @Test
    void entriesThatAFailedAppendLeft_giveWayToThoseOfTheirVersions() throws IOException {
        Path store = killed();
        BatchFormat format = new BatchFormat(StoreModel.empty());
        try (DiskQueue<byte[]> log =
                DiskQueue.synced().folder(store.resolve("log")).open()) {
            log.add(format.encode(12, new PriceBatch().put(price(98))));
            log.add(format.encode(13, new PriceBatch().put(price(99))));
            log.add(format.encode(12, new PriceBatch().put(price(12))));
        }
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(12);
            assertThat(open.index().prices("o12")).hasSize(1);
            assertThat(open.index().prices("o98")).isEmpty();
            assertThat(open.index().prices("o99")).isEmpty();
        }
    }

    @Test
    void entryThatIsNoBatch_isToldWithItsPlace() throws IOException {
        Path store = killed();
        PriceIndex other = PriceIndex.builder().string("region").build(List.of());
        try (DiskQueue<byte[]> log =
                DiskQueue.synced().folder(store.resolve("log")).open()) {
            log.add(new byte[] {7, 1});
            log.add(new BatchFormat(other).encode(12, new PriceBatch().put(price(12))));
            byte[] cut = new BatchFormat(StoreModel.empty()).encode(13, new PriceBatch().put(price(12)));
            log.add(Arrays.copyOf(cut, cut.length - 1));
        }
        assertThatThrownBy(() -> PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("entry=11: entry is too short: bytes=2")
                .hasMessageContaining("entry=12: entry is of an index with other fields")
                .hasMessageContaining("entry=13: corrupt region: bytes=15 expected=16");
        assertThat(StoreVerifier.verify(store, StoreProgress.NONE).problems()).hasSize(3);
        List<String> unused = StoreRepair.run(store, StoreProgress.NONE);
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            assertThat(open.index().version()).isEqualTo(13);
            assertThat(open.index().stats().prices()).isEqualTo(10);
        }
    }

    @Test
    void verify_randomDamage_saysWhetherTheStoreOpens() throws IOException {
        Path store = folder.resolve("store");
        Path killed = folder.resolve("killed");
        try (PriceStore open = PriceStore.create(store, StoreModel.empty(), NO_BACKGROUND)) {
            for (int n = 1; n <= 40; n++) { // the files of the log are of 1 MiB at first
                String payload = String.valueOf((char) ('a' + n % 26)).repeat(80_000);
                open.update(new PriceBatch()
                        .put(new Price("id", "o" + n, Map.of(), BigDecimal.valueOf(n), "", false, payload)));
                if (n == 30) {
                    open.snapshot();
                }
            }
            PriceStoreTest.image(store, killed);
        }
        Map<Boolean, Integer> seen = new HashMap<>();
        for (int i = 0; i < 150; i++) {
            Path copy = PriceStoreTest.image(killed, folder.resolve("copy" + i));
            String what = "seed=" + seed + " round=" + i + " " + damageAtRandom(copy.resolve("log"));
            StoreReport report = StoreVerifier.verify(copy, StoreProgress.NONE);
            assertThat(report.opens()).as(() -> what + " " + report).isEqualTo(opens(copy));
            seen.merge(report.opens(), 1, Integer::sum);
        }
        assertThat(seen).as("seed=%d", seed).containsOnlyKeys(true, false);
    }

    private static boolean opens(Path store) throws IOException {
        try (PriceStore open = PriceStore.open(store, NO_BACKGROUND, StoreProgress.NONE)) {
            return open.index().version() > 0;
        } catch (StoreDamagedException e) {
            return false;
        }
    }

    /** Flips a bit of a file, clears some bytes, cuts it or deletes it; mostly one of those that tell what was removed. */
    private String damageAtRandom(Path log) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(log)) {
            boolean isCursor = random.nextInt(3) > 0;
            files = all.filter(file -> file.getFileName().toString().startsWith("CURSOR") == isCursor)
                    .sorted()
                    .toList();
        }
        Path file = files.get(random.nextInt(files.size()));
        byte[] bytes = Files.readAllBytes(file);
        int used = bytes.length;
        while (used > 0 && bytes[used - 1] == 0) {
            used--;
        }
        int at = random.nextInt(Math.max(1, used));
        int kind = random.nextInt(8);
        if (kind == 0 || used == 0) {
            Files.delete(file);
        } else if (kind == 1) {
            Files.write(file, Arrays.copyOf(bytes, at));
        } else if (kind < 5) {
            Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(1, 5_000)), (byte) 0);
            Files.write(file, bytes);
        } else {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
        }
        return file.getFileName() + " at=" + at + " kind=" + kind;
    }

    @Test
    void verify_linkInThePlaceOfAFileOfTheLog_saysThatTheStoreDoesNotOpen() throws IOException {
        Path store = killed();
        Path file = segment(store);
        Path target = Files.move(file, folder.resolve("target"));
        Files.createSymbolicLink(file, target);
        StoreReport report = StoreVerifier.verify(store, StoreProgress.NONE);
        assertThat(report.opens()).isFalse();
        assertThat(report.problems()).first().asString().contains("file type expected=regular file got=symbolic link");
        assertThat(opens(store)).isFalse();
    }
}
