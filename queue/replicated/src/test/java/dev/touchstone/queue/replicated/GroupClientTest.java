package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberServer;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        PeerId member = MemberAddress.parse(address);
        MemberServer server = new MemberServer(member, member, executor, handler, news -> {}, () -> "", null);
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
}
