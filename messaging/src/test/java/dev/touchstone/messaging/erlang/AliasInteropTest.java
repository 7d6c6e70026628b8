package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeType;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Aliases between Erlang and us, in both directions, and what Erlang's nodes look like to {@code monitorNodes}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AliasInteropTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;
    private Mailbox box;

    @BeforeEach
    void open() throws IOException {
        erl = lab.erl();
        java = lab.java();
        box = java.mailbox("box");
    }

    @AfterEach
    void close() {
        java.close();
    }

    /** Has the Erlang node know a term by a name. */
    private void tell(String name, Term term) {
        box.send("lab", erl.name(), Tuple.of(Atom.of(name), term));
        erl.expect("receive {" + name + ", T} -> put(" + name + ", T), ok after 9000 -> timeout end", "ok");
    }

    private void sendFromErlang(String message, String to) {
        erl.expect("erlang:send(" + to + ", " + message + "), ok", "ok");
    }

    /** Checks that nothing has come but what comes now, behind all that was sent. */
    private void checkNothingMore() throws InterruptedException {
        sendFromErlang("last", "{box, " + ErlangLab.quoted(java.name()) + "}");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("last"));
    }

    @Test
    void send_byErlangToOurAlias_arrivesUntilItIsGivenUp() throws Exception {
        Ref alias = box.alias();
        tell("alias", alias);
        sendFromErlang("one", "get(alias)");
        sendFromErlang("two", "get(alias)");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("one"));
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("two"));
        assertThat(box.unalias(alias)).isTrue();
        sendFromErlang("three", "get(alias)");
        checkNothingMore();
        assertThat(java.stats().dropped()).isEqualTo(1);
    }

    @Test
    void send_byErlangToOurAliasForOneReply_arrivesOnce() throws Exception {
        tell("alias", box.alias(AliasMode.REPLY));
        sendFromErlang("one", "get(alias)");
        sendFromErlang("two", "get(alias)");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("one"));
        checkNothingMore();
    }

    @Test
    void reply_byErlangToTheAliasOfOurMonitor_endsTheMonitor() throws Exception {
        erl.expect(
                "P = spawn(fun lab:sleeper/0), put(watched, P), erlang:send({box, " + ErlangLab.quoted(java.name())
                        + "}, P), ok",
                "ok");
        Ref monitor = box.monitor((Pid) Waits.next(box), AliasMode.REPLY_DEMONITOR);
        tell("monitor", monitor);
        erl.await("element(2, process_info(get(watched), monitored_by)) =/= []");
        sendFromErlang("answer", "get(monitor)");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("answer"));
        erl.await("element(2, process_info(get(watched), monitored_by)) =:= []");
        erl.expect("exit(get(watched), kill), ok", "ok");
        checkNothingMore();
    }

    @Test
    void send_toAnAliasOfErlang_arrivesUntilItIsGivenUp() throws Exception {
        erl.expect(
                "A = erlang:alias(), put(alias, A), erlang:send({box, " + ErlangLab.quoted(java.name()) + "}, A), ok",
                "ok");
        Ref alias = (Ref) Waits.next(box);
        box.send(alias, Atom.of("one"));
        erl.expect("lab:next(9000)", "one");
        erl.expect("erlang:unalias(get(alias))", "true");
        box.send(alias, Atom.of("two"));
        box.send("lab", erl.name(), Atom.of("last"));
        erl.expect("lab:next(9000)", "last");
    }

    @Test
    void demonitor_ofAProcessOfErlangThatHasEnded_flushesItsMessage() throws Exception {
        Ref flushed = box.monitor("nobody", erl.name());
        Ref later = box.monitor("nobody", erl.name());
        assertThat(box.receive(message -> ((Tuple) message).get(1).equals(later), SOON))
                .isNotNull();
        assertThat(box.demonitor(flushed, true)).isFalse();
        assertThat(box.receive(Duration.ZERO)).isNull();
    }

    @Test
    void monitorNodes_ofErlangsNodes_tellsTypeAndReason() throws Exception {
        try (Node visible = lab.builder(ErlangLab.freshName("java", "localhost"))
                        .hidden(false)
                        .start();
                ErlangNode one = lab.erlang();
                ErlangNode other = lab.erlang("-hidden")) {
            Mailbox told = visible.mailbox();
            told.monitorNodes(NodeType.ALL, true);
            for (ErlangNode node : new ErlangNode[] {one, other}) {
                Term type = Tuple.of(Atom.of("node_type"), Atom.of(node == one ? "visible" : "hidden"));
                node.expect("net_kernel:connect_node(" + ErlangLab.quoted(visible.name()) + ")", "true");
                assertThat(told.receive(SOON))
                        .isEqualTo(Tuple.of(Atom.of("nodeup"), node.name().atom(), ErlList.of(type)));
                node.kill();
                Term reason = Tuple.of(Atom.of("nodedown_reason"), Atom.of("connection_closed"));
                assertThat(told.receive(SOON))
                        .isEqualTo(Tuple.of(Atom.of("nodedown"), node.name().atom(), ErlList.of(reason, type)));
            }
        }
    }

    @Test
    void disconnect_isSeenByErlang() throws Exception {
        erl.expect("net_kernel:connect_node(" + ErlangLab.quoted(java.name()) + ")", "true");
        erl.expect("erlang:monitor_node(" + ErlangLab.quoted(java.name()) + ", true)", "true");
        assertThat(java.ping(erl.name(), SOON))
                .as("the connection is known here, too")
                .isTrue();
        assertThat(java.disconnect(erl.name())).isTrue();
        erl.expect("lab:next(9000)", "{nodedown," + java.name() + "}");
        assertThat(java.connected()).isEmpty();
        assertThat(java.disconnect(erl.name())).isFalse();
        assertThat(java.ping(erl.name(), SOON)).isTrue();
    }
}
