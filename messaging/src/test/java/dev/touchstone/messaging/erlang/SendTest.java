package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to names and pids, of every type and size. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SendTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MANY = 10_000;
    private static final int BIG_BYTES = 8 << 20;
    private static final int DEEP = 200_000;

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
    }

    private static String to(String registered, Node node) {
        return "{" + registered + ", " + ErlangLab.quoted(node.name()) + "}";
    }

    @Test
    void send_byErlangToAName_arrivesAndIsAnswered() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("box")) {
            CompletableFuture<String> answer =
                    erl.begin(to("box", java) + " ! {self(), hello}, receive {box, R} -> R after 9000 -> timeout end");
            Tuple message = (Tuple) Waits.next(box);
            assertThat(message.get(1)).isEqualTo(Atom.of("hello"));
            box.send((Pid) message.get(0), Tuple.of(Atom.of("box"), Atom.of("hello back")));
            assertThat(erl.get(answer, "answer")).isEqualTo("'hello back'");
        }
    }

    @Test
    void send_toARegisteredProcess_arrivesWithThePid() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            box.send("lab", erl.name(), Tuple.of(Atom.of("from"), box.pid()));
            erl.expect(
                    "receive {from, P} -> P ! {ok, node(P)}, node(P) =:= " + ErlangLab.quoted(java.name())
                            + " after 9000 -> timeout end",
                    "true");
            assertThat(box.receive(SOON))
                    .isEqualTo(Tuple.of(Atom.OK, Atom.of(java.name().toString())));
        }
    }

    @Test
    void send_toNamesThatNobodyHas_isDropped() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("box")) {
            erl.expect(to("nobody", java) + " ! lost, " + to("box", java) + " ! found", "found");
            assertThat(box.receive(SOON)).isEqualTo(Atom.of("found"));
            box.send("nobody", erl.name(), Atom.of("lost"));
            box.send("lab", erl.name(), Atom.of("found"));
            erl.expect("lab:next(9000)", "found");
        }
    }

    @Test
    void send_byErlangManyTimes_keepsTheOrder() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("box")) {
            CompletableFuture<String> sent =
                    erl.begin("[" + to("box", java) + " ! {count, N} || N <- lists:seq(1, " + MANY + ")], ok");
            for (int n = 1; n <= MANY; n++) {
                assertThat(box.receive(SOON)).isEqualTo(Tuple.of(Atom.of("count"), Int.of(n)));
            }
            assertThat(erl.get(sent, "sent")).isEqualTo("ok");
        }
    }

    @Test
    void send_toErlangManyTimes_keepsTheOrder() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            CompletableFuture<String> counted = erl.begin("lab:count_ordered(0, " + MANY + ")");
            for (int n = 1; n <= MANY; n++) {
                box.send("lab", erl.name(), Tuple.of(Atom.of("count"), Int.of(n)));
            }
            assertThat(erl.get(counted, "count")).isEqualTo("ok");
        }
    }

    @Test
    void echo_ofEightMegabytes_isTheSame() throws Exception {
        try (Node java = lab.java();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            erl.expect("lab:echo(" + to("echo", java) + ", rand:bytes(" + BIG_BYTES + "))", "true");
            assertThat(echo).isNotNull();
        }
    }

    @Test
    void send_ofEightMegabytesOfOurs_arrivesWhole() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        byte[] bytes = new byte[BIG_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        BigInteger md5 = new BigInteger(1, MessageDigest.getInstance("MD5").digest(bytes));
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            box.send("lab", erl.name(), Tuple.of(Atom.of("big"), Binary.of(bytes)));
            assertThat(erl.ask("receive {big, B} -> {byte_size(B), binary:decode_unsigned(erlang:md5(B))} "
                            + "after 9000 -> timeout end"))
                    .as("seed=%d", seed)
                    .isEqualTo("{" + BIG_BYTES + "," + md5 + "}");
        }
    }

    @Test
    void echo_ofAVeryDeepList_isTheSame() throws Exception {
        try (Node java = lab.java();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            erl.expect("lab:echo(" + to("echo", java) + ", lab:nested(" + DEEP + "))", "true");
            assertThat(echo).isNotNull();
        }
    }

    /** No term that Erlang sends may cost more than its own message. */
    @Test
    void send_ofATermBeyondOurLimits_leavesTheConnection() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("box")) {
            erl.expect(to("box", java) + " ! lab:nested(3000000), " + to("box", java) + " ! after_it", "after_it");
            assertThatThrownBy(() -> box.receive(SOON)).isInstanceOf(MessagingException.Malformed.class);
            assertThat(box.receive(SOON)).isEqualTo(Atom.of("after_it"));
            assertThat(java.ping(erl.name(), SOON)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"é", "Ж中", "\uD83D\uDE00", "with space"})
    void send_toUnicodeNames_arrivesBothWays(String name) throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox(name)) {
            erl.expect(
                    "lab:forward('" + name + "'), '" + name + "' =:= element(2, process_info(whereis('" + name
                            + "'), registered_name))",
                    "true");
            erl.expect(to("'" + name + "'", java) + " ! '" + name + "', ok", "ok");
            assertThat(box.receive(SOON)).isEqualTo(Atom.of(name));
            box.send(name, erl.name(), Atom.of(name));
            erl.expect("receive {'" + name + "', '" + name + "'} -> ok after 9000 -> timeout end", "ok");
        }
    }

    @Test
    void send_toAPidOfAnotherErlangNode_connectsToIt() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox();
                ErlangNode second = lab.erlang()) {
            NodeName name = second.name();
            box.send("lab", name, Tuple.of(Atom.of("first"), box.pid()));
            second.expect(
                    "receive {first, P} -> {lab, " + ErlangLab.quoted(erl.name())
                            + "} ! {meet, self(), P}, ok after 9000 -> timeout end",
                    "ok");
            erl.expect("receive {meet, Loop, P} -> P ! {loop, Loop}, ok after 9000 -> timeout end", "ok");
            Tuple met = (Tuple) Waits.next(box);
            box.send((Pid) met.get(1), Atom.of("done"));
            second.expect("lab:next(9000)", "done");
            assertThat(java.connected()).contains(erl.name(), name);
        }
    }
}
