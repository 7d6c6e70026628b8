package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code gen_server:call} from Erlang into our mailboxes, and from ours to Erlang's servers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
        erl.expect("whereis(adder) =/= undefined orelse lab:server(adder) =:= ok", "true");
    }

    private static Term add(int a, int b) {
        return Tuple.of(Atom.of("add"), Int.of(a), Int.of(b));
    }

    private static Term sum(Term request) {
        Tuple parts = (Tuple) request;
        return Int.of(((Int) parts.get(1)).value() + ((Int) parts.get(2)).value());
    }

    @Test
    void call_byErlangToAName_isAnswered() throws Exception {
        try (Node java = lab.java();
                Serving calls = Serving.calls(java.mailbox("adder"), CallTest::sum)) {
            String server = "{adder, " + ErlangLab.quoted(java.name()) + "}";
            erl.expect("gen_server:call(" + server + ", {add, 40, 2})", "42");
            erl.expect("lists:sum([gen_server:call(" + server + ", {add, N, 1}) || N <- lists:seq(1, 100)])", "5150");
            erl.expect("lab:next(0)", "timeout");
            assertThat(calls).isNotNull();
        }
    }

    @Test
    void call_byErlangToAPid_isAnswered() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox();
                Serving calls = Serving.calls(box, CallTest::sum)) {
            box.send("lab", erl.name(), Tuple.of(Atom.of("server"), box.pid()));
            erl.expect("receive {server, P} -> gen_server:call(P, {add, 1, 2}) after 9000 -> timeout end", "3");
            assertThat(calls).isNotNull();
        }
    }

    @Test
    void call_byErlangOfAnUnknownName_exitsWithNoproc() throws Exception {
        try (Node java = lab.java()) {
            erl.expect(
                    "catch gen_server:call({nobody, " + ErlangLab.quoted(java.name()) + "}, x, 5000), "
                            + "try gen_server:call({nobody, " + ErlangLab.quoted(java.name())
                            + "}, x, 5000) catch exit:{Reason, _} -> Reason end",
                    "noproc");
        }
    }

    @Test
    void call_byErlangOfAMailboxThatCloses_exitsAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("closing")) {
            var exit = erl.begin("try gen_server:call({closing, " + ErlangLab.quoted(java.name())
                    + "}, x, 30000) catch exit:{Reason, _} -> Reason end");
            assertThat(box.receive(SOON)).isNotNull();
            box.close(Atom.of("gone"));
            assertThat(erl.get(exit, "exit")).isEqualTo("gone");
        }
    }

    @Test
    void call_toAName_returnsTheReply() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            for (int i = 0; i < 100; i++) {
                assertThat(box.call("adder", erl.name(), add(i, 1), SOON)).isEqualTo(Int.of(i + 1));
            }
            assertThat(box.receive(Duration.ZERO)).isNull();
        }
    }

    @Test
    void call_toAPid_returnsTheReply() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            box.send("lab", erl.name(), box.pid());
            erl.expect("receive P -> P ! whereis(adder), ok after 9000 -> timeout end", "ok");
            Pid adder = (Pid) Waits.next(box);
            assertThat(box.call(adder, add(2, 3), SOON)).isEqualTo(Int.of(5));
        }
    }

    @Test
    void call_whileOtherMessagesWait_leavesThem() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox("box")) {
            erl.expect("{box, " + ErlangLab.quoted(java.name()) + "} ! waiting", "waiting");
            assertThat(box.call("adder", erl.name(), add(2, 3), SOON)).isEqualTo(Int.of(5));
            assertThat(box.receive(SOON)).isEqualTo(Atom.of("waiting"));
        }
    }

    @Test
    void call_thatTakesTooLong_failsAndItsLateReplyIsDropped() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            Term sleep = Tuple.of(Atom.of("sleep"), Int.of(1000));
            assertThatThrownBy(() -> box.call("adder", erl.name(), sleep, SHORT))
                    .isInstanceOf(MessagingException.TimedOut.class);
            assertThat(box.call("adder", erl.name(), add(2, 3), SOON)).isEqualTo(Int.of(5));
            assertThat(box.receive(SHORT)).isNull();
        }
    }

    @Test
    void call_ofAnUnknownName_failsAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            assertThatThrownBy(() -> box.call("nobody", erl.name(), add(1, 1), SOON))
                    .isInstanceOf(MessagingException.CallFailed.class)
                    .hasMessageContaining("noproc");
            assertThat(box.receive(Duration.ZERO)).isNull();
        }
    }

    @Test
    void call_ofAServerThatDies_failsWithItsReason() throws Exception {
        erl.expect("lab:server(mortal)", "ok");
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            assertThatThrownBy(() -> box.call("mortal", erl.name(), Atom.of("die"), SOON))
                    .isInstanceOf(MessagingException.CallFailed.class)
                    .hasMessageContaining("died");
        }
    }

    @Test
    void call_ofANodeThatIsNotThere_failsAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            NodeName nowhere = NodeName.parse("nobody@localhost");
            assertThatThrownBy(() -> box.call("adder", nowhere, add(1, 1), SOON))
                    .isInstanceOf(MessagingException.Unreachable.class);
        }
    }

    @Test
    void call_ofANodeThatIsKilled_failsAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox();
                ErlangNode victim = lab.erlang()) {
            victim.expect("lab:server(adder)", "ok");
            box.send("lab", victim.name(), box.pid());
            victim.expect("receive P -> P ! ok after 9000 -> timeout end", "ok");
            assertThat(box.receive(SOON)).isEqualTo(Atom.OK);
            var unused = victim.begin("receive after 200 -> erlang:halt(1, [{flush, false}]) end");
            Term sleep = Tuple.of(Atom.of("sleep"), Int.of(30_000));
            assertThatThrownBy(() -> box.call("adder", victim.name(), sleep, SOON))
                    .isInstanceOf(MessagingException.CallFailed.class)
                    .hasMessageMatching("(?s).*(nodedown|noconnection).*");
        }
    }
}
