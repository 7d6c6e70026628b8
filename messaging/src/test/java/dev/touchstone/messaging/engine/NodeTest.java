package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Nodes nodes;
    private Node a;
    private LocalNode b;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        a = nodes.start("a");
        b = nodes.start("b");
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        nodes.close();
    }

    @Test
    void send_toARegisteredNameAndBackToItsPid_arrives() throws Exception {
        Mailbox server = a.mailbox("server");
        Mailbox client = b.mailbox();
        client.send("server", a.name(), Tuple.of(client.pid(), Binary.of("hello")));
        Tuple request = (Tuple) requireNonNull(server.receive(LONG));
        server.send((Pid) request.get(0), request.get(1));
        assertThat(client.receive(LONG)).isEqualTo(Binary.of("hello"));
        assertThat(a.connected()).containsExactly(b.name());
        assertThat(b.connected()).containsExactly(a.name());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void send_leftForLaterByAReceiverThatDoesNotComeBack_arrives(boolean othersWait) throws Exception {
        if (othersWait) { // one leads then, and blocks
            Future<?> unused = threads.submit(() -> b.mailbox().receive(LONG));
        }
        Mailbox from = a.mailbox();
        LocalMailbox to = b.mailbox();
        for (int i = 0; i < 200; i++) {
            from.send(to.pid(), Int.of(i));
            from.send(to.pid(), Int.of(i));
            assertThat(to.receive(LONG)).isEqualTo(Int.of(i));
            Nodes.await("another message is there", () -> !to.inbox().isEmpty());
            to.send(from.pid(), Int.of(i)); // nothing else comes from this mailbox
            assertThat(from.receive(LONG)).isEqualTo(Int.of(i));
            assertThat(to.receive(LONG)).isEqualTo(Int.of(i));
        }
    }

    @Test
    void send_withinANode_arrivesInOrder() throws Exception {
        Mailbox from = a.mailbox();
        Mailbox to = a.mailbox();
        for (int i = 0; i < 1000; i++) {
            from.send(to.pid(), Int.of(i));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(to.receive(Duration.ZERO)).isEqualTo(Int.of(i));
        }
        assertThat(to.receive(Duration.ZERO)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 60_000})
    void echo_byManyClientsAtOnce_losesNothing(int spinNanos) throws Exception {
        Node serving = nodes.start(nodes.builder("s").spin(Duration.ofNanos(spinNanos)));
        Node asking = nodes.start(nodes.builder("c").spin(Duration.ofNanos(spinNanos)));
        Mailbox server = serving.mailbox("echo");
        Future<?> serves = threads.submit(() -> {
            for (; ; ) {
                Tuple request = (Tuple) server.receive();
                server.send((Pid) request.get(0), request.get(1));
            }
        });
        List<Future<?>> clients = new ArrayList<>();
        for (int c = 0; c < 8; c++) {
            clients.add(threads.submit(() -> {
                Mailbox client = asking.mailbox();
                for (int i = 0; i < 2000; i++) {
                    client.send("echo", serving.name(), Tuple.of(client.pid(), Int.of(i)));
                    assertThat(client.receive(LONG)).isEqualTo(Int.of(i));
                }
                return null;
            }));
        }
        for (Future<?> client : clients) {
            client.get(50, TimeUnit.SECONDS);
        }
        assertThat(serves.isDone()).isFalse();
    }

    @Test
    void send_ofLargeMessagesBothWays_arrivesWhole() throws Exception {
        byte[] large = new byte[8 << 20];
        large[large.length - 1] = 1;
        Mailbox here = a.mailbox("here");
        Mailbox there = b.mailbox("there");
        Future<?> echo = threads.submit(() -> {
            there.send("here", a.name(), there.receive());
            return null;
        });
        here.send("there", b.name(), Binary.of(large));
        assertThat(((Binary) requireNonNull(here.receive(LONG))).toByteArray()).isEqualTo(large);
        echo.get(20, TimeUnit.SECONDS);
    }

    @Test
    void receive_selective_leavesTheOthersInOrder() throws Exception {
        Mailbox box = a.mailbox();
        for (int i = 0; i < 10; i++) {
            box.send(box.pid(), Int.of(i));
        }
        assertThat(box.receive(term -> term.equals(Int.of(7)), LONG)).isEqualTo(Int.of(7));
        assertThat(box.receive(term -> term.equals(Int.of(70)), Duration.ZERO)).isNull();
        for (int i : new int[] {0, 1, 2, 3, 4, 5, 6, 8, 9}) {
            assertThat(box.receive(LONG)).isEqualTo(Int.of(i));
        }
    }

    @Test
    void monitor_ofANameThatIsNotThere_isAnsweredWithNoproc() throws Exception {
        Mailbox box = a.mailbox();
        Ref monitor = box.monitor("nobody", b.name());
        assertThat(box.receive(LONG))
                .isEqualTo(down(monitor, Tuple.of(Atom.of("nobody"), b.name().atom()), "noproc"));
    }

    @Test
    void monitor_ofAMailboxThatCloses_tellsItsReason() throws Exception {
        Mailbox watched = b.mailbox("watched");
        Mailbox box = a.mailbox();
        Ref byName = box.monitor("watched", b.name());
        Ref byPid = box.monitor(watched.pid());
        assertThat(a.ping(b.name(), LONG)).isTrue(); // so the monitors are there
        watched.close(Atom.of("done"));
        List<Term> got = List.of(requireNonNull(box.receive(LONG)), requireNonNull(box.receive(LONG)));
        assertThat(got)
                .containsExactlyInAnyOrder(
                        down(byName, Tuple.of(Atom.of("watched"), b.name().atom()), "done"),
                        down(byPid, watched.pid(), "done"));
    }

    private static Term down(Ref monitor, Term what, String reason) {
        return Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), what, Atom.of(reason));
    }

    @Test
    void link_withAMailboxOfANodeThatCloses_tellsNoconnectionAndNodedown() throws Exception {
        Mailbox other = b.mailbox();
        Mailbox box = a.mailbox();
        box.link(other.pid());
        box.monitorNode(b.name());
        Ref monitor = box.monitor(other.pid());
        assertThat(a.ping(b.name(), LONG)).isTrue();
        b.close();
        List<Term> got = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            got.add(requireNonNull(box.receive(LONG)));
        }
        assertThat(got).contains(Tuple.of(Atom.of("nodedown"), b.name().atom()));
        assertThat(got).anyMatch(term -> ((Tuple) term).get(0).equals(Atom.of("EXIT")));
        assertThat(got)
                .anyMatch(term -> ((Tuple) term).get(0).equals(Atom.of("DOWN"))
                        && ((Tuple) term).get(1).equals(monitor));
    }

    @Test
    void call_ofAServerThatReplies_givesTheAnswer() throws Exception {
        Mailbox server = b.mailbox("server");
        Future<?> serving = threads.submit(() -> {
            Tuple call = (Tuple) server.receive();
            server.reply(call.get(1), Tuple.of(Atom.OK, call.get(2)));
            return null;
        });
        Mailbox box = a.mailbox();
        assertThat(box.call("server", b.name(), Int.of(5), LONG)).isEqualTo(Tuple.of(Atom.OK, Int.of(5)));
        serving.get(20, TimeUnit.SECONDS);
        assertThat(box.receive(Duration.ZERO)).isNull();
    }

    @Test
    void call_ofNobodyAndOfOneThatDoesNotAnswer_failsByName() throws Exception {
        Mailbox box = a.mailbox();
        assertThatThrownBy(() -> box.call("nobody", b.name(), Int.of(5), LONG))
                .isInstanceOf(MessagingException.CallFailed.class)
                .hasMessageContaining("noproc");
        b.mailbox("mute");
        assertThatThrownBy(() -> box.call("mute", b.name(), Int.of(5), Duration.ofMillis(50)))
                .isInstanceOf(MessagingException.TimedOut.class);
        assertThat(box.receive(Duration.ZERO)).isNull();
    }

    @Test
    void rpcAndErpc_ofAHandler_giveItsAnswerOrItsError() throws Exception {
        b.handler("lists", "reverse", arguments -> {
            List<Term> reversed = new ArrayList<>(((ErlList) arguments.get(0)).asList());
            java.util.Collections.reverse(reversed);
            return ErlList.of(reversed);
        });
        Mailbox box = a.mailbox();
        List<Term> given = List.of(ErlList.of(Atom.of("x"), Atom.of("y")));
        Term expected = ErlList.of(Atom.of("y"), Atom.of("x"));
        assertThat(box.rpc(b.name(), "lists", "reverse", given, LONG)).isEqualTo(expected);
        assertThat(box.erpc(b.name(), "lists", "reverse", given, LONG)).isEqualTo(expected);
        assertThat(box.rpc(b.name(), "lists", "no", given, LONG).toString())
                .contains("badrpc")
                .contains("undef");
        assertThatThrownBy(() -> box.erpc(b.name(), "lists", "no", given, LONG))
                .isInstanceOf(MessagingException.CallFailed.class)
                .hasMessageContaining("undef");
    }

    @Test
    void connect_withAnotherCookie_isRefused() throws Exception {
        Node stranger = nodes.start(nodes.builder("x").cookie(Cookie.of("other")));
        assertThatThrownBy(() -> stranger.connect(a.name())).isInstanceOf(IOException.class);
        assertThat(a.connected()).isEmpty();
    }

    @Test
    void ping_ofANodeThatIsNotThere_isFalse() throws Exception {
        assertThat(a.ping(NodeName.parse("nobody@localhost"), LONG)).isFalse();
        assertThat(a.ping(b.name(), LONG)).isTrue();
    }

    @Test
    void close_whileAThreadReceives_endsItsWait() throws Exception {
        Mailbox box = a.mailbox();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                box.receive();
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        a.close();
        assertThat(thrown.get(20, TimeUnit.SECONDS)).isInstanceOf(MessagingException.Closed.class);
    }

    @Test
    void mailbox_ofANameThatIsTaken_isRefused() {
        a.mailbox("taken");
        assertThatThrownBy(() -> a.mailbox("taken")).isInstanceOf(MessagingException.NameTaken.class);
    }
}
