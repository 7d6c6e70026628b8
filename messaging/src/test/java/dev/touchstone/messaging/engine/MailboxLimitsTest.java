package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MailboxLimits.WhenFull;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of mailboxes, and each policy for messages beyond them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MailboxLimitsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int MAX = 100;
    private static final int EXIT2 = 8;
    private static final MailboxLimits BLOCK = new MailboxLimits(MAX, Long.MAX_VALUE, WhenFull.BLOCK);
    private static final MailboxLimits DROP = new MailboxLimits(MAX, Long.MAX_VALUE, WhenFull.DROP_NEWEST);
    private static final MailboxLimits CLOSE = new MailboxLimits(MAX, Long.MAX_VALUE, WhenFull.CLOSE);

    private final FaultRecorder log = new FaultRecorder();
    private Nodes nodes;
    private Node node;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start(nodes.builder("limited").tickTime(Duration.ofSeconds(1)));
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
        log.close();
    }

    private static List<Term> drain(Mailbox box) throws InterruptedException {
        List<Term> all = new ArrayList<>();
        for (Term message = box.receive(Duration.ZERO); message != null; message = box.receive(Duration.ZERO)) {
            all.add(message);
        }
        return all;
    }

    private static void await(FutureTask<?> task) throws InterruptedException {
        Watchdog.await(List.of(task), LONG, () -> "a thread of the test");
    }

    /** Writes numbers until the peer is closed or has written all. */
    private static FutureTask<Void> count(FloodingPeer peer, Mailbox to, int from, int until) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            for (int number = from; number < until; number++) {
                peer.write(FloodingPeer.send(to.pid(), Int.of(number)));
            }
            return null;
        });
        new Thread(task, "counting " + peer.name()).start();
        return task;
    }

    private static void awaitStandstill(FloodingPeer peer) {
        AtomicLong last = new AtomicLong(-1);
        AtomicLong since = new AtomicLong(System.nanoTime());
        Watchdog.until("nothing more is read", () -> {
            long now = peer.written();
            if (last.getAndSet(now) != now) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > Duration.ofMillis(500).toNanos();
        });
    }

    /** Also while nothing is read for several tick times: that is no silence of the peer. */
    @Test
    void block_ofAFlood_stopsThatConnectionOnlyUntilThereIsRoom() throws Exception {
        Node other = nodes.start("other");
        try (Mailbox full = node.mailbox(BLOCK);
                Mailbox free = node.mailbox();
                Mailbox client = other.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            Thread flood = peer.flood(FloodingPeer.many(FloodingPeer.send(full.pid(), Atom.OK)));
            awaitStandstill(peer);
            long start = System.nanoTime();
            int echoes = 0;
            while (echoes < 100
                    || System.nanoTime() - start < Duration.ofMillis(3500).toNanos()) {
                client.send(free.pid(), Int.of(echoes));
                assertThat(free.receive(LONG)).isEqualTo(Int.of(echoes));
                echoes++;
            }
            assertThat(node.connected()).contains(peer.name(), other.name());
            assertThat(flood.isAlive()).isTrue();
            long written = peer.written();
            assertThat(drain(full)).hasSizeGreaterThanOrEqualTo(MAX + 1);
            Watchdog.until("the peer is read again", () -> {
                int unused = drained(full).size();
                return peer.written() > written + (1 << 20);
            });
            assertThat(log.warnings()).hasSize(1);
        }
    }

    private static List<Term> drained(Mailbox box) {
        try {
            return drain(box);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void block_whileItsOnlyReceiverIsTheLeader_losesNothingAndKeepsTheOrder() throws Exception {
        int count = 50_000;
        MailboxLimits tiny = new MailboxLimits(3, Long.MAX_VALUE, WhenFull.BLOCK);
        try (Mailbox box = node.mailbox(tiny);
                FloodingPeer one = new FloodingPeer("one", node);
                FloodingPeer two = new FloodingPeer("two", node)) {
            FutureTask<Void> first = count(one, box, 0, count);
            FutureTask<Void> second = count(two, box, count, 2 * count);
            int ones = 0;
            int twos = count;
            for (int i = 0; i < 2 * count; i++) {
                Int got = (Int) requireNonNull(box.receive(LONG));
                int expected = got.value() < count ? ones++ : twos++;
                assertThat(got.value()).isEqualTo(expected);
            }
            await(first);
            await(second);
            assertThat(box.receive(Duration.ZERO)).isNull();
        }
    }

    @Test
    void block_ofSignals_stopsTheConnectionAndLosesNone() throws Exception {
        int count = 5_000;
        try (Mailbox box = node.mailbox(BLOCK);
                FloodingPeer peer = new FloodingPeer("exits", node)) {
            FutureTask<Void> sending = new FutureTask<>(() -> {
                for (int i = 0; i < count; i++) {
                    peer.write(FloodingPeer.frame(
                            Tuple.of(
                                    Int.of(EXIT2),
                                    peer.pid(1),
                                    box.pid(),
                                    Tuple.of(Int.of(i), Binary.of(new byte[2000]))),
                            null));
                }
                return null;
            });
            new Thread(sending, "exits").start();
            awaitStandstill(peer);
            assertThat(sending.isDone()).isFalse();
            for (int i = 0; i < count; i++) {
                Tuple exit = (Tuple) requireNonNull(box.receive(LONG));
                assertThat(((Tuple) exit.get(2)).get(0)).isEqualTo(Int.of(i));
            }
            await(sending);
        }
    }

    @Test
    void block_byBytes_stopsTheConnection() throws Exception {
        int each = 10_000;
        long most = 100L * each;
        try (Mailbox box = node.mailbox(new MailboxLimits(Long.MAX_VALUE, most, WhenFull.BLOCK));
                FloodingPeer peer = new FloodingPeer("large", node)) {
            Thread unused = peer.flood(FloodingPeer.send(box.pid(), Binary.of(new byte[each])));
            awaitStandstill(peer);
            assertThat(drain(box)).hasSizeBetween(99, 400);
        }
    }

    private static Term nested(int depth) {
        Term term = Atom.OK;
        for (int i = 0; i < depth; i++) {
            term = Tuple.of(term);
        }
        return term;
    }

    /** Tuples in tuples take twenty times the bytes that they come as. */
    @Test
    void block_byBytes_countsTheMemoryOfSmallMessagesAndSignals() throws Exception {
        int parts = 100;
        long expected = 250;
        MailboxLimits limits = new MailboxLimits(Long.MAX_VALUE, expected * parts * 48, WhenFull.BLOCK);
        try (Mailbox messages = node.mailbox(limits);
                Mailbox signals = node.mailbox(limits);
                FloodingPeer sending = new FloodingPeer("sending", node);
                FloodingPeer exiting = new FloodingPeer("exiting", node)) {
            Tuple exit = Tuple.of(Int.of(EXIT2), exiting.pid(1), signals.pid(), nested(parts));
            Thread one = sending.flood(FloodingPeer.send(messages.pid(), nested(parts)));
            Thread two = exiting.flood(FloodingPeer.frame(exit, null));
            awaitStandstill(sending);
            awaitStandstill(exiting);
            assertThat(((LocalMailbox) messages).inbox().waiting()).isBetween(expected, expected + 1);
            assertThat(((LocalMailbox) signals).inbox().waiting()).isBetween(expected, expected + 1);
            assertThat(one.isAlive() && two.isAlive()).isTrue();
        }
    }

    @Test
    void block_ofAMailboxThatIsClosed_letsTheConnectionGoOn() throws Exception {
        try (Mailbox free = node.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            Mailbox full = node.mailbox(BLOCK);
            FutureTask<Void> sending = count(peer, full, 0, 200_000);
            awaitStandstill(peer);
            full.close();
            await(sending);
            peer.write(FloodingPeer.send(free.pid(), Atom.OK));
            assertThat(free.receive(LONG)).isEqualTo(Atom.OK);
            assertThat(drain(full, MAX + 1)).isEqualTo(MAX + 1);
            assertThatThrownBy(() -> full.receive(LONG)).isInstanceOf(MessagingException.Closed.class);
        }
    }

    @Test
    void block_ofSendersOfTheSameNode_waitsUntilThereIsRoom() throws Exception {
        int senders = 4;
        int each = 20_000;
        try (Mailbox box = node.mailbox(BLOCK);
                Mailbox from = node.mailbox()) {
            List<FutureTask<Void>> sends = new ArrayList<>();
            for (int i = 0; i < senders; i++) {
                FutureTask<Void> send = new FutureTask<>(() -> {
                    for (int number = 0; number < each; number++) {
                        from.send(box.pid(), Int.of(number));
                    }
                    return null;
                });
                sends.add(send);
                new Thread(send, "sender" + i).start();
            }
            Watchdog.until("full", () -> !from.trySend(box.pid(), Int.of(-1)));
            for (int got = 0; got < senders * each; ) {
                got += ((Int) requireNonNull(box.receive(LONG))).value() < 0 ? 0 : 1; // those below were tried
            }
            Watchdog.await(sends, LONG, () -> "senders");
            assertThat(from.trySend(box.pid(), Int.of(1))).isTrue();
        }
    }

    /** The thread that receives would wait for itself. */
    @Test
    void block_ofTheReceiverItself_doesNotWait() throws Exception {
        try (Mailbox box = node.mailbox(BLOCK)) {
            box.send(box.pid(), Atom.OK);
            assertThat(box.receive(LONG)).isEqualTo(Atom.OK);
            for (int i = 0; i < 3 * MAX; i++) {
                box.send(box.pid(), Int.of(i));
            }
            assertThat(drain(box)).hasSize(3 * MAX);
        }
    }

    @Test
    void dropNewest_keepsTheOldestAndAllSignals() throws Exception {
        try (Mailbox box = node.mailbox(DROP);
                Mailbox from = node.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            Mailbox watched = node.mailbox();
            box.monitor(watched.pid());
            await(count(peer, box, 0, 10 * MAX));
            Watchdog.until("all have come", () -> node.stats().dropped() == 9 * MAX);
            from.send(box.pid(), Atom.OK);
            watched.close();
            assertThat(box.dropped()).isEqualTo(9 * MAX + 1);
            List<Term> kept = drain(box);
            assertThat(kept).hasSize(MAX + 1).startsWith(Int.of(0)).contains(Int.of(MAX - 1));
            assertThat(((Tuple) kept.get(MAX)).get(0)).isEqualTo(Atom.of("DOWN"));
            assertThat(log.warnings()).hasSizeBetween(5, 15).first().asString().contains("mailbox=" + box);
        }
    }

    @Test
    void close_ofAFullMailbox_isToldToThoseThatWatchIt() throws Exception {
        try (Mailbox box = node.mailbox(CLOSE);
                Mailbox watcher = node.mailbox();
                FloodingPeer peer = new FloodingPeer("flood", node)) {
            watcher.monitor(box.pid());
            await(count(peer, box, 0, 2 * MAX));
            Tuple down = (Tuple) requireNonNull(watcher.receive(LONG));
            assertThat(down.get(4)).isEqualTo(Atom.of("mailbox_full"));
            assertThat(drain(box, MAX + 1)).isEqualTo(MAX + 1);
            assertThatThrownBy(() -> box.receive(LONG)).isInstanceOf(MessagingException.Closed.class);
        }
    }

    private FutureTask<Void> exits(Mailbox from, Mailbox to, int count) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            for (int i = 0; i < count; i++) {
                from.exit(to.pid(), Int.of(i));
            }
            return null;
        });
        new Thread(task, "exits").start();
        return task;
    }

    private static void awaitExits(FutureTask<Void> exits, Mailbox to, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            Tuple exit = (Tuple) requireNonNull(to.receive(LONG));
            assertThat(exit.get(2)).isEqualTo(Int.of(i));
            assertThat(((LocalMailbox) to).inbox().waiting()).isLessThanOrEqualTo(MAX + 1);
        }
        await(exits);
    }

    @Test
    void block_ofExitsOfTheSameNode_waitsAndLosesNone() throws Exception {
        try (Mailbox box = node.mailbox(BLOCK);
                Mailbox from = node.mailbox()) {
            FutureTask<Void> exits = exits(from, box, 10 * MAX);
            Watchdog.until("full", () -> ((LocalMailbox) box).inbox().waiting() > MAX);
            awaitExits(exits, box, 10 * MAX);
        }
    }

    @Test
    void dropNewest_ofExitsOfTheSameNode_waitsAndLosesNone() throws Exception {
        try (Mailbox box = node.mailbox(DROP);
                Mailbox from = node.mailbox()) {
            FutureTask<Void> exits = exits(from, box, 10 * MAX);
            Watchdog.until("full", () -> ((LocalMailbox) box).inbox().waiting() >= MAX);
            awaitExits(exits, box, 10 * MAX);
            assertThat(box.dropped()).isZero();
        }
    }

    @Test
    void close_ofAMailboxThatExitsOfTheSameNodeFill_endsIt() throws Exception {
        try (Mailbox box = node.mailbox(CLOSE);
                Mailbox from = node.mailbox()) {
            await(exits(from, box, 10 * MAX));
            assertThat(box.isClosed()).isTrue();
            assertThat(((LocalMailbox) box).inbox().waiting()).isEqualTo(MAX + 1);
        }
    }

    private static int drain(Mailbox box, int count) throws InterruptedException {
        int got = 0;
        while (got < count && box.receive(LONG) != null) {
            got++;
        }
        return got;
    }

    @Test
    void close_ofAMailboxThatSignalsFill_endsIt() throws Exception {
        try (Mailbox box = node.mailbox(CLOSE);
                FloodingPeer peer = new FloodingPeer("exits", node)) {
            for (int i = 0; i < 2 * MAX; i++) {
                peer.write(FloodingPeer.frame(Tuple.of(Int.of(EXIT2), peer.pid(1), box.pid(), Int.of(i)), null));
            }
            Watchdog.until("closed", box::isClosed);
        }
    }

    @Test
    void limits_belowOne_areRefused() {
        assertThatThrownBy(() -> new MailboxLimits(0, 1, WhenFull.BLOCK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxMessages=0");
    }
}
