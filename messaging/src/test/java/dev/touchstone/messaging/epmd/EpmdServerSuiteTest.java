package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our own server in the cases of Erlang's tests. */
class EpmdServerSuiteTest extends EpmdSuite {
    @SuppressWarnings("NullAway.Init") // JUnit calls start first
    private EpmdServer server;

    @BeforeEach
    void start() throws IOException {
        server = EpmdServer.start(0);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Override
    int port() {
        return server.port();
    }

    @Test
    void kill_isRefusedWithoutLiveNodesToo() throws IOException {
        assertThat(Sockets.ask(port(), new byte[] {0, 1, 'k'})).isEqualTo("4e4f");
    }
}
