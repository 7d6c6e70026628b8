package dev.touchstone.messaging.handshake;

import static dev.touchstone.messaging.handshake.Conversation.ALICE;
import static dev.touchstone.messaging.handshake.Conversation.COOKIE;
import static dev.touchstone.messaging.handshake.Conversation.FLAGS;
import static dev.touchstone.messaging.handshake.Conversation.alice;
import static dev.touchstone.messaging.handshake.Conversation.bob;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.handshake.AliveCheck.Verdict;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets that no honest node sends end in a {@link HandshakeException}, and in nothing else. */
class HostilePacketTest {
    /** Each bit of a byte, some together, and all. */
    private static final int[] CHANGES = {1, 2, 3, 4, 8, 0x10, 0x20, 0x21, 0x40, 0x7f, 0x80, 0x81, 0xff};

    /** Every kind of conversation that gets to its end when nobody meddles. */
    enum Kind {
        PLAIN(5),
        ALIVE(6),
        NAMED(5);

        final int packets;

        Kind(int packets) {
            this.packets = packets;
        }

        Conversation fresh() {
            HandshakeOptions nameless =
                    Conversation.options(ALICE, 0, FLAGS | DistFlags.NAME_ME, COOKIE, Conversation.seeded(1));
            Verdict verdict = this == ALIVE ? Verdict.ALIVE : Verdict.OK;
            return new Conversation(
                    Handshake.initiator(this == NAMED ? nameless : alice()),
                    Handshake.acceptor(bob(), peer -> verdict));
        }

        int length(int number) {
            int[] length = new int[1];
            Conversation unused = fresh().run((n, packet) -> {
                length[0] = n == number ? packet.length : length[0];
                return packet;
            });
            return length[0];
        }
    }

    /** Changes one packet; that the run returns shows that nothing but a HandshakeException was thrown. */
    private static Conversation meddle(Kind kind, int number, UnaryOperator<byte[]> change) {
        Conversation talk = kind.fresh().run((n, packet) -> n == number ? change.apply(packet.clone()) : packet);
        for (Conversation.Side side : new Conversation.Side[] {talk.initiator, talk.acceptor}) {
            assertThat(side.result == null).isEqualTo(side.failure != null);
        }
        return talk;
    }

    @ParameterizedTest
    @EnumSource
    void packet_leftAlone_connects(Kind kind) {
        for (int number = 0; number < kind.packets; number++) {
            Conversation talk = meddle(kind, number, packet -> packet);
            assertThat(talk.initiator.result).isNotNull();
            assertThat(talk.acceptor.result).isNotNull();
            assertThat(kind.length(number)).isPositive();
        }
        assertThat(kind.length(kind.packets)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void packet_truncatedAnywhere_connectsNobody(Kind kind) {
        for (int number = 0; number < kind.packets; number++) {
            int whole = kind.length(number);
            for (int length = 0; length < whole; length++) {
                int kept = length;
                Conversation talk = meddle(kind, number, packet -> Arrays.copyOf(packet, kept));
                assertThat(talk.initiator.result)
                        .as("packet=%d length=%d", number, length)
                        .isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void packet_withAnyByteChanged_isReadOrRefused(Kind kind) {
        for (int number = 0; number < kind.packets; number++) {
            int whole = kind.length(number);
            for (int at = 0; at < whole; at++) {
                for (int what : CHANGES) {
                    int where = at;
                    Conversation talk = meddle(kind, number, packet -> {
                        packet[where] ^= (byte) what;
                        return packet;
                    });
                    boolean proof = number >= kind.packets - 2;
                    assertThat(proof && talk.initiator.result != null)
                            .as("packet=%d at=%d xor=%d", number, at, what)
                            .isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void packet_withBytesInsertedOrTakenAnywhere_isReadOrRefused(Kind kind) {
        for (int number = 0; number < kind.packets; number++) {
            int whole = kind.length(number);
            for (int at = 0; at <= whole; at++) {
                int where = at;
                Conversation inserted = meddle(kind, number, packet -> {
                    byte[] longer = Arrays.copyOf(packet, packet.length + 1);
                    System.arraycopy(packet, where, longer, where + 1, packet.length - where);
                    return longer;
                });
                assertThat(inserted.acceptor.handshake.closed()).isNotNull();
                Conversation taken = meddle(kind, number, packet -> {
                    int from = Math.min(where, packet.length - 1);
                    System.arraycopy(packet, from + 1, packet, from, packet.length - from - 1);
                    return Arrays.copyOf(packet, packet.length - 1);
                });
                assertThat(taken.acceptor.handshake.closed()).isNotNull();
            }
        }
    }

    @Test
    void packet_oldNameCutOrChanged_isReadOrRefused() {
        byte[] oldName = new byte[7 + 15];
        byte[] name = HandshakeFormat.name(new HandshakeFormat.Introduction(ALICE.toString(), FLAGS, 1));
        oldName[0] = 'n';
        oldName[2] = 5;
        System.arraycopy(name, 5, oldName, 3, 4);
        System.arraycopy(name, 15, oldName, 7, 15);
        for (int length = 0; length <= oldName.length; length++) {
            tell(Arrays.copyOf(oldName, length));
        }
        for (int at = 0; at < oldName.length; at++) {
            for (int xor : CHANGES) {
                byte[] changed = oldName.clone();
                changed[at] ^= (byte) xor;
                tell(changed);
            }
        }
    }

    @Test
    void packet_ofNoise_isRefused() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] tags = {'N', 'n', 's', 'c', 'r', 'a'};
        for (int round = 0; round < 20_000; round++) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            if (noise.length > 0) {
                noise[0] = tags[random.nextInt(tags.length)];
            }
            assertThat(tell(noise)).as("seed=%d round=%d", seed, round).isFalse();
        }
    }

    /** Whether any side connects with a peer that says this whenever it is its turn. */
    private static boolean tell(byte[] packet) {
        return connects(Handshake.acceptor(bob(), peer -> Verdict.OK), packet)
                || connects(Handshake.acceptor(bob(), peer -> Verdict.ALIVE), packet)
                || connects(Handshake.initiator(alice()), packet);
    }

    private static boolean connects(Handshake handshake, byte[] packet) {
        try {
            for (int turn = 0; turn < 4; turn++) {
                if (handshake.received(packet).done() != null) {
                    return true;
                }
            }
            return false;
        } catch (HandshakeException e) {
            return false;
        }
    }
}
