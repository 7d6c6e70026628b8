package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.engine.FaultRecorder;
import dev.touchstone.messaging.engine.Watchdog;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors in a thread that sends, after which the connection either works or has ended for all to see. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteFaultTest {
    private static final Pid TO = Pid.of(Loopback.PEER.atom(), 1, 0, 1);
    private static final int HIGH_WATER = 1 << 20;

    private final FaultRecorder log = new FaultRecorder();
    private final LinkedBlockingQueue<IOException> ends = new LinkedBlockingQueue<>();
    private Loopback sockets;
    private FailingCarrier carrier;
    private Connection connection;

    /** A carrier that throws an error instead of writing, while it is told to. */
    private static final class FailingCarrier implements Carrier {
        private final Carrier carrier;
        private volatile @Nullable Error error;

        FailingCarrier(Carrier carrier) {
            this.carrier = carrier;
        }

        @Override
        public SelectableChannel channel() {
            return carrier.channel();
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return carrier.read(target);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            Error thrown = error;
            if (thrown != null) {
                throw thrown;
            }
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

    /** Takes the ends, and fails at the first as often as told. */
    private final class Ends implements Connection.Frames {
        private int failures;

        @Override
        public void frame(Connection from, byte[] buffer, int offset, int length, boolean retained) {}

        @Override
        public void refused(Connection from, long bytes) {}

        @Override
        public void ended(Connection from, IOException cause) {
            if (failures-- > 0) {
                throw new StackOverflowError("of a test");
            }
            ends.add(cause);
        }
    }

    private final Ends frames = new Ends();

    @BeforeEach
    void open() throws IOException {
        sockets = Loopback.open();
        carrier = new FailingCarrier(new ChannelCarrier(sockets.one()));
        connection = new Connection(
                carrier,
                Loopback.PEER,
                new PeerCapabilities(DistFlags.MANDATORY),
                1,
                1 << 10,
                HIGH_WATER,
                64 << 20,
                frames);
    }

    @AfterEach
    void close() throws IOException {
        connection.end(new IOException("end of the test"));
        sockets.other().close();
        log.close();
    }

    private void send(Term message) {
        connection.send(null, out -> out.send(TO, message));
    }

    private IOException end() throws InterruptedException {
        IOException cause = ends.poll(30, TimeUnit.SECONDS);
        assertThat(cause).as("the end of the connection").isNotNull();
        return cause;
    }

    @Test
    void error_whileASenderWrites_endsTheConnectionWithIt() throws Exception {
        carrier.error = new OutOfMemoryError("of a test");
        send(Atom.OK);
        assertThat(end()).hasRootCause(carrier.error);
        assertThat(connection.isOpen()).isFalse();
        assertThat(sockets.other().read(ByteBuffer.allocate(1)))
                .as("closed at the other end too")
                .isNegative();
        assertThat(log.errors()).containsExactly(carrier.error);
        send(Atom.OK); // is lost
    }

    /** The thread whose error it is may be unable to do anything about it; whoever sends next ends the connection. */
    @Test
    void error_thatItsThreadCouldNotHandle_endsTheConnectionWithTheNextSender() throws Exception {
        PendingOutput output = output();
        carrier.error = new StackOverflowError("of a test");
        output.add(null, out -> out.send(TO, Atom.OK), PendingOutput.FOR_GOOD);
        assertThatThrownBy(output::flush).isSameAs(carrier.error);
        assertThat(output.isBroken()).isTrue();
        carrier.error = null;
        output.add(null, out -> out.send(TO, Atom.OK), PendingOutput.FOR_GOOD);
        assertThatThrownBy(output::flush).isInstanceOf(ConnectionEndedException.class);
        output.close();
        assertThat(output.isBroken()).isFalse();
    }

    private PendingOutput output() {
        return new PendingOutput(
                carrier, Loopback.PEER, new PeerCapabilities(DistFlags.MANDATORY), 1 << 10, HIGH_WATER, 64 << 20);
    }

    /** The steps of the end may lack memory as well, and are then done by the beat. */
    @Test
    void end_thatFailsInASender_isFinishedByTheBeat() throws Exception {
        frames.failures = 1;
        carrier.error = new StackOverflowError("of a test");
        send(Atom.OK);
        assertThat(ends).isEmpty();
        connection.finishEnd();
        assertThat(end()).hasRootCauseInstanceOf(StackOverflowError.class);
    }

    @Test
    void error_whileAFrameIsEncoded_isTheSendersAlone() throws Exception {
        Error error = new OutOfMemoryError("of a test");
        for (int prefix : new int[] {10, 200_000}) { // also of a large message, whose place is given back
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> connection.send(null, out -> {
                            out.send(TO, Binary.of(new byte[prefix]));
                            throw error;
                        }))
                        .isSameAs(error);
            }
        }
        send(Atom.OK);
        ByteBuffer got = ByteBuffer.allocate(1);
        assertThat(sockets.other().read(got)).isEqualTo(1);
        assertThat(connection.isOpen()).isTrue();
        assertThat(log.errors()).isEmpty();
    }

    /** A connection does not go on without a frame that its peer is owed, such as the end of a link. */
    @Test
    void error_whileAnOwedFrameIsEncoded_endsTheConnection() throws Exception {
        Error error = new OutOfMemoryError("of a test");
        connection.addOwed(null, out -> {
            throw error;
        });
        assertThat(end()).hasRootCause(error);
    }

    @Test
    void waitForRoom_besideAnErrorOfTheWriter_ends() throws Exception {
        PendingOutput output = output();
        carrier.error = new StackOverflowError("of a test");
        Binary half = Binary.of(new byte[50_000]);
        for (int bytes = 0; bytes < HIGH_WATER; bytes += half.length()) {
            output.add(null, out -> out.send(TO, half), PendingOutput.FOR_GOOD);
        }
        Thread waiting = new Thread(() -> {
            try {
                boolean unused = output.awaitRoom(null, PendingOutput.FOR_GOOD);
            } catch (InterruptedException e) {
                // ends the thread, which the test waits for
            }
        });
        waiting.start();
        assertThatThrownBy(output::flush).isSameAs(carrier.error);
        Watchdog.until("told that nothing leaves any more", output::isBroken);
        output.close();
        waiting.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(waiting.isAlive()).isFalse();
    }
}
