package dev.touchstone.messaging.epmd;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Erlang's EPMD in the same cases, where it is installed. */
class RealEpmdSuiteTest extends EpmdSuite {
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
    int port() {
        RealEpmd started = real;
        return started == null ? 0 : started.port();
    }
}
