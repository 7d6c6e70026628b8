package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:1",
                "10.0.0.12:65535",
                "localhost:8081",
                "queue-0.queue.svc.cluster.local:7000",
                "[::1]:8081"
            })
    void parse_address_keepsItsText(String address) {
        assertThat(MemberAddress.parse(address)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "localhost:",
                ":8081",
                "localhost:0",
                "localhost:65536",
                "localhost:08",
                "a:b",
                "a:1:2",
                "::1:8081",
                "[::1]",
                "[::1:8081",
                "a b:1",
                "0.0.0.0:8081",
                "[::]:8081",
                "a:1?x=y",
                "http://a:1",
                "[zz]:1",
                " a:1"
            })
    void parse_noAddress_namesIt(String address) {
        assertThatThrownBy(() -> MemberAddress.parse(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got " + address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "queue-0:7000", "0.0.0.0:8081", "[::]:8081"})
    void parseListen_address_keepsItsText(String address) {
        assertThat(MemberAddress.parseListen(address)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8081", ":8081", "0.0.0.0", "0.0.0.0:0", "*:8081"})
    void parseListen_noAddress_namesIt(String address) {
        assertThatThrownBy(() -> MemberAddress.parseListen(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got " + address);
    }

    @Test
    void parseAll_twiceOrWithoutOwn_isRefused() {
        assertThat(MemberAddress.parseAll(List.of(), "a:1")).isEmpty();
        assertThat(MemberAddress.parseAll(List.of("a:1", "b:1"), "b:1")).hasSize(2);
        assertThatThrownBy(() -> MemberAddress.parseAll(List.of("a:1", "a:1"), "a:1"))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> MemberAddress.parseAll(List.of("a:1"), "b:1")).hasMessageContaining("b:1");
    }
}
