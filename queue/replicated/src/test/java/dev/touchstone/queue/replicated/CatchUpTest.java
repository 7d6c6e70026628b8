package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.replicated.link.MemberStatus;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member that was stopped under a load of large elements, and goes on. Length of the stop: {@code -Dstop.seconds}; time after which it must be level: {@code
 * -Dlevel.seconds}. The members share a machine, and the load takes all of it, so that the member gains on the others by what it needs less than they do.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CatchUpTest {
    private static final long LEVEL = 64; // entries of three members that are on their way

    @TempDir
    Path folder;

    private final int levelSeconds = Integer.getInteger("level.seconds", 90);
    private final int stopSeconds = Integer.getInteger("stop.seconds", 10);
    private final String bytes = System.getProperty("bytes", "300000");
    private final StringBuilder report = new StringBuilder();

    @Test
    void follower_stoppedUnderLargeElements_isLevelSoonAndTheGroupGoesOn() throws Exception {
        try (BulkGroup group = new BulkGroup(folder, Collections.nCopies(3, List.of("4", bytes)))) {
            Group.pause(8_000); // compiled code
            int leader = group.leader();
            int stopped = (leader + 1) % BulkGroup.MEMBERS;
            double before = rate(group, leader, 5);
            group.signal(stopped, "STOP");
            double without = rate(group, leader, stopSeconds);
            group.signal(stopped, "CONT");
            long start = System.nanoTime();
            long first = group.status(leader).committedIndex();
            double level = -1;
            for (int i = 0; i < 2 * levelSeconds && level < 0; i++) {
                Group.pause(500);
                MemberStatus leads = group.status(leader);
                MemberStatus back = group.status(stopped);
                double seconds = (System.nanoTime() - start) / 1e9;
                report.append(String.format(
                        java.util.Locale.ROOT,
                        "%.1f s: behind=%d stored=%d leader=%s %s%n",
                        seconds,
                        leads.committedIndex() - back.appliedIndex(),
                        back.lastIndex() - back.appliedIndex(),
                        back.leader(),
                        group.line(stopped)));
                if (leads.committedIndex() - back.appliedIndex() < LEVEL) {
                    level = seconds;
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double during = (group.status(leader).committedIndex() - first) / seconds;
            double after = rate(group, leader, 5);
            System.out.printf(
                    java.util.Locale.ROOT,
                    "entries/s before=%.1f without=%.1f during=%.1f after=%.1f level after %.1f s%n%s",
                    before,
                    without,
                    during,
                    after,
                    level,
                    report);
            assertThat(level).as("seconds until level").isBetween(0.0, (double) levelSeconds);
            assertThat(during).as("entries a second meanwhile").isGreaterThan(before / 2);
        }
    }

    private static double rate(BulkGroup group, int leader, int seconds) throws Exception {
        long start = System.nanoTime();
        long first = group.status(leader).committedIndex();
        Group.pause(1_000 * seconds);
        return (group.status(leader).committedIndex() - first) * 1e9 / (System.nanoTime() - start);
    }
}
