package dev.touchstone.messaging.epmd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said to and by EPMD, byte by byte. */
class EpmdFormatTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final EpmdNode NODE = new EpmdNode("bob", 0x1267, true, 5, 6, new byte[] {7, 8});
    private static final String FIELDS = "1267" + "48" + "00" + "0006" + "0005" + "0003626f62" + "00020708";

    private static final int PROTOCOL_AT = 3;

    private static ByteBuffer hex(String text) {
        return ByteBuffer.wrap(HEX.parseHex(text));
    }

    @Test
    void requests_areThisOnTheWire() {
        assertThat(HEX.formatHex(EpmdFormat.alive2Request(NODE))).isEqualTo("0012" + "78" + FIELDS);
        assertThat(HEX.formatHex(EpmdFormat.alive2Request(EpmdNode.of("a", 1, false))))
                .isEqualTo("000e" + "78" + "0001" + "4d" + "00" + "0006" + "0006" + "000161" + "0000");
        assertThat(HEX.formatHex(EpmdFormat.portRequest("bob"))).isEqualTo("0004" + "7a" + "626f62");
        assertThat(HEX.formatHex(EpmdFormat.request(EpmdFormat.NAMES_REQ))).isEqualTo("0001" + "6e");
    }

    @Test
    void answers_areThisOnTheWire() {
        assertThat(HEX.formatHex(EpmdFormat.alive2Registered(6, 0xcafebabe))).isEqualTo("76" + "00" + "cafebabe");
        assertThat(HEX.formatHex(EpmdFormat.alive2Registered(5, 3))).isEqualTo("79" + "00" + "0003");
        assertThat(HEX.formatHex(EpmdFormat.alive2Refused(6))).isEqualTo("76" + "01" + "00000063");
        assertThat(HEX.formatHex(EpmdFormat.alive2Refused(5))).isEqualTo("79" + "01" + "0063");
        assertThat(HEX.formatHex(EpmdFormat.portResponse(NODE))).isEqualTo("77" + "00" + FIELDS);
        assertThat(HEX.formatHex(EpmdFormat.portResponse(null))).isEqualTo("77" + "01");
        assertThat(HEX.formatHex(EpmdFormat.namesResponse(4369, List.of(NODE))))
                .isEqualTo("00001111" + HEX.formatHex("name bob at port 4711\n".getBytes(UTF_8)));
    }

    @Test
    void readNode_whatWasWritten_isTheSame() throws EpmdException {
        assertThat(EpmdFormat.readNode("node", hex(FIELDS))).isEqualTo(NODE);
        assertThat(EpmdFormat.readNode("node", hex(FIELDS)).extra()).containsExactly(7, 8);
    }

    @Test
    void readNode_truncatedOrLonger_isMalformed() {
        byte[] whole = HEX.parseHex(FIELDS);
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> EpmdFormat.readNode("node", cut)).isInstanceOf(EpmdException.Malformed.class);
        }
        ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> EpmdFormat.readNode("node", longer)).isInstanceOf(EpmdException.Malformed.class);
    }

    @Test
    void readNode_anyByteChanged_isReadOrMalformed() {
        byte[] whole = HEX.parseHex(FIELDS);
        for (int at = 0; at < whole.length; at++) {
            for (int xor = 1; xor <= 0xff; xor++) {
                byte[] changed = whole.clone();
                changed[at] ^= (byte) xor;
                changed[PROTOCOL_AT] = whole[PROTOCOL_AT]; // it is not looked at
                try {
                    assertThat(EpmdFormat.readNode("node", ByteBuffer.wrap(changed)))
                            .as("at=%d xor=%d", at, xor)
                            .matches(node -> !node.equals(NODE) || Arrays.equals(changed, whole));
                } catch (EpmdException.Malformed e) {
                    assertThat(e).hasMessageContaining("expected=");
                }
            }
        }
    }

    @Test
    void readNames_linesWithWords_areRead() throws EpmdException {
        assertThat(EpmdFormat.readNames("name a at port 1\nname at at port 65535\n"))
                .containsExactly(EpmdNode.of("a", 1, false), EpmdNode.of("at", 65535, false));
        assertThat(EpmdFormat.readNames("")).isEmpty();
    }

    @Test
    void readNames_otherLines_areMalformed() {
        for (String line :
                List.of("name a", "a at port 1", "name a at port b", "name  at port 1", "name a at port 70000")) {
            assertThatThrownBy(() -> EpmdFormat.readNames(line)).isInstanceOf(EpmdException.Malformed.class);
        }
    }

    @Test
    void node_thatCouldMisleadAReader_isRefused() {
        for (String name : List.of("", "a b", "a\nname b", "a@b", "\u0000", "\ud800", "x".repeat(256))) {
            assertThatThrownBy(() -> EpmdNode.of(name, 1, false)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> EpmdNode.of("a", 65536, false)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EpmdNode("a", 1, false, -1, 6, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EpmdNode("a", 1, false, 6, 65536, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EpmdNode("a", 1, false, 6, 6, new byte[1021]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
