package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links that are cut really are. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemberLinksTest {
    private static final int SILENCE_MILLIS = 300;

    @TempDir
    Path folder;

    private MemberLinks links;
    private ServerSocket server;
    private Socket near;
    private Socket far;

    @BeforeEach
    void connect() throws IOException {
        links = new MemberLinks(3);
        String listen = links.listen(1);
        int listenPort = Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
        server = new ServerSocket(listenPort, 5, InetAddress.getLoopbackAddress());
        near = new Socket(addressOf(0, 1), portOf(1));
        far = server.accept();
        near.setSoTimeout(SILENCE_MILLIS);
        far.setSoTimeout(SILENCE_MILLIS);
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
        server.close();
        links.close();
    }

    /** Returns the address that the hosts file of one member has for another. */
    private String addressOf(int from, int to) throws IOException {
        Path hosts = folder.resolve("hosts");
        links.writeHosts(from, hosts);
        List<String> lines = Files.readAllLines(hosts);
        String line = lines.stream()
                .filter(each -> each.endsWith(" member" + to))
                .findFirst()
                .orElseThrow();
        return line.substring(0, line.indexOf(' '));
    }

    private int portOf(int member) {
        String name = links.names().get(member);
        return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static String receive(Socket socket, int bytes) throws IOException {
        InputStream in = socket.getInputStream();
        return new String(in.readNBytes(bytes), UTF_8);
    }

    @Test
    void link_isWhole_carriesBothWays() throws Exception {
        send(near, "to");
        assertThat(receive(far, 2)).isEqualTo("to");
        send(far, "fro");
        assertThat(receive(near, 3)).isEqualTo("fro");
    }

    @Test
    void cut_oneDirection_holdsItBackAndTheOtherOneGoesOn() throws Exception {
        links.cut(0, 1);
        send(near, "held");
        send(far, "fro");
        assertThat(receive(near, 3)).isEqualTo("fro");
        assertThatThrownBy(() -> receive(far, 4)).isInstanceOf(SocketTimeoutException.class);
        links.heal();
        assertThat(receive(far, 4)).isEqualTo("held");
    }

    @Test
    void cut_answersOfAConnection_areHeldBack() throws Exception {
        links.cut(1, 0);
        send(near, "to");
        assertThat(receive(far, 2)).isEqualTo("to");
        send(far, "answer");
        assertThatThrownBy(() -> receive(near, 6)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void cut_endOfConnection_isNotSeen() throws Exception {
        links.cutBoth(0, 1);
        far.close();
        assertThatThrownBy(() -> receive(near, 1)).isInstanceOf(SocketTimeoutException.class);
        links.heal();
        assertThat(isEnded(near)).isTrue();
    }

    @Test
    void reset_endsConnectionsAndRefusesNewOnes() throws Exception {
        links.reset(0, 1);
        assertThat(isEnded(near)).isTrue();
        try (Socket refused = new Socket(addressOf(0, 1), portOf(1))) {
            refused.setSoTimeout(5_000);
            assertThat(isEnded(refused)).isTrue();
        }
        links.heal();
        try (Socket again = new Socket(addressOf(0, 1), portOf(1));
                Socket other = server.accept()) {
            send(again, "new");
            assertThat(receive(other, 3)).isEqualTo("new");
        }
    }

    private static boolean isEnded(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void delay_oneDirection_letsBytesArriveLater() throws Exception {
        links.delay(0, 1, 200);
        long start = System.nanoTime();
        send(near, "late");
        assertThat(receive(far, 4)).isEqualTo("late");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }
}
