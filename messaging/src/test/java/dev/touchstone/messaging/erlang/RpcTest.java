package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code rpc} and {@code erpc}, both ways. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpcTest {
    private static final Duration SOON = Duration.ofSeconds(10);

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
        box = java.mailbox();
        node = ErlangLab.quoted(java.name());
        java.handler("maths", "add", arguments -> Int.of(value(arguments, 0) + value(arguments, 1)));
        java.handler("maths", "fail", arguments -> {
            throw new IllegalStateException("on purpose");
        });
    }

    @AfterEach
    void close() {
        java.close();
    }

    private static long value(List<Term> arguments, int at) {
        return ((Int) arguments.get(at)).value();
    }

    @Test
    void rpc_toErlang_returnsTheResult() throws InterruptedException {
        List<Term> list = List.of(ErlList.of(Int.of(1), Int.of(2), Int.of(3)));
        assertThat(box.rpc(erl.name(), "lists", "reverse", list, SOON))
                .isEqualTo(ErlList.of(Int.of(3), Int.of(2), Int.of(1)));
        assertThat(box.rpc(erl.name(), "erlang", "node", List.of(), SOON))
                .isEqualTo(Atom.of(erl.name().toString()));
    }

    @Test
    void erpc_toErlang_returnsTheResult() throws InterruptedException {
        List<Term> list = List.of(ErlList.of(Int.of(1), Int.of(2), Int.of(3)));
        assertThat(box.erpc(erl.name(), "lists", "reverse", list, SOON))
                .isEqualTo(ErlList.of(Int.of(3), Int.of(2), Int.of(1)));
    }

    @Test
    void erpc_ofAFunctionThatRaises_saysWhat() {
        assertThatThrownBy(() -> box.erpc(erl.name(), "erlang", "error", List.of(Atom.of("boom")), SOON))
                .hasMessageContaining("boom");
        assertThatThrownBy(() -> box.erpc(erl.name(), "no_such_module", "f", List.of(), SOON))
                .hasMessageContaining("undef");
    }

    @Test
    void rpc_byErlang_isAnsweredByTheHandler() {
        erl.expect("rpc:call(" + node + ", maths, add, [40, 2])", "42");
        erl.expect("rpc:call(" + node + ", maths, add, [40, 2], 5000)", "42");
        erl.expect("lists:sum([rpc:call(" + node + ", maths, add, [N, 1]) || N <- lists:seq(1, 50)])", "1325");
    }

    @Test
    void erpc_byErlang_isAnsweredByTheHandler() {
        erl.expect("erpc:call(" + node + ", maths, add, [40, 2])", "42");
        erl.expect("erpc:call(" + node + ", maths, add, [40, 2], 5000)", "42");
        erl.expect("R = erpc:send_request(" + node + ", maths, add, [1, 2]), erpc:receive_response(R, 5000)", "3");
        erl.expect("lab:next(0)", "timeout");
    }

    @Test
    void rpc_byErlangOfAnUnknownFunction_isBadrpc() {
        erl.expect("element(1, rpc:call(" + node + ", maths, nothing, []))", "badrpc");
    }

    @Test
    void erpc_byErlangOfAnUnknownFunction_isAnError() {
        erl.expect(
                "try erpc:call(" + node + ", maths, nothing, [], 5000) catch error:R -> element(1, R) end =/= timeout",
                "true");
        erl.expect("try erpc:call(" + node + ", maths, nothing, [], 5000) catch C:_ -> C end", "error");
    }

    @Test
    void rpc_byErlangOfAHandlerThatThrows_isBadrpc() {
        erl.expect("element(1, rpc:call(" + node + ", maths, fail, []))", "badrpc");
        erl.expect("rpc:call(" + node + ", maths, add, [1, 1])", "2");
    }

    @Test
    void erpc_byErlangOfAHandlerThatThrows_isAnExceptionAtOnce() {
        erl.expect(
                "try erpc:call(" + node + ", maths, fail, [], 5000) catch "
                        + "error:{erpc, timeout} -> timeout; _:_ -> raised end",
                "raised");
    }

    @Test
    void spawn_onOurNode_isRefused() {
        erl.expect(
                "R = erlang:spawn_request(" + node + ", lists, reverse, [[]], []), "
                        + "receive {spawn_reply, R, error, _} -> refused after 9000 -> timeout end",
                "refused");
    }
}
