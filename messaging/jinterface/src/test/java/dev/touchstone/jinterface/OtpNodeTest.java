package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import com.ericsson.otp.erlang.OtpNodeStatus;
import com.ericsson.otp.erlang.OtpSelf;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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

    @Test
    void createMbox_withANameThatIsTooLong_takesNoName() {
        String name = "x".repeat(256);
        OtpMbox box = node.createMbox();
        assertThatThrownBy(() -> node.createMbox(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> box.registerName(name)).isInstanceOf(IllegalArgumentException.class);
        assertThat(node.getNames()).isEmpty();
        assertThat(box.getName()).isNull();
        node.close();
    }

    @Test
    void remoteStatus_ofAHandlerThatDoesNotReturn_isBounded() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        node.registerStatusHandler(new OtpNodeStatus() {
            @Override
            public void connAttempt(String peer, boolean incoming, Object info) {
                told.incrementAndGet();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        OtpMbox box = node.createMbox();
        for (int i = 0; i < 10_100; i++) {
            box.send("name", "no such@@node", new OtpErlangAtom("lost")); // fails at once
        }
        end.countDown();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (told.get() < 10_000 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(told.get()).isBetween(10_000, 10_001);
    }

    @Test
    void link_ofAClosedMailbox_throwsAnExitAndLinksNothing() {
        OtpMbox closed = node.createMbox();
        OtpMbox other = node.createMbox();
        closed.close();
        assertThatThrownBy(() -> closed.link(other.self())).isInstanceOfSatisfying(OtpErlangExit.class, exit -> {
            assertThat(exit.reason()).isEqualTo(new OtpErlangAtom("noproc"));
            assertThat(exit.pid()).isEqualTo(other.self());
        });
        assertThat(other.linked()).isNull();
    }

    @Test
    void start_atAPortThatIsTaken_throwsABindException() {
        assertThatThrownBy(() -> new OtpNode("taken@localhost", "secret", node.port()))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("cannot listen: address=")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void start_withoutACookie_isAsWithAnEmptyOne() throws IOException {
        assertThat(new OtpSelf("bare@localhost", (String) null).cookie()).isNull();
        assertThat(node.setCookie(null)).isEqualTo("secret");
        assertThat(node.cookie()).isNull();
    }
}
