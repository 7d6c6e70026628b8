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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that prove themselves to each other. */
class TlsTest {
    /** Tells that a member has not even told its address. */
    private static final String REFUSED = "no answer of";

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
            assertThat(ask(leader, authority.member("insider"))).doesNotContain(REFUSED);
            assertThat(ask(leader, null)).contains(REFUSED);
            assertThat(ask(leader, other.member("outsider")))
                    .contains(REFUSED, "TLS failed: ")
                    .doesNotContain("closed");
            GroupOptions.Tls insider = authority.member("trusting");
            GroupOptions.Tls outsider = other.member("outsider2");
            Path both = Files.writeString(
                    folder.resolve("both.pem"),
                    Files.readString(insider.authority()) + Files.readString(outsider.authority()));
            assertThat(ask(leader, new GroupOptions.Tls(outsider.certificate(), outsider.key(), both)))
                    .contains(REFUSED, "TLS failed: ", "alert");
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
    void start_filesThatDoNotFit_areNamed() throws Exception {
        Certificates authority = new Certificates(folder.resolve("authority"));
        GroupOptions.Tls a = authority.member("a");
        GroupOptions.Tls b = authority.member("b");
        GroupOptions.Tls expired = authority.member("expired", "-3d");
        Path foreign = new Certificates(folder.resolve("other")).authority();
        Path nothing = folder.resolve("nothing.pem");
        assertRefused(tls(a.certificate(), b.key(), a.authority()), "is not the key of", b.key(), a.certificate());
        assertRefused(tls(a.certificate(), a.key(), foreign), "does not vouch for", foreign, a.certificate());
        assertRefused(expired, "has expired", expired.certificate());
        assertRefused(tls(a.certificate(), nothing, a.authority()), "no such file", nothing);
        assertRefused(tls(nothing, a.key(), a.authority()), "no such file", nothing);
        assertRefused(tls(a.key(), a.key(), a.authority()), "no certificate found", a.key());
        assertRefused(tls(a.certificate(), a.certificate(), a.authority()), "no key found", a.certificate());
    }

    private static GroupOptions.Tls tls(Path certificate, Path key, Path authority) {
        return new GroupOptions.Tls(certificate, key, authority);
    }

    private void assertRefused(GroupOptions.Tls tls, String reason, Path... named) throws IOException {
        Group group = new Group(folder, 1);
        String address = group.addresses.get(0);
        group.tls.put(address, tls);
        assertThatThrownBy(() -> group.start(address, group.addresses))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("TLS: ")
                .hasMessageContaining(reason)
                .message()
                .contains(Arrays.stream(named).map(Path::toString).toList());
        assertThat(Group.isFree(address)).isTrue();
    }

    @Test
    void handshake_fails_isLoggedOnceForEachOtherSide() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(TlsContexts.class.getPackageName() + ".TlsWatch");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        TlsContexts outsider = TlsContexts.of(new Certificates(folder.resolve("other")).member("outsider"));
        log.addHandler(handler);
        try (Group group = secured(new Certificates(folder.resolve("authority")))) {
            String leader = group.awaitLeader();
            for (int i = 0; i < 3; i++) {
                assertThat(askBy(leader, outsider)).contains(REFUSED);
            }
            Group.await("both sides", () -> logged.size() >= 2);
            assertThat(logged) // not again, as nothing succeeds
                    .filteredOn(line -> line.startsWith("connection to " + leader + ": TLS failed: "))
                    .hasSize(1);
            assertThat(logged) // again where a member connects from the same host meanwhile
                    .filteredOn(line -> line.startsWith("connection from 127.0.0.1: TLS failed: "))
                    .isNotEmpty();
            assertThat(logged.stream().distinct()).hasSize(2);
        } finally {
            log.removeHandler(handler);
        }
    }

    private Group secured(Certificates authority) throws Exception {
        Group group = new Group(folder.resolve("group"), 3);
        for (int i = 0; i < 3; i++) {
            group.tls.put(group.addresses.get(i), authority.member("member" + i));
        }
        group.startAll(group.addresses);
        return group;
    }

    /** Asks for the group's members; returns the text of the answer, or why there is none. */
    private static String ask(String address, GroupOptions.@Nullable Tls tls) throws IOException {
        return askBy(address, tls == null ? null : TlsContexts.of(tls));
    }

    private static String askBy(String address, @Nullable TlsContexts tls) throws IOException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Links links = new Links(executor, tls)) {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            links.send(MemberAddress.parse(address), Message.of(Kind.MEMBERS, ""), 2_000, new FutureReply(answer));
            return Group.get(answer).text();
        } finally {
            executor.shutdown();
        }
    }
}
