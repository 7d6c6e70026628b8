package dev.touchstone.messaging.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GenServerStartTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private Node node;

    /** Answers with the name of its thread, and notes its ends. */
    private static final class Probe extends GenServer {
        private final List<Term> ends = new CopyOnWriteArrayList<>();
        private final CountDownLatch inHandler = new CountDownLatch(1);
        private @Nullable Term refusal;
        private @Nullable RuntimeException failure;

        @Override
        protected void init() {
            if (failure != null) {
                throw failure;
            }
            if (refusal != null) {
                stop(refusal);
            }
        }

        @Override
        protected Term handleCall(Term request, From from) throws Exception {
            if (request.equals(Atom.of("hang"))) {
                inHandler.countDown();
                new CountDownLatch(1).await();
            }
            return Atom.of(Thread.currentThread().getName());
        }

        @Override
        protected void terminate(Term reason) {
            ends.add(reason);
            if (reason.equals(Atom.of("bad"))) {
                throw new IllegalStateException("terminate fails");
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        node = Node.builder("behaviour@localhost")
                .cookie(Cookie.of("secret"))
                .resolver(new dev.touchstone.messaging.epmd.StaticResolver(Map.of()))
                .start();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void start_whoseInitThrows_failsWithTheReasonAndFreesTheName() throws Exception {
        Probe broken = new Probe();
        broken.failure = new IllegalStateException("no disk");
        try (Mailbox parent = node.mailbox()) {
            ServerOptions options = ServerOptions.DEFAULT.name("probe").parent(parent);
            assertThatThrownBy(() -> GenServer.start(node, broken, options))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("no disk")
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThat(broken.ends).isEmpty();
            assertThat(node.whereis("probe")).isNull();
            assertThat(parent.receive(Duration.ofMillis(50))).isNull();
            assertThat(GenServer.start(node, new Probe(), options).isAlive()).isTrue();
        }
    }

    @Test
    void start_whoseInitStops_failsWithThatReason() {
        Probe refusing = new Probe();
        refusing.refusal = Atom.of("not_today");
        assertThatThrownBy(() -> GenServer.start(node, refusing))
                .isInstanceOfSatisfying(
                        StartFailedException.class, e -> assertThat(e.reason()).isEqualTo(Atom.of("not_today")));
    }

    @Test
    void start_twiceOrWithATakenName_isRefused() throws Exception {
        Probe probe = new Probe();
        GenServer.start(node, probe, ServerOptions.DEFAULT.name("probe"));
        assertThatThrownBy(() -> GenServer.start(node, probe)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> GenServer.start(node, new Probe(), ServerOptions.DEFAULT.name("probe")))
                .isInstanceOf(MessagingException.NameTaken.class);
    }

    @Test
    void start_withABrokenThreadFactory_closesTheMailbox() {
        ServerOptions options = ServerOptions.DEFAULT.name("probe").threads(work -> {
            throw new IllegalStateException("no threads");
        });
        assertThatThrownBy(() -> GenServer.start(node, new Probe(), options)).hasMessage("no threads");
        assertThat(node.whereis("probe")).isNull();
    }

    @Test
    void end_whereTerminateThrows_isAnEndAllTheSame() throws Exception {
        Probe probe = new Probe();
        try (Mailbox parent = node.mailbox()) {
            RunningServer running = GenServer.start(node, probe, ServerOptions.DEFAULT.parent(parent));
            assertThat(running.stop(Atom.of("bad"), SOON)).isTrue();
            assertThat(parent.receive(SOON)).isEqualTo(Tuple.of(Atom.of("EXIT"), running.pid(), Atom.of("bad")));
            assertThat(probe.ends).containsExactly(Atom.of("bad"));
        }
    }

    @Test
    void close_ofTheNode_terminatesItsServers() throws Exception {
        Probe probe = new Probe();
        RunningServer running = GenServer.start(node, probe);
        node.close();
        assertThat(running.awaitEnd(SOON)).isTrue();
        assertThat(probe.ends).containsExactly(Atom.of("shutdown"));
        assertThat(running.stop(SOON)).isTrue();
    }

    @Test
    void kill_duringAHandler_interruptsItAndTerminates() throws Exception {
        Probe probe = new Probe();
        RunningServer running = GenServer.start(node, probe);
        try (Mailbox asking = node.mailbox()) {
            asking.send(
                    running.pid(),
                    Tuple.of(Atom.of("$gen_call"), Tuple.of(asking.pid(), asking.newRef()), Atom.of("hang")));
            probe.inHandler.await();
            running.kill();
            assertThat(running.awaitEnd(SOON)).isTrue();
            assertThat(probe.ends).containsExactly(Atom.of("shutdown"));
            assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("shutdown")));
        }
    }

    @Test
    void cast_byJava_isHandled() throws Exception {
        CountDownLatch came = new CountDownLatch(2);
        GenServer server = new GenServer() {
            @Override
            protected Term handleCall(Term request, From from) {
                return request;
            }

            @Override
            protected void handleCast(Term request) {
                came.countDown();
            }
        };
        RunningServer running = GenServer.start(node, server, ServerOptions.DEFAULT.name("named"));
        try (Mailbox asking = node.mailbox()) {
            GenServer.cast(asking, running.pid(), Int.of(1));
            GenServer.cast(asking, "named", node.name(), Int.of(2));
            came.await();
        }
    }

    @Test
    void start_onVirtualThreads_servesThousandsOfServers() throws Exception {
        ThreadFactory found = virtualThreads();
        assumeThat(found).as("virtual threads, of JDK 21").isNotNull();
        ThreadFactory virtual = Objects.requireNonNull(found);
        try (Mailbox asking = node.mailbox()) {
            Pid last = asking.pid();
            for (int i = 0; i < 2000; i++) {
                last = GenServer.start(node, new Probe(), ServerOptions.DEFAULT.threads(virtual))
                        .pid();
            }
            assertThat(asking.call(last, Atom.of("who"), SOON)).isInstanceOf(Atom.class);
        }
    }

    private static @Nullable ThreadFactory virtualThreads() throws ReflectiveOperationException {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (NoSuchMethodException olderJdk) {
            return null;
        }
    }
}
