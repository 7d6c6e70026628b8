package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An attempt to connect ends where another thread gives it up. */
class DialerTest {
    private static final NodeName PEER = NodeName.parse("silent@localhost");
    private static final int ROUNDS = 200;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocket silent;

    @BeforeEach
    void start() throws IOException {
        silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        silent.setSoTimeout(60_000);
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        silent.close();
    }

    private Dialer.Dialed dial(Dialer dialer, Runnable connected) throws IOException {
        NodeName self = NodeName.parse("self@localhost");
        Handshake handshake = Handshake.initiator(new HandshakeOptions(
                self, 1, DistFlags.ANNOUNCED, Cookie.of("secret"), PEER, new SecureRandom(), false));
        return dialer.dial(
                silent.getLocalSocketAddress(),
                PEER,
                Carrier.Wrapping.NONE,
                handshake,
                TimeUnit.MINUTES.toNanos(5),
                connected);
    }

    @Test
    void dial_givenUpBefore_isNotConnected() throws IOException {
        try (Dialer dialer = new Dialer()) {
            dialer.giveUp();
            assertThatThrownBy(() -> dial(dialer, () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("given up");
        }
    }

    @Test
    void dial_givenUpDuringTheHandshake_ends() throws Exception {
        try (Dialer dialer = new Dialer()) {
            Future<Dialer.Dialed> dialled = threads.submit(() -> dial(dialer, () -> {}));
            try (Socket accepted = silent.accept()) {
                assertThat(accepted.getInputStream().read()).isZero(); // of the length of its name
                dialer.giveUp();
                assertThatThrownBy(() -> dialled.get(1, TimeUnit.MINUTES)).hasMessageContaining("given up");
            }
        }
    }

    /** Gives attempts up at any moment, also while a channel is being registered with the selector. */
    @Test
    void giveUp_atAnyMoment_harmsNeitherThread() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Dialer dialer = new Dialer()) {
                CountDownLatch connected = new CountDownLatch(1);
                Future<Dialer.Dialed> dialled = threads.submit(() -> dial(dialer, connected::countDown));
                try (Socket accepted = silent.accept()) {
                    assertThat(connected.await(1, TimeUnit.MINUTES)).isTrue();
                    dialer.giveUp();
                    assertThatThrownBy(() -> dialled.get(1, TimeUnit.MINUTES))
                            .as("round=%d", round)
                            .hasMessageContaining("given up");
                    assertThat(accepted.isConnected()).isTrue();
                }
            }
        }
    }
}
