package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that is closed gives its name back to Erlang's EPMD, so that it can be started again at once. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeRestartTest {
    private static final int LIVES = 2_000;

    @Test
    void start_atOnceAfterAClose_isNeverRefused() throws Exception {
        RealEpmd real = RealEpmd.start();
        try {
            for (int life = 0; life < LIVES; life++) {
                try (Node node = Node.builder("again@localhost")
                        .cookie(Cookie.of("secret"))
                        .embeddedEpmd(false)
                        .epmd(Sockets.loopback(real.port()))
                        .start()) {
                    assertThat(node.isRegistered()).as("life=%d", life).isTrue();
                }
            }
        } finally {
            real.stop();
        }
    }
}
