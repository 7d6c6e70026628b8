package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Terms;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that no honest node sends: each ends its connection at most, and never anything else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameFuzzTest {
    private static final int FRAMES = Integer.getInteger("touchstone.frames", 40);
    private static final int MAX_BYTES = 150;
    private static final NodeName PEER = NodeName.parse("peer@localhost");

    private final long seed = Long.getLong("seed", System.nanoTime());
    private Nodes nodes;
    private LocalNode node;
    private Mailbox target;
    private Mailbox other;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
        node = nodes.start("fuzzed");
        target = node.mailbox("target");
        other = node.mailbox("other");
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    /** Gives what it was made with, in pieces. */
    private static final class Bytes implements Carrier {
        private final ByteBuffer bytes;

        Bytes(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public SelectableChannel channel() {
            throw new UnsupportedOperationException("nothing to select");
        }

        @Override
        public int read(ByteBuffer into) {
            int count = Math.min(Math.min(into.remaining(), bytes.remaining()), 1000);
            into.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            source.position(source.limit());
            return count;
        }

        @Override
        public String remote() {
            return "a test";
        }

        @Override
        public void close() {}
    }

    private void feed(byte[] bytes, boolean header) {
        long flags = DistFlags.MANDATORY | (header ? DistFlags.DIST_HDR_ATOM_CACHE | DistFlags.FRAGMENTS : 0);
        Bytes carrier = new Bytes(bytes);
        Connection connection =
                new Connection(carrier, PEER, new PeerCapabilities(flags), 1, 1 << 10, 1 << 20, 1 << 20, node.router());
        while (carrier.bytes.hasRemaining() && connection.isOpen()) {
            connection.read();
        }
    }

    private void drain(Mailbox mailbox) {
        try {
            while (mailbox.receive(Duration.ZERO) != null) {
                // what came through is a term
            }
        } catch (MessagingException.Malformed malformed) {
            drain(mailbox);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<byte[]> corpus(boolean header) {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            Term message = Terms.random(random, 2);
            while (TermWriter.encode(message).length > MAX_BYTES) {
                message = Terms.random(random, 2);
            }
            TermWriter out = new TermWriter(256);
            out.putInt(0);
            if (header) {
                out.putByte(131);
                out.putByte(68);
                out.putByte(1);
                out.putByte(0x08);
                out.putByte(i & 0xff);
                out.putByte(4);
                out.putBytes("atom".getBytes(StandardCharsets.UTF_8), 0, 4);
            } else {
                out.putByte(112);
                out.writeVersion();
            }
            out.write(control(random));
            if (!header) {
                out.writeVersion();
            }
            out.write(message);
            out.putIntAt(0, out.position() - 4);
            frames.add(Arrays.copyOf(out.array(), out.position()));
        }
        return frames;
    }

    private Term control(SplittableRandom random) {
        Pid from = Pid.of(PEER.atom(), 7, 0, 1);
        Ref ref = Ref.of(PEER.atom(), 1, 1, 2, 3);
        Atom name = Atom.of("target");
        Pid to = target.pid();
        int operation = random.nextInt(40);
        return switch (operation % 10) {
            case 0 -> Tuple.of(Int.of(2), Atom.of(""), to);
            case 1 -> Tuple.of(Int.of(6), from, Atom.of(""), name);
            case 2 -> Tuple.of(Int.of(1), from, to);
            case 3 -> Tuple.of(Int.of(19), from, name, ref);
            case 4 -> Tuple.of(Int.of(35), Int.of(5), from, to);
            case 5 -> Tuple.of(Int.of(24), from, to);
            case 6 ->
                Tuple.of(
                        Int.of(29),
                        ref,
                        from,
                        from,
                        Tuple.of(Atom.of("erpc"), Atom.of("execute_call"), Int.of(4)),
                        Tuple.of());
            case 7 -> Tuple.of(Int.of(28), from, to, ref);
            case 8 -> Tuple.of(Int.of(33), from, ref);
            default -> Tuple.of(Int.of(operation), from, to, ref);
        };
    }

    private void checkOthers() throws InterruptedException {
        drain(other); // a changed pid may be its own
        Mailbox box = node.mailbox();
        box.send(other.pid(), Atom.OK);
        assertThat(other.receive(Duration.ofSeconds(5))).as("seed=%d", seed).isEqualTo(Atom.OK);
        assertThat(other.receive(Duration.ZERO)).as("seed=%d", seed).isNull();
        box.close();
    }

    @Test
    void frames_withAnyByteChanged_endTheirConnectionAtMost() throws Exception {
        SplittableRandom random = new SplittableRandom(seed + 1);
        for (boolean header : new boolean[] {false, true}) {
            for (byte[] frame : corpus(header)) {
                for (int at = 0; at < frame.length; at++) {
                    byte[] changed = frame.clone();
                    changed[at] = (byte) (at % 3 == 0 ? 0xff : changed[at] ^ (1 << random.nextInt(8)));
                    feed(changed, header);
                    drain(target);
                }
            }
        }
        checkOthers();
    }

    @Test
    void frames_cutAnywhere_endTheirConnectionAtMost() throws Exception {
        for (boolean header : new boolean[] {false, true}) {
            for (byte[] frame : corpus(header)) {
                for (int length = 4; length < frame.length; length++) {
                    byte[] cut = Arrays.copyOf(frame, length);
                    ByteBuffer.wrap(cut).putInt(0, length - 4);
                    feed(cut, header);
                    drain(target);
                }
            }
        }
        checkOthers();
    }

    @Test
    void message_thatIsMalformed_isToldToItsReceiverAndTheNextArrives() throws Exception {
        TermWriter out = new TermWriter(256);
        for (int i = 0; i < 2; i++) {
            int start = out.position();
            out.putInt(0);
            out.putByte(112);
            out.writeVersion();
            out.write(Tuple.of(Int.of(2), Atom.of(""), target.pid()));
            out.writeVersion();
            if (i == 0) {
                out.putByte(104);
                out.putByte(200); // a tuple of 200 elements that are not there
            } else {
                out.write(Atom.OK);
            }
            out.putIntAt(start, out.position() - start - 4);
        }
        feed(Arrays.copyOf(out.array(), out.position()), false);
        assertThatThrownBy(() -> target.receive(Duration.ofSeconds(5)))
                .isInstanceOf(MessagingException.Malformed.class);
        assertThat(requireNonNull(target.receive(Duration.ofSeconds(5)))).isEqualTo(Atom.OK);
    }
}
