package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.behaviour.ProcessGroups;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link ProcessGroups} beside Erlang's {@code pg}. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessGroupsTest {
    private static final Atom GROUP = Atom.of("g");

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;
    private ProcessGroups groups;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        erl = lab.erl();
        startScope(erl);
        java = lab.java();
        groups = ProcessGroups.start(java, ProcessGroups.DEFAULT_SCOPE);
    }

    @AfterEach
    void stop() {
        groups.close();
        java.close();
    }

    private static void startScope(ErlangNode node) {
        node.expect("whereis(pg) =/= undefined orelse element(1, pg:start(pg)) =:= ok", "true");
        node.expect("[pg:leave(G, P) || G <- pg:which_groups(), P <- pg:get_local_members(G)], ok", "ok");
    }

    private void awaitMembers(Term group, int count) {
        Waits.until(count + " members of " + group, () -> groups.members(group).size() == count);
    }

    private static void awaitMembers(ErlangNode node, String group, int count) {
        node.await("length(pg:get_members(" + group + ")) =:= " + count);
    }

    @Test
    void reach_ofAnErlangNode_sharesMembersOfBoth() throws Exception {
        erl.expect("pg:join(g, self())", "ok");
        try (Mailbox member = java.mailbox()) {
            groups.join(GROUP, member.pid());
            groups.join(Tuple.of(GROUP, Int.of(1)), member.pid());
            assertThat(groups.members(GROUP)).containsExactly(member.pid());
            groups.reach(erl.name());
            awaitMembers(GROUP, 2);
            awaitMembers(erl, "g", 2);
            awaitMembers(erl, "{g, 1}", 1);
            erl.expect("[P ! hello || P <- pg:get_members({g, 1})], ok", "ok");
            assertThat(Waits.next(member)).isEqualTo(Atom.of("hello"));
            assertThat(groups.localMembers(GROUP)).containsExactly(member.pid());
            assertThat(groups.groups()).containsExactlyInAnyOrder(GROUP, Tuple.of(GROUP, Int.of(1)));

            groups.members(GROUP).stream()
                    .filter(pid -> !pid.equals(member.pid()))
                    .forEach(pid -> member.send(pid, Atom.of("back")));
            erl.expect("lab:next(9000)", "back");

            erl.expect("pg:join(g, self())", "ok");
            awaitMembers(GROUP, 3);
            groups.join(GROUP, member.pid());
            awaitMembers(erl, "g", 4);
            erl.expect("pg:leave(g, [self(), self()])", "ok");
            awaitMembers(GROUP, 2);
            assertThat(groups.leave(GROUP, member.pid())).isTrue();
            awaitMembers(erl, "g", 1);
            assertThat(groups.leave(Atom.of("other"), member.pid())).isFalse();
        }
        awaitMembers(erl, "g", 0);
        awaitMembers(erl, "{g, 1}", 0);
        awaitMembers(GROUP, 0);
        assertThat(groups.groups()).isEmpty();
    }

    @Test
    void members_thatEnd_leaveEverywhere() throws Exception {
        groups.reach(erl.name());
        erl.expect(
                "P = spawn(fun() -> receive stop -> ok end end), pg:join(g, P), pg:join(g, [P, P]), pg:join(h, P), put(p, P), ok",
                "ok");
        awaitMembers(GROUP, 3);
        awaitMembers(Atom.of("h"), 1);
        erl.expect("get(p) ! stop", "stop");
        awaitMembers(GROUP, 0);
        awaitMembers(Atom.of("h"), 0);
    }

    @Test
    void node_thatIsLost_returnsWithItsMembers() throws Exception {
        NodeName name = ErlangLab.freshName("groups", "localhost");
        groups.reach(name);
        try (Mailbox member = java.mailbox()) {
            groups.join(GROUP, member.pid());
            for (int life = 0; life < 3; life++) {
                ErlangNode node = lab.erlang(name);
                startScope(node);
                node.expect("pg:join(g, self())", "ok");
                awaitMembers(GROUP, 2);
                awaitMembers(node, "g", 2);
                node.kill();
                awaitMembers(GROUP, 1);
            }
            assertThat(groups.members(GROUP)).containsExactly(member.pid());
        }
    }

    @Test
    void connection_thatIsCut_isMadeAgain() throws Exception {
        groups.reach(erl.name());
        erl.expect("pg:join(g, self())", "ok");
        try (Mailbox member = java.mailbox()) {
            groups.join(GROUP, member.pid());
            for (int cut = 0; cut < 5; cut++) {
                awaitMembers(erl, "g", 2);
                awaitMembers(GROUP, 2);
                erl.expect("erlang:disconnect_node(" + ErlangLab.quoted(java.name()) + ")", "true");
            }
            awaitMembers(erl, "g", 2);
            awaitMembers(GROUP, 2);
        }
    }

    @Test
    void scope_thatRestarts_isDiscoveredAgain() throws Exception {
        groups.reach(erl.name());
        erl.expect("pg:join(g, self())", "ok");
        awaitMembers(GROUP, 1);
        erl.expect("gen_server:stop(pg)", "ok");
        awaitMembers(GROUP, 0);
        startScope(erl);
        erl.expect("pg:join(g, self())", "ok");
        awaitMembers(GROUP, 1);
    }

    @Test
    void visible_node_needsNoReach() throws Exception {
        try (Node visible = lab.builder(ErlangLab.freshName("visible", "localhost"))
                        .hidden(false)
                        .start();
                ProcessGroups here = ProcessGroups.start(visible, "pg");
                Mailbox member = visible.mailbox()) {
            erl.expect("net_kernel:connect_node(" + ErlangLab.quoted(visible.name()) + ")", "true");
            here.join(Atom.of("v"), member.pid());
            awaitMembers(erl, "v", 1);
            erl.expect("pg:join(v, self())", "ok");
            Waits.until("two members", () -> here.members(Atom.of("v")).size() == 2);
        }
        awaitMembers(erl, "v", 1);
    }

    @Test
    void scopes_ofTwoJavaNodes_shareMembers() throws Exception {
        try (Node other = lab.java();
                ProcessGroups there = ProcessGroups.start(other, "pg");
                Mailbox member = other.mailbox()) {
            there.join(GROUP, member.pid());
            groups.reach(other.name());
            awaitMembers(GROUP, 1);
            assertThat(groups.members(GROUP)).containsExactly(member.pid());
            assertThatThrownBy(() -> groups.join(GROUP, member.pid())).isInstanceOf(IllegalArgumentException.class);
            ProcessGroups closed;
            try (ProcessGroups own = ProcessGroups.start(other, "own")) {
                closed = own;
            }
            assertThatThrownBy(() -> closed.join(GROUP, member.pid())).isInstanceOf(MessagingException.class);
        }
        awaitMembers(GROUP, 0);
    }

    @Test
    void messages_ofAnotherForm_harmNobody() throws Exception {
        groups.reach(erl.name());
        erl.expect("pg:join(g, self())", "ok");
        awaitMembers(GROUP, 1);
        erl.expect(
                "S = {pg, " + ErlangLab.quoted(java.name()) + "}, Pg = whereis(pg),"
                        + "[S ! M || M <- [x, {discover, x}, {discover, Pg, 9}, {join, Pg, g, x}, {join, Pg, g, [self()|x]},"
                        + " {join, self(), g, self()}, {leave, Pg, x, [g]}, {leave, Pg, self(), g}, {leave, x, self(), [g]},"
                        + " {'DOWN', make_ref(), process, Pg, x}, {'DOWN', x, process, self(), x},"
                        + " {'$gen_cast', {sync, Pg, x}}, {'$gen_cast', {sync, x, []}}, {'$gen_cast', {sync, Pg, [{g}]}},"
                        + " {'$gen_cast', {sync, Pg, [{g, [x]}]}}]],"
                        + "{gen_server:call(S, {join_local, g, self()}), gen_server:call(S, x)}",
                "{{error,{not_local," + erl.ask("self()") + "}},{error,unknown_request}}");
        erl.expect("pg:join(g, self())", "ok");
        awaitMembers(GROUP, 2);
    }

    @Test
    void scope_thatSendsItsGroupsFirst_getsAllGroupsBeforeAChange() throws Exception {
        try (Node other = lab.java();
                Mailbox there = other.mailbox("pg");
                Mailbox member = java.mailbox()) {
            groups.reach(other.name());
            Pid here = (Pid) ((Tuple) Waits.next(there)).get(1);
            there.send(here, Tuple.of(Atom.of("$gen_cast"), Tuple.of(Atom.of("sync"), there.pid(), ErlList.EMPTY)));
            Term groupsOfNone = Tuple.of(Atom.of("$gen_cast"), Tuple.of(Atom.of("sync"), here, ErlList.EMPTY));
            assertThat(Waits.next(there)).isEqualTo(groupsOfNone);
            groups.join(GROUP, member.pid());
            assertThat(Waits.next(there)).isEqualTo(Tuple.of(Atom.of("join"), here, GROUP, member.pid()));
        }
    }

    @Test
    void scope_ofAHiddenNode_isAskedAtEachConnection() throws Exception {
        try (Node other = lab.java();
                Mailbox there = other.mailbox("pg")) {
            for (int connection = 0; connection < 10; connection++) {
                other.connect(java.name());
                assertThat(((Tuple) Waits.next(there)).get(0)).isEqualTo(Atom.of("discover"));
                other.disconnect(java.name());
                Waits.until("disconnected", () -> java.connected().isEmpty());
            }
        }
    }

    @Test
    void scope_withMoreMembersThanMemory_isNotSeenUntilItsConnectionIsNew() throws Exception {
        try (Node other = lab.java();
                Mailbox there = other.mailbox("pg")) {
            groups.reach(other.name());
            groups.reach(erl.name());
            Pid here = (Pid) ((Tuple) Waits.next(there)).get(1);
            there.send(here, Tuple.of(Atom.of("discover"), there.pid()));
            Term many = ErlList.of(Collections.nCopies(100_000, there.pid()));
            there.send(here, Tuple.of(Atom.of("join"), there.pid(), GROUP, many));
            awaitMembers(GROUP, 100_000);
            for (long bytes = 0; bytes < Runtime.getRuntime().maxMemory() / 16; bytes += 100_000 * 64) {
                there.send(here, Tuple.of(Atom.of("join"), there.pid(), Int.of(bytes), many));
            }
            awaitMembers(GROUP, 0);
            erl.expect("pg:join(g, self())", "ok");
            awaitMembers(GROUP, 1);
            other.disconnect(java.name());
            awaitMembers(GROUP, 1);
            while (!((Tuple) Waits.next(there)).get(0).equals(Atom.of("discover"))) {}
            there.send(here, Tuple.of(Atom.of("discover"), there.pid()));
            there.send(here, Tuple.of(Atom.of("join"), there.pid(), GROUP, there.pid()));
            awaitMembers(GROUP, 2);
        }
    }

    @Test
    void views_afterRandomChanges_agree() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        groups.reach(erl.name());
        List<Mailbox> boxes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boxes.add(java.mailbox());
        }
        for (int round = 0; round < 300; round++) {
            int group = random.nextInt(3);
            int change = random.nextInt(20);
            int at = random.nextInt(boxes.size());
            Pid pid = boxes.get(at).pid();
            if (change < 8) {
                groups.join(Int.of(group), pid);
            } else if (change < 11) {
                groups.leave(Int.of(group), pid);
            } else if (change < 12) {
                boxes.get(at).close();
                boxes.set(at, java.mailbox());
            } else if (change < 17) {
                erl.expect("pg:join(" + group + ", self())", "ok");
            } else if (change < 19) {
                erl.ask("pg:leave(" + group + ", self())");
            } else if (round % 50 == 0) {
                erl.ask("erlang:disconnect_node(" + ErlangLab.quoted(java.name()) + ")"); // maybe not connected yet
            }
        }
        for (int group = 0; group < 3; group++) {
            awaitAgreement(group, "-Dseed=" + seed);
        }
    }

    /** Waits until both nodes have all members of both: they agree in number, too, while neither has the members of the other. */
    private void awaitAgreement(int group, String seed) {
        Term name = Int.of(group);
        String lengths = "{length(pg:get_local_members(" + group + ")), length(pg:get_members(" + group + "))}";
        Waits.until("views agree, " + seed, () -> {
            int ofErlang = Integer.parseInt(erl.ask("length(pg:get_local_members(" + group + "))"));
            int all = ofErlang + groups.localMembers(name).size();
            return groups.members(name).size() == all && erl.ask(lengths).equals("{" + ofErlang + "," + all + "}");
        });
    }
}
