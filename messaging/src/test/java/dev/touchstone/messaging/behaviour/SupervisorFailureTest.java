package dev.touchstone.messaging.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
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

    private final class Noting extends GenServer {
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
