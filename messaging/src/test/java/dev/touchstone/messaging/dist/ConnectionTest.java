package dev.touchstone.messaging.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTest {
    private ReceiveLeader leader;
    private SocketChannel otherEnd;
    private Connection connection;

    @BeforeEach
    void start() throws IOException {
        leader = new ReceiveLeader("leader", 0, TimeUnit.HOURS.toNanos(1), () -> {}, e -> {});
        leader.start();
        Loopback ends = Loopback.open();
        connection = Loopback.connection(ends.one(), (buffer, offset, length) -> {});
        otherEnd = ends.other();
    }

    @AfterEach
    void stop() throws IOException {
        connection.end(new IOException("end of the test"));
        otherEnd.close();
        leader.close();
    }

    /** Whoever finds a connection may send before the leader knows it: what its socket does not take at once must not stay. */
    @Test
    void send_ofMoreThanTheSocketTakesBeforeTheLeaderKnowsIt_arrives() throws Exception {
        int bytes = 16 << 20;
        Binary message = Binary.of(new byte[bytes]);
        connection.send(null, out -> out.send(Pid.of(Loopback.PEER.atom(), 1, 0, 1), message));
        leader.add(connection);
        assertThat(otherEnd.socket().getInputStream().readNBytes(bytes)).hasSize(bytes);
    }

    @Test
    void add_ofAConnectionThatHasEnded_isRefused() throws Exception {
        connection.end(new IOException("cut by a test"));
        assertThatThrownBy(() -> leader.add(connection)).isInstanceOf(IOException.class);
    }
}
