package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ListenerTest {
    private static final int ROUNDS = 500;

    @Test
    void close_whileAThreadAccepts_freesThePort() throws IOException {
        int port = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try (Listener listener = listener(port)) {
                listener.start();
                port = listener.port();
            }
        }
        assertThat(port).isPositive();
    }

    private static Listener listener(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new Listener(
                "accept", address, Carrier.Wrapping.NONE, Duration.ofSeconds(8).toNanos(), () -> {
                    throw new IllegalStateException("nobody connects");
                });
    }
}
