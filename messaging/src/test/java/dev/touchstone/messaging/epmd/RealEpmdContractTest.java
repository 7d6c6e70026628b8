package dev.touchstone.messaging.epmd;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** With the EPMD of Erlang, where it is installed. */
class RealEpmdContractTest extends EpmdContract {
    private @Nullable RealEpmd real;

    @BeforeEach
    void start() throws Exception {
        real = RealEpmd.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (real != null) {
            real.stop();
        }
    }

    @Override
    InetSocketAddress epmd() {
        RealEpmd started = real;
        return Sockets.loopback(started == null ? 0 : started.port());
    }
}
