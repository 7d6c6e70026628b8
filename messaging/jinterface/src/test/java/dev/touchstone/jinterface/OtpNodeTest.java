package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of mailboxes, and nodes that cannot start, where the real library gives no trace to compare with. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtpNodeTest {
    private EpmdServer epmd;
    private OtpNode node;

    @BeforeEach
    void start() throws IOException {
        epmd = EpmdServer.start(0);
        OtpEpmd.useEpmdPort(epmd.port());
        node = new OtpNode("names@localhost", "secret");
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
        epmd.close();
    }

    @Test
    void createMbox_withTheNameOfOneThatWasCollected_opensAnother() {
        OtpMbox[] kept = {node.createMbox("name")};
        assertThat(node.createMbox("name")).isNull();
        kept[0] = null;
        OtpMbox made = null;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (made == null && System.nanoTime() < deadline) {
            System.gc();
            made = node.createMbox("name");
        }
        assertThat(made).isNotNull();
        assertThat(node.whereis("name")).isEqualTo(made.self());
    }

    @Test
    void close_ofANode_givesUpTheNamesOfItsMailboxes() {
        OtpMbox box = node.createMbox("name");
        assertThat(node.whereis("name")).isEqualTo(box.self());
        node.close();
        assertThat(node.whereis("name")).isNull();
    }
}
