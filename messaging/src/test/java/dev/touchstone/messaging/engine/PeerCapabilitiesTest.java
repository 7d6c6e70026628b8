package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that has not announced a capability is sent nothing that depends on it, whoever has connected to whom. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // each test connects
class PeerCapabilitiesTest {
    /** All that the table names: more than this node announces. */
    private static final long ALL =
            Arrays.stream(Capability.values()).mapToLong(Capability::flag).reduce(0, (a, b) -> a | b);

    private static final long JINTERFACE_1_13_1 = 0x407070f94L;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration NEVER = Duration.ofMillis(20);
    private static final Atom BOOM = Atom.of("boom");
    private static final Pid TARGET = ScriptedPeer.pid(1);

    private Nodes nodes;
    private ScriptedPeer peer;
    private Node node;

    enum Dials {
        PEER,
        NODE
    }

    /** Lists those that a peer may lack. */
    static List<Arguments> capabilities() {
        List<Arguments> all = new ArrayList<>();
        for (Capability capability : Capability.values()) {
            if (isMandatory(capability)) {
                continue;
            }
            all.add(Arguments.of(capability, Dials.PEER));
            all.add(Arguments.of(capability, Dials.NODE));
        }
        return all;
    }

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        if (peer != null) {
            peer.close();
        }
        nodes.close();
    }

    private void connect(long flags, Dials dials) throws Exception {
        if (dials == Dials.PEER) {
            node = nodes.start("node");
            peer = ScriptedPeer.dial(node, flags);
        } else {
            peer = ScriptedPeer.listen(flags);
            node = nodes.start(nodes.builder("node").resolver(peer.finder()));
            node.connect(ScriptedPeer.NAME);
            peer.accept();
        }
        peer.read();
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void signals_toAPeerWithoutACapability_doNotDependOnIt(Capability missing, Dials dials) throws Exception {
        long flags = ALL & ~missing.flag();
        connect(flags, dials);
        exercise();
        check(flags);
    }

    /** This node takes the peers that OTP 25 takes, but for those whose pids have fewer bits than its own; see {@code HandshakeTest}. */
    private static boolean isMandatory(Capability capability) {
        return capability.mandatorySince() == Capability.Since.OTP_25 || capability == Capability.V4_NC;
    }

    @Test
    void signals_toAPeerWithAllCapabilities_haveTheirNewestForm() throws Exception {
        connect(ALL, Dials.PEER);
        exercise();
        check(ALL);
        assertThat(operations())
                .contains(Control.PAYLOAD_EXIT, Control.PAYLOAD_EXIT2, Control.PAYLOAD_MONITOR_P_EXIT)
                .contains(Control.UNLINK_ID, Control.UNLINK_ID_ACK, Control.MONITOR_P, Control.DEMONITOR_P)
                .contains(Control.ALIAS_SEND, Control.SPAWN_REQUEST, Control.SPAWN_REPLY)
                .doesNotContain(Control.EXIT, Control.EXIT2, Control.MONITOR_P_EXIT, Control.UNLINK);
    }

    @Test
    void signals_toAPeerWithTheFlagsOfJinterface_haveTheOldForms() throws Exception {
        connect(JINTERFACE_1_13_1, Dials.PEER);
        exercise();
        check(JINTERFACE_1_13_1);
        assertThat(operations())
                .containsExactlyInAnyOrder(
                        Control.LINK,
                        Control.SEND,
                        Control.REG_SEND,
                        Control.EXIT,
                        Control.EXIT2,
                        Control.UNLINK_ID,
                        Control.UNLINK_ID_ACK);
    }

    /** Erlang's monitor of a process at such a node supervises the connection. */
    @Test
    void monitor_ofAPeerWithoutMonitors_isAnsweredWhenTheConnectionEnds() throws Exception {
        connect(JINTERFACE_1_13_1, Dials.PEER);
        Mailbox box = node.mailbox();
        Ref monitor = box.monitor(TARGET);
        peer.roundTrip(box, "monitored");
        assertThat(box.receive(NEVER)).isNull();
        peer.close();
        assertThat(box.receive(SOON))
                .isEqualTo(Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), TARGET, Atom.of("noconnection")));
    }

    /** Such a peer answers to the caller's pid: its answer is dropped by its tag, as others are by the alias that they are sent to. */
    @Test
    void lateAnswer_ofAPeerWithoutAliases_isDropped() throws Exception {
        connect(ALL & ~DistFlags.ALIAS, Dials.PEER);
        Mailbox box = node.mailbox();
        assertThatThrownBy(() -> box.call("server", ScriptedPeer.NAME, BOOM, NEVER))
                .isInstanceOf(MessagingException.TimedOut.class);
        ScriptedPeer.Seen request = peer.await(Control.REG_SEND);
        Tuple caller = (Tuple) ((Tuple) requireNonNull(request.payload())).get(1);
        long before = node.stats().dropped();
        peer.message(box.pid(), Tuple.of(caller.get(1), Atom.of("late")));
        Ref alias = box.alias();
        Term own = Tuple.of(ErlList.improper(List.of(Atom.of("alias")), alias), Atom.of("in time"));
        peer.message(box.pid(), own);
        assertThat(box.receive(SOON)).isEqualTo(own);
        assertThat(node.stats().dropped()).isEqualTo(before + 1);
    }

    @Test
    void lateRefusal_ofASpawnRequest_isDropped() throws Exception {
        connect(ALL, Dials.PEER);
        Mailbox box = node.mailbox();
        assertThatThrownBy(() -> box.erpc(ScriptedPeer.NAME, "m", "f", List.of(), NEVER))
                .isInstanceOf(MessagingException.TimedOut.class);
        Term request = peer.await(Control.SPAWN_REQUEST).element(1);
        peer.send(Tuple.of(Int.of(Control.SPAWN_REPLY), request, box.pid(), Int.of(0), Atom.of("notsup")), null);
        peer.message(box.pid(), BOOM);
        assertThat(box.receive(SOON)).isEqualTo(BOOM);
    }

    @Test
    void table_ofFlags_agreesWithTheHandshake() {
        long mandatory = Arrays.stream(Capability.values())
                .filter(PeerCapabilitiesTest::isMandatory)
                .mapToLong(Capability::flag)
                .reduce(0, (a, b) -> a | b);
        assertThat(DistFlags.toString(mandatory)).isEqualTo(DistFlags.toString(DistFlags.MANDATORY));
        assertThat(LocalCapabilities.announced(false) & ~ALL).isZero();
    }

    private static boolean has(long flags, long wanted) {
        return (flags & LocalCapabilities.announced(true) & wanted) == wanted;
    }

    /** Does everything that a mailbox can do to a process of a peer, and a peer to a mailbox. */
    private void exercise() throws Exception {
        Mailbox box = node.mailbox("box");
        box.send(TARGET, BOOM);
        box.send("name", ScriptedPeer.NAME, BOOM);
        box.send(TARGET, Binary.of(new byte[200_000]));
        box.link(TARGET);
        box.unlink(TARGET);
        box.link(TARGET);
        box.exit(TARGET, Tuple.of(BOOM, Binary.of(new byte[10])));
        box.demonitor(box.monitor(TARGET));
        box.demonitor(box.monitor("name", ScriptedPeer.NAME));
        Ref left = box.monitor(TARGET);
        assertThat(left).isNotNull();
        assertThatThrownBy(() -> box.rpc(ScriptedPeer.NAME, "m", "f", List.of(), NEVER))
                .isInstanceOf(MessagingException.TimedOut.class);
        assertThatThrownBy(() -> box.erpc(ScriptedPeer.NAME, "m", "f", List.of(), NEVER))
                .isInstanceOf(MessagingException.class);
        assertThat(node.ping(ScriptedPeer.NAME, NEVER)).isFalse();
        askThem(box);
        box.close(BOOM);
        try (Mailbox last = node.mailbox()) {
            peer.barrier(last, "end");
        }
        Nodes.await(
                "answers of the node's threads",
                () -> peer.seen().stream()
                        .anyMatch(frame -> Tuple.of(
                                        ErlList.improper(List.of(Atom.of("alias")), ScriptedPeer.ref(5)),
                                        Atom.of("yes"))
                                .equals(frame.payload())));
        assertThat(peer.hasEnded()).isFalse();
        assertThat(node.connected()).containsExactly(ScriptedPeer.NAME);
    }

    /** Sends what is answered, also what a peer without the capability would not send. */
    private void askThem(Mailbox box) throws Exception {
        Pid asking = ScriptedPeer.pid(2);
        peer.send(Tuple.of(Int.of(Control.LINK), ScriptedPeer.pid(3), box.pid()), null);
        peer.send(Tuple.of(Int.of(Control.LINK), ScriptedPeer.pid(4), box.pid()), null);
        peer.send(Tuple.of(Int.of(Control.UNLINK_ID), Int.of(7), ScriptedPeer.pid(4), box.pid()), null);
        peer.send(
                Tuple.of(Int.of(Control.LINK), asking, Pid.of(node.name().atom(), 1_000_000, 0, node.creation())),
                null);
        peer.send(Tuple.of(Int.of(Control.MONITOR_P), asking, box.pid(), ScriptedPeer.ref(1)), null);
        peer.send(Tuple.of(Int.of(Control.MONITOR_P), asking, Atom.of("box"), ScriptedPeer.ref(2)), null);
        peer.send(Tuple.of(Int.of(Control.MONITOR_P), asking, Atom.of("nobody"), ScriptedPeer.ref(3)), null);
        Term function = Tuple.of(Atom.of("erpc"), Atom.of("execute_call"), Int.of(4));
        Term arguments = ErlList.of(ScriptedPeer.ref(4), Atom.of("m"), Atom.of("f"), ErlList.EMPTY);
        Term monitored = ErlList.of(Atom.of("monitor"));
        peer.send(
                Tuple.of(Int.of(Control.SPAWN_REQUEST), ScriptedPeer.ref(4), asking, asking, function, monitored),
                arguments);
        Term caller = Tuple.of(asking, ErlList.improper(List.of(Atom.of("alias")), ScriptedPeer.ref(5)));
        Term ping = Tuple.of(Atom.of("$gen_call"), caller, Tuple.of(Atom.of("is_auth"), ScriptedPeer.NAME.atom()));
        peer.send(Tuple.of(Int.of(Control.REG_SEND), asking, Atom.of(""), Atom.of("net_kernel")), ping);
        peer.roundTrip(box, "asked");
    }

    private Set<Integer> operations() {
        return peer.seen().stream()
                .map(ScriptedPeer.Seen::operation)
                .filter(operation -> operation > 0)
                .collect(Collectors.toSet());
    }

    private void check(long flags) {
        boolean header = has(flags, DistFlags.DIST_HDR_ATOM_CACHE);
        boolean byName = has(flags, DistFlags.DIST_MONITOR_NAME);
        Set<Integer> monitoring = Capability.DIST_MONITOR.operations();
        for (Capability capability : Capability.values()) {
            if (!has(flags, capability.flag())) {
                assertThat(operations()).as("without %s", capability).noneMatch(capability.operations()::contains);
            }
        }
        for (ScriptedPeer.Seen frame : peer.seen()) {
            assertThat(frame.kind() == 112).as("%s", frame).isEqualTo(!header);
            if (!has(flags, DistFlags.FRAGMENTS)) {
                assertThat(frame.kind()).isNotIn(69, 70);
            }
            if (!byName && monitoring.contains(frame.operation())) {
                assertThat(frame.element(1)).isNotInstanceOf(Atom.class);
                assertThat(frame.element(2)).isNotInstanceOf(Atom.class);
            }
        }
        checkReasons(has(flags, DistFlags.EXIT_PAYLOAD), has(flags, DistFlags.DIST_MONITOR));
        assertThat(operations()).contains(has(flags, DistFlags.UNLINK_ID) ? Control.UNLINK_ID : Control.UNLINK);
        assertThat(operations().contains(Control.ALIAS_SEND)).isEqualTo(has(flags, DistFlags.ALIAS));
    }

    private void checkReasons(boolean payload, boolean monitors) {
        ScriptedPeer.Seen exit = peer.await(
                "exit of a link",
                frame -> frame.operation() == (payload ? Control.PAYLOAD_EXIT : Control.EXIT)
                        && frame.element(2).equals(ScriptedPeer.pid(3)));
        assertThat(payload ? exit.payload() : exit.element(3)).isEqualTo(BOOM);
        ScriptedPeer.Seen exit2 = peer.await(payload ? Control.PAYLOAD_EXIT2 : Control.EXIT2);
        assertThat(payload ? exit2.payload() : exit2.element(3)).isEqualTo(Tuple.of(BOOM, Binary.of(new byte[10])));
        if (monitors) {
            ScriptedPeer.Seen down = peer.await(
                    "end of a monitored mailbox",
                    frame -> frame.operation() == (payload ? Control.PAYLOAD_MONITOR_P_EXIT : Control.MONITOR_P_EXIT)
                            && frame.element(3).equals(ScriptedPeer.ref(1)));
            assertThat(payload ? down.payload() : down.element(4)).isEqualTo(BOOM);
        }
    }
}
