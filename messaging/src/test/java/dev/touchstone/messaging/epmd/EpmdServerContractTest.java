package dev.touchstone.messaging.epmd;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** With our own server. */
class EpmdServerContractTest extends EpmdContract {
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
    InetSocketAddress epmd() {
        return Sockets.loopback(server.port());
    }
}
