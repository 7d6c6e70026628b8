package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.databind.BoundValues;
import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.databind.DatabindException;
import dev.touchstone.messaging.databind.ErlangAtom;
import dev.touchstone.messaging.databind.ErlangMap;
import dev.touchstone.messaging.databind.ErlangRecord;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records and other bound values that are sent to Erlang, received from it, and asked of its servers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordsTest {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Databind<Order> ORDERS = Databind.of(Order.class, LOOKUP);
    private static final Databind<Sum> SUMS = Databind.of(Sum.class, LOOKUP);

    sealed interface Payment permits Cash, Card {}

    @ErlangRecord(tag = "cash")
    record Cash(BigInteger cents) implements Payment {}

    @ErlangMap
    record Card(String number) implements Payment {}

    @ErlangRecord(tag = "order")
    record Order(Pid from, Map<@ErlangAtom String, List<Integer>> items, Payment payment) {}

    @ErlangRecord(tag = "add")
    record Sum(long left, long right) {}

    private record Total(long total) {}

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
        java = lab.java();
    }

    @AfterEach
    void stop() {
        java.close();
    }

    private Pid echo(Mailbox box) throws InterruptedException {
        box.send("lab", erl.name(), box.pid());
        erl.expect(
                "receive Box -> Box ! spawn(fun() -> (fun Loop() -> receive M -> Box ! M, Loop() end end)() end), ok end",
                "ok");
        return (Pid) Waits.next(box);
    }

    @Test
    void send_ofARecord_isTheTermThatErlangMatches() throws Exception {
        try (Mailbox box = java.mailbox()) {
            BigInteger cents = BigInteger.TEN.pow(30);
            box.send("lab", erl.name(), ORDERS, new Order(box.pid(), Map.of("book", List.of(1, 2)), new Cash(cents)));
            erl.expect(
                    "receive {order, P, #{book := [1, 2]} = I, {cash, C}} -> P ! {order, P, I, {'Card', #{number => <<\"7\">>}}}, C end",
                    "1" + "0".repeat(30));
            assertThat(box.receive(ORDERS, SOON))
                    .isEqualTo(new Order(box.pid(), Map.of("book", List.of(1, 2)), new Card("7")));
            box.send("lab", erl.name(), box.pid());
            erl.expect("receive B -> B ! {order, none}, ok end", "ok");
            assertThatThrownBy(() -> box.receive(ORDERS, SOON))
                    .isInstanceOf(DatabindException.class)
                    .hasMessage("Order: expected arity=4 got=2");
            assertThat(box.receive(ORDERS, Duration.ZERO)).isNull();
        }
    }

    @Test
    void everything_throughErlang_comesBackEqual() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Databind<?> everything = BoundValues.everything();
        try (Mailbox box = java.mailbox()) {
            Pid echo = echo(box);
            for (int i = 0; i < 200; i++) {
                Term term = BoundValues.term(random);
                send(box, echo, everything, term);
                assertThat(rebound(everything, Waits.next(box)))
                        .as("-Dseed=" + seed)
                        .isEqualTo(term);
            }
        }
    }

    private static <T> void send(Mailbox box, Pid to, Databind<T> type, Term term) {
        box.send(to, type, type.fromTerm(term));
    }

    private static <T> Term rebound(Databind<T> type, Term term) {
        return type.toTerm(type.fromTerm(term));
    }

    @Test
    void call_withARecord_returnsARecord() throws Exception {
        erl.expect(
                "register(totals, spawn(fun() -> (fun Loop() -> receive {'$gen_call', F, {add, A, B}} ->"
                        + "gen_server:reply(F, {A + B}), Loop() end end)() end))",
                "true");
        try (Mailbox box = java.mailbox()) {
            Databind<Total> totals = Databind.of(Total.class, LOOKUP);
            assertThat(box.call("totals", erl.name(), SUMS, new Sum(40, 2), totals, SOON))
                    .isEqualTo(new Total(42));
            assertThatThrownBy(() -> box.call("totals", erl.name(), SUMS, new Sum(1, 2), SUMS, SOON))
                    .isInstanceOf(DatabindException.class);
        }
    }

    @Test
    void send_toAMailboxOfThisNode_isTheSame() throws Exception {
        try (Mailbox box = java.mailbox("here")) {
            Order order = new Order(box.pid(), Map.of(), new Cash(BigInteger.ONE));
            box.send(box.pid(), ORDERS, order);
            box.send("here", java.name(), ORDERS, order);
            assertThat(box.receive(ORDERS, SOON)).isEqualTo(order);
            assertThat(box.receive(ORDERS, SOON)).isEqualTo(order);
            box.send(box.pid(), Tuple.of(Atom.of("order")));
            assertThatThrownBy(() -> box.receive(ORDERS, SOON)).isInstanceOf(DatabindException.class);
        }
    }
}
