package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cuts, kills and refusals at each operation that writes a checkpoint, whose states are longer than a page. */
@Tag("sweep")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointCutTest {
    private static final int GAPS = 400; // 6,400 bytes of a checkpoint
    private static final int CUTS = 6;
    private static final int MAX_REMOVALS = 20_000;

    /** Appends twice as many records as are removed: every other one. */
    private static void fill(RecordLog log) throws IOException {
        for (int number = 0; number < 2 * (GAPS + 100); number++) {
            Logs.append(log, new byte[8]);
        }
        remove(log.cursors().own(), 0, GAPS);
    }

    private static void remove(LogCursor cursor, int first, int end) throws IOException {
        for (int gap = first; gap < end; gap++) {
            assertThat(cursor.remove(2L * gap + 2)).isTrue();
        }
    }

    private static long back(LogCursor cursor, int gaps) {
        long back = 0;
        for (int gap = 0; gap < gaps; gap++) {
            back += cursor.isConsumed(2L * gap + 2) ? 0 : 1;
        }
        return back;
    }

    private static void assertWhole(Commit commit, FaultyFileIo image, int gaps, int named, String what)
            throws IOException {
        try (RecordLog log = RecordLog.open(Logs.options(commit), image)) {
            assertThat(log.outcome().damagedPlaces())
                    .as("%s: damaged places", what)
                    .isZero();
            assertThat(back(log.cursors().own(), gaps))
                    .as("%s: came back", what)
                    .isZero();
            assertThat(log.cursors().names()).as("%s: cursors", what).hasSize(named);
            for (String name : log.cursors().names()) {
                assertThat(Objects.requireNonNull(log.cursors().find(name)).floor())
                        .as("%s: floor of %s", what, name)
                        .isEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DEVICE,0,true", "DEVICE,1,true", "DEVICE,2,true", "DEVICE,1,false", "DEVICE,2,false",
        "PAGE_CACHE,1,true", "PAGE_CACHE,2,true", "PAGE_CACHE,1,false", "MEMORY,1,true", "MEMORY,2,true"
    })
    void open_cutAtEachOperation_keepsAllThatWasConsumedAndReportsNoDamage(Commit commit, int rotations, boolean killed)
            throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo before;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            fill(log);
            for (int rotation = 0; rotation < rotations; rotation++) { // each writes a checkpoint
                assertThat(log.cursors().get("cursor" + rotation).poll()).isNotNull();
            }
            log.flush();
            before = disk.afterKill();
        }
        before = killed ? before : disk.afterKill();
        int cuts = 0;
        boolean opens = false;
        for (int operation = 1; !opens; operation++) {
            FaultyFileIo cut = before.afterKill();
            cut.failAt(operation, true);
            List<FaultyFileIo> images = new ArrayList<>();
            try {
                RecordLog log = RecordLog.open(Logs.options(commit), cut);
                opens = true;
                assertThatThrownBy(log::close).isInstanceOf(IOException.class);
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("injected");
            }
            images.add(cut.afterKill());
            for (int i = 0; i < CUTS; i++) {
                images.add(cut.afterPowerCut(random));
            }
            for (FaultyFileIo image : images) {
                String what = "seed=" + seed + " operation=" + operation + " image=" + images.indexOf(image);
                assertWhole(commit, image, GAPS, rotations, what);
                cuts++;
            }
        }
        assertThat(cuts).isGreaterThan(5 * CUTS);
    }

    @ParameterizedTest
    @EnumSource
    void cursor_onAFullDisk_fitsIntoTheFilesAndWhatIsRemovedThenStaysRemoved(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo killed;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            fill(log);
            log.flush();
            disk.setFull(true);
            remove(log.cursors().own(), GAPS, GAPS + 50);
            assertThat(log.cursors().get("x").poll()).isNotNull();
            remove(log.cursors().own(), GAPS + 50, GAPS + 100);
            log.flush();
            killed = disk.afterKill();
            disk.setFull(false);
        }
        assertWhole(commit, killed, GAPS + 100, 1, "kill on a full disk");
    }

    @ParameterizedTest
    @CsvSource({"DEVICE,false", "DEVICE,true", "PAGE_CACHE,true", "MEMORY,true"})
    void checkpoint_refusedAtEachOperation_leavesNoTrace(Commit commit, boolean forGood) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        boolean written = false;
        for (int operation = 1; !written; operation++) {
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(commit), disk);
            fill(log);
            log.flush();
            disk.failAt(operation, forGood);
            int gaps = GAPS;
            try {
                log.cursors().get("x");
                written = true;
            } catch (LogRefusedException refused) {
                disk.failAt(Integer.MAX_VALUE, false);
                gaps = GAPS + 100;
                remove(log.cursors().own(), GAPS, gaps);
                log.flush();
            } catch (LogFailedException ended) {
                assertThat(ended).hasMessageContaining("injected");
            }
            if (!written) {
                String what = "seed=" + seed + " operation=" + operation + " gaps=" + gaps;
                List<FaultyFileIo> images = new ArrayList<>(List.of(disk.afterKill()));
                for (int i = 0; i < CUTS; i++) {
                    images.add(disk.afterPowerCut(random));
                }
                for (FaultyFileIo image : images) {
                    try (RecordLog again = RecordLog.open(Logs.options(commit), image)) {
                        assertThat(again.outcome().damagedPlaces()).as(what).isZero();
                        assertThat(back(again.cursors().own(), gaps)).as(what).isZero();
                        if (gaps > GAPS) {
                            assertThat(again.cursors().names()).as(what).isEmpty();
                        }
                    }
                }
            }
            disk.failAt(Integer.MAX_VALUE, false);
            try {
                log.close();
            } catch (IOException ended) {
                assertThat(ended).hasMessageContaining("injected");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DEVICE", "MEMORY"})
    void removal_onAFullDiskThatCopiesBlocks_isRefusedOrStays(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        disk.setCopyOnWrite();
        FaultyFileIo killed;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            fill(log);
            log.flush();
            disk.setFull(true);
            int polled = 0;
            try {
                for (; polled < 50; polled++) {
                    assertThat(Logs.poll(log)).isNotNull();
                }
                assertThat(commit).as("has not written what it polled").isEqualTo(Commit.MEMORY);
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("No space left");
                assertThat(polled).isZero();
            }
            disk.setFull(false);
            assertThat(Logs.poll(log)).isNotNull();
            log.flush();
            killed = disk.afterKill();
        }
        assertWhole(commit, killed, GAPS, 0, "kill");
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgements_onAFullDisk_fitIntoTheFilesOrAreRefusedUntilThereIsRoom(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        FaultyFileIo disk = new FaultyFileIo();
        int leased = 6000;
        int removed = 0;
        LogOptions options = Logs.options(commit);
        try (RecordLog log = RecordLog.open(options, disk)) {
            LogCursor own = log.cursors().own();
            for (int number = 0; number < leased + 2 * MAX_REMOVALS; number++) {
                Logs.append(log, new byte[8]);
            }
            List<LogLease> leases = new ArrayList<>();
            for (int number = 0; number < leased; number++) {
                leases.add(Objects.requireNonNull(own.lease()));
            }
            Collections.shuffle(leases, new Random(seed));
            disk.setFull(true);
            int acknowledged = 0;
            try {
                for (; acknowledged < 2000; acknowledged++) {
                    assertThat(leases.get(acknowledged).acknowledge())
                            .as("seed=%d", seed)
                            .isTrue();
                }
            } catch (LogRefusedException full) { // the lease stays
                assertThat(acknowledged).as("seed=%d", seed).isPositive();
            }
            long refused = 0;
            while (refused == 0 && removed < MAX_REMOVALS) { // each makes the checkpoint longer
                long sequence = leased + 2L * ++removed;
                try {
                    assertThat(own.remove(sequence)).isTrue();
                } catch (LogRefusedException full) {
                    assertThat(own.isConsumed(sequence)).isFalse();
                    refused = sequence;
                }
            }
            assertThat(refused)
                    .as("seed=%d: sequence of a refused removal", seed)
                    .isPositive();
            disk.setFull(false);
            assertThat(own.remove(refused)).as("seed=%d", seed).isTrue();
            for (LogLease lease : leases.subList(acknowledged, leased - 1)) {
                assertThat(lease.acknowledge()).as("seed=%d", seed).isTrue();
            }
        }
        try (RecordLog log = RecordLog.open(options, disk)) {
            assertThat(log.outcome().damagedPlaces()).as("seed=%d", seed).isZero();
            assertThat(log.size()).as("seed=%d", seed).isEqualTo(1 + 2L * MAX_REMOVALS - removed);
        }
    }
}
