package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.engine.FaultRecorder;
import dev.touchstone.messaging.engine.Watchdog;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults while a connection is read, each of which ends that connection and nothing else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadFaultTest {
    private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final byte[] FRAME = {0, 0, 0, 1, 7};

    private final FaultRecorder log = new FaultRecorder();
    private final AtomicInteger beats = new AtomicInteger();
    private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
    private ReceiveLeader leader;
    private Box box;

    enum Fault {
        MEMORY(OutOfMemoryError.class),
        STACK(StackOverflowError.class),
        OURS(NullPointerException.class);

        private final Class<? extends Throwable> type;

        Fault(Class<? extends Throwable> type) {
            this.type = type;
        }

        void fail() {
            switch (this) {
                case MEMORY -> throw new OutOfMemoryError("of a test");
                case STACK -> throw new StackOverflowError("of a test");
                case OURS -> throw new NullPointerException("of a test");
            }
        }
    }

    /** Frames that fail with a fault, and the end of their connection. */
    private static final class Failing implements Connection.Frames {
        private final Runnable onFrame;
        private final LinkedBlockingQueue<IOException> ends = new LinkedBlockingQueue<>();
        private final AtomicInteger endsToFail = new AtomicInteger();

        Failing(Runnable onFrame) {
            this.onFrame = onFrame;
        }

        @Override
        public void frame(Connection connection, byte[] buffer, int offset, int length, boolean retained) {
            onFrame.run();
        }

        @Override
        public void refused(Connection connection, long bytes) {}

        @Override
        public void ended(Connection connection, IOException cause) {
            if (endsToFail.getAndDecrement() > 0) {
                throw new OutOfMemoryError("of a test");
            }
            ends.add(cause);
        }

        IOException end() throws InterruptedException {
            IOException cause = ends.poll(MAX_NANOS, TimeUnit.NANOSECONDS);
            assertThat(cause).as("the end of the connection").isNotNull();
            return cause;
        }
    }

    @BeforeEach
    void start() throws IOException {
        leader = new ReceiveLeader("leader", 0, BEAT_NANOS, beats::incrementAndGet, broken::complete);
        box = new Box(leader);
        leader.start();
    }

    @AfterEach
    void stop() throws IOException {
        leader.close();
        log.close();
    }

    private static Connection connection(Carrier carrier, Connection.Frames frames) {
        return new Connection(
                carrier,
                Loopback.PEER,
                new PeerCapabilities(DistFlags.MANDATORY),
                1,
                1 << 10,
                1 << 20,
                64 << 20,
                frames);
    }

    private SocketChannel open(Connection.Frames frames) throws IOException {
        Loopback ends = Loopback.open();
        leader.add(connection(new ChannelCarrier(ends.one()), frames));
        return ends.other();
    }

    private static void write(SocketChannel to) throws IOException {
        assertThat(to.write(ByteBuffer.wrap(FRAME))).isEqualTo(FRAME.length);
    }

    @ParameterizedTest
    @EnumSource
    void fault_whileTheBackgroundThreadReads_endsThatConnectionOnly(Fault fault) throws Exception {
        Failing failing = new Failing(fault::fail);
        SocketChannel victim = open(failing);
        SocketChannel other = open(new Failing(() -> box.put("here")));
        int before = beats.get();
        write(victim);
        assertThat(failing.end()).hasRootCauseInstanceOf(fault.type);
        assertThat(victim.read(ByteBuffer.allocate(1)))
                .as("closed at the other end too")
                .isNegative();
        assertThat(log.errors()).hasSize(1).first().isInstanceOf(fault.type);
        Watchdog.until("it beats", () -> beats.get() > before + 1);
        write(other);
        Watchdog.until("the other is read", () -> !box.isEmpty());
        other.close();
    }

    @ParameterizedTest
    @EnumSource
    void fault_whileAReceiverReads_endsThatConnectionAndItsWaitGoesOn(Fault fault) throws Exception {
        Failing failing = new Failing(fault::fail);
        SocketChannel victim = open(failing);
        SocketChannel other = open(new Failing(() -> box.put("here")));
        FutureTask<Object> take = new FutureTask<>(() -> box.take(MAX_NANOS));
        Thread receiver = new Thread(take, "receiver");
        receiver.start();
        write(victim);
        assertThat(failing.end()).hasRootCauseInstanceOf(fault.type);
        write(other);
        assertThat(take.get(30, TimeUnit.SECONDS)).isEqualTo("here");
        other.close();
    }

    /** Checks that the consequences of an end, which may lack memory as well, are repeated, so that no dead connection stays listed. */
    @Test
    void end_thatFails_isTriedAgain() throws Exception {
        Failing failing = new Failing(Fault.MEMORY::fail);
        failing.endsToFail.set(2);
        Loopback ends = Loopback.open();
        Connection connection = connection(new ChannelCarrier(ends.one()), failing);
        leader.add(connection);
        write(ends.other());
        Watchdog.until("it has ended", () -> !connection.isOpen());
        Watchdog.until("told", () -> {
            connection.finishEnd();
            return !failing.ends.isEmpty();
        });
        connection.finishEnd();
        assertThat(failing.ends).hasSize(1);
        ends.other().close();
    }

    @Test
    void beat_thatFails_leavesTheBackgroundThreadRunning() throws Exception {
        AtomicInteger failed = new AtomicInteger();
        try (ReceiveLeader failing = new ReceiveLeader(
                "failing",
                0,
                BEAT_NANOS,
                () -> {
                    failed.incrementAndGet();
                    Fault.STACK.fail();
                },
                broken::complete)) {
            failing.start();
            Watchdog.until("it beats on", () -> failed.get() > 3);
            assertThat(log.errors()).isNotEmpty().allMatch(StackOverflowError.class::isInstance);
        }
    }

    /** A leader whose stack overflowed at the wrong place does not give up the lead. */
    @Test
    void lead_thatWasLeftWithoutAWord_isTakenOver() throws Exception {
        Thread gone = new Thread(() -> {}, "gone");
        gone.start();
        gone.join();
        try (ReceiveLeader left = new ReceiveLeader("left", 0, BEAT_NANOS, () -> {}, broken::complete)) {
            assertThat(left.handLeadTo(gone)).isTrue();
            Box waiting = new Box(left);
            Loopback ends = Loopback.open();
            left.add(connection(new ChannelCarrier(ends.one()), new Failing(() -> waiting.put("here"))));
            left.start();
            write(ends.other());
            assertThat(waiting.take(MAX_NANOS)).isEqualTo("here");
            assertThat(log.warnings()).hasSize(1);
            ends.other().close();
        }
    }

    /** A channel that tells which selector it is registered at. */
    private static final class Spy extends SelectableChannel {
        private final SocketChannel channel;
        private final CompletableFuture<Selector> selector = new CompletableFuture<>();

        Spy(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public SelectionKey register(Selector by, int operations, @Nullable Object attachment)
                throws ClosedChannelException {
            selector.complete(by);
            return channel.register(by, operations, attachment);
        }

        @Override
        public SelectorProvider provider() {
            return channel.provider();
        }

        @Override
        public int validOps() {
            return channel.validOps();
        }

        @Override
        public boolean isRegistered() {
            return channel.isRegistered();
        }

        @Override
        public @Nullable SelectionKey keyFor(Selector of) {
            return channel.keyFor(of);
        }

        @Override
        public SelectableChannel configureBlocking(boolean block) throws IOException {
            return channel.configureBlocking(block);
        }

        @Override
        public boolean isBlocking() {
            return channel.isBlocking();
        }

        @Override
        public Object blockingLock() {
            return channel.blockingLock();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }
    }

    @Test
    void selector_thatBreaks_endsAllWaitsAndTellsTheOwnerOnce() throws Exception {
        Loopback ends = Loopback.open();
        Spy spy = new Spy(ends.one());
        ChannelCarrier carrier = new ChannelCarrier(ends.one());
        leader.add(connection(new SpiedCarrier(carrier, spy), new Failing(() -> {})));
        List<FutureTask<Object>> takes = List.of(
                new FutureTask<>(() -> new Box(leader).take(MAX_NANOS)),
                new FutureTask<>(() -> new Box(leader).take(MAX_NANOS)));
        takes.forEach(take -> new Thread(take, "receiver").start());
        spy.selector.get().close();
        assertThat(broken.get(30, TimeUnit.SECONDS)).isNotNull();
        Watchdog.await(takes, Duration.ofSeconds(30), () -> "waits at a leader that is broken");
        assertThat(log.errors()).hasSize(1);
        ends.other().close();
    }

    private record SpiedCarrier(Carrier carrier, SelectableChannel channel) implements Carrier {
        @Override
        public int read(ByteBuffer target) throws IOException {
            return carrier.read(target);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return carrier.write(source);
        }

        @Override
        public String remote() {
            return carrier.remote();
        }

        @Override
        public void close() throws IOException {
            carrier.close();
        }
    }

    /** A fault in the thread of one handshake, or in the one that accepts, leaves the next connection its turn. */
    @ParameterizedTest
    @EnumSource
    void fault_whileAHandshakeBegins_leavesTheListenerRunning(Fault fault) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listener listener = new Listener("accept", any, Carrier.Wrapping.NONE, MAX_NANOS, () -> {
            attempts.incrementAndGet();
            fault.fail();
            throw new AssertionError("did not fail");
        })) {
            listener.start();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
            for (int i = 1; i <= 3; i++) {
                try (SocketChannel channel = SocketChannel.open(address)) {
                    assertThat(channel.read(ByteBuffer.allocate(1))).isNegative();
                }
                assertThat(attempts).hasValue(i);
            }
        }
    }
}
