package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests to {@code rex} and {@code net_kernel} in the forms that C nodes and old nodes send. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SystemProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Atom REX = Atom.of("rex");
    private static final Atom USER = Atom.of("user"); // the group leader that ei_rpc names
    private static final Atom MATHS = Atom.of("maths");

    private Nodes nodes;
    private Node server;
    private Mailbox client;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        server = nodes.start("server");
        client = nodes.start("client").mailbox();
        server.handler("maths", "add", arguments -> Int.of(value(arguments, 0) + value(arguments, 1)));
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private static long value(List<Term> arguments, int at) {
        return ((Int) arguments.get(at)).value();
    }

    private static Tuple add(String kind, Term group) {
        return Tuple.of(Atom.of(kind), MATHS, Atom.of("add"), ErlList.of(Int.of(40), Int.of(2)), group);
    }

    /** Sends {@code {From, Request}} to a name, and returns the next message. */
    private Term ask(String name, Term request) throws InterruptedException {
        client.send(name, server.name(), Tuple.of(client.pid(), request));
        return next();
    }

    private Term next() throws InterruptedException {
        return requireNonNull(client.receive(LONG), "no answer");
    }

    @Test
    void rex_oldStyleCall_isAnsweredToItsSender() throws Exception {
        assertThat(ask("rex", add("call", USER))).isEqualTo(Tuple.of(REX, Int.of(42)));
        assertThat(ask("rex", add("call", client.pid()))).isEqualTo(Tuple.of(REX, Int.of(42)));
        assertThat(ask("rex", add("block_call", USER))).isEqualTo(Tuple.of(REX, Int.of(42)));
        assertThat(ask("rex", add("nonblocking_call", USER))).isEqualTo(Tuple.of(REX, Int.of(42)));
    }

    @Test
    void rex_oldStyleCallOfAnUnknownFunction_isUndef() throws Exception {
        Term answer = ask("rex", Tuple.of(Atom.of("call"), MATHS, Atom.of("none"), ErlList.EMPTY, USER));
        assertThat(answer).hasToString("{rex,{badrpc,{'EXIT',{undef,[{maths,none,[],[]}]}}}}");
        Term noList = ask("rex", Tuple.of(Atom.of("call"), MATHS, Atom.of("add"), USER, USER));
        assertThat(noList).hasToString("{rex,{badrpc,{'EXIT',{badarg,[{maths,add,user,[]}]}}}}");
    }

    @Test
    void rex_handlerThatThrowsAnError_isAnswered() throws Exception {
        server.handler("maths", "overflow", arguments -> {
            throw new StackOverflowError("on purpose");
        });
        Term answer = ask("rex", Tuple.of(Atom.of("call"), MATHS, Atom.of("overflow"), ErlList.EMPTY, USER));
        assertThat(answer.toString()).startsWith("{rex,{badrpc,{'EXIT',{<<").endsWith("[{maths,overflow,0,[]}]}}}}");
    }

    @Test
    void rex_casts_callTheFunctionAndAreNotAnswered() throws Exception {
        CountDownLatch called = new CountDownLatch(2);
        server.handler("maths", "tell", arguments -> {
            called.countDown();
            return Atom.of("ok");
        });
        Term cast = Tuple.of(Atom.of("cast"), MATHS, Atom.of("tell"), ErlList.EMPTY, USER);
        client.send("rex", server.name(), Tuple.of(client.pid(), cast));
        client.send("rex", server.name(), Tuple.of(Atom.of("$gen_cast"), cast));
        called.await();
        assertThat(ask("rex", add("call", USER))).as("the first message").isEqualTo(Tuple.of(REX, Int.of(42)));
    }

    @Test
    void rex_blockCalls_runOneAfterTheOtherInTheirOrder() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        server.handler("maths", "slowly", arguments -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            for (int i = 0; i < 1000; i++) {
                Thread.yield();
            }
            running.decrementAndGet();
            return arguments.get(0);
        });
        int calls = 200;
        for (int i = 0; i < calls; i++) {
            Term call = Tuple.of(Atom.of("block_call"), MATHS, Atom.of("slowly"), ErlList.of(Int.of(i)), USER);
            client.send("rex", server.name(), Tuple.of(client.pid(), call));
        }
        for (int i = 0; i < calls; i++) {
            assertThat(next()).isEqualTo(Tuple.of(REX, Int.of(i)));
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void rex_broadcasts_reachTheNameAndTellWhereThereIsNone() throws Exception {
        Mailbox named = server.mailbox("named");
        Atom hello = Atom.of("hello");
        Term self = server.name().atom();
        assertThat(ask("rex", Tuple.of(Atom.of("sbcast"), Atom.of("named"), hello)))
                .isEqualTo(Tuple.of(REX, self, self));
        assertThat(named.receive(LONG)).isEqualTo(hello);
        client.send("rex", server.name(), Tuple.of(client.pid(), Tuple.of(Atom.of("send"), Atom.of("named"), hello)));
        assertThat(named.receive(LONG)).isEqualTo(Tuple.of(client.pid(), hello));
        Term missing = Tuple.of(REX, self, Tuple.of(Atom.of("nonexisting_name"), Atom.of("nobody")));
        assertThat(ask("rex", Tuple.of(Atom.of("sbcast"), Atom.of("nobody"), hello)))
                .isEqualTo(missing);
        assertThat(ask("rex", Tuple.of(Atom.of("send"), Atom.of("nobody"), hello)))
                .isEqualTo(missing);
    }

    @Test
    void rex_featuresRequest_isAnsweredAsErlangDoes() throws Exception {
        assertThat(ask("rex", Atom.of("features_request")))
                .isEqualTo(Tuple.of(Atom.of("features_reply"), server.name().atom(), ErlList.of(Atom.of("erpc"))));
    }

    @Test
    void requests_unknown_areAnsweredWithAnError() throws Exception {
        Term unknown = Tuple.of(Atom.of("dance"), Int.of(1));
        assertThat(ask("rex", unknown)).hasToString("{rex,{badrpc,{unknown_request,dance}}}");
        assertThat(client.call("rex", server.name(), unknown, LONG)).hasToString("{badrpc,{unknown_request,dance}}");
        assertThat(client.call("net_kernel", server.name(), unknown, LONG))
                .hasToString("{error,{unknown_request,dance}}");
        assertThat(client.call("net_kernel", server.name(), Int.of(1), LONG))
                .hasToString("{error,{unknown_request,undefined}}");
    }

    @Test
    void requests_withoutASender_areCounted() throws Exception {
        for (Term message : List.of(
                Atom.of("hello"),
                Tuple.of(Atom.of("$gen_call"), Atom.of("nobody"), Atom.of("hello")),
                Tuple.of(Atom.of("$gen_cast"), Atom.of("hello")),
                Tuple.of(Atom.of("nobody"), Atom.of("hello")))) {
            long before = server.stats().rejected();
            client.send("rex", server.name(), message);
            Nodes.await("it is counted", () -> server.stats().rejected() == before + 1);
        }
    }

    @Test
    void calls_moreThanCanWait_areAnsweredWithSystemLimit() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        server.handler("maths", "hold", arguments -> {
            hold.await();
            return Atom.of("ok");
        });
        Term call = Tuple.of(Atom.of("call"), MATHS, Atom.of("hold"), ErlList.EMPTY, USER);
        int calls = 16 + 10_000 + 50;
        for (int i = 0; i < calls; i++) {
            client.send("rex", server.name(), Tuple.of(client.pid(), call));
        }
        Term refused = next();
        assertThat(refused).hasToString("{rex,{badrpc,{'EXIT',system_limit}}}");
        hold.countDown();
        int answered = 1;
        for (; answered < calls; answered++) {
            assertThat(next()).isIn(refused, Tuple.of(REX, Atom.of("ok")));
        }
    }

    @Test
    void handler_whoseFailureCannotBeDescribed_isAnswered() throws Exception {
        server.handler("maths", "fail", arguments -> {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1;

                @Override
                public String getMessage() {
                    throw new OutOfMemoryError("of the test");
                }
            };
        });
        Term answer = ask("rex", Tuple.of(Atom.of("call"), MATHS, Atom.of("fail"), ErlList.EMPTY, USER));
        assertThat(answer).asString().startsWith("{rex,{badrpc,{'EXIT',{<<\"failure that cannot be described\">>");
    }
}
