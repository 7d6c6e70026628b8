package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.behaviour.From;
import dev.touchstone.messaging.behaviour.GenServer;
import dev.touchstone.messaging.behaviour.RunningServer;
import dev.touchstone.messaging.behaviour.ServerOptions;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A {@link GenServer} of ours, asked by Erlang's {@code gen_server} and {@code sys}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GenServerTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;
    private String server;

    /** Counts; replies to {@code later} when it is cast {@code release}. */
    private static final class Counter extends GenServer {
        private final List<From> waiting = new ArrayList<>();
        private long count;

        @Override
        protected @Nullable Term handleCall(Term request, From from) {
            if (request.equals(Atom.of("later"))) {
                waiting.add(from);
                return null;
            }
            if (request.equals(Atom.of("crash"))) {
                throw new IllegalStateException("no such luck");
            }
            if (request.equals(Atom.of("overflow"))) {
                return overflow(1);
            }
            if (request.equals(Atom.of("stop"))) {
                stop(Atom.of("finished"));
                return Atom.of("stopping");
            }
            return Int.of(++count);
        }

        private static Term overflow(int depth) {
            return depth == 0 ? Atom.OK : Tuple.of(overflow(depth + 1));
        }

        @Override
        protected void handleCast(Term request) {
            if (request.equals(Atom.of("release"))) {
                waiting.forEach(from -> from.reply(Atom.of("released")));
            } else {
                count += 100;
            }
        }

        @Override
        protected void handleInfo(Term message) {
            if (message instanceof Tuple pair && pair.is(Atom.of("wait"), 2)) {
                timeout(Duration.ofMillis(((Int) pair.get(1)).value()));
            } else {
                count += message.equals(Atom.of("timeout")) ? 5000 : 1000;
            }
        }

        @Override
        protected Term state() {
            return Int.of(count);
        }
    }

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
        java = lab.java();
        server = "{counter, " + ErlangLab.quoted(java.name()) + "}";
    }

    @AfterEach
    void stop() {
        java.close();
    }

    private RunningServer counter() throws InterruptedException {
        return GenServer.start(java, new Counter(), ServerOptions.DEFAULT.name("counter"));
    }

    private void expectReason(String expression, String reason) {
        erl.expect("try " + expression + " catch exit:{R, _} -> R end", reason);
    }

    @Test
    void call_castAndInfoByErlang_reachTheirHandlersInOrder() throws Exception {
        counter();
        erl.expect("gen_server:call(" + server + ", next)", "1");
        erl.expect("gen_server:cast(" + server + ", more)", "ok");
        erl.expect(server + " ! hello, gen_server:call(" + server + ", next)", "1102");
        erl.expect("sys:get_state(" + server + ")", "1102");
        erl.expect("gen_server:wait_response(gen_server:send_request(" + server + ", next), 9000)", "{reply,1103}");
    }

    @Test
    void multiCallAndAbcast_ofTwoNodes_areAnsweredByBoth() throws Exception {
        counter();
        try (Node other = lab.java()) {
            GenServer.start(other, new Counter(), ServerOptions.DEFAULT.name("counter"));
            String nodes = "[" + ErlangLab.quoted(java.name()) + "," + ErlangLab.quoted(other.name()) + "]";
            erl.expect("gen_server:abcast(" + nodes + ", counter, more)", "abcast");
            erl.expect(
                    "{Good, Bad} = gen_server:multi_call(" + nodes
                            + ", counter, next, 9000), {[V || {_, V} <- Good], Bad}",
                    "{\"ee\",[]}");
            erl.expect(
                    "gen_server:multi_call([" + ErlangLab.quoted(java.name()) + "], nobody, next, 9000)",
                    "{[],[" + java.name() + "]}");
        }
    }

    @Test
    void reply_thatComesLater_isTheCallers() throws Exception {
        counter();
        erl.expect(
                "Me = self(), spawn(fun() -> Me ! {got, gen_server:call(" + server + ", later, 9000)} end),"
                        + "lab:until(fun() -> gen_server:cast(" + server + ", release),"
                        + "receive {got, G} -> self() ! G, true after 20 -> false end end), lab:next(9000)",
                "released");
    }

    @Test
    void call_thatThrows_endsTheServerAndTellsTheReason() throws Exception {
        RunningServer running = counter();
        erl.expect("M = monitor(process, " + server + "), put(m, M), ok", "ok");
        expectReason(
                "gen_server:call(" + server + ", crash, 9000)",
                "{<<\"java.lang.IllegalStateException: no such luck\">>,[]}");
        erl.expect(
                "receive {'DOWN', _, process, _, {Text, []}} -> Text after 9000 -> none end",
                "<<\"java.lang.IllegalStateException: no such luck\">>");
        assertThat(running.awaitEnd(SOON)).isTrue();
        expectReason("gen_server:call(" + server + ", next, 9000)", "noproc");
    }

    @Test
    void call_thatOverflowsTheStack_endsTheServerOnly() throws Exception {
        counter();
        expectReason("gen_server:call(" + server + ", overflow, 9000)", "{<<\"java.lang.StackOverflowError\">>,[]}");
        counter();
        erl.expect("gen_server:call(" + server + ", next)", "1");
    }

    @Test
    void stop_byErlang_endsWithItsReasonAfterEarlierMessages() throws Exception {
        RunningServer running = counter();
        erl.expect("gen_server:stop(" + server + ")", "ok");
        assertThat(running.awaitEnd(SOON)).isTrue();
        assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("normal")));
        RunningServer second = counter();
        erl.expect("gen_server:stop(" + server + ", bye, 9000)", "ok");
        assertThat(second.awaitEnd(SOON)).isTrue();
        assertThat(second.reason()).isEqualTo(Optional.of(Atom.of("bye")));
        RunningServer third = counter();
        erl.expect("sys:terminate(" + server + ", {shutdown, x})", "ok");
        assertThat(third.awaitEnd(SOON)).isTrue();
        assertThat(third.reason().map(Term::toString)).isEqualTo(Optional.of("{shutdown,x}"));
        counter();
        erl.expect("gen_server:call(" + server + ", stop)", "stopping");
    }

    @Test
    void suspend_byErlang_holdsMessagesBackUntilResume() throws Exception {
        counter();
        erl.expect("sys:suspend(" + server + ")", "ok");
        erl.expect("gen_server:cast(" + server + ", more), sys:get_state(" + server + ")", "0");
        erl.expect("{status, _, _, [_, S, _, _, _]} = sys:get_status(" + server + "), S", "suspended");
        expectReason("gen_server:call(" + server + ", next, 100)", "timeout");
        erl.expect("sys:resume(" + server + ")", "ok");
        erl.expect("gen_server:call(" + server + ", next)", "102");
    }

    @Test
    void status_ofAServer_hasTheFormOfErlangs() throws Exception {
        counter();
        erl.expect(
                "{status, P, {module, gen_server}, [[{'$initial_call', {_, init, 1}}, {'$ancestors', []}], running, P, [],"
                        + "[{header, H}, {data, _}, {data, [{\"State\", S}]}]]} = sys:get_status(" + server
                        + "), {H, S}",
                "{\"Status for generic server counter\",0}");
    }

    @Test
    void replaceStateAndTrace_areRefusedClearly() throws Exception {
        counter();
        erl.expect(
                "try sys:replace_state(" + server + ", fun(S) -> S end) catch _:{unsupported, What, _} -> What end",
                "replace_state");
        erl.expect("sys:trace(" + server + ", true)", "{error,{unknown_system_msg,{debug,{trace,true}}}}");
        erl.expect("gen_server:call(" + server + ", next)", "1");
    }

    @Test
    void timeout_withoutAMessage_isHandledOnce() throws Exception {
        counter();
        erl.expect(server + " ! {wait, 1}, ok", "ok");
        erl.await("sys:get_state(" + server + ") =:= 5000");
    }

    @Test
    void exit_ofTheParent_endsTheServerWhateverTheReason() throws Exception {
        RunningServer running;
        try (Mailbox parent = java.mailbox()) {
            running = GenServer.start(
                    java, new Counter(), ServerOptions.DEFAULT.parent(parent).trapExits(true));
        }
        assertThat(running.awaitEnd(SOON)).isTrue();
        assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("normal")));
    }

    @Test
    void exit_ofALinkedErlangProcess_endsAServerThatDoesNotTrap() throws Exception {
        RunningServer running = counter();
        erl.expect(
                "P = gen_server:call(" + server + ", next), spawn(fun() ->" + "link(element(2, sys:get_status(" + server
                        + "))), exit(broken) end), P",
                "1");
        assertThat(running.awaitEnd(SOON)).isTrue();
        assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("broken")));
    }

    @Test
    void kill_byErlang_endsTheServer() throws Exception {
        RunningServer running = counter();
        erl.expect(
                "P = element(2, sys:get_status(" + server + ")), M = monitor(process, P), exit(P, kill),"
                        + "receive {'DOWN', M, process, P, R} -> R after 9000 -> none end",
                "killed");
        assertThat(running.awaitEnd(SOON)).isTrue();
    }

    @Test
    void call_withAMalformedCaller_isAnInfoAndHarmsNobody() throws Exception {
        counter();
        erl.expect(server + " ! {'$gen_call', nonsense, next}, " + server + " ! {system, 7, get_state}, ok", "ok");
        erl.await("sys:get_state(" + server + ") =:= 2000");
    }
}
