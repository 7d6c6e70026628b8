package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberServer;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.member.JraftGroup;
import dev.touchstone.queue.replication.ReplicationGroup;
import dev.touchstone.queue.replication.UnknownMemberException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that have lost their folders and begin another group, of any size, while the group that they were in counts on them. */
class GroupIdentityTest {
    private static final int ELECTIONS_MILLIS = 1_500;

    @TempDir
    Path folder;

    @Test
    void add_byALostMemberThatBeganAnotherGroup_bothGroupsStayApart() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String lost = loseAFollower(group, 30);
            String added = Group.freeAddress();
            group.start(lost, List.of(lost));
            List<String> expected = offer(group, lost, "new", 20);
            group.start(added, List.of());
            group.member(lost).add(added);
            expected.addAll(offer(group, lost, "grown", 20));
            assertStaysApart(group, lost, added, expected);
            for (int starts = 0; starts < 2; starts++) {
                group.close(lost);
                group.close(added);
                group.start(lost, List.of(lost));
                group.start(added, List.of());
                expected.addAll(offer(group, added, "start " + starts, 5));
                assertStaysApart(group, lost, added, expected);
            }
        }
    }

    @Test
    void start_lostMemberWithABlankOne_takesNoPartInTheGroupThatKnowsIt() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String lost = loseAFollower(group, 30);
            String blank = Group.freeAddress();
            group.startAll(List.of(lost, blank));
            List<String> expected = offer(group, lost, "new", 40);
            assertStaysApart(group, lost, blank, expected);
        }
    }

    @Test
    void start_membersOfTwoGroupsAreNamed_isRefused() throws Exception {
        try (Group group = new Group(folder, 3)) {
            String one = group.addresses.get(0);
            String other = group.addresses.get(1);
            String blank = group.addresses.get(2);
            group.start(one, List.of(one));
            group.start(other, List.of(other));
            Group.offer(group.member(one), "a");
            assertThatThrownBy(() -> group.start(blank, group.addresses))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("of different groups")
                    .hasMessageContaining(blank);
        }
    }

    @Test
    void start_emptyFolderRightAfterTheAddition_isRefused() throws Exception {
        try (Group group = Group.started(folder, 2)) {
            String leader = group.awaitLeader();
            MembersTest.awaitAnnounced(group);
            String added = Group.freeAddress();
            group.start(added, List.of());
            group.member(leader).add(added);
            assertThat(((JraftGroup) group.member(leader)).knows(added)).isTrue();
            group.lose(added);
            assertThatThrownBy(() -> group.start(added, List.of(group.addresses.get(0), group.addresses.get(1), added)))
                    .isInstanceOf(UnknownMemberException.class)
                    .hasMessageContaining(added);
        }
    }

    @Test
    void start_withMembersAfterTheAnswerToALeader_beginsNoSecondLog() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Group group = Group.started(folder, 1);
                Links links = new Links(executor, null)) {
            String leader = group.awaitLeader();
            String asked = Group.freeAddress();
            group.start(asked, List.of());
            CompletableFuture<Message> answer = new CompletableFuture<>();
            Message question = Message.of(Kind.JOIN, "group=" + groupOf(group, leader));
            links.send(MemberAddress.parse(asked), question, 5_000, new FutureReply(answer));
            assertThat(Group.get(answer).kind()).isEqualTo(Kind.DONE);
            group.close(asked);
            group.start(asked, List.of(asked));
            assertIsAddedFirst(group, leader, asked);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void start_founderWithoutEntriesThatHasOtherMembersNow_beginsNoSecondLog() throws Exception {
        try (Group group = new Group(folder, 3)) {
            group.addresses.forEach(each -> group.electionTimeouts.put(each, Duration.ofSeconds(2)));
            group.startAll(group.addresses);
            String cut = group.addresses.get(2);
            group.close(cut); // before the first leader has sent it an entry
            offer(group, group.awaitLeader(), "accepted", 10);
            group.closeAll();
            group.electionTimeouts.remove(cut);
            try {
                group.start(cut, List.of(cut));
            } catch (IOException refused) {
                return;
            }
            Group.pause(2 * ELECTIONS_MILLIS);
            assertThat(group.member(cut).leads())
                    .as("leads alone, as group %s that the others began with three", groupOf(group, cut))
                    .isFalse();
        }
    }

    @Test
    void start_manyOthersWereAnswered_readsTheirFileAgain() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Group group = Group.started(folder, 1);
                Links links = new Links(executor, null)) {
            String member = group.awaitLeader();
            for (int i = 0; i < 3_400; i++) {
                String asking = HexFormat.of().toHexDigits(0L) + HexFormat.of().toHexDigits((long) i) + " "
                        + "x".repeat(280) + i + ":1";
                CompletableFuture<Message> answer = new CompletableFuture<>();
                links.send(
                        MemberAddress.parse(member), Message.of(Kind.IDENTIFY, asking), 5_000, new FutureReply(answer));
                Message unused = Group.get(answer);
            }
            group.close(member);
            group.start(member, List.of(member));
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void start_membersThatTheirGroupHasBegunWithout_beginNoSecondLog() throws Exception {
        try (Group group = Group.started(folder, 1)) {
            String leader = group.awaitLeader();
            MembersTest.awaitAnnounced(group);
            List<String> named = List.of(Group.freeAddress(), Group.freeAddress());
            List<String> all = List.of(leader, named.get(0), named.get(1));
            CompletableFuture<ReplicationGroup> first = group.startLater(named.get(0), all);
            group.start(named.get(1), all);
            group.running.put(named.get(0), Group.get(first));
            assertIsAddedFirst(group, leader, named.get(0));
            assertIsAddedFirst(group, leader, named.get(1));
        }
    }

    @Test
    void messages_toTheAddressOfALeaderThatIsOfAnotherGroup_tellTheGroup() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Group group = Group.started(folder, 2);
                Links links = new Links(executor, null, () -> "f".repeat(32))) {
            String leader = group.awaitLeader();
            String left = group.others(leader).get(0);
            CompletableFuture<Message> refused = new CompletableFuture<>();
            Message proposal = Message.of(Kind.PROPOSE, CountingMachine.entry("a"));
            links.send(MemberAddress.parse(leader), proposal, 5_000, new FutureReply(refused));
            assertThat(Group.get(refused).kind()).isEqualTo(Kind.NOT_DONE);
            assertThat(group.machine(leader).entries()).isEmpty();
            group.close(leader);
            List<String> told = new CopyOnWriteArrayList<>();
            PeerId address = MemberAddress.parse(leader);
            String id = groupOf(group, left);
            try (MemberServer next = new MemberServer(
                    address,
                    address,
                    executor,
                    (message, reply) -> told.add(message.group()),
                    news -> {},
                    () -> id,
                    null)) {
                next.start();
                Group.await("a message", () -> !told.isEmpty());
            }
            assertThat(told).containsOnly(id);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void start_firstMembersDiffer_isRefusedWithBothLists() throws Exception {
        try (Group group = new Group(folder, 3)) {
            String one = group.addresses.get(0);
            String other = group.addresses.get(1);
            String third = group.addresses.get(2);
            CompletableFuture<ReplicationGroup> ofTwo = group.startLater(one, List.of(one, other));
            CompletableFuture<ReplicationGroup> ofThree = group.startLater(other, group.addresses);
            Group.await("a refusal", () -> ofTwo.isDone() || ofThree.isDone());
            Group.pause(ELECTIONS_MILLIS); // each of them may have asked first, or both
            boolean isTwoRefused = ofTwo.isDone();
            boolean isThreeRefused = ofThree.isDone();
            if (isTwoRefused) {
                assertIsRefused(ofTwo, one, other, third);
            }
            if (isThreeRefused) {
                assertIsRefused(ofThree, other, one, third);
            }
            List<String> same = isTwoRefused ? group.addresses : List.of(one, other);
            CompletableFuture<ReplicationGroup> first = isTwoRefused ? group.startLater(one, same) : ofTwo;
            CompletableFuture<ReplicationGroup> second = isThreeRefused ? group.startLater(other, same) : ofThree;
            if (same.contains(third)) {
                group.start(third, same);
            }
            group.running.put(one, Group.get(first));
            group.running.put(other, Group.get(second));
            Group.offer(group.member(one), "with the same members");
        }
    }

    private static void assertIsRefused(
            CompletableFuture<ReplicationGroup> start, String member, String other, String third) {
        assertThatThrownBy(() -> Group.get(start))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("member " + member + " does not begin a group: it has members=")
                .hasMessageContaining("and member " + other + " has members=")
                .hasMessageContaining(third);
    }

    private static void assertIsAddedFirst(Group group, String leader, String added) throws IOException {
        Group.pause(ELECTIONS_MILLIS);
        try (GroupClient client = new GroupClient(List.of(added), null, Group.PATIENCE, waits -> {})) {
            assertThat(client.status(added).role()).isEqualTo("not added");
        }
        assertThat(group.member(added).hindrance()).contains("it has to be added");
        group.member(leader).add(added);
        Group.offer(group.member(added), "by " + added);
        Group.offer(group.member(leader), "by the leader");
        Group.get(Group.barrier(group.member(added)));
        assertThat(group.machine(added).entries())
                .isEqualTo(group.machine(leader).entries());
        group.close(added);
        group.start(added, List.of(added));
        Group.offer(group.member(added), "after a start");
        assertThat(group.member(leader).members()).contains(added);
    }

    private static String groupOf(Group group, String member) throws IOException {
        return Files.readAllLines(group.folderOf(member).resolve("group")).get(1);
    }

    private static List<String> offer(Group group, String member, String what, int entries) throws IOException {
        List<String> offered = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            offered.add(what + " " + i);
            Group.offer(group.member(member), what + " " + i);
        }
        return offered;
    }

    private static String loseAFollower(Group group, int entries) throws IOException {
        String leader = group.awaitLeader();
        List<String> proposed = JraftGroupTest.proposeMany(group.member(leader), "old", entries);
        MembersTest.awaitAnnounced(group);
        String lost = group.others(leader).get(0);
        JraftGroupTest.awaitEntries(group, proposed);
        group.lose(lost);
        return lost;
    }

    /** Checks that the old group of three has two members that vote, and that the new one of two keeps what it has accepted. */
    private static void assertStaysApart(Group group, String lost, String second, List<String> expected)
            throws IOException {
        List<String> old = group.addresses.stream()
                .filter(address -> !address.equals(lost))
                .toList();
        Group.offer(group.member(old.get(0)), "of the old group");
        Group.pause(ELECTIONS_MILLIS);
        for (String member : List.of(lost, second)) {
            CompletableFuture<?> all = Group.barrier(group.member(member));
            Group.get(all);
            assertThat(group.machine(member).entries()).isEqualTo(expected);
        }
        assertThat(group.member(old.get(0)).members()).containsExactlyInAnyOrderElementsOf(group.addresses);
        assertThat(group.member(lost).members()).containsExactlyInAnyOrder(lost, second);
        group.close(old.get(1));
        Group.await("no majority", () -> !group.member(old.get(0)).leads());
        Group.pause(ELECTIONS_MILLIS);
        assertThat(group.member(old.get(0)).leads())
                .as("with the member that began another group")
                .isFalse();
        assertThat(group.member(old.get(0)).hindrance()).contains("there is no leader");
        group.start(old.get(1), group.addresses);
        Group.offer(group.member(old.get(1)), "goes on");
    }
}
