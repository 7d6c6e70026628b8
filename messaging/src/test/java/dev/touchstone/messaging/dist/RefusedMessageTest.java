package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.etf.Allocated;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.stats.EndKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames and fragmented messages that are longer than messages may be: each is skipped alone, and what it told of atoms is kept. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedMessageTest {
    private static final int MAX_BYTES = 1 << 20;

    private final List<Long> refused = new ArrayList<>();
    private final List<byte[]> messages = new ArrayList<>();
    private final List<String> atoms = new ArrayList<>();
    private final List<IOException> causes = new ArrayList<>();
    private final Bytes carrier = new Bytes();
    private final Connection connection = new Connection(
            carrier,
            Loopback.PEER,
            new PeerCapabilities(DistFlags.MANDATORY | DistFlags.DIST_HDR_ATOM_CACHE | DistFlags.FRAGMENTS),
            1,
            1 << 10,
            1 << 20,
            MAX_BYTES,
            new Connection.Frames() {
                @Override
                public void frame(Connection from, byte[] buffer, int offset, int length, boolean retained) {
                    FrameFormat.Terms terms = from.format().terms(buffer, offset, length);
                    if (terms != null) {
                        byte[] copy = new byte[terms.length()];
                        System.arraycopy(terms.buffer(), terms.offset(), copy, 0, copy.length);
                        messages.add(copy);
                        atoms.add(terms.atoms() == null || terms.atoms().length == 0 ? "" : terms.atoms()[0].name());
                    }
                }

                @Override
                public void refused(Connection from, long bytes) {
                    refused.add(bytes);
                }

                @Override
                public void ended(Connection from, IOException cause) {
                    causes.add(cause);
                }
            });

    /** Gives what it was given, and zeros behind it. */
    private static final class Bytes implements Carrier {
        private ByteBuffer bytes = ByteBuffer.allocate(0);
        private long zeros;

        @Override
        public SelectableChannel channel() {
            throw new UnsupportedOperationException("nothing to select");
        }

        @Override
        public int read(ByteBuffer into) {
            int count = Math.min(into.remaining(), bytes.remaining());
            into.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            if (count == 0) {
                count = (int) Math.min(into.remaining(), zeros);
                into.position(into.position() + count);
                zeros -= count;
            }
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

    private void receive(byte[] bytes, long zeros) {
        carrier.bytes = ByteBuffer.wrap(bytes);
        carrier.zeros = zeros;
        while (connection.isOpen() && (carrier.bytes.hasRemaining() || carrier.zeros > 0)) {
            connection.read();
        }
    }

    private void receive(byte[]... frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(ByteBuffer.allocate(4).putInt(frame.length).array());
            all.writeBytes(frame);
        }
        receive(all.toByteArray(), 0);
    }

    /** A frame with a header of one reference to the cache, new or not. */
    private static byte[] withAtom(String newAtom, int dataBytes) {
        byte[] name = newAtom.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(6 + name.length + dataBytes);
        frame.put((byte) 131).put((byte) 68).put((byte) 1);
        frame.put((byte) (name.length > 0 ? 8 : 0)).put((byte) 7);
        if (name.length > 0) {
            frame.put((byte) name.length).put(name);
        }
        return Arrays.copyOf(frame.array(), frame.position() + dataBytes);
    }

    private static byte[] fragment(boolean first, long sequence, long number, int dataBytes) {
        ByteBuffer frame = ByteBuffer.allocate(18 + (first ? 1 : 0) + dataBytes);
        frame.put((byte) 131).put((byte) (first ? 69 : 70)).putLong(sequence).putLong(number);
        return frame.array();
    }

    private void assertKept(int arrived, Long... skipped) {
        assertThat(causes).isEmpty();
        assertThat(connection.isOpen()).isTrue();
        assertThat(messages).hasSize(arrived);
        assertThat(refused).containsExactly(skipped);
        assertThat(connection.refusedMessages()).isEqualTo(skipped.length);
    }

    @Test
    void frame_ofAGibibyte_isSkippedWithoutBeingHeld() {
        ByteBuffer head = ByteBuffer.allocate(6).putInt(1 << 30).put((byte) 112).put((byte) 131);
        receive(withAtom("warm", 10));
        messages.clear();
        long bytes = Allocated.by(() -> receive(head.array(), (1 << 30) - 2));
        System.out.println("allocatedKib=" + (bytes >> 10));
        assertThat(bytes).isLessThan(2L << 20);
        receive(new byte[] {112, (byte) 131, 97, 1});
        assertKept(1, 1L << 30);
    }

    @Test
    void frame_whoseLengthIsTheLargest_isSkippedAsFarAsItComes() {
        ByteBuffer head = ByteBuffer.allocate(6).putInt(-1).put((byte) 112).put((byte) 131);
        receive(head.array(), 10 << 20);
        assertKept(0, 0xffff_ffffL);
    }

    @Test
    void frame_thatIsTooLong_hasItsAtomsKeptForLaterFrames() {
        receive(withAtom("told", MAX_BYTES), withAtom("", 10));
        assertKept(1, (long) withAtom("told", MAX_BYTES).length);
        assertThat(atoms).containsExactly("told");
    }

    @Test
    void frame_thatIsTooLongAndNone_endsTheConnection() {
        receive(new byte[] {127, 0, 0, 0, 1, 2}, 0); // at once, and not when more has come
        assertThat(connection.isOpen()).isFalse();
        assertThat(causes)
                .singleElement()
                .satisfies(cause -> assertThat(cause.getCause()).hasMessageContaining("not a frame"));
    }

    @Test
    void fragments_ofMoreThanAMessageMayHave_areSkippedBesideThoseOfAnother() {
        int half = MAX_BYTES / 2;
        receive(
                fragment(true, 1, 3, half),
                fragment(true, 2, 2, half),
                fragment(false, 1, 2, half),
                fragment(false, 1, 1, 1),
                fragment(false, 2, 1, half));
        assertKept(1, 2L * half + 1);
        assertThat(messages.get(0)).hasSize(MAX_BYTES);
    }

    @Test
    void fragment_thatIsTooLongItself_refusesItsMessage() {
        receive(fragment(true, 1, 3, MAX_BYTES), fragment(false, 1, 2, MAX_BYTES), fragment(false, 1, 1, 5));
        assertKept(0, 2L * MAX_BYTES + 18 + 19 + 5);
        receive(fragment(true, 1, 1, 5));
        assertThat(messages).as("the same sequence again").hasSize(1);
    }

    @Test
    void fragments_ofManyMessagesUnderWay_holdTwiceAMessageAtMost() {
        int most = MAX_BYTES - 100;
        receive(fragment(true, 1, 2, most), fragment(true, 2, 2, most), fragment(true, 3, 2, most));
        receive(fragment(false, 3, 1, 1), fragment(false, 2, 1, 1), fragment(false, 1, 1, 1));
        assertKept(2, most + 1L);
        receive(fragment(true, 4, 2, most), fragment(false, 4, 1, 1));
        assertThat(messages).as("what the others held is free").hasSize(3);
    }

    @Test
    void fragments_ofMoreMessagesThanAnyPeerHas_endTheConnection() {
        for (int i = 0; i <= 16_384; i++) {
            receive(fragment(true, i, 2, 1));
        }
        assertThat(connection.isOpen()).isFalse();
    }

    /** A first fragment with so many new atoms, each with a name of so many bytes. */
    private static byte[] fragmentWithAtoms(long sequence, int count, int nameBytes) {
        ByteBuffer frame = ByteBuffer.allocate(19 + count / 2 + 1 + count * (3 + nameBytes));
        frame.put((byte) 131).put((byte) 69).putLong(sequence).putLong(2).put((byte) count);
        byte[] flags = new byte[count / 2 + 1];
        Arrays.fill(flags, (byte) 0x88);
        flags[count / 2] = (byte) (count % 2 == 0 ? 0x01 : 0x18); // lengths of names have two bytes
        frame.put(flags);
        byte[] name = new byte[nameBytes];
        Arrays.fill(name, (byte) 'a');
        for (int i = 0; i < count; i++) {
            frame.put((byte) i).putShort((short) nameBytes).put(name);
        }
        return frame.array();
    }

    /** Each message that is under way has atoms of its own, which count with its bytes. */
    @Test
    void atoms_ofManyUnfinishedMessages_areBounded() {
        int begun = 100;
        int atoms = 255;
        for (int i = 0; i < begun; i++) {
            receive(fragmentWithAtoms(i, atoms, 255));
        }
        for (int i = 0; i < begun; i++) {
            receive(fragment(false, i, 1, 10));
        }
        assertThat(causes).isEmpty();
        assertThat(messages).hasSizeBetween(1, 2 * MAX_BYTES / (atoms * 255));
        assertThat(refused).hasSize(begun - messages.size());
        receive(fragmentWithAtoms(begun, atoms, 255), fragment(false, begun, 1, 10));
        assertThat(refused).as("what was held is free again").hasSize(begun - messages.size() + 1);
    }

    @Test
    void atom_ofAHeaderThatIsTooLong_endsTheConnectionAsThePeersFault() {
        receive(fragmentWithAtoms(1, 1, 256));
        assertThat(causes).hasSize(1);
        assertThat(ConnectionEndedException.kindOf(causes.get(0))).isEqualTo(EndKind.INVALID_INPUT);
    }
}
