package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.NodeResolver;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers to a peer that asks for much and reads nothing, or names callers elsewhere: what others get meanwhile. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswersTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Pid CALLER = ScriptedPeer.pid(1);
    private static final int CALLS = 400;
    private static final int ANSWER_BYTES = 100_000; // 40 MB in all: more than sockets and the water mark hold

    private final Queue<NodeName> resolved = new ConcurrentLinkedQueue<>();
    private Nodes nodes;
    private Node node;
    private Node other;
    private ScriptedPeer peer;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        NodeResolver recording = name -> {
            resolved.add(name);
            throw new IOException("not to be resolved: name=" + name);
        };
        node = nodes.start(nodes.builder("node").resolver(recording));
        other = nodes.start("other");
        peer = ScriptedPeer.dial(node, LocalCapabilities.announced(true));
        node.handler("m", "large", arguments -> Binary.of(new byte[ANSWER_BYTES]));
        node.handler("m", "small", arguments -> Atom.OK);
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        nodes.close();
    }

    private void ask(String name, Pid caller, int number, Term request) throws IOException {
        Tuple call = Tuple.of(Atom.of("$gen_call"), Tuple.of(caller, Int.of(number)), request);
        peer.send(Tuple.of(Int.of(Control.REG_SEND), CALLER, Atom.of(""), Atom.of(name)), call);
    }

    private void call(String kind, String function, int number, Term argument) throws IOException {
        Term request = Tuple.of(Atom.of(kind), Atom.of("m"), Atom.of(function), ErlList.of(argument), CALLER);
        ask("rex", CALLER, number, request);
    }

    private void assertOthersAreServed() throws InterruptedException {
        assertThat(other.ping(node.name(), LONG)).isTrue();
        try (Mailbox client = other.mailbox()) {
            for (int i = 0; i < 40; i++) {
                assertThat(client.rpc(node.name(), "m", "small", List.of(), LONG))
                        .isEqualTo(Atom.OK);
            }
            assertThat(client.erpc(node.name(), "m", "small", List.of(), LONG)).isEqualTo(Atom.OK);
        }
    }

    private void awaitStall() {
        Nodes.await(
                "answers wait",
                () -> node.stats().peers().stream()
                        .anyMatch(each -> each.peer().equals(ScriptedPeer.NAME) && each.pendingBytes() > 0));
    }

    @Test
    void calls_ofAPeerThatDoesNotRead_leaveTheOthersServed() throws Exception {
        for (int i = 0; i < CALLS; i++) {
            call("call", "large", i, Atom.OK);
        }
        awaitStall();
        assertOthersAreServed();
        peer.read();
        Nodes.await(
                "all answers arrive",
                () -> peer.seen().stream()
                                .filter(seen -> seen.payload() != null)
                                .count()
                        == CALLS);
    }

    @Test
    void blockCalls_ofAPeerThatDoesNotRead_leaveThoseOfOthersServed() throws Exception {
        for (int i = 0; i < CALLS; i++) {
            call("block_call", "large", i, Atom.OK);
        }
        awaitStall();
        try (Mailbox client = other.mailbox()) {
            Term request = Tuple.of(Atom.of("block_call"), Atom.of("m"), Atom.of("small"), ErlList.EMPTY, client.pid());
            assertThat(client.call("rex", node.name(), request, LONG)).isEqualTo(Atom.OK);
        }
        assertOthersAreServed();
    }

    /** Results of spawned processes are reasons of their ends, of which a peer that reads is owed no more than it can take. */
    @Test
    void erpc_ofManyLargeResultsAtOnce_isAnsweredOverOneConnection() throws Exception {
        node.handler("m", "mebibyte", arguments -> Binary.of(new byte[1 << 20]));
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Term>> results = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            results.add(threads.submit(() -> {
                try (Mailbox client = other.mailbox()) {
                    return client.erpc(node.name(), "m", "mebibyte", List.of(), Duration.ofSeconds(90));
                }
            }));
        }
        for (Future<Term> result : results) {
            assertThat(((Binary) result.get()).length()).isEqualTo(1 << 20);
        }
        threads.shutdown();
        assertThat(node.stats().recentEnds()).isEmpty();
    }

    @Test
    void pings_withCallersOfAnotherNode_makeNoConnection() throws Exception {
        Term ping = Tuple.of(Atom.of("is_auth"), ScriptedPeer.NAME.atom());
        long before = node.stats().rejected();
        for (String name : List.of("elsewhere@localhost", "nonode")) {
            ask("net_kernel", Pid.of(Atom.of(name), 1, 0, 1), 1, ping);
            ask("rex", Pid.of(Atom.of(name), 1, 0, 1), 2, ping);
        }
        Nodes.await("all are counted", () -> node.stats().rejected() == before + 4);
        assertOthersAreServed();
        assertThat(resolved).isEmpty();
    }

    @Test
    void answer_longerThanMessagesMayBe_isARefusal() throws Exception {
        Node small = nodes.start(nodes.builder("small").maxFrameBytes(1 << 20));
        small.handler("m", "huge", arguments -> Binary.of(new byte[2 << 20]));
        try (Mailbox client = other.mailbox()) {
            assertThat(client.rpc(small.name(), "m", "huge", List.of(), LONG))
                    .hasToString("{badrpc,{'EXIT',system_limit}}");
        }
    }

    /** The calls of one peer are refused once they hold an eighth of the heap, or 256 MiB; calls of others are not. */
    @Test
    void calls_whoseArgumentsHoldTooMuch_areRefused() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        node.handler("m", "hold", arguments -> {
            hold.await();
            return Atom.OK;
        });
        peer.read();
        Term argument = Binary.of(new byte[1 << 20]);
        long most = Math.min(256 << 20, Runtime.getRuntime().maxMemory() >> 3) >> 20;
        for (int i = 0; i < most + 2; i++) {
            call("call", "hold", i, argument);
        }
        ScriptedPeer.Seen refusal = peer.await(
                "a refusal",
                seen -> requireNonNull(seen.payload()).toString().endsWith("{badrpc,{'EXIT',system_limit}}}"));
        assertThat(refusal).isNotNull();
        assertThat(other.ping(node.name(), LONG)).isTrue();
        try (Mailbox client = other.mailbox()) {
            Term call = Tuple.of(Atom.of("call"), Atom.of("m"), Atom.of("small"), ErlList.EMPTY, client.pid());
            client.send("rex", node.name(), Tuple.of(client.pid(), call));
            hold.countDown();
            assertThat(client.receive(LONG)).isEqualTo(Tuple.of(Atom.of("rex"), Atom.OK));
        }
    }
}
