package dev.touchstone.queue.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.Damage;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of folders whose owner was killed, beside what the next open finds. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FolderScanTest {
    @TempDir
    Path folder;

    @TempDir
    Path killed;

    private static DiskQueueBuilder<String> at(DiskQueueBuilder<byte[]> builder, Path folder) {
        return builder.folder(folder).segmentBytes(64 << 10).codec(Codec.utf8());
    }

    /** Copies the files that a process would leave that is killed now. */
    private void kill() throws IOException {
        copy(folder, killed);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                try {
                    Files.copy(file, to.resolve(Objects.requireNonNull(file.getFileName())));
                } catch (NoSuchFileException renamed) {
                    // a spare file that the queue has finished since the folder was listed
                }
            }
        }
    }

    private FolderReport verify() throws IOException {
        return new QueueFolder(killed).verify(file -> {});
    }

    @Test
    void stats_besideAnOwnerThatRemovesAndMakesCursors_neverFails() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService owner = Executors.newSingleThreadExecutor();
        try (DiskQueue<String> queue = at(DiskQueue.written(), folder).open()) {
            Future<?> work = owner.submit(() -> {
                String element = "x".repeat(4000);
                for (int round = 0; !stop.get(); round++) {
                    String name = "n".repeat(1 + round % 60);
                    assertThat(queue.cursor(name).remove(Long.MAX_VALUE)).isFalse();
                    for (int i = 0; i < 100; i++) {
                        queue.add(element);
                        assertThat(queue.poll()).isNotNull();
                    }
                    assertThat(queue.dropCursor(name)).isTrue();
                }
            });
            for (int call = 0; call < 300 && !work.isDone(); call++) {
                assertThat(new QueueFolder(folder).stats().cursors()).hasSizeBetween(1, 2);
            }
            stop.set(true);
            work.get(60, TimeUnit.SECONDS);
        } finally {
            owner.shutdownNow();
        }
    }

    @Test
    void verify_ofAKilledQueueThatLostRemovedElements_countsAsOpenDoes() throws IOException {
        try (DiskQueue<String> queue = at(DiskQueue.batched(), folder)
                .batch(1000, 1 << 20, Duration.ofMinutes(1))
                .open()) {
            for (int i = 0; i < 10; i++) {
                queue.add("written");
            }
            queue.flush();
            for (int i = 0; i < 10; i++) {
                queue.add("in memory");
            }
            assertThat(queue.remove(15L)).isTrue();
            assertThat(queue.remove(17L)).isTrue();
            assertThat(queue.cursor("audit").longSize()).isEqualTo(18);
            kill();
        }
        FolderReport report = verify();
        assertThat(report.damages()).isEmpty();
        assertThat(report.nextSequence()).isEqualTo(11);
        assertThat(report.cursors()).extracting(FoundCursor::unconsumed).containsExactly(10L, 10L);
        assertThat(report.cursors()).extracting(FoundCursor::gaps).containsExactly(0, 0);
        try (DiskQueue<String> queue = at(DiskQueue.batched(), killed).open()) {
            assertThat(queue.longSize()).isEqualTo(10);
            assertThat(queue.cursor("audit").longSize()).isEqualTo(10);
        }
    }

    @Test
    void verify_ofAKilledQueueWithoutItsNewestFile_findsTheDamageThatOpenCounts() throws IOException {
        try (DiskQueue<String> queue = at(DiskQueue.synced(), folder).open()) {
            while (queue.stats().segments() < 3) {
                queue.add("x".repeat(1000));
            }
            long last = queue.append("last");
            assertThat(queue.remove(last)).isTrue();
            kill();
        }
        List<FoundSegment> segments = verify().segments();
        assertThat(verify().isDamaged()).isFalse();
        Files.delete(killed.resolve(segments.get(segments.size() - 1).file()));
        assertThat(verify().damages()).hasSize(1);
        assertThat(verify().isDamaged()).isTrue();
        Path repaired = Files.createDirectory(folder.resolve("repaired"));
        copy(killed, repaired);
        try (DiskQueue<String> queue = at(DiskQueue.synced(), killed).open()) {
            assertThat(queue.recovery().damagedPlaces()).isEqualTo(1);
        }
        try (FolderRepair repair = FolderRepair.begin(repaired, file -> {})) {
            assertThat(repair.run()).isEmpty();
        }
        assertThat(new QueueFolder(repaired).verify(file -> {}).damages()).isEmpty();
    }

    @Test
    void repair_ofFormat1WithoutItsOwnCursor_keepsTheNamedOneAndCopies() throws IOException {
        copyFormat1();
        Files.write(killed.resolve("CURSOR"), new byte[8192]);
        try (FolderRepair repair = FolderRepair.begin(killed, file -> {})) {
            assertThat(repair.run()).contains("damaged-CURSOR", "damaged-cursor-audit");
        }
        try (DiskQueue<String> queue = at(DiskQueue.synced(), killed).open()) {
            assertThat(queue.cursorNames()).containsExactly("audit");
            assertThat(queue.cursor("audit").longSize()).isEqualTo(55);
            assertThat(queue.longSize()).isBetween(45L, 60L);
        }
    }

    @Test
    void open_ofFormat1WithADamagedNamedCursor_tellsAndKeepsTheFile() throws IOException {
        copyFormat1();
        byte[] damaged = new byte[8192];
        Files.write(killed.resolve("cursor-audit"), damaged);
        assertThatThrownBy(() -> at(DiskQueue.synced(), killed).open())
                .isInstanceOf(CorruptQueueException.class)
                .hasMessageContaining("cursor-audit");
        List<String> told = new ArrayList<>();
        try (DiskQueue<String> queue = at(DiskQueue.synced(), killed)
                .onDamage(damage -> {
                    told.add(String.valueOf(damage.file().getFileName()));
                    return Damage.Decision.SKIP;
                })
                .open()) {
            assertThat(queue.cursorNames()).isEmpty();
        }
        assertThat(told).containsExactly("cursor-audit");
        assertThat(killed.resolve("damaged-cursor-audit")).hasBinaryContent(damaged);
    }

    private void copyFormat1() throws IOException {
        copy(Path.of("src", "test", "resources", "format-1", "synced-closed"), killed);
    }

    /** Returns a file system that runs {@code act} once, when the files of a folder have been listed so often. */
    private static FileIo afterListing(int times, Runnable act) {
        FileIo disk = new DiskFileIo();
        AtomicInteger listings = new AtomicInteger();
        return (FileIo) Proxy.newProxyInstance(
                FileIo.class.getClassLoader(), new Class<?>[] {FileIo.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(disk, arguments);
                        if (method.getName().equals("list") && listings.incrementAndGet() == times) {
                            act.run();
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** Consumes all elements but the last 10, and returns when the first file is gone. */
    private void consume(DiskQueue<String> queue) {
        while (queue.size() > 10) {
            Objects.requireNonNull(queue.poll());
        }
        while (Files.exists(folder.resolve("0000000000000001.seg"))) {
            queue.flush();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stats_besideAnOwnerThatConsumesMeanwhile_takesAFileThatIsGoneAsTakenBack(int time) throws IOException {
        try (DiskQueue<String> queue = at(DiskQueue.written(), folder).open()) {
            for (int i = 0; i < 5000; i++) {
                queue.add("an element " + i);
            }
            queue.flush();
            FileIo io = afterListing(time, () -> consume(queue));
            FolderReport report =
                    FolderScan.of(io, folder, false, Map.of(), file -> {}).report();
            assertThat(report.damages()).isEmpty();
            assertThat(report.nextSequence()).isEqualTo(5001);
            assertThat(queue.size()).isEqualTo(10);
        }
    }
}
