package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What {@link HeapBoundsTest} does in a JVM of its own, with a heap that is too small for it unless memory is bounded. */
final class HeapBounds {
    private static final int MIB = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final NodeName MUTE = NodeName.parse("mute@localhost");

    private HeapBounds() {}

    /**
     * Runs one of the cases.
     *
     * @param arguments {@code atoms}, {@code reads} or {@code ends}
     */
    public static void main(String[] arguments) throws Exception {
        try (Nodes nodes = new Nodes()) {
            if (arguments[0].equals("atoms")) {
                atoms(nodes);
            } else {
                stalled(nodes, arguments[0].equals("reads"));
            }
        }
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void checkGrowth(long before, int mostMib) {
        long growth = used() - before;
        System.out.println("growthKib=" + (growth >> 10));
        assertThat(growth).isLessThan((long) mostMib * MIB);
    }

    /** A million in messages, and some as names of mailboxes that are not there. */
    private static void atoms(Nodes nodes) throws Exception {
        Node to = nodes.start("to");
        Mailbox box = to.mailbox("box");
        Mailbox from = nodes.start("from").mailbox();
        exchange(from, box, -1);
        long before = used();
        for (int i = 0; i < 1000; i++) {
            exchange(from, box, i);
            for (int j = 0; j < 100; j++) {
                from.send("nobody" + i + "-" + j, to.name(), Atom.OK);
            }
        }
        checkGrowth(before, 16);
    }

    private static void exchange(Mailbox from, Mailbox box, int round) throws InterruptedException {
        Term[] atoms = new Term[1000];
        for (int i = 0; i < atoms.length; i++) {
            atoms[i] = Atom.of("atom " + round + " " + i);
        }
        from.send("box", box.node().name(), ErlList.of(atoms));
        assertThat((ErlList) requireNonNull(box.receive(LONG))).isEqualTo(ErlList.of(atoms));
    }

    /** A peer that has stopped reading, and then reads again, or ends. */
    private static void stalled(Nodes nodes, boolean readsAgain) throws Exception {
        Node node = nodes.start("node");
        Carrier peer = dial(node);
        until("accepted", () -> node.connected().contains(MUTE));
        Pid to = Pid.of(MUTE.atom(), 1, 0, 1);
        Term message = Binary.of(new byte[1024]);
        int each = 16 * 1024;
        long before = used();
        List<FutureTask<Void>> sends = new ArrayList<>();
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Mailbox box = node.mailbox();
            FutureTask<Void> send = new FutureTask<>(() -> {
                for (int sent = 0; sent < each; sent++) {
                    try {
                        box.send(to, message);
                    } catch (MessagingException.Unreachable ended) {
                        return null;
                    }
                }
                return null;
            });
            sends.add(send);
            senders.add(new Thread(send, "sender" + i));
        }
        senders.forEach(Thread::start);
        Mailbox trying = node.mailbox();
        until(
                "all blocked",
                () -> senders.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING)
                        && !trying.trySend(to, Atom.OK));
        checkGrowth(before, 1 + 8);
        assertThat(trying.trySend(to, Atom.OK)).isFalse();
        assertThat(sends).noneMatch(FutureTask::isDone);
        if (readsAgain) {
            long frames = read(peer, message, 4L * each);
            assertThat(frames).isEqualTo(4L * each);
        } else {
            peer.close();
        }
        Watchdog.await(sends, LONG, () -> "senders");
        peer.close();
    }

    private static Carrier dial(Node node) throws IOException {
        HandshakeOptions options = new HandshakeOptions(
                MUTE, 1, LocalCapabilities.announced(true), Nodes.COOKIE, node.name(), new SecureRandom(), false);
        try (Dialer dialer = new Dialer()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port());
            Handshake handshake = Handshake.initiator(options);
            return dialer.dial(address, node.name(), Carrier.Wrapping.NONE, handshake, LONG.toNanos(), () -> {})
                    .carrier();
        }
    }

    /** Counts the frames that are long enough to have the message in them, until there are as many as expected. */
    private static long read(Carrier peer, Term message, long expected) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
        long counted = 0;
        long deadline = System.nanoTime() + LONG.toNanos();
        while (counted < expected && System.nanoTime() < deadline) {
            if (peer.read(bytes) == 0) {
                LockSupport.parkNanos(100_000);
            }
            bytes.flip();
            while (bytes.remaining() >= Integer.BYTES
                    && bytes.remaining() >= Integer.BYTES + bytes.getInt(bytes.position())) {
                int length = bytes.getInt();
                bytes.position(bytes.position() + length);
                counted += length > ((Binary) message).length() ? 1 : 0;
            }
            bytes.compact();
        }
        return counted;
    }

    private static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONG.toNanos()) {
                throw new AssertionError("did not come: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
