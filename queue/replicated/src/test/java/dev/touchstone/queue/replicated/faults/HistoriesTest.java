package dev.touchstone.queue.replicated.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of calls of six clients at three members, with a fault in each: all are linearizable. Seed: {@code -Dseed}; histories of each kind of
 * fault in the slow test: {@code -Dhistories.each}.
 */
@Tag("sweep")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HistoriesTest {
    /** Longer than all faults, those of clocks too: no lease ends by its time. */
    private static final Duration LEASE = Duration.ofDays(100);

    private static final int CALLS = 80;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void calls_withSomeFaults_areLinearizable() throws Exception {
        run(List.of(Fault.ISOLATE, Fault.STOP, Fault.POWER_CUT));
    }

    @Tag("slow")
    @Test
    void calls_withEachFault_areLinearizable() throws Exception {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < Integer.getInteger("histories.each", 3); i++) {
            faults.addAll(List.of(Fault.values()));
        }
        run(faults);
    }

    private void run(List<Fault> faults) throws Exception {
        System.out.println("HistoriesTest -Dseed=" + seed);
        HistoryChecker.require();
        List<Path> histories = new ArrayList<>();
        try (MemberProcesses group = new MemberProcesses(folder, CallingMember.class, LEASE)) {
            group.startAll();
            for (Fault fault : faults) {
                histories.add(history(group, histories.size() + "-" + fault, fault));
            }
        }
        HistoryChecker.Answer answer = HistoryChecker.check(histories);
        System.out.print(answer.text().replace(folder + "/", ""));
        assertThat(answer.isGood()).as("seed=%d %s", seed, answer.text()).isTrue();
    }

    /** Makes a history: calls at all members, a fault meanwhile, then again calls, and at last polls until the queue is empty. */
    private Path history(MemberProcesses group, String name, Fault fault) throws Exception {
        calls(group, name, CALLS);
        MemberProcesses.pause(random.nextInt(400));
        fault.inflict(group, random);
        MemberProcesses.pause(500); // what is on its way arrives
        settle(group, name);
        calls(group, name, CALLS / 8);
        settle(group, name);
        int drains = random.nextInt(MemberProcesses.MEMBERS);
        group.tell(drains, "drain " + name);
        String unused = group.await(drains, "drained");
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            parts.add(folder.resolve("history-" + name + "-" + i));
        }
        return HistoryChecker.merge(parts, folder.resolve("history-" + name));
    }

    private static void settle(MemberProcesses group, String name) throws Exception {
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            group.tell(i, "settle " + name);
        }
        group.awaitAll("settled");
    }

    private void calls(MemberProcesses group, String name, int count) throws Exception {
        for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
            group.tell(i, "calls " + name + " " + random.nextLong() + " " + count);
        }
    }
}
