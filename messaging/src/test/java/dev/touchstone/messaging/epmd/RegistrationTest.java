package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a registration at port mappers that are slow, silent or gone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegistrationTest {
    private static final byte[] REGISTERED = HexFormat.of().parseHex("760000000004");

    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        listener.close();
    }

    private FutureTask<Registration> register() {
        EpmdClient client = new EpmdClient(Sockets.loopback(listener.getLocalPort()), Sockets.TIMEOUT);
        FutureTask<Registration> task = new FutureTask<>(() -> client.register(EpmdNode.of("node", 1, false)));
        start(task);
        return task;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "registration");
        thread.setDaemon(true);
        thread.start();
    }

    private Socket accept() throws IOException {
        Socket accepted = listener.accept();
        int length = accepted.getInputStream().read() << 8
                | accepted.getInputStream().read();
        assertThat(accepted.getInputStream().readNBytes(length)).hasSize(length);
        Sockets.send(accepted, REGISTERED);
        return accepted;
    }

    @Test
    void close_beforeThePortMapperHasGivenTheNameBack_waits() throws Exception {
        for (int round = 0; round < 200; round++) {
            FutureTask<Registration> registering = register();
            try (Socket accepted = accept()) {
                Registration registration = registering.get();
                AtomicBoolean isFree = new AtomicBoolean();
                FutureTask<Void> giving = new FutureTask<>(() -> {
                    assertThat(accepted.getInputStream().read()).isNegative();
                    isFree.set(true);
                    accepted.shutdownOutput();
                    return null;
                });
                start(giving);
                registration.close();
                assertThat(isFree).as("round=%d", round).isTrue();
                giving.get();
            }
        }
    }

    @Test
    void close_atAPortMapperThatNeverAnswers_returns() throws Exception {
        FutureTask<Registration> registering = register();
        try (Socket accepted = accept()) {
            Registration registration = registering.get();
            registration.close();
            assertThat(registration.isLost()).isTrue();
            assertThat(accepted.getInputStream().read()).isNegative();
            registration.close();
        }
    }

    @Test
    void close_atAPortMapperThatIsGone_returns() throws Exception {
        FutureTask<Registration> registering = register();
        accept().close();
        listener.close();
        Registration registration = registering.get();
        registration.close();
        assertThat(registration.isLost()).isTrue();
    }

    @Test
    void close_byTwoThreads_returnsInBoth() throws Exception {
        FutureTask<Registration> registering = register();
        try (Socket accepted = accept()) {
            Registration registration = registering.get();
            CountDownLatch closed = new CountDownLatch(1);
            start(() -> {
                try {
                    registration.close();
                    closed.countDown();
                } catch (IOException e) {
                    // the latch tells
                }
            });
            registration.close();
            closed.await();
            assertThat(accepted.getInputStream().read()).isNegative();
        }
    }
}
