package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Monitors of our mailboxes by Erlang, and of Erlang's processes by ours, by pid and by name. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MonitorTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration A_WHILE = Duration.ofMillis(300);

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
    }

    @AfterEach
    void close() {
        java.close();
    }

    /** Spawned there, and known here. */
    private Pid spawned(String function) throws InterruptedException {
        erl.expect("P = spawn(fun " + function + "), {box, " + node + "} ! P, put(spawned, P), ok", "ok");
        return (Pid) Waits.next(box);
    }

    /** Has Erlang monitor {@code watched}, and returns once the monitor is there: the signal and the message keep their order. */
    private CompletableFuture<String> watching(String watched) throws InterruptedException {
        CompletableFuture<String> down = erl.begin("R = erlang:monitor(process, " + watched + "), {box, " + node
                + "} ! watching, receive {'DOWN', R, process, What, Why} -> {What =:= " + watched
                + ", Why} after 9000 -> timeout end");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("watching"));
        return down;
    }

    @Test
    void monitor_byErlangOfAName_isToldOfTheClose() throws Exception {
        Mailbox watched = java.mailbox("watched");
        CompletableFuture<String> down = watching("{watched, " + node + "}");
        watched.close();
        assertThat(erl.get(down, "down")).isEqualTo("{true,normal}");
    }

    @Test
    void monitor_byErlangOfAPid_isToldOfTheReason() throws Exception {
        Mailbox watched = java.mailbox();
        box.send("lab", erl.name(), Tuple.of(Atom.of("watch"), watched.pid()));
        erl.expect("receive {watch, P} -> put(watched, P), ok after 9000 -> timeout end", "ok");
        CompletableFuture<String> down = watching("get(watched)");
        watched.close(Tuple.of(Atom.of("shutdown"), Atom.of("now")));
        assertThat(erl.get(down, "down")).isEqualTo("{true,{shutdown,now}}");
    }

    @Test
    void monitor_byErlangOfWhatIsNotThere_isNoproc() throws Exception {
        assertThat(erl.get(watching("{nobody, " + node + "}"), "down")).isEqualTo("{true,noproc}");
        Mailbox closed = java.mailbox();
        closed.close();
        box.send("lab", erl.name(), Tuple.of(Atom.of("watch"), closed.pid()));
        erl.expect("receive {watch, P} -> put(watched, P), ok after 9000 -> timeout end", "ok");
        assertThat(erl.get(watching("get(watched)"), "down")).isEqualTo("{true,noproc}");
    }

    @Test
    void demonitor_byErlang_endsIt() throws Exception {
        Mailbox watched = java.mailbox("watched");
        erl.expect(
                "R = erlang:monitor(process, {watched, " + node + "}), {box, " + node
                        + "} ! watching, true = erlang:demonitor(R), {box, " + node + "} ! not_watching, ok",
                "ok");
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("watching"));
        assertThat(box.receive(SOON)).isEqualTo(Atom.of("not_watching"));
        watched.close();
        box.send("lab", erl.name(), Atom.of("closed"));
        erl.expect("lab:next(9000)", "closed");
    }

    @Test
    void monitor_byErlangOfOurNode_isToldOfItsClose() throws Exception {
        CompletableFuture<String> down = watching("{box, " + node + "}");
        java.close();
        assertThat(erl.get(down, "down")).matches("\\{true,(normal|noconnection|shutdown)}");
    }

    @Test
    void monitor_ofAPid_isToldOfTheReason() throws Exception {
        Pid pid = spawned("lab:sleeper/0");
        Ref ref = box.monitor(pid);
        box.send(pid, Tuple.of(Atom.of("exit"), Tuple.of(Atom.of("bad"), Atom.of("day"))));
        assertThat(box.receive(SOON)).isEqualTo(down(ref, pid, Tuple.of(Atom.of("bad"), Atom.of("day"))));
    }

    @Test
    void monitor_ofAPidThatEnds_isNormalAndThenNoproc() throws Exception {
        Pid pid = spawned("lab:sleeper/0");
        Ref first = box.monitor(pid);
        box.send(pid, Atom.of("stop"));
        assertThat(box.receive(SOON)).isEqualTo(down(first, pid, Atom.of("normal")));
        Ref second = box.monitor(pid);
        assertThat(second).isNotEqualTo(first);
        assertThat(box.receive(SOON)).isEqualTo(down(second, pid, Atom.of("noproc")));
    }

    @Test
    void monitor_ofAName_isToldWithTheName() throws Exception {
        Pid pid = spawned("() -> register(sleeper, self()), lab:sleeper() end");
        erl.await("is_pid(whereis(sleeper))");
        Ref ref = box.monitor("sleeper", erl.name());
        box.send(pid, Atom.of("stop"));
        Term named = Tuple.of(Atom.of("sleeper"), erl.name().atom());
        assertThat(box.receive(SOON)).isEqualTo(down(ref, named, Atom.of("normal")));
        Ref second = box.monitor("sleeper", erl.name());
        assertThat(box.receive(SOON)).isEqualTo(down(second, named, Atom.of("noproc")));
    }

    @Test
    void demonitor_ofAPid_endsIt() throws Exception {
        Pid pid = spawned("lab:sleeper/0");
        Ref ref = box.monitor(pid);
        box.demonitor(ref);
        box.send(pid, Atom.of("stop"));
        assertThat(box.receive(A_WHILE)).isNull();
    }

    @Test
    void close_ofTheWatchingMailbox_endsItsMonitors() throws Exception {
        Pid pid = spawned("lab:sleeper/0");
        Mailbox watching = java.mailbox();
        Ref unused = watching.monitor(pid);
        assertThat(unused).isNotNull();
        erl.await("element(2, process_info(get(spawned), monitored_by)) =/= []");
        watching.close();
        erl.await("element(2, process_info(get(spawned), monitored_by)) =:= []");
    }

    private static Term down(Ref ref, Term what, Term reason) {
        return Tuple.of(Atom.of("DOWN"), ref, Atom.of("process"), what, reason);
    }
}
