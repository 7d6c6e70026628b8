package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.epmd.Sockets.Parrot;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the client does where EPMD is absent, silent or something else. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EpmdClientTest {
    private static final EpmdNode NODE = EpmdNode.of("bob", 4711, false);

    private static EpmdClient client(Parrot parrot) {
        return new EpmdClient(parrot.address(), Sockets.TIMEOUT);
    }

    private static Parrot answering(String hex) throws IOException {
        return new Parrot(HexFormat.of().parseHex(hex), true);
    }

    @Test
    void request_nobodyListens_isUnreachable() throws IOException {
        EpmdClient client = new EpmdClient(Sockets.loopback(Sockets.freePort()), Sockets.TIMEOUT);
        assertThatThrownBy(client::names).isInstanceOf(EpmdException.Unreachable.class);
        assertThatThrownBy(() -> client.lookup("bob")).isInstanceOf(EpmdException.Unreachable.class);
        assertThatThrownBy(() -> client.register(NODE))
                .isInstanceOf(EpmdException.Unreachable.class)
                .hasMessageContaining("epmd=");
    }

    @Test
    void request_noAnswer_isUnreachableWhenTheTimeIsUp() throws IOException {
        Duration timeout = Duration.ofMillis(100);
        try (Parrot silent = new Parrot(new byte[0], false);
                Parrot half = new Parrot(new byte[] {0, 0, 0, 1, 'n'}, false)) {
            for (Parrot parrot : List.of(silent, half)) {
                EpmdClient client = new EpmdClient(parrot.address(), timeout);
                long begin = System.nanoTime();
                assertThatThrownBy(client::names).isInstanceOf(EpmdException.Unreachable.class);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(timeout.dividedBy(2));
            }
        }
    }

    @Test
    void register_oldAnswer_hasASmallCreation() throws IOException {
        try (Parrot parrot = answering("79000002");
                Registration registration = client(parrot).register(NODE)) {
            assertThat(registration.creation()).isEqualTo(2);
        }
        try (Parrot parrot = answering("7600fffffffe");
                Registration registration = client(parrot).register(NODE)) {
            assertThat(registration.creation()).isEqualTo(-2);
        }
    }

    @Test
    void register_otherAnswers_fail() throws IOException {
        try (Parrot parrot = answering("760100000063")) {
            assertThatThrownBy(() -> client(parrot).register(NODE))
                    .isInstanceOf(EpmdException.Refused.class)
                    .hasMessageContaining("result=1");
        }
        try (Parrot parrot = answering("770000000000")) {
            assertThatThrownBy(() -> client(parrot).register(NODE)).isInstanceOf(EpmdException.Malformed.class);
        }
        byte[] whole = HexFormat.of().parseHex("760000000001");
        for (int length = 0; length < whole.length; length++) {
            try (Parrot parrot = new Parrot(Arrays.copyOf(whole, length), true)) {
                assertThatThrownBy(() -> client(parrot).register(NODE)).isInstanceOf(EpmdException.Unreachable.class);
            }
        }
    }

    @Test
    void lookup_otherAnswers_fail() throws IOException {
        byte[] whole = EpmdFormat.portResponse(NODE);
        for (int length = 0; length < whole.length; length++) {
            try (Parrot parrot = new Parrot(Arrays.copyOf(whole, length), true)) {
                assertThatThrownBy(() -> client(parrot).lookup("bob")).isInstanceOf(EpmdException.class);
            }
        }
        try (Parrot parrot = new Parrot(Arrays.copyOf(whole, 5000), true)) {
            assertThatThrownBy(() -> client(parrot).lookup("bob")).isInstanceOf(EpmdException.Malformed.class);
        }
        try (Parrot parrot = answering("7600")) {
            assertThatThrownBy(() -> client(parrot).lookup("bob")).isInstanceOf(EpmdException.Malformed.class);
        }
        try (Parrot parrot = answering("7701")) {
            assertThat(client(parrot).lookup("bob")).isEmpty();
        }
    }

    @Test
    void names_endlessAnswer_isMalformed() throws IOException {
        try (Parrot parrot = new Parrot(new byte[3 << 20], false)) {
            assertThatThrownBy(() -> client(parrot).names())
                    .isInstanceOf(EpmdException.Malformed.class)
                    .hasMessageContaining("at most");
        }
    }

    @Test
    void registration_epmdIsGone_isLost() throws Exception {
        try (Parrot parrot = answering("760000000001");
                Registration registration = client(parrot).register(NODE)) {
            Sockets.waitUntil("the registration is lost", registration::isLost);
        }
    }

    @Test
    void port_ofTheEnvironment_isTheVariableOrTheUsualOne() {
        assertThat(EpmdClient.port("")).isEqualTo(4369);
        assertThat(EpmdClient.port("1234")).isEqualTo(1234);
        for (String other : List.of("0", "65536", "-1", "epmd")) {
            assertThatThrownBy(() -> EpmdClient.port(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ERL_EPMD_PORT=" + other);
        }
    }

    @Test
    void timeout_noneAtAll_isRefused() {
        assertThatThrownBy(() -> new EpmdClient(Sockets.loopback(1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
