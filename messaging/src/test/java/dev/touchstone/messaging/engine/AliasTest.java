package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aliases of mailboxes, and monitors that are given up. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AliasTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Atom LAST = Atom.of("last");

    private Nodes nodes;
    private Node a;
    private Node b;
    private Mailbox box;
    private Mailbox here;
    private Mailbox there;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        a = nodes.start("a");
        b = nodes.start("b");
        box = a.mailbox();
        here = a.mailbox();
        there = b.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private Mailbox sender(boolean remote) {
        return remote ? there : here;
    }

    /** Checks that nothing arrives but what is sent now, behind all that was sent before. */
    private void checkNothingMore(Mailbox from) throws InterruptedException {
        from.send(box.pid(), LAST);
        assertThat(box.receive(LONG)).isEqualTo(LAST);
        assertThat(box.receive(Duration.ZERO)).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void send_toAnAlias_arrivesUntilItIsGivenUp(boolean remote) throws Exception {
        Mailbox from = sender(remote);
        Ref alias = box.alias();
        from.send(alias, Int.of(1));
        from.send(alias, Int.of(2));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(1));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(2));
        assertThat(here.unalias(alias)).as("of another mailbox").isFalse();
        assertThat(box.unalias(alias)).isTrue();
        assertThat(box.unalias(alias)).isFalse();
        from.send(alias, Int.of(3));
        checkNothingMore(from);
        assertThat(a.stats().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void send_bySeveralToAnAliasForOneReply_arrivesOnce(boolean remote) throws Exception {
        int senders = 8;
        ExecutorService threads = Executors.newFixedThreadPool(senders);
        CyclicBarrier start = new CyclicBarrier(senders);
        for (int round = 0; round < 50; round++) {
            Ref alias = box.alias(AliasMode.REPLY);
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < senders; i++) {
                Term message = Int.of(i);
                sent.add(threads.submit(() -> {
                    start.await();
                    sender(remote).send(alias, message);
                    return null;
                }));
            }
            for (Future<?> one : sent) {
                one.get();
            }
            assertThat(box.receive(LONG)).isInstanceOf(Int.class);
            checkNothingMore(sender(remote));
            assertThat(box.unalias(alias)).isFalse();
        }
        threads.shutdown();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reply_toTheAliasOfAMonitor_endsTheMonitor(boolean remote) throws Exception {
        Mailbox watched = sender(remote);
        Ref monitor = box.monitor(watched.pid(), AliasMode.REPLY_DEMONITOR);
        watched.send(monitor, Int.of(1));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(1));
        assertThat(box.demonitor(monitor, false)).isFalse();
        watched.send(monitor, Int.of(2));
        checkNothingMore(watched);
        watched.close();
        checkNothingMore(remote ? b.mailbox() : a.mailbox());
    }

    @ParameterizedTest
    @EnumSource(AliasMode.class)
    void monitor_thatFires_endsItsAlias(AliasMode mode) throws Exception {
        if (mode == AliasMode.REPLY) {
            return;
        }
        Ref monitor = box.monitor("nobody", b.name(), mode);
        Term named = Tuple.of(Atom.of("nobody"), b.name().atom());
        assertThat(box.receive(LONG))
                .isEqualTo(Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), named, Atom.of("noproc")));
        assertThat(box.unalias(monitor)).isEqualTo(mode == AliasMode.EXPLICIT_UNALIAS);
    }

    @Test
    void demonitor_endsTheAliasOfTheMonitor() throws Exception {
        Ref monitor = box.monitor(there.pid(), AliasMode.DEMONITOR);
        there.send(monitor, Int.of(1));
        there.send(monitor, Int.of(2));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(1));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(2));
        assertThat(box.demonitor(monitor, true)).isTrue();
        there.send(monitor, Int.of(3));
        checkNothingMore(there);
    }

    @Test
    void close_ofTheMailbox_endsItsAliases() {
        Ref alias = box.alias();
        box.close();
        here.send(alias, Int.of(1));
        assertThat(a.stats().dropped()).isEqualTo(1);
        assertThatThrownBy(box::alias).isInstanceOf(MessagingException.Closed.class);
    }

    @Test
    void alias_ofAModeThatDoesNotFit_isRefused() {
        assertThatThrownBy(() -> box.alias(AliasMode.DEMONITOR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mode=DEMONITOR");
        assertThatThrownBy(() -> box.monitor(here.pid(), AliasMode.REPLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mode=REPLY");
    }

    @Test
    void send_toAReferenceOfAPeerWithoutAliases_sendsNothing() throws Exception {
        try (MutePeer peer = MutePeer.connect(a, "old@localhost")) {
            box.send(Ref.of(Atom.of("old@localhost"), 1, 1, 2, 3), LAST);
            assertThat(a.stats().traffic().framesOut()).isZero();
            assertThat(a.stats().dropped()).isEqualTo(1);
            assertThat(peer.isOpen()).isTrue();
        }
    }

    @Test
    void demonitor_withFlush_removesTheMessageAndNoOther() throws Exception {
        there.send(box.pid(), Int.of(1));
        assertThat(box.receive(LONG)).isEqualTo(Int.of(1));
        Ref kept = box.monitor("nobody", a.name());
        Ref flushed = box.monitor("nobody", a.name());
        there.send(box.pid(), Int.of(2));
        assertThat(box.receive(LAST::equals, Duration.ofMillis(1))).isNull();
        there.send(box.pid(), LAST);
        assertThat(box.receive(LAST::equals, LONG)).as("passes over both").isEqualTo(LAST);

        assertThat(box.demonitor(kept, false)).isFalse();
        assertThat(box.demonitor(flushed, true)).isFalse();
        assertThat(box.demonitor(flushed, true)).as("again").isFalse();

        List<Term> left = new ArrayList<>();
        for (Term next = box.receive(Duration.ZERO); next != null; next = box.receive(Duration.ZERO)) {
            left.add(next instanceof Tuple down ? down.get(1) : next);
        }
        assertThat(left).containsExactlyInAnyOrder(kept, Int.of(2));
    }

    @Test
    void demonitor_withFlushOfAnInterruptedThread_keepsTheInterrupt() {
        Ref monitor = box.monitor(here.pid());
        here.close();
        Thread.currentThread().interrupt();
        assertThat(box.demonitor(monitor, true)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The monitor's end and the flush race; either the one or the other has the message, and it is never left. */
    @Test
    void demonitor_withFlushWhileTheProcessEnds_leavesNoMessage() throws Exception {
        for (int round = 0; round < 300; round++) {
            Mailbox watched = b.mailbox();
            Ref monitor = box.monitor(watched.pid());
            Thread closing = new Thread(watched::close);
            closing.start();
            boolean unused = box.demonitor(monitor, true);
            closing.join();
            checkNothingMore(there);
        }
    }
}
