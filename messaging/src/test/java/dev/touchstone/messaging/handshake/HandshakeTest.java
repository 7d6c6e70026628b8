package dev.touchstone.messaging.handshake;

import static dev.touchstone.messaging.handshake.Conversation.ALICE;
import static dev.touchstone.messaging.handshake.Conversation.BOB;
import static dev.touchstone.messaging.handshake.Conversation.COOKIE;
import static dev.touchstone.messaging.handshake.Conversation.FLAGS;
import static dev.touchstone.messaging.handshake.Conversation.alice;
import static dev.touchstone.messaging.handshake.Conversation.bob;
import static dev.touchstone.messaging.handshake.Conversation.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.handshake.AliveCheck.Verdict;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a handshake between two sides that keep to the protocol. */
class HandshakeTest {
    private static Conversation answered(Verdict verdict) {
        return new Conversation(Handshake.initiator(alice()), Handshake.acceptor(bob(), peer -> verdict));
    }

    private static HandshakeOptions wanting(HandshakeOptions options, NodeName peer) {
        return new HandshakeOptions(
                options.self(), options.creation(), options.flags(), options.cookie(), peer, options.random(), false);
    }

    private static void assertConnected(Conversation talk) {
        assertThat(talk.initiator.failure).isNull();
        assertThat(talk.acceptor.failure).isNull();
        assertThat(talk.initiator.result).isEqualTo(new HandshakeResult(BOB, FLAGS, 22, ALICE, 11));
        assertThat(talk.acceptor.result).isEqualTo(new HandshakeResult(ALICE, FLAGS, 11, BOB, 22));
    }

    private static String sentStatus(Conversation talk) {
        return new String(talk.acceptor.sent.get(0), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"OK", "OK_SIMULTANEOUS"})
    void status_ok_connects(Verdict verdict) {
        Conversation talk = answered(verdict).run();
        assertConnected(talk);
        assertThat(sentStatus(talk)).isEqualTo("s" + verdict.status());
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"NOK", "NOT_ALLOWED"})
    void status_nok_isRefusedOnBothSides(Verdict verdict) {
        Conversation talk = answered(verdict).run();
        assertThat(sentStatus(talk)).isEqualTo("s" + verdict.status());
        assertThat(talk.acceptor.sent).hasSize(1);
        for (Conversation.Side side : List.of(talk.initiator, talk.acceptor)) {
            assertThat(side.failure)
                    .isInstanceOfSatisfying(
                            HandshakeException.Refused.class,
                            refused -> assertThat(refused.status()).isEqualTo(verdict.status()));
        }
    }

    @Test
    void status_aliveAndTheOldConnectionIsLost_connects() {
        Conversation talk = answered(Verdict.ALIVE).run();
        assertConnected(talk);
        assertThat(sentStatus(talk)).isEqualTo("salive");
        assertThat(talk.initiator.sent.get(1))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("strue");
    }

    @Test
    void status_aliveAndTheOldConnectionIsUp_isRefusedAndNoChallengeIsSent() {
        Conversation talk = new Conversation(
                        Handshake.initiator(alice(), () -> false), Handshake.acceptor(bob(), peer -> Verdict.ALIVE))
                .run();
        assertThat(talk.initiator.sent.get(1))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("sfalse");
        assertThat(talk.acceptor.sent).hasSize(1);
        assertThat(talk.initiator.failure).isInstanceOf(HandshakeException.Refused.class);
        assertThat(talk.acceptor.failure)
                .isInstanceOf(HandshakeException.Refused.class)
                .hasMessageContaining("status=alive");
    }

    static LongStream mandatoryFlags() {
        return LongStream.iterate(1, flag -> flag != 0, flag -> flag << 1)
                .filter(flag -> (DistFlags.MANDATORY & flag) != 0);
    }

    /** Packet 0 has the initiator's flags, packet 2 the acceptor's. */
    @ParameterizedTest
    @MethodSource("mandatoryFlags")
    void flags_withoutAMandatoryOne_areRefusedByEitherSide(long missing) {
        for (int withFlags : new int[] {0, 2}) {
            Conversation talk = answered(Verdict.OK)
                    .run((number, packet) ->
                            number == withFlags ? without(packet, missing | DistFlags.MANDATORY_25_DIGEST) : packet);
            Conversation.Side refusing = withFlags == 0 ? talk.acceptor : talk.initiator;
            assertThat(refusing.failure)
                    .isInstanceOfSatisfying(
                            HandshakeException.MissingFlags.class,
                            refused -> assertThat(refused.missing()).isEqualTo(missing));
        }
    }

    private static byte[] without(byte[] packet, long flags) {
        byte[] changed = packet.clone();
        ByteBuffer numbers = ByteBuffer.wrap(changed);
        return numbers.putLong(1, numbers.getLong(1) & ~flags).array();
    }

    @Test
    void nameMe_initiatorWithoutAName_getsOneOfItsHost() {
        NodeName nameless = NodeName.parse("undefined@somewhere.org");
        long asks = FLAGS | DistFlags.NAME_ME | DistFlags.PUBLISHED;
        HandshakeOptions visibleBob = options(BOB, 22, FLAGS | DistFlags.PUBLISHED, COOKIE, new SecureRandom());
        Conversation talk = new Conversation(
                        Handshake.initiator(options(nameless, 0, asks, COOKIE, new SecureRandom())),
                        Handshake.acceptor(visibleBob, peer -> Verdict.OK))
                .run();
        HandshakeResult initiator = Objects.requireNonNull(talk.initiator.result);
        HandshakeResult acceptor = Objects.requireNonNull(talk.acceptor.result);
        assertThat(initiator.self()).isEqualTo(acceptor.peer());
        assertThat(initiator.self().host()).isEqualTo("somewhere.org");
        assertThat(initiator.self().alive()).isNotEqualTo("undefined").matches("[0-9A-Z]+");
        assertThat(initiator.creation()).isEqualTo(acceptor.peerCreation());
        assertThat(Integer.toUnsignedLong(initiator.creation())).isGreaterThan(3);
        assertThat(initiator.flags()).isEqualTo(acceptor.flags()).isEqualTo(FLAGS);
        assertThat(talk.initiator.sent.get(0))
                .as("only the host is told")
                .asString(StandardCharsets.ISO_8859_1)
                .contains("somewhere.org")
                .doesNotContain("@");
        HandshakeFormat.Introduction challenge =
                read(() -> HandshakeFormat.readChallenge(new PacketReader(talk.acceptor.sent.get(1)))
                        .from());
        assertThat(challenge.flags() & DistFlags.NAME_ME)
                .as("OTP looks for its wish in the acceptor's flags")
                .isNotZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"OK"},
            mode = EnumSource.Mode.EXCLUDE)
    void nameMe_whereTheNewNameIsNotWanted_isNotAllowed(Verdict verdict) {
        NodeName nameless = NodeName.parse("undefined@somewhere.org");
        Conversation talk = new Conversation(
                        Handshake.initiator(
                                options(nameless, 0, FLAGS | DistFlags.NAME_ME, COOKIE, new SecureRandom())),
                        Handshake.acceptor(bob(), peer -> verdict))
                .run();
        assertThat(sentStatus(talk)).isEqualTo("snot_allowed");
        assertThat(talk.initiator.failure).isInstanceOf(HandshakeException.Refused.class);
        assertThat(talk.acceptor.failure).isInstanceOf(HandshakeException.Refused.class);
    }

    @Test
    void cookie_other_isNoticedByTheAcceptorBeforeItProvesItsOwn() {
        HandshakeOptions mallory = options(ALICE, 11, FLAGS, Cookie.of("monstet"), new SecureRandom());
        Conversation talk =
                new Conversation(Handshake.initiator(mallory), Handshake.acceptor(bob(), p -> Verdict.OK)).run();
        assertThat(talk.acceptor.failure).isInstanceOf(HandshakeException.WrongCookie.class);
        assertThat(talk.acceptor.sent).as("status and challenge, no ack").hasSize(2);
        assertThat(talk.initiator.failure).isInstanceOf(HandshakeException.WrongCookie.class);
        assertThat(talk.initiator.failure).hasMessageNotContaining("monste");
    }

    @Test
    void cookie_ackOfAnAcceptorThatDoesNotKnowIt_isNoticedByTheInitiator() {
        HandshakeOptions mallory = options(BOB, 22, FLAGS, Cookie.of("other"), new SecureRandom());
        Conversation talk =
                new Conversation(Handshake.initiator(alice()), Handshake.acceptor(mallory, peer -> Verdict.OK));
        byte[] fakeAck = HandshakeFormat.ack(Digest.of(Cookie.of("other"), 0x12345678));
        talk.run((number, packet) -> packet);
        assertThat(talk.initiator.result).isNull();

        Handshake initiator = Handshake.initiator(alice());
        assertThat(initiator.start()).hasSize(1);
        assertThat(read(() -> initiator.received(HandshakeFormat.status("ok"))).done())
                .isNull();
        byte[] challenge = HandshakeFormat.challenge(new HandshakeFormat.Introduction("bob@localhost", FLAGS, 22), 1);
        assertThat(read(() -> initiator.received(challenge)).toSend()).hasSize(1);
        assertThatThrownBy(() -> initiator.received(fakeAck)).isInstanceOf(HandshakeException.WrongCookie.class);
    }

    @Test
    void cookie_empty_isRefusedUnlessAllowed() {
        Cookie empty = Cookie.of("");
        assertThatThrownBy(() -> options(ALICE, 11, FLAGS, empty, new SecureRandom()))
                .isInstanceOf(IllegalArgumentException.class);
        HandshakeOptions one = new HandshakeOptions(ALICE, 11, FLAGS, empty, null, new SecureRandom(), true);
        HandshakeOptions other = new HandshakeOptions(BOB, 22, FLAGS, empty, null, new SecureRandom(), true);
        assertConnected(
                new Conversation(Handshake.initiator(one), Handshake.acceptor(other, peer -> Verdict.OK)).run());
    }

    @Test
    void flags_ofOneSideOnly_areNotInTheResult() {
        HandshakeOptions more = options(ALICE, 11, FLAGS | DistFlags.ALIAS, COOKIE, new SecureRandom());
        assertConnected(
                new Conversation(Handshake.initiator(more), Handshake.acceptor(bob(), peer -> Verdict.OK)).run());
    }

    @Test
    void flags_withoutThoseThatEveryPeerAsksFor_areRefusedAtOnce() {
        assertThatThrownBy(() -> options(ALICE, 11, FLAGS & ~DistFlags.V4_NC, COOKIE, new SecureRandom()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("V4_NC");
    }

    @Test
    void peer_otherThanWanted_isRefusedByTheInitiator() {
        Conversation talk = new Conversation(
                        Handshake.initiator(wanting(alice(), NodeName.parse("carol@localhost"))),
                        Handshake.acceptor(bob(), peer -> Verdict.OK))
                .run();
        assertThat(talk.initiator.failure)
                .isInstanceOf(HandshakeException.WrongNode.class)
                .hasMessageContaining("expected=carol@localhost got=bob@localhost");
        assertThat(talk.initiator.sent).as("no proof for a stranger").hasSize(1);
    }

    @Test
    void peer_otherThanWanted_isNotAllowedByTheAcceptor() {
        Conversation talk = new Conversation(
                        Handshake.initiator(alice()),
                        Handshake.acceptor(wanting(bob(), NodeName.parse("carol@localhost")), peer -> Verdict.OK))
                .run();
        assertThat(talk.acceptor.failure).isInstanceOf(HandshakeException.WrongNode.class);
        assertThat(sentStatus(talk)).isEqualTo("snot_allowed");
        assertThat(talk.initiator.failure).isInstanceOf(HandshakeException.Refused.class);
    }

    @Test
    void peer_ofOurOwnName_isRefused() {
        Conversation talk =
                new Conversation(Handshake.initiator(alice()), Handshake.acceptor(alice(), peer -> Verdict.OK)).run();
        assertThat(talk.acceptor.failure).isInstanceOf(HandshakeException.WrongNode.class);
        assertThat(talk.initiator.failure).isInstanceOf(HandshakeException.Refused.class);
    }

    @Test
    void simultaneous_nodeWithTheGreaterName_keepsItsAttempt() {
        assertThat(AliveCheck.simultaneous(BOB, ALICE)).isEqualTo(Verdict.NOK);
        assertThat(AliveCheck.simultaneous(ALICE, BOB)).isEqualTo(Verdict.OK_SIMULTANEOUS);
    }

    @Test
    void received_afterTheEnd_isMalformed() throws HandshakeException {
        Handshake refused = Handshake.acceptor(bob(), peer -> Verdict.NOK);
        byte[] name = Handshake.initiator(alice()).start().get(0);
        assertThatThrownBy(() -> refused.received(name)).isInstanceOf(HandshakeException.Refused.class);
        assertThatThrownBy(() -> refused.received(name)).isInstanceOf(HandshakeException.Malformed.class);
    }

    @Test
    void closed_beforeTheEnd_saysWhatWasAwaited() {
        Handshake initiator = Handshake.initiator(wanting(alice(), BOB));
        assertThat(initiator.closed())
                .hasMessageContaining("peer=bob@localhost")
                .hasMessageContaining("STATUS");
        assertThat(initiator.peer()).isEqualTo(BOB);
        Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
        assertThat(acceptor.closed()).hasMessageContaining("NAME");
        assertThat(acceptor.peer()).isNull();
    }

    @Test
    void challenge_isDrawnAfreshForEachHandshake() {
        SecureRandom random = new Conversation.FixedRandom(1, 2, 3, 4);
        HandshakeOptions options = options(BOB, 22, FLAGS, COOKIE, random);
        byte[] name = Handshake.initiator(alice()).start().get(0);
        for (int expected = 1; expected <= 4; expected++) {
            Handshake acceptor = Handshake.acceptor(options, peer -> Verdict.OK);
            byte[] packet = read(() -> acceptor.received(name)).toSend().get(1);
            assertThat(read(() -> HandshakeFormat.readChallenge(new PacketReader(packet)))
                            .challenge())
                    .isEqualTo(expected);
        }
    }

    private interface Reading<T> {
        T read() throws HandshakeException;
    }

    private static <T> T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (HandshakeException e) {
            throw new AssertionError(e);
        }
    }
}
