package dev.touchstone.builds.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.cli.UsageException;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "9000,127.0.0.1,9000,true",
        ":9000,127.0.0.1,9000,true",
        "127.0.0.1:0,127.0.0.1,0,true",
        "[::1]:9000,0:0:0:0:0:0:0:1,9000,true",
        "0.0.0.0:9000,0.0.0.0,9000,false"
    })
    void address_isOfLoopbackUnlessItSaysOtherwise(String text, String host, int port, boolean isLoopback) {
        InetSocketAddress address = HostPort.parse("--origin", text);
        assertThat(address.getAddress().getHostAddress()).isEqualTo(host);
        assertThat(address.getPort()).isEqualTo(port);
        assertThat(address.getAddress().isLoopbackAddress()).isEqualTo(isLoopback);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1"})
    void text_thatIsNone_isRefusedByTheOptionsName(String text) {
        assertThatThrownBy(() -> HostPort.parse("--origin", text))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--origin: ");
    }
}
