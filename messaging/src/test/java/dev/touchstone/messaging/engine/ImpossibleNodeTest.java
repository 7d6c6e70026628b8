package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.behaviour.ChildSpec;
import dev.touchstone.messaging.behaviour.From;
import dev.touchstone.messaging.behaviour.GenServer;
import dev.touchstone.messaging.behaviour.ProcessGroups;
import dev.touchstone.messaging.behaviour.RunningServer;
import dev.touchstone.messaging.behaviour.ServerOptions;
import dev.touchstone.messaging.behaviour.Strategy;
import dev.touchstone.messaging.behaviour.Supervisor;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes of nodes whose names no node can have, which any peer may name: such a node cannot be reached, and that is all. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImpossibleNodeTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Atom NONODE = Atom.of("nonode");
    private static final Pid ODD = Pid.of(NONODE, 1, 0, 1);
    private static final Ref ODD_REF = Ref.of(NONODE, 1, 1, 2, 3);

    private Nodes nodes;
    private LocalNode node;
    private Mailbox box;

    private static final class Echo extends GenServer {
        @Override
        protected Term handleCall(Term request, From from) {
            return request;
        }
    }

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("node");
        box = node.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonode", "@", "a@b@c", "with space@host", ""})
    void send_toAProcessOfANodeThatCannotBe_isUnreachable(String name) {
        Pid odd = Pid.of(Atom.of(name), 1, 0, 1);
        for (var send : List.<Runnable>of(
                () -> box.send(odd, Atom.OK),
                () -> box.send(Ref.of(Atom.of(name), 1, 1, 2, 3), Atom.OK),
                () -> box.reply(Tuple.of(odd, Atom.of("tag")), Atom.OK))) {
            assertThatThrownBy(send::run)
                    .isInstanceOf(MessagingException.Unreachable.class)
                    .hasMessageContaining("node=" + name + " cause=not a");
        }
        assertThat(box.trySend(odd, Atom.OK)).isFalse();
        box.exit(odd, Atom.of("bye")); // lost, as to any node that is gone
    }

    @Test
    void monitorAndLink_ofAProcessOfANodeThatCannotBe_tellNoconnection() throws Exception {
        Ref monitor = box.monitor(ODD);
        assertThat(box.receive(LONG))
                .isEqualTo(Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), ODD, Atom.of("noconnection")));
        assertThat(box.monitor(ODD, AliasMode.DEMONITOR)).isNotNull();
        assertThat(box.receive(LONG)).isNotNull();
        box.link(ODD);
        assertThat(box.receive(LONG)).isEqualTo(Tuple.of(Atom.of("EXIT"), ODD, Atom.of("noconnection")));
        box.unlink(ODD);
        assertThatThrownBy(() -> box.call(ODD, Atom.OK, LONG)).isInstanceOf(MessagingException.class);
    }

    @Test
    void requests_withACallerOfANodeThatCannotBe_leaveServersRunning() throws Exception {
        RunningServer echo = GenServer.start(node, new Echo(), ServerOptions.DEFAULT);
        RunningServer tree = GenServer.start(
                node,
                Supervisor.builder(Strategy.ONE_FOR_ONE)
                        .child(ChildSpec.worker("worker", none -> new Echo()))
                        .build(),
                ServerOptions.DEFAULT);
        ProcessGroups groups = ProcessGroups.start(node, "pg");
        Mailbox member = node.mailbox();
        Tuple caller = Tuple.of(ODD, ODD_REF);
        for (Pid server : List.of(echo.pid(), tree.pid())) {
            box.send(server, Tuple.of(Atom.of("$gen_call"), caller, Atom.of("which_children")));
            box.send(server, Tuple.of(Atom.of("system"), caller, Atom.of("get_state")));
            assertThat(box.call(server, Atom.of("which_children"), LONG)).isNotNull();
        }
        box.send("pg", node.name(), Tuple.of(Atom.of("discover"), ODD));
        groups.join(Atom.of("group"), member.pid());
        assertThat(groups.members(Atom.of("group"))).containsExactly(member.pid());
        assertThat(echo.isAlive() && tree.isAlive()).isTrue();
        assertThat(box.call(echo.pid(), Int.of(1), LONG)).isEqualTo(Int.of(1));
        groups.close();
    }
}
