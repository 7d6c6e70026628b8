package dev.touchstone.messaging.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Atom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNameTest {
    @Test
    void parse_aliveAtHost_isBoth() {
        NodeName name = NodeName.parse("späher@höhe.example.org");
        assertThat(name).isEqualTo(new NodeName("späher", "höhe.example.org"));
        assertThat(name).hasToString("späher@höhe.example.org");
        assertThat(name.atom()).isEqualTo(Atom.of("späher@höhe.example.org"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\n", "a\u0000@b", "\ud800@b", "a@b\u00a0"})
    void parse_otherText_isRefused(String text) {
        assertThatThrownBy(() -> NodeName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parse_255Bytes_isTheMost() {
        assertThat(NodeName.parse("ä".repeat(126) + "a@b").alive()).hasSize(127);
        assertThatThrownBy(() -> NodeName.parse("ä".repeat(126) + "aa@b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bytes=256");
    }

    @Test
    void isLong_hostWithDotsOrColons_isLong() {
        assertThat(NodeName.parse("a@localhost").isLong()).isFalse();
        assertThat(NodeName.parse("a@127.0.0.1").isLong()).isTrue();
        assertThat(NodeName.parse("a@::1").isLong()).isTrue();
        assertThat(NodeName.parse("a@b.example.org").isLong()).isTrue();
    }

    @Test
    void compareTo_namesBeyondTheBasicPlane_goesByCodePoint() {
        NodeName basic = NodeName.parse("\ufffd@b");
        NodeName supplementary = NodeName.parse("\ud83d\ude00@b");
        assertThat(supplementary).isGreaterThan(basic);
        assertThat(NodeName.parse("a@b"))
                .isLessThan(NodeName.parse("aa@b"))
                .isEqualByComparingTo(NodeName.parse("a@b"));
    }
}
