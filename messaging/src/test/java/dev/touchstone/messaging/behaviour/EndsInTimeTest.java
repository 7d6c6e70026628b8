package dev.touchstone.messaging.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MailboxLimits.WhenFull;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.engine.Watchdog;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that do not get on: with full mailboxes, without memory, or with messages that look like signals. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndsInTimeTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int MAX = 10;

    private Node node;

    @BeforeEach
    void start() throws IOException {
        node = Node.builder("ends@localhost")
                .cookie(Cookie.of("secret"))
                .tcp(false)
                .mailboxLimits(new MailboxLimits(MAX, Long.MAX_VALUE, WhenFull.BLOCK))
                .start();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /** Handles nothing until it is let go on. */
    private static final class Stuck extends GenServer {
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final Queue<Term> infos = new ConcurrentLinkedQueue<>();

        @Override
        protected void handleInfo(Term message) {
            infos.add(message);
        }

        @Override
        protected Term handleCall(Term request, From from) {
            return request;
        }

        @Override
        protected void handleCast(Term request) throws Exception {
            goOn.await();
        }
    }

    private void fill(Mailbox from, RunningServer server) {
        Tuple cast = Tuple.of(Atom.of("$gen_cast"), Atom.OK);
        Watchdog.until("full", () -> !from.trySend(server.pid(), cast));
    }

    @Test
    void stop_ofAServerWithAFullMailbox_returnsInTimeAndTellsItLater() throws Exception {
        Stuck stuck = new Stuck();
        RunningServer server = GenServer.start(node, stuck);
        try (Mailbox from = node.mailbox()) {
            fill(from, server);
            assertThat(server.stop(SHORT)).isFalse();
            stuck.goOn.countDown();
            assertThat(server.stop(LONG)).isTrue();
            assertThat(server.reason()).contains(OtpAtoms.NORMAL);
        }
    }

    @Test
    void supervisor_ofAChildWithAFullMailbox_endsItInTime() throws Exception {
        Stuck stuck = new Stuck();
        Supervisor tree = Supervisor.builder(Strategy.ONE_FOR_ONE)
                .child(ChildSpec.worker("stuck", arguments -> stuck).shutdown(SHORT))
                .build();
        RunningServer running = GenServer.start(node, tree);
        try (Mailbox from = node.mailbox()) {
            Watchdog.until("full", () -> !from.trySend(stuck.mailbox().pid(), Tuple.of(Atom.of("$gen_cast"), Atom.OK)));
            assertThat(running.stop(LONG)).isTrue();
            Watchdog.until("the child's mailbox is closed", stuck.mailbox()::isClosed);
        }
    }

    /** Returns a view of an object, one of whose methods first does something else: what that returns, if anything, counts. */
    private static <T> T with(Class<T> type, T of, String method, Supplier<@Nullable Object> first) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
                    Object instead = called.getName().equals(method) ? first.get() : null;
                    try {
                        return instead != null ? instead : called.invoke(of, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void server_whoseMailboxCannotBeClosed_hasEnded() throws Exception {
        try (Mailbox box = node.mailbox();
                Mailbox from = node.mailbox()) {
            Mailbox broken = with(Mailbox.class, box, "close", () -> {
                throw new OutOfMemoryError("a test's");
            });
            RunningServer running = GenServer.start(with(Node.class, node, "mailbox", () -> broken), new Stuck());
            from.exit(box.pid(), OtpAtoms.SHUTDOWN);
            assertThat(running.awaitEnd(LONG)).isTrue();
        }
    }

    @Test
    void server_thatIsSentAMessageLikeAnExit_takesItForAMessage() throws Exception {
        Stuck handling = new Stuck();
        RunningServer server = GenServer.start(node, handling);
        try (Mailbox from = node.mailbox()) {
            Term message = Tuple.of(OtpAtoms.EXIT, from.pid(), Atom.of("crash"));
            from.send(server.pid(), message);
            assertThat(from.call(server.pid(), Atom.OK, LONG)).isEqualTo(Atom.OK);
            assertThat(handling.infos).containsExactly(message);
            from.exit(server.pid(), Atom.of("crash"));
            assertThat(server.awaitEnd(LONG)).isTrue();
            assertThat(server.reason()).contains(Atom.of("crash"));
        }
    }

    @Test
    void discovery_thatMeetsAnError_goesOn() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Node failing = with(Node.class, node, "connected", () -> {
            if (asked.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("a test's");
            }
            return null;
        });
        try (ProcessGroups groups = ProcessGroups.start(failing, "errors")) {
            Watchdog.until("discovery goes on after two errors", () -> asked.get() >= 4);
            assertThat(groups.groups()).isEmpty();
        }
    }

    @Test
    void reason_ofAServerThatIsReceivingWhenItsNodeIsClosed_isShutdown() throws Exception {
        for (int round = 0; round < 100; round++) {
            Node closing = Node.builder("closing@localhost")
                    .cookie(Cookie.of("secret"))
                    .tcp(false)
                    .start();
            RunningServer server = GenServer.start(closing, new Stuck());
            closing.close();
            Watchdog.until("ended", () -> server.reason().isPresent());
            assertThat(server.reason()).contains(OtpAtoms.SHUTDOWN);
        }
    }
}
