package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberStatus;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.member.JraftGroup;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.ReplicationGroup;
import dev.touchstone.queue.replication.UnknownMemberException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that join, leave and come back. */
class MembersTest {
    private static final int ELECTION_MILLIS = 500;

    @TempDir
    Path folder;

    @Test
    void add_startedWithoutMembers_getsEntriesAndVotes() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            List<String> expected =
                    new ArrayList<>(JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "a", 100));
            String added = Group.freeAddress();
            group.start(added, List.of());
            assertThat(group.member(added).leader()).isNull();
            String asked = group.addresses.get(0);
            group.member(asked).add(added);
            List<String> four = new ArrayList<>(group.addresses);
            four.add(added);
            assertThat(group.member(added).members()).containsExactlyInAnyOrderElementsOf(four);
            expected.addAll(JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "b", 100));
            JraftGroupTest.awaitEntries(group, expected);
            assertThatThrownBy(() -> group.member(asked).add(added))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(added);
        }
    }

    @Test
    void add_toAGroupWithManyEntries_returnsWhenTheMemberHasThem() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            List<String> unused = JraftGroupTest.proposeMany(group.member(leader), "a".repeat(30_000), 600);
            String added = Group.freeAddress();
            group.start(added, List.of());
            try (GroupClient client = new GroupClient(List.of(leader), null, Group.PATIENCE, waits -> {})) {
                long entries = client.status(leader).lastIndex();
                client.add(added);
                assertThat(client.status(added).lastIndex()).isGreaterThanOrEqualTo(entries - 64);
            }
        }
    }

    @Test
    void add_memberThatDoesNotRun_fails() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String absent = Group.freeAddress();
            assertThatThrownBy(() -> group.member(leader).add(absent))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(absent)
                    .hasMessageContaining("leader=" + leader);
            assertThat(group.member(leader).members()).hasSize(3);
            Group.offer(group.member(leader), "goes on");
        }
    }

    @Test
    void remove_membersThatAreLeftHaveNoMajority_isRefusedAndTheGroupGoesOn() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            awaitAnnounced(group);
            String down = group.others(leader).get(0);
            String mistaken = group.others(leader).get(1);
            group.close(down);
            assertThatThrownBy(() -> group.member(leader).remove(mistaken)).isInstanceOf(IOException.class);
            Group.offer(group.member(leader), "two of three run");
        }
    }

    @Test
    void remove_leaderAndFollower_leavesTheOthers() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String asked = group.others(leader).get(0);
            Group.offer(group.member(asked), "a");
            group.member(asked).remove(leader);
            group.close(leader);
            assertThat(group.awaitLeader()).isNotEqualTo(leader);
            assertThat(group.member(asked).members()).containsExactlyInAnyOrderElementsOf(group.running.keySet());
            Group.offer(group.member(asked), "b");
            assertThatThrownBy(() -> group.member(asked).remove(leader))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no such member: member=" + leader)
                    .hasMessageContaining(asked);
            assertThatThrownBy(() -> group.member(asked).transfer(leader, Duration.ofSeconds(5)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no such member: member=" + leader)
                    .hasMessageContaining(asked);
        }
    }

    @Test
    void hindrance_removedMemberGoesOn_saysSoWithTheMembers() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String removed = group.others(leader).get(0);
            String left = group.others(leader).get(1);
            awaitAnnounced(group);
            group.member(left).remove(removed);
            Group.await(
                    "the reason",
                    () -> group.member(removed).hindrance().contains("was removed from the group, whose members are"));
            assertThat(group.member(removed).hindrance()).contains(leader, left);
            assertThatThrownBy(() -> Group.get(Group.propose(group.member(removed), "late")))
                    .isInstanceOf(IOException.class);
            group.member(left).add(removed);
            Group.offer(group.member(removed), "back");
            assertThat(group.member(leader).members()).contains(removed);
        }
    }

    /** Once in some 200 additions to an idle group, jraft has the answer that it waits for before it waits. */
    @Test
    @Tag("slow")
    void add_membersThatWereRemovedManyTimes_isDone() throws Exception {
        for (int number = 0; number < 40; number++) {
            try (Group group = Group.started(folder.resolve("group-" + number), 3)) {
                removeAndAdd(group, 10);
            }
        }
    }

    private static void removeAndAdd(Group group, int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            String leader = group.awaitLeader();
            String removed = group.others(leader).get(round % 2);
            String left = group.others(leader).get(1 - round % 2);
            group.member(left).remove(removed);
            group.member(left).add(removed);
            Group.offer(group.member(removed), "round " + round);
        }
    }

    @Test
    void add_memberThatWasRemovedAndGoesOn_isDone() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            removeAndAdd(group, 4);
            group.member(group.awaitLeader()).remove(group.addresses.get(0));
            group.close(group.addresses.get(0));
            group.start(group.addresses.get(0), List.of());
            group.member(group.addresses.get(1)).add(group.addresses.get(0));
            Group.offer(group.member(group.addresses.get(0)), "after a start");
        }
    }

    @Test
    void add_memberOfAnotherGroup_isRefusedAndBothGoOn() throws Exception {
        try (Group group = Group.started(folder.resolve("a"), 3);
                Group threeOthers = Group.started(folder.resolve("b"), 3);
                Group oneOther = Group.started(folder.resolve("c"), 1)) {
            List<String> entries = JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "a", 5);
            awaitAnnounced(oneOther);
            for (Group other : List.of(threeOthers, oneOther)) {
                List<String> others = JraftGroupTest.proposeMany(other.member(other.awaitLeader()), "b", 20);
                String added = other.addresses.get(0);
                String asked = group.addresses.get(0);
                assertThatThrownBy(() -> group.member(asked).add(added))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("member " + added + " was not added")
                        .hasMessageContaining("leader=" + group.awaitLeader())
                        .hasMessageContaining("of another group");
                JraftGroupTest.awaitEntries(other, others);
                assertThat(group.member(asked).members()).containsExactlyInAnyOrderElementsOf(group.addresses);
            }
            entries.addAll(JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "goes on", 5));
            JraftGroupTest.awaitEntries(group, entries);
        }
    }

    @Test
    void add_leaderEndsMeanwhile_isDoneByTheNextOne() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            for (int round = 0; round < 3; round++) {
                String leader = group.awaitLeader();
                String asked = group.others(leader).get(0);
                awaitAnnounced(group);
                String added = Group.freeAddress();
                group.start(added, List.of());
                CompletableFuture<@Nullable Void> adding = addLater(group.member(asked), added);
                Group.pause(20 * round);
                group.close(leader);
                Group.get(adding);
                assertThat(group.member(asked).members()).contains(added);
                group.member(asked).remove(leader);
                group.lose(leader);
                Group.offer(group.member(added), "round " + round);
            }
        }
    }

    @Test
    void add_leadershipMovesMeanwhile_isDoneByTheNextOne() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String next = group.others(leader).get(0);
            String added = Group.freeAddress();
            CompletableFuture<@Nullable Void> adding = addLater(group.member(next), added);
            Group.pause(ELECTION_MILLIS); // the leader asks a member that does not run yet
            group.member(leader).transfer(next, Duration.ofSeconds(20));
            Group.pause(ELECTION_MILLIS);
            group.start(added, List.of());
            Group.get(adding);
            assertThat(group.member(added).members()).contains(added);
            Group.offer(group.member(added), "a");
        }
    }

    private static CompletableFuture<@Nullable Void> addLater(ReplicationGroup asking, String added) {
        CompletableFuture<@Nullable Void> adding = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                asking.add(added);
                adding.complete(null);
            } catch (IOException | RuntimeException e) {
                adding.completeExceptionally(e);
            }
        });
        thread.start();
        return adding;
    }

    @Test
    void hindrance_memberThatWasNotAddedYet_saysSo() throws Exception {
        try (Group group = new Group(folder, 1)) {
            String alone = group.addresses.get(0);
            group.start(alone, List.of());
            assertThat(group.member(alone).hindrance()).contains(alone, "belongs to no group yet");
        }
    }

    @Test
    void start_emptyFolderOfKnownMember_isRefusedUntilReplaced() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String lost = group.others(leader).get(0);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(leader), "a", 50));
            awaitAnnounced(group);
            group.lose(lost);
            assertThatThrownBy(() -> group.start(lost, group.addresses))
                    .isInstanceOf(UnknownMemberException.class)
                    .hasMessageContaining(lost)
                    .hasMessageContaining("remove it");
            group.member(leader).remove(lost);
            group.lose(lost);
            group.start(lost, List.of());
            group.member(leader).add(lost);
            expected.addAll(JraftGroupTest.proposeMany(group.member(lost), "b", 50));
            JraftGroupTest.awaitEntries(group, expected);
            awaitAnnounced(group);
            group.lose(lost);
            assertThatThrownBy(() -> group.start(lost, group.addresses)).isInstanceOf(UnknownMemberException.class);
        }
    }

    @Test
    void start_emptyFolderAsTheOnlyMember_takesNoPartInTheGroupThatKnowsIt() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String lost = group.others(leader).get(0);
            String third = group.others(leader).get(1);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(leader), "a", 20));
            awaitAnnounced(group);
            group.lose(lost);
            List<String> alone = new ArrayList<>();
            for (int starts = 0; starts < 3; starts++) {
                group.start(lost, List.of(lost));
                expected.addAll(JraftGroupTest.proposeMany(group.member(leader), "of two " + starts, 20));
                alone.addAll(JraftGroupTest.proposeMany(group.member(lost), "alone " + starts, 20));
                Group.pause(3 * ELECTION_MILLIS);
                assertThat(group.machine(lost).entries()).isEqualTo(alone);
                assertThat(group.machine(third).entries()).isEqualTo(expected);
                group.close(lost);
            }
            group.start(lost, List.of(lost));
            group.close(third);
            Group.pause(3 * ELECTION_MILLIS);
            assertThat(group.member(leader).leads())
                    .as("with the member that began another group")
                    .isFalse();
            group.start(third, group.addresses);
            Group.offer(group.member(third), "goes on");
            assertThat(group.machine(lost).entries()).isEqualTo(alone);
        }
    }

    @Test
    void start_emptyFolderWithoutMembersOfKnownMember_takesNoPartUntilReplaced() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String lost = group.others(leader).get(0);
            String away = group.others(leader).get(1);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(leader), "a", 20));
            awaitAnnounced(group);
            group.close(away);
            expected.addAll(JraftGroupTest.proposeMany(group.member(leader), "on two disks", 20));
            group.lose(lost);
            for (int starts = 0; starts < 2; starts++) { // not with the files of its first start either
                group.start(lost, List.of());
                Group.await(
                        "the reason",
                        () -> group.member(lost).hindrance().contains("remove it at another member, then add it"));
                assertThat(group.machine(lost).entries()).isEmpty();
                group.close(lost);
            }
            group.start(lost, List.of());
            group.close(leader);
            group.start(away, group.addresses); // has fewer entries than were accepted
            Group.pause(3 * ELECTION_MILLIS);
            assertThat(group.member(away).leader()).isNull();
            group.start(leader, group.addresses);
            String next = group.others(lost).get(0);
            Group.await("a leader", () -> group.member(next).leader() != null);
            assertThatThrownBy(() -> group.member(next).add(lost)).hasMessageContaining("remove it first");
            group.close(lost);
            assertThatThrownBy(() -> group.start(lost, List.of(lost, leader)))
                    .isInstanceOf(UnknownMemberException.class);
            group.start(lost, List.of());
            group.member(next).remove(lost);
            group.member(next).add(lost);
            JraftGroupTest.awaitEntries(group, expected);
        }
    }

    @Test
    void announce_otherIdOfKnownMember_isRefused() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Group group = Group.started(folder, 3);
                Links links = new Links(executor, null)) {
            String leader = group.awaitLeader();
            awaitAnnounced(group);
            CompletableFuture<Message> answer = new CompletableFuture<>();
            Message announcement = Message.of(
                    Kind.ANNOUNCE, "f".repeat(32) + " " + group.others(leader).get(0));
            links.send(MemberAddress.parse(leader), announcement, 5_000, new FutureReply(answer));
            assertThat(Group.get(answer).kind()).isEqualTo(Kind.OTHER_ID);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void start_afterTheAnswerAndBeforeAnEntry_memberCanBeAdded() throws Exception {
        try (Group group = Group.started(folder, 1)) {
            String leader = group.awaitLeader();
            String added = Group.freeAddress();
            Path candidate = group.folderOf(added).resolve("candidate");
            group.start(added, List.of());
            assertThat(candidate).exists();
            try (GroupClient client = new GroupClient(List.of(added), null, Group.PATIENCE, waits -> {})) {
                assertThat(client.status(added).role()).isEqualTo("not added");
            }
            group.close(added);
            String id =
                    Files.readAllLines(group.folderOf(leader).resolve("group")).get(1);
            SmallFile.write(
                    new DiskFileIo(), candidate.resolveSibling("group"), "touchstone-group 1\n" + id + "\nadded\n");
            Files.delete(candidate); // the member ends after the answer that it can be added
            group.start(added, List.of());
            group.close(added);
            group.start(added, List.of());
            group.member(leader).add(added);
            Group.offer(group.member(added), "a");
            assertThat(candidate).doesNotExist();
        }
    }

    @Test
    void start_emptyFolderAfterWholeGroupWasRestarted_isRefused() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String lost = group.others(group.awaitLeader()).get(0);
            awaitAnnounced(group);
            group.closeAll();
            group.lose(lost);
            List<CompletableFuture<ReplicationGroup>> starts = new ArrayList<>();
            for (String address : group.addresses) {
                starts.add(group.startLater(address, group.addresses));
            }
            int refused = group.addresses.indexOf(lost);
            assertThatThrownBy(() -> Group.get(starts.get(refused))).isInstanceOf(UnknownMemberException.class);
            for (int i = 0; i < starts.size(); i++) {
                if (i != refused) {
                    group.running.put(group.addresses.get(i), Group.get(starts.get(i)));
                }
            }
            Group.offer(group.member(group.awaitLeader()), "two are enough");
        }
    }

    @Test
    void start_emptyFolderBeforeIdWasAnnounced_isRefused() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String lost = group.others(leader).get(0);
            Group.offer(group.member(leader), "a");
            group.lose(lost); // its announcement may or may not be committed by now
            assertThatThrownBy(() -> group.start(lost, group.addresses)).isInstanceOf(UnknownMemberException.class);
        }
    }

    /** Waits until the group knows the id of each of its members. */
    static void awaitAnnounced(Group group) {
        Group.await(
                "all members are known",
                () -> group.running.values().stream()
                        .allMatch(member -> group.running.keySet().stream()
                                .allMatch(address -> ((JraftGroup) member).knows(address))));
    }

    @Test
    void start_otherMembersAbsent_waitsUntilInterrupted() throws Exception {
        Group group = new Group(folder, 3);
        String address = group.addresses.get(0);
        CompletableFuture<ReplicationGroup> start = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                start.complete(new JraftEngine(Group.STORAGE)
                        .start(group.options(address, group.addresses), new CountingMachine()));
            } catch (IOException | RuntimeException e) {
                start.completeExceptionally(e);
            }
        });
        thread.start();
        Group.await("the question", () -> !Group.isFree(address));
        assertThat(start).isNotDone();
        try (GroupClient client = new GroupClient(List.of(address), null, Group.PATIENCE, waits -> {})) {
            MemberStatus status = client.status(address);
            while (status.role().equals("starting")) { // not at the question yet
                status = client.status(address);
            }
            assertThat(status.role()).startsWith("starting (waits for 127.0.0.1:");
            assertThat(status.role()).contains(group.addresses.get(1), group.addresses.get(2));
            assertThat(status.leader()).isNull();
        }
        thread.interrupt();
        assertThatThrownBy(() -> Group.get(start)).isInstanceOf(InterruptedIOException.class);
        thread.join();
        assertThat(Group.isFree(address)).isTrue();
    }

    @Test
    void start_addressThatCannotBeBound_leavesTheFolderToAnotherOne() throws Exception {
        String mended = Group.freeAddress();
        try (Group group = new Group(folder, 1);
                ServerSocket inUse = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String mistyped = "127.0.0.1:" + inUse.getLocalPort();
            assertThatThrownBy(() -> group.start(mistyped, List.of(mistyped)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be bound");
            Files.move(group.folderOf(mistyped), group.folderOf(mended));
            group.start(mended, List.of(mended));
            Group.offer(group.member(mended), "a");
        }
    }

    @Test
    void snapshot_memberWasAway_isInstalled() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String away = group.others(leader).get(0);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(leader), "a", 50));
            awaitAnnounced(group);
            group.close(away);
            for (int i = 0; i < 3; i++) { // jraft keeps the log back to the snapshot before the last
                int round = i + 1;
                expected.addAll(JraftGroupTest.proposeMany(group.member(leader), "b" + i, 50));
                Group.await("a snapshot", () -> {
                    group.member(leader).snapshot(); // ignored while an earlier one is written
                    return Collections.frequency(group.machine(leader).events, "written") >= round;
                });
            }
            expected.addAll(JraftGroupTest.proposeMany(group.member(leader), "c", 50));
            group.start(away, group.addresses);
            JraftGroupTest.awaitEntries(group, expected);
            assertThat(group.machine(away).events).contains("load");
            assertThat(((JraftGroup) group.member(away)).knows(leader)).isTrue();
            group.closeAll();
            for (String address : group.addresses) {
                group.start(address, group.addresses);
            }
            expected.addAll(JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "d", 10));
            JraftGroupTest.awaitEntries(group, expected);
            assertThat(group.machine(leader).events).contains("load");
        }
    }
}
