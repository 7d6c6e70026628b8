package dev.touchstone.messaging.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children that do not start, do not end, or end again and again. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorFailureTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private Node node;
    private Mailbox asking;

    private class Noting extends GenServer {
        private final String name;

        Noting(String name) {
            this.name = name;
        }

        @Override
        protected void init() {
            events.add("start " + name);
        }

        @Override
        protected Term handleCall(Term request, From from) throws Exception {
            if (request.equals(Atom.of("hang"))) {
                from.reply(Atom.OK);
                new CountDownLatch(1).await();
            }
            throw new IllegalStateException("crash");
        }

        @Override
        protected void terminate(Term reason) {
            events.add("end " + name + " " + reason);
        }
    }

    @BeforeEach
    void start() throws IOException {
        node = Node.builder("supervised@localhost")
                .cookie(Cookie.of("secret"))
                .resolver(new StaticResolver(Map.of()))
                .start();
        asking = node.mailbox();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private ChildSpec noting(String name) {
        return ChildSpec.worker(name, none -> new Noting(name));
    }

    private Pid child(RunningServer supervisor, int index) throws InterruptedException {
        ErlList children = (ErlList) asking.call(supervisor.pid(), Atom.of("which_children"), SOON);
        return (Pid) ((Tuple) children.get(index)).get(1);
    }

    @Test
    void start_withAChildThatFails_endsThoseBeforeIt() {
        Supervisor supervisor = Supervisor.builder(Strategy.ONE_FOR_ONE)
                .child(noting("a"))
                .child(noting("b"))
                .child(ChildSpec.worker("bad", none -> {
                    throw new IOException("no such file");
                }))
                .build();
        assertThatThrownBy(() -> GenServer.start(node, supervisor))
                .isInstanceOfSatisfying(
                        StartFailedException.class,
                        e -> assertThat(e.reason())
                                .hasToString("{shutdown,{failed_to_start_child,bad,"
                                        + "{<<\"java.io.IOException: no such file\">>,[]}}}"));
        assertThat(events).containsExactly("start a", "start b", "end b shutdown", "end a shutdown");
    }

    @Test
    void stop_endsChildrenLastFirst() throws Exception {
        RunningServer running = GenServer.start(
                node,
                Supervisor.builder(Strategy.ONE_FOR_ONE)
                        .child(noting("a"))
                        .child(noting("b"))
                        .build());
        assertThat(running.stop(SOON)).isTrue();
        assertThat(events).containsExactly("start a", "start b", "end b shutdown", "end a shutdown");
    }

    @Test
    void terminate_ofAChildThatHangs_killsItAfterItsTime() throws Exception {
        for (Duration shutdown : List.of(Duration.ofMillis(50), Duration.ZERO)) {
            RunningServer running = GenServer.start(
                    node,
                    Supervisor.builder(Strategy.ONE_FOR_ONE)
                            .child(noting("a").shutdown(shutdown))
                            .build());
            Pid hanging = child(running, 0);
            assertThat(asking.call(hanging, Atom.of("hang"), SOON)).isEqualTo(Atom.OK);
            asking.monitor(hanging);
            Term request = Tuple.of(Atom.of("terminate_child"), Atom.of("a"));
            assertThat(asking.call(running.pid(), request, SOON)).isEqualTo(Atom.OK);
            assertThat(asking.receive(SOON))
                    .isInstanceOfSatisfying(
                            Tuple.class, down -> assertThat(down.get(4)).isEqualTo(Atom.of("killed")));
            assertThat(running.stop(SOON)).isTrue();
        }
    }

    @Test
    void restart_thatFails_isTriedUntilTheIntensityIsExceeded() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        for (Strategy strategy : Strategy.values()) {
            starts.set(0);
            ChildSpec once = ChildSpec.worker("once", none -> {
                if (starts.incrementAndGet() > 1) {
                    throw new IllegalStateException("only once");
                }
                return new Noting("once");
            });
            RunningServer running = GenServer.start(
                    node,
                    Supervisor.builder(strategy)
                            .intensity(1000, Duration.ofSeconds(100))
                            .child(once)
                            .build());
            if (strategy == Strategy.SIMPLE_ONE_FOR_ONE) {
                Term begin = Tuple.of(Atom.of("start_child"), ErlList.EMPTY);
                asking.call(running.pid(), begin, SOON);
            }
            Pid mortal = child(running, 0);
            assertThatThrownBy(() -> asking.call(mortal, Atom.of("crash"), SOON))
                    .hasMessageContaining("IllegalStateException: crash");
            assertThat(running.awaitEnd(SOON)).as(strategy.name()).isTrue();
            assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("shutdown")));
            assertThat(starts.get()).isEqualTo(1001);
        }
    }

    @Test
    void restart_whoseFactoryThrowsAnError_isTriedAgainAndLeavesTheOtherChildren() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        ChildSpec failing = ChildSpec.worker("failing", none -> {
            if (starts.incrementAndGet() == 2) {
                throw new NoClassDefFoundError("gone");
            }
            return new Noting("failing");
        });
        RunningServer running = GenServer.start(
                node,
                Supervisor.builder(Strategy.ONE_FOR_ONE)
                        .intensity(10, Duration.ofSeconds(100))
                        .child(failing)
                        .child(noting("other"))
                        .build());
        Pid other = child(running, 0);
        Pid mortal = child(running, 1);
        assertThatThrownBy(() -> asking.call(mortal, Atom.of("crash"), SOON))
                .hasMessageContaining("IllegalStateException: crash");
        long deadline = System.nanoTime() + SOON.toNanos();
        while (starts.get() < 3 && running.isAlive() && System.nanoTime() - deadline < 0) {
            asking.call(running.pid(), Atom.of("which_children"), SOON);
        }
        assertThat(starts.get()).isEqualTo(3);
        assertThat(child(running, 0)).isEqualTo(other);
        assertThat(child(running, 1)).isNotEqualTo(mortal);
    }

    @Test
    void exitMessage_thatIsNoSignal_startsNoSecondChild() throws Exception {
        RunningServer running = GenServer.start(
                node,
                Supervisor.builder(Strategy.ONE_FOR_ONE).child(noting("a")).build());
        Pid child = child(running, 0);
        asking.send(running.pid(), Tuple.of(Atom.of("EXIT"), child, Atom.of("forged")));
        assertThat(child(running, 0)).isEqualTo(child);
        assertThat(events).containsExactly("start a");
    }

    @Test
    void getState_thatFailsInAnyWay_isAnsweredWithAnErrorAndTheServerGoesOn() throws Exception {
        class Failing extends Noting {
            Failing() {
                super("x");
            }

            @Override
            protected Term state() {
                return recurse(0);
            }

            @SuppressWarnings("InfiniteRecursion") // until the stack is full
            private Term recurse(long depth) {
                Term deeper = recurse(depth + 1);
                return Tuple.of(deeper);
            }
        }
        class Absent extends Noting {
            Absent() {
                super("x");
            }

            @Override
            @SuppressWarnings("NullAway") // the fault that is tried
            protected Term state() {
                return null;
            }
        }
        for (GenServer server : List.of(new Failing(), new Absent())) {
            RunningServer running = GenServer.start(node, server);
            for (String request : List.of("get_state", "get_status")) {
                Term tag = asking.newRef();
                asking.send(running.pid(), Tuple.of(Atom.of("system"), Tuple.of(asking.pid(), tag), Atom.of(request)));
                assertThat(asking.receive(SOON))
                        .asString()
                        .contains("{error,{" + request + ",")
                        .containsAnyOf("StackOverflowError", "null", "NullPointerException");
            }
            assertThat(running.stop(SOON)).isTrue();
            assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("normal")));
        }
    }

    @Test
    void getState_tooLargeForAFrame_isAnsweredWithSystemLimitAndTheServerGoesOn() throws Exception {
        class Large extends Noting {
            Large() {
                super("x");
            }

            @Override
            protected Term state() {
                return Binary.of(new byte[3 << 20]);
            }
        }
        try (Node small = Node.builder("small@localhost")
                        .cookie(Cookie.of("secret"))
                        .maxFrameBytes(1 << 20)
                        .resolver(new StaticResolver(Map.of()))
                        .start();
                Node other = Node.builder("other@localhost")
                        .cookie(Cookie.of("secret"))
                        .resolver(new StaticResolver(Map.of(
                                small.name(), new InetSocketAddress(InetAddress.getLoopbackAddress(), small.port()))))
                        .start();
                Mailbox caller = other.mailbox()) {
            RunningServer running = GenServer.start(small, new Large());
            Term from = Tuple.of(caller.pid(), caller.newRef());
            caller.send(running.pid(), Tuple.of(Atom.of("system"), from, Atom.of("get_state")));
            assertThat(caller.receive(SOON)).asString().contains("{error,{get_state,system_limit}}");
            assertThat(running.stop(SOON)).isTrue();
            assertThat(running.reason()).isEqualTo(Optional.of(Atom.of("normal")));
        }
    }

    @Test
    void kill_ofASupervisor_endsItsChildren() throws Exception {
        RunningServer running = GenServer.start(
                node,
                Supervisor.builder(Strategy.ONE_FOR_ONE).child(noting("a")).build());
        Pid child = child(running, 0);
        asking.monitor(child);
        asking.exit(running.pid(), Atom.of("kill"));
        assertThat(asking.receive(SOON)).isInstanceOf(Tuple.class);
        assertThat(running.awaitEnd(SOON)).isTrue();
    }

    @Test
    void name_thatIsTaken_failsTheStartWithItsHolder() throws Exception {
        try (Mailbox holder = node.mailbox("taken")) {
            ChildSpec named = noting("a").options(ServerOptions.DEFAULT.name("taken"));
            Supervisor supervisor =
                    Supervisor.builder(Strategy.ONE_FOR_ONE).child(named).build();
            assertThatThrownBy(() -> GenServer.start(node, supervisor))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("{already_started," + holder.pid() + "}");
        }
    }

    @Test
    void builder_refusesWhatCannotWork() {
        SupervisorBuilder builder = Supervisor.builder(Strategy.SIMPLE_ONE_FOR_ONE);
        assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class);
        builder.child(noting("a"));
        assertThatThrownBy(() -> builder.child(noting("a"))).hasMessage("another child has id=a");
        assertThatThrownBy(() -> builder.intensity(-1, SOON)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> noting("b").shutdown(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
