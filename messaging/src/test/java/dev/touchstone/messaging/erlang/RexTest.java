package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The requests of Erlang's {@code rpc} module, {@code erlang:spawn_request} and the program {@code erl_call} to our {@code rex}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RexTest {
    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch held = new CountDownLatch(1);
    private ErlangNode erl;
    private Node java;
    private String node;

    @BeforeEach
    void open() throws IOException {
        erl = lab.erl();
        java = lab.java();
        node = ErlangLab.quoted(java.name());
        java.handler(
                "maths",
                "add",
                arguments -> Int.of(((Int) arguments.get(0)).value() + ((Int) arguments.get(1)).value()));
        java.handler("maths", "fail", arguments -> {
            throw new IllegalStateException("on purpose");
        });
        java.handler("maths", "tell", arguments -> {
            told.countDown();
            return Atom.of("ok");
        });
        java.handler("maths", "hold", arguments -> {
            held.await();
            return Atom.of("ok");
        });
    }

    @AfterEach
    void close() {
        held.countDown();
        java.close();
    }

    @Test
    void rpc_blockCall_isAnswered() {
        erl.expect("rpc:block_call(" + node + ", maths, add, [40, 2], 9000)", "42");
        erl.expect("[rpc:block_call(" + node + ", maths, add, [N, 1]) || N <- [1, 2, 3]]", "[2,3,4]");
        erl.expect("rpc:block_call(" + node + ", maths, none, [7])", "{badrpc,{'EXIT',{undef,[{maths,none,[7],[]}]}}}");
    }

    @Test
    void rpc_cast_callsTheFunction() throws Exception {
        erl.expect("rpc:cast(" + node + ", maths, tell, [])", "true");
        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void rpc_otherFunctions_work() throws Exception {
        erl.expect("rpc:multicall([" + node + "], maths, add, [1, 2], 9000)", "{[3],[]}");
        erl.expect("K = rpc:async_call(" + node + ", maths, add, [1, 3]), rpc:yield(K)", "4");
        try (Mailbox named = java.mailbox("named")) {
            erl.expect("{[" + node + "], []} =:= rpc:sbcast([" + node + "], named, hello)", "true");
            assertThat(Waits.next(named)).isEqualTo(Atom.of("hello"));
            erl.expect("rpc:abcast([" + node + "], named, hello)", "abcast");
            assertThat(Waits.next(named)).isEqualTo(Atom.of("hello"));
        }
        erl.expect("{[], [" + node + "]} =:= rpc:sbcast([" + node + "], nobody, hello)", "true");
    }

    @Test
    void rex_unknownRequest_isAnError() {
        erl.expect("gen_server:call({rex, " + node + "}, dance, 9000)", "{badrpc,{unknown_request,dance}}");
        erl.expect("gen_server:call({net_kernel, " + node + "}, dance, 9000)", "{error,{unknown_request,dance}}");
        erl.expect("{rex, " + node + "} ! {self(), {call, maths, add, [1, 4], user}}, lab:next(9000)", "{rex,5}");
    }

    @Test
    void spawnRequest_ofAHandler_tellsPidAndEnd() {
        erl.expect(
                "R = erlang:spawn_request(" + node + ", maths, add, [1, 2], [monitor]), "
                        + "P = receive {spawn_reply, R, ok, Pid} -> Pid after 9000 -> timeout end, "
                        + "receive {'DOWN', R, process, P, Reason} -> Reason after 9000 -> timeout end",
                "normal");
        erl.expect(
                "R = erlang:spawn_request(" + node
                        + ", maths, fail, [], [monitor, {reply, error_only}, {priority, high}]), "
                        + "receive {'DOWN', R, process, _, {Text, [{maths, fail, 0, []}]}} -> Text after 9000 -> timeout end",
                "<<\"on purpose\">>");
        erl.expect("R = erlang:spawn_request(" + node + ", maths, tell, [], [{reply, no}]), is_reference(R)", "true");
        erl.expect("lab:next(50)", "timeout");
    }

    @Test
    void spawnLink_ofAHandler_isLinked() throws Exception {
        erl.expect(
                "R = erlang:spawn_request(" + node + ", maths, hold, [], [link]), "
                        + "P = receive {spawn_reply, R, ok, Pid} -> Pid after 9000 -> timeout end, put(held, P), "
                        + "lists:member(P, element(2, process_info(self(), links)))",
                "true");
        held.countDown();
        erl.expect("P = get(held), receive {'EXIT', P, Reason} -> Reason after 9000 -> timeout end", "normal");
        erl.expect(
                "P2 = spawn_link(" + node + ", maths, fail, []), "
                        + "receive {'EXIT', P2, {Why, _}} -> Why after 9000 -> timeout end",
                "<<\"on purpose\">>");
    }

    @Test
    void spawnedProcess_killed_ends() {
        erl.expect(
                "{P, R} = spawn_monitor(" + node + ", maths, hold, []), exit(P, kill), "
                        + "receive {'DOWN', R, process, P, Reason} -> Reason after 9000 -> timeout end",
                "killed");
        erl.expect(
                "{P3, R3} = spawn_monitor(" + node + ", maths, hold, []), demonitor(R3), "
                        + "M = monitor(process, P3), exit(P3, kill), receive {'DOWN', M, _, _, Why} -> Why after 9000 -> timeout end",
                "killed");
    }

    @Test
    void spawn_ofAnUnregisteredFunction_isRefusedAndNeverHangs() {
        erl.expect(
                "R = erlang:spawn_request(" + node + ", lists, reverse, [[]], []), "
                        + "receive {spawn_reply, R, error, Why} -> Why after 9000 -> timeout end",
                "notsup");
        erl.expect(
                "R = erlang:spawn_request(" + node
                        + ", maths, add, [1], [monitor]), " // another arity would be a handler too
                        + "receive {spawn_reply, R, ok, _} -> ok after 9000 -> timeout end",
                "ok");
        erl.expect("lab:next(9000) =/= timeout", "true");
        erl.expect("is_pid(spawn(" + node + ", lists, reverse, [[]]))", "true");
    }

    @Test
    void erpc_abandoned_leavesNothingBehind() {
        int before = java.stats().mailboxes();
        erl.expect("catch erpc:call(" + node + ", maths, hold, [], 100), ok", "ok");
        held.countDown();
        Waits.until("the process has ended", () -> java.stats().mailboxes() == before);
        erl.expect("lab:next(50)", "timeout");
    }

    private String erlCall(String... arguments) throws IOException, InterruptedException {
        String program = ErlangInstall.require("erl_call", "erlang-dev");
        List<String> command = new ArrayList<>(List.of(program, "-c", ErlangNode.COOKIE, "-address"));
        command.add("127.0.0.1:" + java.port());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null"));
        builder.environment().put("HOME", ErlangInstall.codeFolder().toString());
        Process process = builder.start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("erl_call has ended")
                    .isTrue();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void erlCall_ofAHandler_printsTheResult() throws Exception {
        assertThat(erlCall("-a", "maths add [40,2]")).isEqualTo("42");
        assertThat(erlCall("-a", "maths none [1]")).contains("badrpc").contains("undef");
        assertThat(erlCall("-a", "maths tell")).contains("ok");
        assertThat(java.ping(erl.name(), Duration.ofSeconds(20))).isTrue();
    }
}
