package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links made by either side, and exit signals both ways. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration A_WHILE = Duration.ofMillis(300);
    private static final Term BOOM = Atom.of("boom");

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    private Node java;
    private Mailbox box;
    private String node;

    @BeforeEach
    void open() throws IOException {
        erl = lab.erl();
        java = lab.java();
        box = java.mailbox("box");
        node = ErlangLab.quoted(java.name());
        box.send("lab", erl.name(), Tuple.of(Atom.of("pid"), box.pid()));
        erl.expect("receive {pid, P} -> put(box, P), ok after 9000 -> timeout end", "ok");
    }

    @AfterEach
    void close() {
        java.close();
    }

    /** Spawned by an expression there, and known here and as {@code get(spawned)}. */
    private Pid spawned(String expression) throws InterruptedException {
        erl.expect("S = " + expression + ", put(spawned, S), {box, " + node + "} ! S, ok", "ok");
        return (Pid) Waits.next(box);
    }

    private void awaitLinked() {
        erl.await("lists:member(get(box), element(2, process_info(get(spawned), links)))");
    }

    private static Term exit(Pid pid, Term reason) {
        return Tuple.of(Atom.of("EXIT"), pid, reason);
    }

    @Test
    void link_byErlang_tellsUsOfItsExit() throws Exception {
        Pid pid = spawned("lab:linked(get(box))");
        awaitLinked();
        box.send(pid, Tuple.of(Atom.of("exit"), BOOM));
        assertThat(box.receive(SOON)).isEqualTo(exit(pid, BOOM));
    }

    @Test
    void link_byUs_tellsUsOfItsExit() throws Exception {
        Pid pid = spawned("spawn(fun lab:sleeper/0)");
        box.link(pid);
        awaitLinked();
        box.send(pid, Atom.of("stop"));
        assertThat(box.receive(SOON)).isEqualTo(exit(pid, Atom.of("normal")));
    }

    @Test
    void link_byErlang_endsTheProcessWithUs() throws Exception {
        Pid unused = spawned("lab:linked(get(box))");
        assertThat(unused).isNotNull();
        awaitLinked();
        box.close(BOOM);
        erl.await("not is_process_alive(get(spawned))");
    }

    @Test
    void link_byErlang_tellsATrappingProcessOfOurReason() throws Exception {
        erl.expect("put(spawned, lab:trapper(get(box))), receive linked -> ok after 9000 -> timeout end", "ok");
        assertThat(((Tuple) Waits.next(box)).get(0)).isEqualTo(Atom.of("linked"));
        box.close(Tuple.of(Atom.of("shutdown"), Atom.of("now")));
        erl.expect(
                "receive {trapped, {'EXIT', P, Why}} -> {P =:= get(box), Why} after 9000 -> timeout end",
                "{true,{shutdown,now}}");
    }

    @Test
    void link_byUs_endsTheProcessWithUs() throws Exception {
        Pid pid = spawned("spawn(fun lab:sleeper/0)");
        box.link(pid);
        awaitLinked();
        box.close(BOOM);
        erl.await("not is_process_alive(get(spawned))");
    }

    @Test
    void link_ofAProcessThatIsGone_isNoproc() throws Exception {
        Pid pid = spawned("spawn(fun() -> ok end)");
        erl.await("not is_process_alive(get(spawned))");
        box.link(pid);
        assertThat(box.receive(SOON)).isEqualTo(exit(pid, Atom.of("noproc")));
    }

    @Test
    void link_byErlangToAMailboxThatIsGone_isNoproc() throws Exception {
        box.close();
        erl.expect("lab:trapper(get(box)), receive linked -> ok after 9000 -> timeout end", "ok");
        erl.expect(
                "receive {trapped, {'EXIT', P, Why}} -> {P =:= get(box), Why} after 9000 -> timeout end",
                "{true,noproc}");
    }

    @Test
    void unlink_byUs_endsIt() throws Exception {
        Pid pid = spawned("spawn(fun lab:sleeper/0)");
        box.link(pid);
        awaitLinked();
        box.unlink(pid);
        erl.await("element(2, process_info(get(spawned), links)) =:= []");
        box.send(pid, Tuple.of(Atom.of("exit"), BOOM));
        assertThat(box.receive(A_WHILE)).isNull();
    }

    @Test
    void unlink_byErlang_endsIt() throws Exception {
        Pid pid = spawned("(fun(B) -> spawn(fun() -> link(B), receive unlink -> unlink(B), B ! unlinked end, "
                + "lab:sleeper() end) end)(get(box))");
        awaitLinked();
        box.send(pid, Atom.of("unlink"));
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("unlinked"));
        box.send(pid, Tuple.of(Atom.of("exit"), BOOM));
        assertThat(box.receive(A_WHILE)).isNull();
    }

    @Test
    void link_afterAnUnlink_worksAgain() throws Exception {
        Pid pid = spawned("spawn(fun lab:sleeper/0)");
        for (int i = 0; i < 50; i++) {
            box.link(pid);
            box.unlink(pid);
        }
        box.link(pid);
        awaitLinked();
        box.send(pid, Tuple.of(Atom.of("exit"), BOOM));
        assertThat(box.receive(SOON)).isEqualTo(exit(pid, BOOM));
        assertThat(box.receive(A_WHILE)).isNull();
    }

    @Test
    void exit_byUs_endsTheProcess() throws Exception {
        Pid pid = spawned("spawn(fun lab:sleeper/0)");
        box.exit(pid, BOOM);
        erl.await("not is_process_alive(get(spawned))");
    }

    @Test
    void exit_byUs_reachesATrappingProcessAsAMessage() throws Exception {
        box.exit(spawned("self()"), Tuple.of(BOOM, Atom.of("there")));
        erl.expect(
                "receive {'EXIT', P, Why} -> {P =:= get(box), Why} after 9000 -> timeout end", "{true,{boom,there}}");
    }

    @Test
    void exit_byErlang_arrivesAsAMessage() throws Exception {
        Pid loop = spawned("self()");
        erl.expect("exit(get(box), {bad, day})", "true");
        assertThat(box.receive(SOON)).isEqualTo(exit(loop, Tuple.of(Atom.of("bad"), Atom.of("day"))));
        erl.expect("exit(get(box), normal)", "true");
        assertThat(box.receive(SOON)).isEqualTo(exit(loop, Atom.of("normal")));
    }

    @Test
    void exit_byErlangWithKill_closesTheMailbox() throws Exception {
        erl.expect(
                "R = monitor(process, get(box)), exit(get(box), kill), "
                        + "receive {'DOWN', R, process, _, Why} -> Why after 9000 -> timeout end",
                "killed");
        Waits.until("no mailbox", () -> java.whereis("box") == null);
    }
}
