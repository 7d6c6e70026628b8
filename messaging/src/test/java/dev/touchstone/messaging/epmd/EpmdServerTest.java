package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server does with those that do not keep to the protocol, and with the others meanwhile. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EpmdServerTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MOST = 8;
    private static final EpmdNode HONEST = EpmdNode.of("honest", 4711, false);

    private final AtomicInteger faults = new AtomicInteger(); // that the clock is to throw
    private final List<AutoCloseable> opened = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // JUnit calls start first
    private EpmdServer server;

    @SuppressWarnings("NullAway.Init")
    private Registration honest;

    @BeforeEach
    void start() throws IOException {
        start(LONG);
    }

    private void start(Duration idle) throws IOException {
        server = EpmdServer.start(List.of(Sockets.loopback(0)), idle, MOST, new SecureRandom(), this::now);
        opened.add(server);
        honest = client().register(HONEST);
        opened.add(honest);
    }

    /** Returns the server's time; throws in place of that, on the server's thread, as often as a test has asked for. */
    private long now() {
        if (faults.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("test");
        }
        return System.nanoTime();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private EpmdClient client() {
        return new EpmdClient(Sockets.loopback(server.port()), Sockets.TIMEOUT);
    }

    private Socket connect() throws IOException {
        Socket socket = Sockets.connect(server.port());
        opened.add(socket);
        return socket;
    }

    private void assertServes() throws IOException {
        assertThat(honest.isLost()).isFalse();
        assertThat(client().lookup("honest")).contains(HONEST);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void connection_silent_isClosedAfterTheTimeoutAndBlocksNobody() throws Exception {
        close();
        opened.clear();
        start(SHORT);
        Socket silent = connect();
        Socket half = connect();
        Sockets.send(half, hex("0012" + "78"));
        long begin = System.nanoTime();
        assertServes();
        assertThat(Sockets.readToEnd(silent)).isEmpty();
        assertThat(Sockets.readToEnd(half)).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(SHORT.dividedBy(2));
        assertServes(); // a registration is silent too
    }

    @Test
    void connection_answerUnread_isClosedAfterTheTimeout() throws Exception {
        close();
        opened.clear();
        start(SHORT);
        Socket deaf = connect();
        Sockets.send(deaf, EpmdFormat.request(EpmdFormat.NAMES_REQ));
        assertServes();
        assertThat(Sockets.readToEnd(deaf)).endsWith("0a");
    }

    @Test
    void connections_tooManySilentOnes_makeRoomForANewOne() throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 2 * MOST; i++) {
            silent.add(connect());
        }
        assertServes();
        assertThat(Sockets.readToEnd(silent.get(0))).as("the oldest").isEmpty();
    }

    @Test
    void connections_tooMany_endTheOneThatIsSilentForLongest() throws IOException {
        Socket early = connect();
        Socket silent = connect();
        assertServes(); // both were accepted
        Sockets.send(early, hex("0004"));
        assertServes(); // the byte was read
        for (int i = 0; i < MOST - 3; i++) {
            connect();
        }
        assertServes();
        assertThat(Sockets.readToEnd(silent)).isEmpty();
        Sockets.send(early, hex("7a626f62"));
        assertThat(Sockets.readToEnd(early)).isEqualTo("7701");
    }

    @Test
    void connection_thatSaysAByteNowAndThen_isClosedInTheEnd() throws Exception {
        close();
        opened.clear();
        start(SHORT);
        Socket slow = connect();
        Sockets.send(slow, hex("0800" + "7a"));
        Sockets.waitUntil("the connection is closed", () -> {
            try {
                Sockets.send(slow, new byte[] {'a'});
                return false;
            } catch (IOException closed) {
                return true;
            }
        });
        assertServes();
    }

    @Test
    void start_onSeveralAddresses_servesEachAtTheSamePort() throws IOException {
        InetAddress four = Sockets.loopback4();
        InetAddress six = Sockets.loopback6();
        assumeThat(NetworkInterface.getByInetAddress(six))
                .as("needs the IPv6 loopback address")
                .isNotNull();
        for (EpmdServer each : List.of(
                EpmdServer.start(0),
                EpmdServer.start(new InetSocketAddress(six, 0)),
                EpmdServer.start(new InetSocketAddress(four, 0), new InetSocketAddress(six, 0)))) {
            opened.add(each);
            Registration registration =
                    new EpmdClient(new InetSocketAddress(six, each.port()), Sockets.TIMEOUT).register(HONEST);
            opened.add(registration);
            assertThat(new EpmdClient(new InetSocketAddress(four, each.port()), Sockets.TIMEOUT).lookup("honest"))
                    .contains(HONEST);
        }
    }

    @Test
    void connections_moreThanAThousand_areServed() throws IOException {
        EpmdServer large = EpmdServer.start(0);
        opened.add(large);
        EpmdClient client = new EpmdClient(Sockets.loopback(large.port()), Sockets.TIMEOUT);
        int nodes = 1000;
        for (int i = 0; i < nodes; i++) {
            opened.add(client.register(EpmdNode.of("node" + i, i, false)));
        }
        assertThat(client.names()).hasSize(nodes);
        assertThat(client.lookup("node" + (nodes - 1))).isPresent();
    }

    @Test
    void connections_allRegistrations_areNotGivenUp() throws Exception {
        List<Registration> registrations = new ArrayList<>();
        for (int i = 1; i < MOST; i++) {
            Registration registration = client().register(EpmdNode.of("node" + i, i, false));
            opened.add(registration);
            registrations.add(registration);
        }
        assertThatThrownBy(() -> client().names()).isInstanceOf(EpmdException.Unreachable.class);
        assertThat(registrations).noneMatch(Registration::isLost);
        registrations.get(0).close();
        Sockets.waitUntil("there is room", () -> {
            try {
                return client().names().size() == MOST - 1;
            } catch (EpmdException.Unreachable e) {
                return false;
            }
        });
        assertServes();
    }

    @Test
    void register_golden_answersWithTheCreation() throws IOException {
        Socket six = connect();
        Sockets.send(six, hex("0010" + "78" + "1267" + "4d" + "00" + "0006" + "0005" + "0003626f62" + "0000"));
        byte[] response = six.getInputStream().readNBytes(6);
        assertThat(HexFormat.of().formatHex(response)).startsWith("7600").isNotEqualTo("760000000000");
        Socket five = connect();
        Sockets.send(five, hex("0010" + "78" + "1267" + "6e" + "00" + "0005" + "0005" + "000362656e" + "0000"));
        byte[] old = five.getInputStream().readNBytes(4);
        assertThat(HexFormat.of().formatHex(old)).matches("7900000[123]");
        assertThat(Sockets.ask(server.port(), hex("0004" + "7a" + "626f62")))
                .isEqualTo("7700" + "1267" + "4d" + "00" + "0006" + "0005" + "0003626f62" + "0000");
    }

    @Test
    void register_inPieces_isUnderstood() throws Exception {
        Socket slow = connect();
        for (byte each : EpmdFormat.alive2Request(EpmdNode.of("slow", 1, false))) {
            Sockets.send(slow, new byte[] {each});
        }
        assertThat(slow.getInputStream().readNBytes(6)).hasSize(6);
        assertThat(client().lookup("slow")).isPresent();
        slow.close();
        Sockets.waitUntil("the name is free", () -> client().lookup("slow").isEmpty());
        assertServes();
    }

    @Test
    void registration_thatSaysMore_ends() throws Exception {
        Socket chatty = connect();
        Sockets.send(chatty, EpmdFormat.alive2Request(EpmdNode.of("chatty", 1, false)));
        assertThat(chatty.getInputStream().readNBytes(6)).hasSize(6);
        Sockets.send(chatty, EpmdFormat.request(EpmdFormat.NAMES_REQ));
        assertThat(Sockets.readToEnd(chatty)).isEmpty();
        assertThat(client().lookup("chatty")).isEmpty();
        assertServes();
    }

    @Test
    void kill_isRefused() throws IOException {
        assertThat(Sockets.ask(server.port(), EpmdFormat.request(EpmdFormat.KILL_REQ)))
                .isEqualTo(HexFormat.of().formatHex(new byte[] {'N', 'O'}));
        assertServes();
    }

    @Test
    void request_unknownEmptyOrTooLong_endsItsConnectionOnly() throws IOException {
        for (String request : List.of(
                "0000", "0001" + "51", "0001" + "00", "0007" + "73" + "686f6e657374", "0806" + "7a", "ffff" + "78")) {
            Socket socket = connect();
            Sockets.send(socket, hex(request));
            assertThat(Sockets.readToEnd(socket)).as(request).isEmpty();
        }
        assertServes();
    }

    @Test
    void request_mutatedAnywhere_endsItsConnectionOnly() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (byte[] request : List.of(
                EpmdFormat.alive2Request(EpmdNode.of("bob", 1, true)),
                EpmdFormat.portRequest("bob"),
                EpmdFormat.request(EpmdFormat.NAMES_REQ))) {
            for (int at = 0; at < request.length; at++) {
                for (int xor : new int[] {1, 0x80, 0xff, 1 + random.nextInt(0xff)}) {
                    byte[] changed = request.clone();
                    changed[at] ^= (byte) xor;
                    String unused = Sockets.ask(server.port(), changed);
                }
                assertThat(Sockets.ask(server.port(), Arrays.copyOf(request, at)))
                        .isEmpty();
            }
        }
        assertThat(honest.isLost()).as("seed=%d", seed).isFalse();
        assertServes();
    }

    @Test
    void serve_withErrorsAnywhere_goesOn() throws Exception {
        assertServes();
        for (int errors = 1; errors <= 5; errors++) { // one more meets the next step of the loop
            faults.set(errors);
            String unused = Sockets.ask(server.port(), EpmdFormat.request(EpmdFormat.NAMES_REQ)); // the errors meet it
            Sockets.waitUntil("the errors were thrown", () -> {
                Sockets.connect(server.port()).close();
                return faults.get() == 0;
            });
            assertServes();
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void close_afterErrors_freesThePort() throws Exception {
        Socket waiting = connect();
        assertServes(); // it was accepted
        faults.set(1);
        Sockets.connect(server.port()).close();
        Sockets.waitUntil("the error was thrown", () -> faults.get() == 0);
        server.close();
        assertThat(server.isAlive()).isFalse();
        assertThat(Sockets.readToEnd(waiting)).isEmpty();
        opened.add(EpmdServer.start(server.port()));
    }

    @Test
    void start_whereAnotherListens_isRefused() {
        assertThatThrownBy(() -> EpmdServer.start(server.port())).isInstanceOf(IOException.class);
    }

    @Test
    void close_whileItServes_endsItsThreadCleanly() throws Exception {
        Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        try {
            for (int round = 0; round < 200; round++) {
                EpmdServer closing = EpmdServer.start(0);
                List<Socket> busy = new ArrayList<>();
                for (int i = 0; i < MOST; i++) {
                    busy.add(Sockets.connect(closing.port()));
                }
                for (Socket socket : busy) {
                    Sockets.send(socket, EpmdFormat.request(EpmdFormat.NAMES_REQ));
                }
                closing.close();
                for (Socket socket : busy) {
                    socket.close();
                }
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(uncaught).isEmpty();
    }

    @Test
    void close_endsRegistrationsAndFreesThePort() throws Exception {
        server.close();
        server.close();
        Sockets.waitUntil("the registration is lost", honest::isLost);
        assertThatThrownBy(() -> client().names()).isInstanceOf(EpmdException.Unreachable.class);
        EpmdServer next = EpmdServer.start(server.port());
        opened.add(next);
        assertThat(client().names()).isEmpty();
    }
}
