package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.access.TestIdentity;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of TLS that are old, wrong, slow or many: they are refused by its alerts or disconnected, and others are served meanwhile. */
@Timeout(120)
class TlsAttackTest {
    private static final int ALERT = 0x15;
    private static final int HANDSHAKE = 0x16;
    private static final String GET = Client.get("/health");

    // suites of TLS 1.2
    private static final int ECDHE_ECDSA_AES_GCM = 0xC02B;
    private static final int ECDHE_RSA_AES_GCM = 0xC02F;

    private static final Map<String, TestIdentity> IDENTITIES =
            new HashMap<>(); // by algorithm, since each takes a second

    @TempDir
    static Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private TestIdentity identity;

    private final PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);

    private final List<Closeable> opened = new ArrayList<>();

    @BeforeAll
    static void forgetIdentities() {
        IDENTITIES.clear(); // another run of the class has another folder
    }

    @BeforeEach
    void needPermissions() {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
    }

    private void start(String algorithm, HttpOptions.Times times) throws Exception {
        TestIdentity made = IDENTITIES.get(algorithm);
        if (made == null) {
            made = TestIdentity.create(Files.createDirectory(folder.resolve(algorithm)), algorithm);
            IDENTITIES.put(algorithm, made);
        }
        identity = made;
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withDrain(Duration.ZERO)
                .withTimes(times)
                .withTls(TlsIdentity.fromFiles(identity.certificate(), identity.key()));
        server = HttpServer.start(service, options);
    }

    private void start(String algorithm) throws Exception {
        start(algorithm, HttpOptions.DEFAULT.times());
    }

    @AfterEach
    void stop() throws IOException {
        for (Closeable each : opened) {
            each.close();
        }
        if (server != null) { // else the test was left out
            server.close();
        }
    }

    private Socket connect() throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        opened.add(socket);
        socket.setSoTimeout(60_000);
        return socket;
    }

    private SSLSocket connect(String protocol) throws Exception {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(identity.trust());
        SSLContext context = SSLContext.getInstance(protocol);
        context.init(null, trusted.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort());
        opened.add(socket);
        socket.setSoTimeout(60_000);
        socket.startHandshake();
        return socket;
    }

    /** Sends a request and returns the first line of the answer; fails if there is none. */
    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
        long left = socket.getInputStream().available();
        assertThat(socket.getInputStream().skip(left)).isEqualTo(left);
        return answer;
    }

    private void assertServesOthers() throws Exception {
        try (SSLSocket other = connect("TLSv1.3")) {
            assertThat(ask(other)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    /** Returns the first message of a client that has one suite. */
    private static byte[] hello(int version, int suite) throws IOException {
        byte[] extensions = {
            0,
            10,
            0,
            8,
            0,
            6,
            0,
            0x1D,
            0,
            0x17,
            0,
            0x18, // groups: x25519, secp256r1, secp384r1
            0,
            11,
            0,
            2,
            1,
            0, // points are not compressed
            0,
            13,
            0,
            12,
            0,
            10,
            4,
            3,
            5,
            3,
            4,
            1,
            8,
            4,
            2,
            1, // signatures: ECDSA, RSA, RSA-PSS; SHA-1 for the old
            (byte) 0xFF,
            1,
            0,
            1,
            0 // no renegotiation
        };
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(HANDSHAKE);
        out.writeShort(0x0301);
        int length = 2 + 32 + 1 + 4 + 2 + 2 + extensions.length;
        out.writeShort(length + 4);
        out.writeInt(1 << 24 | length);
        out.writeShort(version);
        out.write(new byte[32]);
        out.writeByte(0);
        out.writeShort(2);
        out.writeShort(suite);
        out.writeShort(0x0100); // no compression
        out.writeShort(extensions.length);
        out.write(extensions);
        return bytes.toByteArray();
    }

    /** Returns the type of the first record of an answer to some bytes, and of an alert also its number; empty if the server closes. */
    private String answer(byte[] bytes) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(bytes);
        byte[] record = socket.getInputStream().readNBytes(7);
        return record.length < 7 ? "" : record[0] == ALERT ? "alert " + record[6] : "type " + record[0];
    }

    @ParameterizedTest
    @CsvSource({
        "RSA, 0x0300, 0xC02F, alert 70", // protocol version
        "RSA, 0x0301, 0xC013, alert 70",
        "RSA, 0x0302, 0xC013, alert 70",
        "EC, 0x0302, 0xC009, alert 70",
        "RSA, 0x0303, 0x0000, alert 40", // handshake failure: no cipher
        "RSA, 0x0303, 0x0005, alert 40", // RC4
        "RSA, 0x0303, 0x000A, alert 40", // 3DES
        "RSA, 0x0303, 0x0018, alert 40", // without a certificate
        "RSA, 0x0303, 0x002F, alert 40", // the key of the certificate opens all that was recorded
        "RSA, 0x0303, 0x009C, alert 40",
        "RSA, 0x0303, 0xC013, alert 40", // CBC with SHA-1
        "EC, 0x0303, 0xC009, alert 40",
        "EC, 0x0303, 0xC00A, alert 40",
        "RSA, 0x0303, 0xC02F, type 22",
        "EC, 0x0303, 0xC02B, type 22",
    })
    void hello_ofAnOldVersionOrAWeakSuite_isRefusedByAnAlert(
            String algorithm, String version, String suite, String expected) throws Exception {
        start(algorithm);
        assertThat(answer(hello(Integer.decode(version), Integer.decode(suite))))
                .isEqualTo(expected);
        assertServesOthers();
    }

    @Test
    void bytesThatAreNoHello_endTheirConnectionOnly() throws Exception {
        start("EC");
        byte[] old = new byte[42]; // of SSL 2, with suites of three bytes and no more
        System.arraycopy(new byte[] {(byte) 0x80, 40, 1, 0, 2, 0, 15, 0, 0, 0, 16}, 0, old, 0, 11);
        byte[] both = old.clone(); // in the form of SSL 2, for TLS 1.2
        both[3] = 3;
        both[4] = 3;
        byte[] two = hello(0x0303, ECDHE_ECDSA_AES_GCM);
        assertThat(answer(old)).isEmpty();
        assertThat(answer(both)).isIn("alert 40", "alert 70");
        assertThat(answer(GET.getBytes(StandardCharsets.US_ASCII))).isEmpty();
        assertThat(answer(new byte[100])).isEmpty();
        assertThat(answer(new byte[] {ALERT, 3, 3, 0, 2, 2, 40})).isEmpty();
        assertThat(answer(new byte[] {0x17, 3, 3, 0, 2, 2, 40})).startsWith("alert");
        two[9] = 4; // no such version
        assertThat(answer(two)).isEqualTo("type 22"); // with the highest that both have
        assertServesOthers();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 60})
    void clientThatFallsSilentInItsHello_isDisconnectedAfterTheTimeOfARequest(int bytes) throws Exception {
        Duration time = Duration.ofSeconds(3); // enough for the handshake of another client on a busy machine
        start("EC", new HttpOptions.Times(time, Duration.ofSeconds(60), Duration.ZERO, time));
        Socket socket = connect();
        socket.getOutputStream().write(hello(0x0303, ECDHE_ECDSA_AES_GCM), 0, bytes);
        assertServesOthers();
        assertThat(socket.getInputStream().read()).isEqualTo(-1); // long before the idle timeout
    }

    /** Requests of connections that are there must not wait until the handshakes of others are computed. */
    @Test
    void halfHandshakesOfManyClients_letTheRequestsOfOthersPass() throws Exception {
        start("RSA");
        int clients = 500;
        try (SSLSocket other = connect("TLSv1.3")) {
            assertThat(ask(other)).isEqualTo("HTTP/1.1 200 OK");
            int before = clients;
            for (int tries = 3;
                    tries > 0 && before > clients / 2;
                    tries--) { // a busy machine may not let this thread ask in time
                before = handshakesBeforeTheAnswer(clients, other);
            }
            assertThat(before).as("handshakes before the answer").isLessThanOrEqualTo(clients / 2);
            assertThat(ask(other)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    /** Returns how many of some clients that all ask for a handshake have their answer when the request behind them has its own; then waits for all. */
    private int handshakesBeforeTheAnswer(int clients, SSLSocket other) throws IOException {
        byte[] hello = hello(0x0303, ECDHE_RSA_AES_GCM);
        List<Socket> many = new ArrayList<>();
        long open = service.metrics().connections();
        for (int i = 0; i < clients; i++) {
            many.add(connect());
        }
        while (service.metrics().connections() < open + clients) {
            LockSupport.parkNanos(100_000);
        }
        for (Socket each : many) {
            each.getOutputStream().write(hello);
        }
        assertThat(ask(other)).isEqualTo("HTTP/1.1 200 OK");
        int before = 0;
        for (Socket each : many) {
            before += each.getInputStream().available() > 0 ? 1 : 0;
        }
        for (Socket each : many) {
            assertThat(each.getInputStream().read())
                    .isIn(HANDSHAKE, -1); // its time for a handshake may end on a busy machine
        }
        return before;
    }

    @Test
    void clientThatBeginsASecondHandshake_isDisconnected() throws Exception {
        start("EC");
        SSLSocket socket = connect("TLSv1.2");
        assertThat(ask(socket)).isEqualTo("HTTP/1.1 200 OK");
        socket.getSession().invalidate();
        assertThatThrownBy(() -> {
                    socket.startHandshake();
                    ask(socket);
                })
                .isInstanceOf(IOException.class);
        assertServesOthers();
    }

    /** The JDK's client sends the message of TLS 1.3 for new keys when it is asked for another handshake. */
    @Test
    void clientThatChangesItsKeysAgainAndAgain_isDisconnected() throws Exception {
        start("EC");
        SSLSocket socket = connect("TLSv1.3");
        for (int i = 0; i < 5; i++) {
            socket.startHandshake();
            assertThat(ask(socket)).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        socket.startHandshake();
                    }
                    ask(socket);
                })
                .isInstanceOf(IOException.class);
        assertServesOthers();
    }
}
