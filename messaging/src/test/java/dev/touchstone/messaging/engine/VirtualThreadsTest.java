package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A virtual thread that nobody schedules holds up no other thread of its node. Left out on a JDK without virtual threads. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ECHOES = 5_000;

    private final @Nullable ThreadFactory virtual = factory();
    private Nodes nodes;
    private Node here;
    private Node there;
    private volatile boolean stopped;

    private static @Nullable ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            return null; // a JDK before 21
        }
    }

    @BeforeEach
    void start() throws IOException {
        assumeThat(virtual).isNotNull();
        nodes = new Nodes();
        here = nodes.start("here");
        there = nodes.start("there");
    }

    @AfterEach
    void stop() throws IOException {
        stopped = true;
        if (nodes != null) {
            nodes.close();
        }
    }

    private void startVirtual(Runnable work) {
        requireNonNull(virtual).newThread(work).start();
    }

    private static void serve(Mailbox server) {
        try {
            for (; ; ) {
                Term message = requireNonNull(server.receive());
                server.send((Pid) ((Tuple) message).get(0), ((Tuple) message).get(1));
            }
        } catch (MessagingException.Closed | InterruptedException end) {
            // the test has ended
        }
    }

    private static Void echo(Mailbox client, Pid server, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            client.send(server, Tuple.of(client.pid(), Int.of(i)));
            assertThat(client.receive(LONG)).isEqualTo(Int.of(i));
        }
        return null;
    }

    @Test
    void echoes_besideVirtualThreadsThatOnlyCompute_goOn() throws Exception {
        Mailbox waiting = here.mailbox();
        Mailbox server = there.mailbox();
        Thread serving = new Thread(() -> serve(server), "server");
        serving.setDaemon(true);
        serving.start();
        startVirtual(() -> serve(waiting)); // leads, if it may, and is then not scheduled any more
        try (Mailbox client = here.mailbox()) {
            echo(client, server.pid(), 100);
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                startVirtual(() -> {
                    while (!stopped) {
                        Thread.onSpinWait();
                    }
                });
            }
            FutureTask<Void> echoing = new FutureTask<>(() -> echo(client, server.pid(), ECHOES));
            new Thread(echoing, "client").start();
            Watchdog.await(List.of(echoing), Duration.ofSeconds(60), () -> "echoes of platform threads");
        }
    }

    @Test
    void echoes_betweenManyVirtualThreads_areAllAnswered() throws Exception {
        int clients = 50;
        Mailbox server = there.mailbox();
        startVirtual(() -> serve(server));
        List<FutureTask<Void>> echoing = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Mailbox client = here.mailbox();
            FutureTask<Void> echo = new FutureTask<>(() -> echo(client, server.pid(), 200));
            echoing.add(echo);
            startVirtual(echo);
        }
        Watchdog.await(echoing, Duration.ofSeconds(60), () -> "echoes of virtual threads");
    }

    @Test
    void echoes_betweenAVirtualAndAPlatformThread_areAllAnswered() throws Exception {
        Mailbox server = there.mailbox();
        Thread serving = new Thread(() -> serve(server), "server");
        serving.setDaemon(true);
        serving.start();
        Mailbox client = here.mailbox();
        FutureTask<Void> echoing = new FutureTask<>(() -> echo(client, server.pid(), ECHOES));
        startVirtual(echoing);
        Watchdog.await(List.of(echoing), Duration.ofSeconds(60), () -> "echoes of a virtual thread");
    }

    @Test
    void close_whileAVirtualThreadWaits_endsItsWait() throws Exception {
        Mailbox box = here.mailbox();
        FutureTask<Void> serving = new FutureTask<>(() -> {
            serve(box);
            return null;
        });
        startVirtual(serving);
        here.close();
        Watchdog.await(List.of(serving), LONG, () -> "a virtual thread at a closed node");
    }
}
