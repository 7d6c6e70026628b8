package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberServer;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.storage.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client and members whose answers the test chooses. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupClientTest {
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<MemberServer> servers = new ArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(MemberServer::close);
        executor.shutdownNow();
    }

    private String serve(String address, BiConsumer<Message, Consumer<Message>> handler) throws IOException {
        return serve(address, () -> "", handler);
    }

    private String serve(String address, Supplier<String> group, BiConsumer<Message, Consumer<Message>> handler)
            throws IOException {
        PeerId member = MemberAddress.parse(address);
        MemberServer server = new MemberServer(member, member, executor, handler, news -> {}, group, null);
        server.start();
        servers.add(server);
        return address;
    }

    private String silent() throws IOException {
        return serve(Group.freeAddress(), (message, reply) -> {});
    }

    private String follower(@Nullable String leader) throws IOException {
        PeerId named = leader == null ? null : MemberAddress.parse(leader);
        return serve(Group.freeAddress(), (message, reply) -> reply.accept(Message.notLeading(named)));
    }

    private GroupClient client(Duration timeout, String... members) throws IOException {
        return new GroupClient(List.of(members), null, timeout, told::add);
    }

    @Test
    void remove_firstMemberIsSilent_isDoneByTheLeader() throws Exception {
        String silent = silent();
        List<Kind> asked = new CopyOnWriteArrayList<>();
        String leader = Group.freeAddress();
        serve(leader, (message, reply) -> {
            asked.add(message.kind());
            reply.accept(Message.of(Kind.DONE, message.kind() == Kind.MEMBERS ? silent + " " + leader : ""));
        });
        try (GroupClient client = client(Group.PATIENCE, silent, leader)) {
            client.remove(silent);
            client.transfer(leader);
        }
        assertThat(asked).containsExactly(Kind.MEMBERS, Kind.REMOVE, Kind.MEMBERS, Kind.TRANSFER);
    }

    @Test
    void members_fileNamesAFollowerAlone_areAskedOfTheLeaderItNames() throws Exception {
        String leader = Group.freeAddress();
        serve(leader, (message, reply) -> reply.accept(Message.of(Kind.DONE, leader + " 127.0.0.1:1")));
        try (GroupClient client = client(Group.PATIENCE, follower(leader))) {
            assertThat(client.members()).containsExactly(leader, "127.0.0.1:1");
        }
    }

    @Test
    void remove_leaderIsSilentAfterItHasDoneIt_isFoundInTheNextLeadersMembers() throws Exception {
        String removed = "127.0.0.1:1";
        String next = Group.freeAddress();
        AtomicInteger removals = new AtomicInteger();
        String first = Group.freeAddress();
        serve(first, (message, reply) -> {
            if (message.kind() == Kind.REMOVE) {
                removals.incrementAndGet();
            } else if (removals.get() == 0) {
                reply.accept(Message.of(Kind.DONE, first + " " + next + " " + removed));
            }
        });
        serve(next, (message, reply) -> {
            if (message.kind() == Kind.REMOVE) {
                removals.incrementAndGet();
            }
            reply.accept(removals.get() == 0 ? Message.notLeading(null) : Message.of(Kind.DONE, first + " " + next));
        });
        try (GroupClient client = client(Group.PATIENCE, first, next)) {
            client.remove(removed);
        }
        assertThat(removals).hasValue(1);
        assertThat(told).isNotEmpty().first().asString().contains("remove 127.0.0.1:1", first);
    }

    @Test
    void transfer_noLeader_failsWithWhatEachMemberSaid() throws Exception {
        String down = Group.freeAddress();
        String follower = follower(null);
        try (GroupClient client = client(Duration.ofSeconds(3), down, follower)) {
            assertThatThrownBy(() -> client.transfer(down))
                    .isInstanceOf(NoLeaderException.class)
                    .hasMessageContaining("within 3 s")
                    .hasMessageContaining(down + " (no connection to " + down)
                    .hasMessageContaining(follower + " (it does not lead: leader=unknown)");
        }
    }

    @Test
    void add_leaderRefuses_isToldAtOnce() throws Exception {
        String leader = serve(
                Group.freeAddress(),
                (message, reply) -> reply.accept(
                        message.kind() == Kind.MEMBERS
                                ? Message.of(Kind.DONE, "127.0.0.1:1")
                                : Message.of(Kind.NOT_DONE, "a member already")));
        try (GroupClient client = client(Group.PATIENCE, leader)) {
            assertThatThrownBy(() -> client.add("127.0.0.1:1"))
                    .isInstanceOf(LeaderRefusedException.class)
                    .hasMessage("add 127.0.0.1:1: the leader " + leader + " refuses: a member already");
        }
    }

    /** Serves a leader whose group has these members, and notes its changes. */
    private String leader(String group, String... others) throws IOException {
        String address = Group.freeAddress();
        return serve(address, () -> group, (message, reply) -> {
            if (message.kind() != Kind.MEMBERS) {
                told.add(group + " " + message.kind() + " " + message.group());
            }
            reply.accept(Message.of(Kind.DONE, (address + " " + String.join(" ", others)).strip()));
        });
    }

    @Test
    void remove_membersOfTwoGroupsAreGiven_isDoneByTheGroupOfMost() throws Exception {
        String lost = leader("2");
        String follower =
                serve(Group.freeAddress(), () -> "1", (message, reply) -> reply.accept(Message.notLeading(null)));
        AtomicBoolean isElected = new AtomicBoolean();
        String leader = Group.freeAddress();
        serve(leader, () -> "1", (message, reply) -> {
            told.add("1 " + message.kind() + " " + message.group());
            reply.accept(
                    isElected.getAndSet(true)
                            ? Message.of(Kind.DONE, leader + " 127.0.0.1:1")
                            : Message.notLeading(null));
        });
        try (GroupClient client = client(Group.PATIENCE, lost, leader, follower)) {
            client.remove("127.0.0.1:1");
            assertThat(told).containsExactly("1 MEMBERS ", "1 MEMBERS ", "1 REMOVE 1");
            assertThat(client.members()).containsExactly(leader, "127.0.0.1:1");
        }
    }

    @Test
    void members_leaderOfMostAnswersAndAnotherMemberIsSilent_areTold() throws Exception {
        String silent = silent();
        String follower = follower(null);
        String leader = leader("1", follower, silent);
        try (GroupClient client = client(Group.PATIENCE, silent, follower, leader)) {
            assertThat(client.members()).containsExactly(leader, follower, silent);
        }
    }

    @Test
    void add_asManyMembersOfTwoGroupsAreGiven_needsTheFolderOfOne(@TempDir Path folder) throws Exception {
        String one = "1".repeat(32);
        String first = leader(one, "127.0.0.1:1");
        String second = leader("2".repeat(32));
        try (GroupClient client = client(Group.PATIENCE, first, second)) {
            assertThatThrownBy(() -> client.add("127.0.0.1:2"))
                    .isInstanceOf(NoLeaderException.class)
                    .hasMessageContaining("add 127.0.0.1:2: the members are of several groups: ")
                    .hasMessageContaining(first + " (it leads the members [" + first + ", 127.0.0.1:1] of group " + one)
                    .hasMessageContaining(second + " (it leads the members [" + second + "]");
        }
        SmallFile.write(new DiskFileIo(), folder.resolve("group"), "touchstone-group 1\n" + one + "\n");
        try (GroupClient client = new GroupClient(List.of(first, second), folder, null, Group.PATIENCE, waits -> {})) {
            client.add("127.0.0.1:2");
        }
        assertThat(told).containsExactly(one + " ADD " + one);
        Files.createFile(folder.resolve("candidate"));
        try (GroupClient client = new GroupClient(List.of(second), folder, null, Group.PATIENCE, waits -> {})) {
            assertThat(client.members()).containsExactly(second);
        }
    }

    @Test
    void transfer_anotherGroupHasBegunAtTheLeadersAddress_isRefused() throws Exception {
        AtomicReference<String> group = new AtomicReference<>("1");
        String leader = Group.freeAddress();
        serve(leader, group::get, (message, reply) -> {
            reply.accept(Message.of(Kind.DONE, leader));
            group.set("2");
        });
        try (GroupClient client = client(Duration.ofSeconds(1), leader)) {
            assertThatThrownBy(() -> client.transfer(leader))
                    .isInstanceOf(LeaderRefusedException.class)
                    .hasMessageContaining("of another group");
            assertThatThrownBy(client::members)
                    .isInstanceOf(NoLeaderException.class)
                    .hasMessageContaining(leader + " (it leads the members [" + leader + "] of group 2)");
        }
    }
}
