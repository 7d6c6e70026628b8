package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SentBytesTest {
    private static final int BYTES = 1 << 20;

    @Test
    void sum_linesOfSs_thoseOfTheProcesses() {
        String text = """
                0 0 127.0.0.1:1 127.0.0.1:2 users:(("java",pid=7,fd=9)) cubic rto:204 bytes_sent:100 bytes_acked:99 segs_out:3
                0 0 127.0.0.1:2 127.0.0.1:1 users:(("erl",pid=8,fd=4)) cubic bytes_sent:20 bytes_received:100
                0 0 127.0.0.1:3 127.0.0.1:4 users:(("other",pid=9,fd=4)) cubic bytes_sent:3000
                0 0 127.0.0.1:5 127.0.0.1:6 users:(("java",pid=7,fd=10)) cubic rto:204
                """;
        assertThat(SentBytes.sum(text, Set.of(7L, 8L))).isEqualTo(120);
    }

    @Test
    void now_bytesOfBothEndsOfAConnection_areIn() throws IOException {
        assumeTrue(SentBytes.missing().isEmpty(), () -> SentBytes.missing().orElse(""));
        try (ServerSocket listening = new ServerSocket()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (Socket near = new Socket(listening.getInetAddress(), listening.getLocalPort());
                    Socket far = listening.accept()) {
                long before = SentBytes.now();
                Thread writer = new Thread(() -> write(near));
                writer.start();
                assertThat(far.getInputStream().readNBytes(BYTES)).hasSize(BYTES);
                far.getOutputStream().write(1);
                assertThat(near.getInputStream().read()).isEqualTo(1);
                assertThat(SentBytes.now() - before).isGreaterThanOrEqualTo(BYTES + 1L);
            }
        }
    }

    private static void write(Socket socket) {
        try {
            socket.getOutputStream().write(new byte[BYTES]);
        } catch (IOException e) {
            // the other end sees that something is missing
        }
    }
}
