package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that prove themselves to each other. */
class TlsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void needsKeytool() {
        assumeTrue(Certificates.canMake(), "keytool is missing: it comes with the JDK");
    }

    @Test
    void group_certificatesOfOneAuthority_works() throws Exception {
        Certificates authority = new Certificates(folder.resolve("authority"));
        try (Group group = secured(authority)) {
            String leader = group.awaitLeader();
            String follower = group.others(leader).get(0);
            List<String> expected = new ArrayList<>(JraftGroupTest.proposeMany(group.member(follower), "a", 200));
            JraftGroupTest.awaitEntries(group, expected);
            group.member(follower).transfer(follower, Duration.ofSeconds(20));
            expected.addAll(JraftGroupTest.proposeMany(group.member(group.awaitLeader()), "b", 200));
            JraftGroupTest.awaitEntries(group, expected);
        }
    }

    @Test
    void group_strangers_areRefused() throws Exception {
        Certificates authority = new Certificates(folder.resolve("authority"));
        Certificates other = new Certificates(folder.resolve("other"));
        try (Group group = secured(authority)) {
            String leader = group.awaitLeader();
            assertThat(ask(leader, authority.member("insider"))).isIn(Kind.DONE, Kind.NOT_LEADING); // an answer
            assertThat(ask(leader, null)).isEqualTo(Kind.UNKNOWN);
            assertThat(ask(leader, other.member("outsider"))).isEqualTo(Kind.UNKNOWN);
            GroupOptions.Tls insider = authority.member("trusting");
            GroupOptions.Tls outsider = other.member("outsider2");
            assertThat(ask(leader, new GroupOptions.Tls(outsider.certificate(), outsider.key(), insider.authority())))
                    .isEqualTo(Kind.UNKNOWN);
            String added = Group.freeAddress();
            group.tls.put(added, other.member("added"));
            group.start(added, List.of());
            assertThatThrownBy(() -> group.member(leader).add(added))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(added);
            Group.offer(group.member(leader), "still here");
            assertThat(group.machine(added).entries()).isEmpty();
        }
    }

    @Test
    void start_fileIsMissing_namesIt() throws Exception {
        GroupOptions.Tls tls = new Certificates(folder.resolve("authority")).member("a");
        Files.delete(tls.key());
        Group group = new Group(folder, 1);
        String address = group.addresses.get(0);
        group.tls.put(address, tls);
        assertThatThrownBy(() -> group.start(address, group.addresses))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(tls.key().toString());
        assertThat(Group.isFree(address)).isTrue();
    }

    private Group secured(Certificates authority) throws Exception {
        Group group = new Group(folder.resolve("group"), 3);
        for (int i = 0; i < 3; i++) {
            group.tls.put(group.addresses.get(i), authority.member("member" + i));
        }
        group.startAll(group.addresses);
        return group;
    }

    /** Asks for the group's members; returns the kind of the answer, UNKNOWN where there was none. */
    private static Kind ask(String address, GroupOptions.@Nullable Tls tls) throws IOException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Links links = new Links(executor, tls == null ? null : TlsContexts.of(tls))) {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            links.send(MemberAddress.parse(address), Message.of(Kind.MEMBERS, ""), 2_000, new FutureReply(answer));
            return Group.get(answer).kind();
        } finally {
            executor.shutdown();
        }
    }
}
