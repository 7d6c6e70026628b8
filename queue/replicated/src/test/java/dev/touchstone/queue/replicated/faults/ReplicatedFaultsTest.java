package dev.touchstone.queue.replicated.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with producers and consumers under all kinds of {@link Fault}: no accepted element is lost, none is acknowledged twice or handed
 * out after its acknowledgement, and at the end the queue is empty. Seed: {@code -Dseed}; length of the slow test: {@code -Dfaults}; some kinds of
 * faults alone: {@code -Dkinds}, separated by commas.
 */
@Tag("sweep")
@Timeout(value = 90, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedFaultsTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Number of faults after which a long run says how far it is. */
    private static final int PROGRESS = 50;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void faults_oneOfEachKind_loseAndRepeatNothing() throws Exception {
        run(Fault.values().length, List.of(Fault.values()));
    }

    @Tag("slow")
    @Test
    void faults_underLoadForLong_loseAndRepeatNothing() throws Exception {
        List<Fault> kinds = new ArrayList<>(List.of(Fault.values()));
        String only = System.getProperty("kinds", "");
        if (!only.isEmpty()) {
            kinds.retainAll(Stream.of(only.split(",")).map(Fault::valueOf).toList());
        }
        run(Integer.getInteger("faults", 300), kinds);
    }

    /** Runs so many faults, of each kind equally many, in random order. */
    private void run(int count, List<Fault> kinds) throws Exception {
        System.out.println("ReplicatedFaultsTest -Dseed=" + seed + " -Dfaults=" + count);
        List<Fault> faults = new ArrayList<>();
        while (faults.size() < count) {
            List<Fault> each = new ArrayList<>(kinds);
            Collections.shuffle(each, new Random(random.nextLong()));
            faults.addAll(each.subList(0, Math.min(each.size(), count - faults.size())));
        }
        Collections.shuffle(faults, new Random(random.nextLong()));
        LoadNotes notes = new LoadNotes();
        long start = System.nanoTime();
        try (MemberProcesses group = new MemberProcesses(folder, LoadedMember.class, LEASE)) {
            group.startAll();
            for (int i = 0; i < count; i++) {
                Fault fault = faults.get(i);
                if (random.nextInt(4) > 0) { // else it may hit a group that still recovers
                    int unused = group.awaitLeader(-1);
                }
                MemberProcesses.pause(300 + random.nextInt(700));
                group.checkAlive();
                notes.begins(fault, System.nanoTime());
                inflict(fault, group);
                if (i % PROGRESS == PROGRESS - 1) {
                    System.out.println("faults=" + (i + 1) + " seconds="
                            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
                }
            }
            MemberProcesses.pause(1_000);
            end(group);
        }
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            files.add(folder.resolve("notes-" + i));
        }
        judge(notes, files);
        System.out.println("seconds=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " seed=" + seed);
    }

    private void inflict(Fault fault, MemberProcesses group) throws Exception {
        try {
            fault.inflict(group, random);
        } catch (AssertionError | Exception e) {
            throw new AssertionError("fault=" + fault + " seed=" + seed, e);
        }
    }

    private void end(MemberProcesses group) throws Exception {
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            group.tell(i, "drain");
        }
        group.awaitAll("empty");
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            group.tell(i, "close");
        }
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            assertThat(group.awaitEnd(i))
                    .as("seed %d: %s", seed, group.errors(i))
                    .isZero();
        }
    }

    private void judge(LoadNotes notes, List<Path> files) throws Exception {
        LoadNotes.Counts all = notes.judge(files);
        System.out.print(notes.table());
        assertThat(all.accepted).isPositive();
        assertThat(all.lost).as("lost, seed %d", seed).isZero();
        assertThat(all.twice).as("acknowledged twice, seed %d", seed).isZero();
        assertThat(all.undone)
                .as("handed out after the acknowledgement, seed %d", seed)
                .isZero();
        assertThat(all.acknowledged).isGreaterThan(all.accepted / 2);
    }
}
