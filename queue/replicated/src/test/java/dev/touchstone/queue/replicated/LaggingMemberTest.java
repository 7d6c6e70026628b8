package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.replication.ReplicationGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that has many entries to apply. */
class LaggingMemberTest {
    @TempDir
    Path folder;

    @Test
    void leader_changesWhileMemberIsBehind_isKnownAtOnce() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String first = group.awaitLeader();
            String next = group.others(first).get(0);
            String lagging = group.others(first).get(1);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(first), "a", 10));
            CountDownLatch gate = new CountDownLatch(1);
            group.machine(lagging).gate = gate;
            try {
                expected.addAll(JraftGroupTest.proposeMany(group.member(first), "b", 200));
                group.member(first).transfer(next, Duration.ofSeconds(20));
                Group.await("the new leader", () -> group.member(next).leads());
                expected.addAll(JraftGroupTest.proposeMany(group.member(next), "c", 10));
                ReplicationGroup member = group.member(lagging);
                Group.await("the leader", () -> next.equals(member.leader()));
                assertThat(member.term()).isEqualTo(group.member(next).term());
                Group.await(
                        "the reason", () -> member.hindrance().contains("entries behind the group: leader=" + next));
            } finally {
                gate.countDown();
            }
            JraftGroupTest.awaitEntries(group, expected);
            Group.await("no reason", () -> !group.member(lagging).hindrance().contains("behind"));
        }
    }
}
