package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.behaviour.ProcessGroups;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scope of process groups beside one peer that does not read, or names scopes of others. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupScopeBoundsTest {
    private static final Atom GROUP = Atom.of("g");

    private final List<NodeName> dialled = new CopyOnWriteArrayList<>();
    private Nodes nodes;
    private LocalNode node;
    private ProcessGroups groups;
    private Mailbox member;
    private ScriptedPeer peer;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        nodes = new Nodes();
        node = nodes.start(nodes.builder("node").resolver(name -> {
            dialled.add(name);
            throw new IOException("no such node: node=" + name);
        }));
        groups = ProcessGroups.start(node, "pg");
        member = node.mailbox();
        peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true));
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        groups.close();
        nodes.close();
    }

    private void toScope(Term message) throws IOException {
        peer.send(Tuple.of(Int.of(Control.REG_SEND), ScriptedPeer.pid(1), Atom.of(""), Atom.of("pg")), message);
    }

    private static Tuple discover(Pid scope) {
        return Tuple.of(Atom.of("discover"), scope);
    }

    private static Tuple join(Pid scope, Term group, Pid joined) {
        return Tuple.of(Atom.of("join"), scope, group, joined);
    }

    private void awaitMembers(int count) {
        Nodes.await("members=" + count, () -> groups.members(GROUP).size() == count);
    }

    @Test
    void join_besideAPeerThatDoesNotRead_returnsAndThePeerCatchesUp() throws Exception {
        toScope(discover(ScriptedPeer.pid(1)));
        toScope(join(ScriptedPeer.pid(1), GROUP, ScriptedPeer.pid(2)));
        awaitMembers(1);
        int joins = 300;
        for (int i = 0; i < joins; i++) {
            groups.join(Tuple.of(Int.of(i), Binary.of(new byte[1 << 16])), member.pid());
        }
        assertThat(groups.members(GROUP)).containsExactly(ScriptedPeer.pid(2));
        peer.read();
        peer.await(
                "sync of all groups",
                frame -> frame.payload() instanceof Tuple cast
                        && cast.get(0).equals(Atom.of("$gen_cast"))
                        && ((Tuple) cast.get(1)).get(2) instanceof ErlList all
                        && all.size() == joins);
    }

    @Test
    void discover_ofAScopeAtANodeThatIsNotConnected_dialsNobody() throws Exception {
        for (int i = 0; i < 20; i++) {
            toScope(discover(Pid.of(Atom.of("other" + i + "@localhost"), 1, 0, 1)));
        }
        peer.roundTrip(member, "discovered");
        groups.join(GROUP, member.pid());
        assertThat(groups.members(GROUP)).containsExactly(member.pid());
        assertThat(dialled).isEmpty();
    }

    @Test
    void discover_ofManyScopesOfOneNode_keepsTheLast() throws Exception {
        peer.read();
        int scopes = 1000;
        for (int i = 1; i <= scopes; i++) {
            toScope(discover(ScriptedPeer.pid(i)));
            toScope(join(ScriptedPeer.pid(i), GROUP, ScriptedPeer.pid(i)));
        }
        peer.await(
                "the last is monitored",
                frame -> frame.operation() == Control.MONITOR_P
                        && frame.element(2).equals(ScriptedPeer.pid(scopes)));
        Nodes.await("the last member", () -> groups.members(GROUP).equals(List.of(ScriptedPeer.pid(scopes))));
        peer.barrier(member, "monitors");
        Nodes.await("all but one monitor have ended", () -> count(Control.DEMONITOR_P) == scopes - 1);
        assertThat(count(Control.MONITOR_P)).isEqualTo(scopes);
    }

    private long count(int operation) {
        return peer.seen().stream()
                .filter(frame -> frame.operation() == operation)
                .count();
    }

    @Test
    void join_ofAProcessOfAnotherNode_isPassedOver() throws Exception {
        toScope(discover(ScriptedPeer.pid(1)));
        toScope(join(ScriptedPeer.pid(1), GROUP, Pid.of(Atom.of("third@localhost"), 1, 0, 1)));
        toScope(join(ScriptedPeer.pid(1), GROUP, ScriptedPeer.pid(2)));
        awaitMembers(1);
        assertThat(groups.members(GROUP)).containsExactly(ScriptedPeer.pid(2));
    }

    @Test
    void join_besideCallsOfAPeerThatDoesNotRead_returns() throws Exception {
        Tuple caller = Tuple.of(ScriptedPeer.pid(1), Binary.of(new byte[1 << 16]));
        for (int i = 0; i < 3_000; i++) {
            toScope(Tuple.of(Atom.of("$gen_call"), caller, Atom.of("none")));
            toScope(Tuple.of(Atom.of("system"), caller, Atom.of("get_state")));
        }
        groups.join(GROUP, member.pid());
        assertThat(groups.members(GROUP)).containsExactly(member.pid());
    }

    @Test
    void call_inTheNameOfAProcessElsewhere_dialsNobody() throws Exception {
        Pid elsewhere = Pid.of(Atom.of("other@localhost"), 1, 0, 1);
        toScope(Tuple.of(Atom.of("$gen_call"), Tuple.of(elsewhere, Int.of(1)), Atom.of("none")));
        toScope(Tuple.of(Atom.of("system"), Tuple.of(elsewhere, Int.of(1)), Atom.of("get_state")));
        peer.roundTrip(member, "called");
        groups.join(GROUP, member.pid());
        assertThat(dialled).isEmpty();
    }

    @Test
    void reach_ofNodesThatDoNotAnswer_delaysNoOthers() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());
            LocalNode good = nodes.start("good");
            InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), good.port());
            LocalNode reaching = nodes.start(nodes.builder("reaching")
                    .connectTimeout(Duration.ofMinutes(10))
                    .resolver(name -> new ResolvedNode(name.equals(good.name()) ? there : nobody)));
            try (ProcessGroups here = ProcessGroups.start(reaching, "pg");
                    ProcessGroups theirs = ProcessGroups.start(good, "pg");
                    Mailbox joined = good.mailbox()) {
                theirs.join(GROUP, joined.pid());
                for (int i = 0; i < 5; i++) {
                    here.reach(NodeName.parse("silent" + i + "@localhost"));
                }
                here.reach(good.name());
                Nodes.await("a member", () -> here.members(GROUP).size() == 1);
            }
        }
    }

    @Test
    void messages_thatCannotBeRead_areLoggedEveryFewSecondsAtMost() throws Exception {
        try (LogLines lines = new LogLines();
                MutePeer mute = MutePeer.connect(node, "mute@localhost")) {
            byte[] noTerm = {(byte) 131, 0};
            for (int i = 0; i < 2_000; i++) {
                mute.regSend("pg", noTerm);
            }
            groups.join(GROUP, member.pid());
            lines.await("messages were passed over", line -> line.contains("messages=1 "));
            Nodes.await("all were passed over", () -> groups.members(GROUP).size() == 1);
            assertThat(lines.with("passed over")).hasSizeLessThan(100);
        }
    }
}
