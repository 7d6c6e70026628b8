package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes that are killed, stop, fall silent and come back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeDownTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration TICK_TIME = Duration.ofSeconds(3);
    private static final Term NOCONNECTION = Atom.of("noconnection");

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erlang();
    }

    @AfterEach
    void stop() {
        erl.close();
    }

    /** An Erlang node that ticks as often as a node of ours with TICK_TIME. */
    private static ErlangNode ticking() throws IOException {
        return lab.erlang("-kernel", "net_ticktime", Long.toString(TICK_TIME.toSeconds()));
    }

    private static Pid loopOf(ErlangNode node, Mailbox box) throws InterruptedException {
        box.send("lab", node.name(), Tuple.of(Atom.of("hello"), box.pid()));
        node.expect("receive {hello, P} -> P ! self(), ok after 9000 -> timeout end", "ok");
        return (Pid) Waits.next(box);
    }

    private Set<Term> received(Mailbox box, int count) throws InterruptedException {
        Set<Term> messages = new HashSet<>();
        for (int i = 0; i < count; i++) {
            messages.add(Waits.next(box));
        }
        return messages;
    }

    /** Long before ticks could tell: our node's tick time is its default, a minute. */
    @Test
    void kill_ofThePeer_isToldToAllAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            Pid loop = loopOf(erl, box);
            Ref byPid = box.monitor(loop);
            Ref byName = box.monitor("lab", erl.name());
            box.link(loop);
            box.monitorNode(erl.name());
            erl.await("element(2, process_info(whereis(lab), links)) =/= []");
            erl.kill();
            assertThat(received(box, 4))
                    .containsExactlyInAnyOrder(
                            down(byPid, loop),
                            down(byName, Tuple.of(Atom.of("lab"), erl.name().atom())),
                            Tuple.of(Atom.of("EXIT"), loop, NOCONNECTION),
                            Tuple.of(Atom.of("nodedown"), erl.name().atom()));
            assertThat(java.connected()).isEmpty();
            assertThat(java.ping(erl.name(), SOON)).isFalse();
        }
    }

    @Test
    void silence_ofAStoppedPeer_isFoundByItsTicks() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (ErlangNode peer = ticking();
                Node java = lab.builder(name).tickTime(TICK_TIME).start();
                Mailbox box = java.mailbox()) {
            Ref ref = box.monitor(loopOf(peer, box));
            peer.suspend();
            Tuple down = (Tuple) Waits.next(box);
            assertThat(down.get(1)).isEqualTo(ref);
            assertThat(down.get(4)).isEqualTo(NOCONNECTION);
            peer.resume();
            Waits.until("answers again", () -> pings(java, peer));
        }
    }

    private static boolean pings(Node java, ErlangNode peer) {
        try {
            return java.ping(peer.name(), SOON);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void idle_forManyTickTimes_staysConnected() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (ErlangNode peer = ticking();
                Node java = lab.builder(name).tickTime(TICK_TIME).start();
                Mailbox box = java.mailbox()) {
            Pid loop = loopOf(peer, box);
            box.monitorNode(peer.name());
            peer.expect("erlang:monitor_node(" + ErlangLab.quoted(name) + ", true)", "true");
            assertThat(box.receive(TICK_TIME.multipliedBy(3))).isNull();
            box.send(loop, Atom.of("still here"));
            peer.expect("lab:next(5000)", "'still here'");
        }
    }

    @Test
    void close_ofOurNode_isToldToErlang() throws Exception {
        try (Node java = lab.java()) {
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            erl.expect("erlang:monitor_node(" + ErlangLab.quoted(java.name()) + ", true)", "true");
        }
        erl.expect("element(1, lab:next(2000))", "nodedown");
    }

    @Test
    void monitorNode_ofANodeThatIsNotThere_isToldAtOnce() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            NodeName nowhere = NodeName.parse("nobody@localhost");
            box.monitorNode(nowhere);
            assertThat(box.receive(SOON)).isEqualTo(Tuple.of(Atom.of("nodedown"), nowhere.atom()));
        }
    }

    @Test
    void restart_ofThePeer_isAnotherCreation() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            Pid first = loopOf(erl, box);
            box.monitorNode(erl.name());
            erl.kill();
            assertThat(box.receive(SOON))
                    .isEqualTo(Tuple.of(Atom.of("nodedown"), erl.name().atom()));
            ErlangNode again = lab.erlang(erl.name());
            Pid second = loopOf(again, box);
            assertThat(second.creation()).isNotEqualTo(first.creation());
            Ref ref = box.monitor(first);
            assertThat(box.receive(SOON))
                    .isEqualTo(Tuple.of(Atom.of("DOWN"), ref, Atom.of("process"), first, Atom.of("noproc")));
            box.send(first, Atom.of("to the first"));
            box.send(second, Atom.of("to the second"));
            again.expect("lab:next(5000)", "'to the second'");
        }
    }

    @Test
    void restart_ofOurNode_isAnotherCreation() throws Exception {
        NodeName name = ErlangLab.freshName("java", "localhost");
        try (Node java = lab.builder(name).start();
                Mailbox box = java.mailbox()) {
            box.send("lab", erl.name(), Tuple.of(Atom.of("first"), box.pid()));
            erl.expect("receive {first, P} -> put(first, P), ok after 9000 -> timeout end", "ok");
        }
        try (Node java = lab.builder(name).start();
                Mailbox box = java.mailbox()) {
            box.send("lab", erl.name(), Tuple.of(Atom.of("second"), box.pid()));
            erl.expect("receive {second, P} -> put(second, P), ok after 9000 -> timeout end", "ok");
            erl.expect("get(first) =:= get(second)", "false");
            erl.expect("get(first) ! to_the_first, get(second) ! to_the_second, ok", "ok");
            assertThat(box.receive(SOON)).isEqualTo(Atom.of("to_the_second"));
            erl.expect(
                    "R = monitor(process, get(first)), "
                            + "receive {'DOWN', R, process, _, Why} -> Why after 9000 -> timeout end",
                    "noproc");
            erl.expect("is_process_alive(whereis(lab)) andalso net_adm:ping(" + ErlangLab.quoted(name) + ")", "pong");
        }
    }

    @Test
    void trySend_toAStoppedPeer_isFalseAtTheWaterMark() throws Exception {
        Binary message = Binary.of(new byte[64 << 10]);
        int most = 16 << 20; // what the system's buffers and ours could take
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            Pid loop = loopOf(erl, box);
            erl.suspend();
            int sent = 0;
            while (sent < most && box.trySend(loop, message)) {
                sent += message.length();
            }
            assertThat(sent).isLessThan(most);
            erl.resume();
            Waits.until("room again", () -> box.trySend(loop, Atom.of("last")));
            int count = sent / message.length();
            erl.expect(
                    "[receive B when is_binary(B) -> ok after 9000 -> exit(N) end || N <- lists:seq(1, " + count
                            + ")], lab:next(9000)",
                    "last");
        }
    }

    @Test
    void send_toAPeerThatIsGone_saysSo() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox()) {
            Pid loop = loopOf(erl, box);
            box.monitorNode(erl.name());
            erl.kill();
            assertThat(box.receive(SOON)).isNotNull();
            assertThatThrownBy(() -> box.send(loop, Atom.OK)).isInstanceOf(MessagingException.Unreachable.class);
            assertThat(box.trySend(loop, Atom.OK)).isFalse();
        }
    }

    private static Term down(Ref ref, Term what) {
        return Tuple.of(Atom.of("DOWN"), ref, Atom.of("process"), what, NOCONNECTION);
    }
}
