package dev.touchstone.messaging.handshake;

import static dev.touchstone.messaging.handshake.Conversation.ALICE;
import static dev.touchstone.messaging.handshake.Conversation.BOB;
import static dev.touchstone.messaging.handshake.Conversation.COOKIE;
import static dev.touchstone.messaging.handshake.Conversation.FLAGS;
import static dev.touchstone.messaging.handshake.Conversation.alice;
import static dev.touchstone.messaging.handshake.Conversation.bob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.handshake.AliveCheck.Verdict;
import dev.touchstone.messaging.handshake.HandshakeFormat.Introduction;
import dev.touchstone.messaging.identity.NodeName;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The packets byte by byte: those of ours are pinned, and those that other nodes may send are understood. */
class HandshakeFormatTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String ALICE_HEX = "616c696365406c6f63616c686f7374";
    private static final String BOB_HEX = "626f62406c6f63616c686f7374";
    private static final String FLAGS_HEX = "00000004070f0f94";
    private static final String PROOF_OF_ALL_ONES = "9dffd90a48c46a8277429bfdefc02ebe";
    private static final String PROOF_OF_12345678 = "27c17f975376e00523e910cae5eafa3c";

    private static byte[] hex(String text) {
        return HEX.parseHex(text);
    }

    private static PacketReader reader(String text) {
        return new PacketReader(hex(text));
    }

    @Test
    void conversation_ofTwoNodes_isThisOnTheWire() {
        Conversation talk =
                new Conversation(Handshake.initiator(alice()), Handshake.acceptor(bob(), p -> Verdict.OK)).run();
        assertThat(talk.initiator.sentHex())
                .containsExactly(
                        "4e" + FLAGS_HEX + "0000000b" + "000f" + ALICE_HEX, // name
                        "72" + "12345678" + PROOF_OF_ALL_ONES); // reply
        assertThat(talk.acceptor.sentHex())
                .containsExactly(
                        "736f6b", // status ok
                        "4e" + FLAGS_HEX + "ffffffff" + "00000016" + "000d" + BOB_HEX, // challenge
                        "61" + PROOF_OF_12345678); // ack
    }

    @Test
    void status_named_isThisOnTheWire() {
        byte[] packet = HandshakeFormat.named(BOB, 0xcafebabe);
        assertThat(HEX.formatHex(packet)).isEqualTo("736e616d65643a" + "000d" + BOB_HEX + "cafebabe");
    }

    @Test
    void flags_mandatory_areThoseOfOtp() {
        assertThat(DistFlags.MANDATORY_25).isEqualTo(0x1070f94);
        assertThat(DistFlags.MANDATORY | DistFlags.UNLINK_ID).isEqualTo(0x4_0307_0f94L);
        assertThat(DistFlags.MANDATORY_25_DIGEST).isEqualTo(1 << 26);
        assertThat(DistFlags.missing(0xd_07df_7fbdL)).as("what OTP 25 sends").isZero();
        assertThat(DistFlags.missing(DistFlags.MANDATORY_25_DIGEST | DistFlags.V4_NC | DistFlags.UNLINK_ID))
                .as("the digest stands for the rest")
                .isZero();
        assertThat(DistFlags.toString(0x40_0000_0000L | DistFlags.missing(0x70d94)))
                .isEqualTo("EXPORT_PTR_TAG|HANDSHAKE_23|V4_NC|bit38");
    }

    @Test
    void digest_ofAChallengeAbove31Bits_isOfItsUnsignedDigits() {
        assertThat(HEX.formatHex(Digest.of(COOKIE, -1))).isEqualTo(PROOF_OF_ALL_ONES);
    }

    @Test
    void name_withMoreAfterIt_isUnderstood() throws HandshakeException {
        Introduction from =
                HandshakeFormat.readName(reader("4e" + "0000000d07df7fbd" + "5e3a1b2c" + "000d" + BOB_HEX + "0102"));
        assertThat(from).isEqualTo(new Introduction(BOB.toString(), 0xd_07df_7fbdL, 0x5e3a1b2c));
    }

    @Test
    void name_beyondAscii_isUtf8() throws HandshakeException {
        NodeName name = NodeName.parse("späher@höhe");
        byte[] packet = HandshakeFormat.name(new Introduction(name.toString(), FLAGS, 1));
        assertThat(HEX.formatHex(packet)).endsWith("000d" + "7370c3a468657240" + "68c3b66865");
        assertThat(HandshakeFormat.readName(new PacketReader(packet)).name()).isEqualTo(name.toString());
    }

    @Test
    void oldName_withComplement_connects() throws HandshakeException {
        Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
        Step named = acceptor.received(hex("6e" + "0005" + "070f0f94" + ALICE_HEX));
        assertThat(named.toSend()).hasSize(2);
        Step complemented = acceptor.received(hex("63" + "00000004" + "0000000b"));
        assertThat(complemented).isEqualTo(Step.NOTHING_YET);
        Step done = acceptor.received(hex("72" + "12345678" + PROOF_OF_ALL_ONES));
        assertThat(done.done()).isEqualTo(new HandshakeResult(ALICE, FLAGS, 11, BOB, 22));
    }

    @Test
    void oldName_withoutComplement_isMalformed() throws HandshakeException {
        Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
        assertThat(acceptor.received(hex("6e" + "0005" + "070f0f94" + ALICE_HEX))
                        .done())
                .isNull();
        assertThatThrownBy(() -> acceptor.received(hex("72" + "12345678" + PROOF_OF_ALL_ONES)))
                .isInstanceOf(HandshakeException.Malformed.class);
    }

    @Test
    void oldName_whoseComplementLacksMandatoryFlags_isRefused() throws HandshakeException {
        Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
        assertThat(acceptor.received(hex("6e" + "0005" + "070f0f94" + ALICE_HEX))
                        .done())
                .isNull();
        assertThatThrownBy(() -> acceptor.received(hex("63" + "00000000" + "0000000b")))
                .isInstanceOf(HandshakeException.MissingFlags.class)
                .hasMessageContaining("missing=V4_NC");
    }

    @Test
    void oldName_ofAClientOfVersion5_isNotAllowed() {
        for (String flags : new String[] {"00030d94", "00070d94"}) { // jinterface 1.6.1 and encon 1.6.10
            Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
            assertThatThrownBy(() -> acceptor.received(hex("6e" + "0005" + flags + ALICE_HEX)))
                    .isInstanceOfSatisfying(HandshakeException.MissingFlags.class, missing -> {
                        assertThat(missing.missing() & DistFlags.HANDSHAKE_23).isNotZero();
                        assertThat(missing.missing() & DistFlags.V4_NC)
                                .as("not known yet")
                                .isZero();
                        assertThat(missing.farewell()).containsExactly(HandshakeFormat.status("not_allowed"));
                    });
        }
    }

    @Test
    void name_lackingEachMandatoryFlag_isNotAllowed() {
        for (long flag = 1; flag != 0; flag <<= 1) {
            long one = flag;
            if ((DistFlags.MANDATORY & one) != 0) {
                long flags = DistFlags.MANDATORY & ~one;
                Handshake acceptor = Handshake.acceptor(bob(), peer -> Verdict.OK);
                byte[] name = HandshakeFormat.name(new Introduction("alice@localhost", flags, 1));
                assertThatThrownBy(() -> acceptor.received(name))
                        .isInstanceOfSatisfying(
                                HandshakeException.MissingFlags.class,
                                missing -> assertThat(missing.missing()).isEqualTo(one));
                Handshake initiator = Handshake.initiator(alice());
                byte[] challenge = HandshakeFormat.challenge(new Introduction("bob@localhost", flags, 1), 1);
                assertThatThrownBy(() -> {
                            assertThat(initiator
                                            .received(HandshakeFormat.status("ok"))
                                            .toSend())
                                    .isEmpty();
                            initiator.received(challenge);
                        })
                        .isInstanceOf(HandshakeException.MissingFlags.class);
            }
        }
    }

    @Test
    void status_thatGivesANameUnasked_isMalformed() {
        Handshake initiator = Handshake.initiator(alice());
        assertThatThrownBy(() -> initiator.received(HandshakeFormat.named(ALICE, 7)))
                .isInstanceOf(HandshakeException.Malformed.class);
    }

    @Test
    void status_thatGivesNoNameWhenAsked_isMalformed() {
        for (String status : new String[] {"ok", "ok_simultaneous", "alive"}) {
            Handshake initiator = nameless();
            assertThatThrownBy(() -> initiator.received(HandshakeFormat.status(status)))
                    .isInstanceOf(HandshakeException.Malformed.class);
        }
    }

    @Test
    void status_thatGivesANameOfAnotherHost_isMalformed() {
        Handshake initiator = nameless();
        assertThatThrownBy(() -> initiator.received(HandshakeFormat.named(NodeName.parse("x@elsewhere"), 7)))
                .isInstanceOf(HandshakeException.Malformed.class);
    }

    @Test
    void status_unknown_isMalformedAndNotRepeated() {
        Handshake initiator = Handshake.initiator(alice());
        assertThatThrownBy(() -> initiator.received(HandshakeFormat.status("ok\nfine")))
                .isInstanceOf(HandshakeException.Malformed.class)
                .hasMessageNotContaining("fine");
    }

    private static Handshake nameless() {
        return Handshake.initiator(
                Conversation.options(ALICE, 0, FLAGS | DistFlags.NAME_ME, COOKIE, new Conversation.FixedRandom(5)));
    }
}
