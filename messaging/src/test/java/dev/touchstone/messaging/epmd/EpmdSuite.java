package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cases that Erlang's own tests of EPMD name, byte by byte: with our server, and with Erlang's, which must give the same answers.
 * The requests follow the Distribution Protocol, "EPMD Protocol".
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class EpmdSuite {
    private static final String REFUSED = "760100000063";
    private static final String REGISTERED = "7600[0-9a-f]{8}";
    private static final String CLOSED = "";

    private final List<Socket> sockets = new ArrayList<>();

    abstract int port();

    @AfterEach
    void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** A request with its length before it. */
    private static byte[] request(byte[] body) {
        byte[] all = new byte[2 + body.length];
        all[0] = (byte) (body.length >> 8);
        all[1] = (byte) body.length;
        System.arraycopy(body, 0, all, 2, body.length);
        return all;
    }

    private static byte[] request(String text) {
        return request(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] alive(byte[] name, int nameLength, byte[] extra, int extraLength, int version)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte('x');
        out.writeShort(4711);
        out.writeByte('M');
        out.writeByte(0);
        out.writeShort(version);
        out.writeShort(5);
        out.writeShort(nameLength);
        out.write(name);
        out.writeShort(extraLength);
        out.write(extra);
        return request(bytes.toByteArray());
    }

    private static byte[] alive(String name, byte... extra) throws IOException {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return alive(utf8, utf8.length, extra, extra.length, 6);
    }

    private Socket connect() throws IOException {
        Socket socket = Sockets.connect(port());
        sockets.add(socket);
        return socket;
    }

    /** Registers, and returns the connection, which holds the name. */
    private Socket register(byte[] alive) throws IOException {
        Socket socket = connect();
        Sockets.send(socket, alive);
        String answer = HexFormat.of().formatHex(socket.getInputStream().readNBytes(6));
        assertThat(answer).matches(REGISTERED);
        return socket;
    }

    private String ask(byte[] request) throws IOException {
        return Sockets.ask(port(), request);
    }

    private String lookup(String name) throws IOException {
        return ask(request("z" + name));
    }

    private void assertFound(String name) throws IOException {
        String utf8 = HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
        String length = HexFormat.of().toHexDigits((short) (utf8.length() / 2));
        assertThat(lookup(name)).isEqualTo("7700" + "1267" + "4d00" + "00060005" + length + utf8 + "0000");
    }

    private void assertServes() throws IOException {
        assertThat(lookup("nobody")).isEqualTo("7701");
    }

    @Test
    void register_name() throws Exception {
        Socket first = register(alive("foobar"));
        assertFound("foobar");
        first.close();
        Sockets.waitUntil("the name is free", () -> lookup("foobar").equals("7701"));
        register(alive("foobar"));
        assertFound("foobar");
    }

    @Test
    void register_name_ipv6() throws Exception {
        Socket six = new Socket();
        sockets.add(six);
        IOException failed = null;
        try {
            six.connect(new InetSocketAddress(Sockets.loopback6(), port()));
        } catch (IOException e) {
            failed = e;
        }
        assumeThat(failed).as("needs the IPv6 loopback address").isNull();
        Sockets.send(six, alive("foobar6"));
        assertThat(HexFormat.of().formatHex(six.getInputStream().readNBytes(6))).matches(REGISTERED);
        assertFound("foobar6");
    }

    @Test
    void register_names_1_and_2() throws Exception {
        int names = 500;
        for (int i = 0; i < names; i++) {
            register(alive("name" + i));
        }
        for (int i = 0; i < names; i++) {
            assertFound("name" + i);
        }
        String all = ask(request("n"));
        for (int i = 0; i < names; i++) {
            String line = "name name" + i + " at port 4711\n";
            assertThat(all).contains(HexFormat.of().formatHex(line.getBytes(StandardCharsets.UTF_8)));
        }
        closeAll();
        Sockets.waitUntil("the names are free", () -> ask(request("n")).length() == 8);
        register(alive("name0"));
        assertFound("name0");
    }

    @Test
    void register_duplicate_name() throws Exception {
        register(alive("twin"));
        assertThat(ask(alive("twin"))).isEqualTo(REFUSED);
        byte[] old = "twin".getBytes(StandardCharsets.UTF_8);
        assertThat(ask(alive(old, old.length, new byte[0], 0, 5))).isEqualTo("79010063");
        assertFound("twin");
    }

    @Test
    void register_creation_16_and_32_bits() throws Exception {
        register(alive("new"));
        Socket old = connect();
        byte[] name = "old".getBytes(StandardCharsets.UTF_8);
        Sockets.send(old, alive(name, name.length, new byte[0], 0, 5));
        assertThat(HexFormat.of().formatHex(old.getInputStream().readNBytes(4))).matches("7900000[123]");
    }

    @Test
    void unicode_name() throws Exception {
        String name = "\u0101\u0404\u3042\ud83d\ude00";
        register(alive(name));
        assertFound(name);
        byte[] wrong = {(byte) 0xff, (byte) 0xfe};
        assertThat(ask(alive(wrong, wrong.length, new byte[0], 0, 6))).isEqualTo(REFUSED);
        assertThat(ask(request(new byte[] {'z', (byte) 0xff}))).isEqualTo(CLOSED);
    }

    @Test
    void long_unicode_name() throws Exception {
        for (String character : List.of("a", "\u00e5", "\u20ac", "\ud83d\ude00")) {
            register(alive(character.repeat(255)));
            assertThat(ask(alive(character.repeat(256)))).isEqualTo(REFUSED);
            register(alive(character.repeat(253)));
            assertFound(character.repeat(253));
        }
    }

    @Test
    void names_too_long_are_refused() throws Exception {
        for (int length : new int[] {256, 300, 600, 1000, 1020, 2000}) {
            assertThat(ask(alive("a".repeat(length)))).as("length=%d", length).isEqualTo(REFUSED);
            assertThat(lookup("a".repeat(length))).as("length=%d", length).isEqualTo(CLOSED);
        }
        assertServes();
    }

    @Test
    void get_port_nr() throws Exception {
        register(alive("porter"));
        assertFound("porter");
        assertThat(ask(request("zporter\0"))).isEqualTo(lookup("porter"));
        assertServes();
    }

    @Test
    void slow_get_port_nr() throws Exception {
        register(alive("slow"));
        Socket socket = connect();
        socket.setTcpNoDelay(true);
        for (byte each : request("zslow")) {
            Sockets.send(socket, new byte[] {each});
            assertServes();
        }
        assertThat(Sockets.readToEnd(socket)).isEqualTo(lookup("slow"));
    }

    @Test
    void unregister_others_name_1_and_2() throws Exception {
        register(alive("mine"));
        assertThat(ask(request("smine"))).isEqualTo(CLOSED);
        assertFound("mine");
        assertThat(ask(request("snobody"))).isEqualTo(CLOSED);
        assertThat(ask(request("s"))).isEqualTo(CLOSED);
        assertFound("mine");
    }

    @Test
    void name_with_null_inside() throws Exception {
        assertThat(ask(alive("foo\0bar"))).isEqualTo(CLOSED);
        assertThat(lookup("foo\0bar")).isEqualTo(CLOSED);
        assertServes();
    }

    @Test
    void name_null_terminated() throws Exception {
        assertThat(ask(alive("foobar\0"))).isEqualTo(CLOSED);
        assertServes();
    }

    @Test
    void stupid_names_req() throws Exception {
        assertThat(ask(request("nwhatever"))).matches("[0-9a-f]{8}");
    }

    @Test
    void no_data_one_byte_two_bytes_partial_packet() throws Exception {
        for (String bytes : List.of("", "00", "0008", "00087a", "000878126f")) {
            assertThat(ask(HexFormat.of().parseHex(bytes))).as(bytes).isEqualTo(CLOSED);
        }
        assertServes();
    }

    @Test
    void zero_length_and_unknown_requests() throws Exception {
        for (String bytes : List.of("0000", "000000", "000151", "000100", "0004616263")) {
            assertThat(ask(HexFormat.of().parseHex(bytes))).as(bytes).isEqualTo(CLOSED);
        }
        assertThat(lookup("")).isEqualTo(CLOSED);
        assertServes();
    }

    @Test
    void more_than_the_request() throws Exception {
        byte[] names = request("n");
        byte[] twice = new byte[2 * names.length];
        System.arraycopy(names, 0, twice, 0, names.length);
        System.arraycopy(names, 0, twice, names.length, names.length);
        assertThat(ask(twice)).isEqualTo(CLOSED);
        assertServes();
    }

    @Test
    void too_large() throws Exception {
        for (int length : new int[] {4096, 32767, 65535}) {
            byte[] body = new byte[length];
            body[0] = 'x';
            assertThat(ask(request(body))).as("length=%d", length).isEqualTo(CLOSED);
        }
        assertServes();
    }

    @Test
    void alive_req_too_small_1_and_2() throws Exception {
        byte[] whole = alive("small");
        for (int length = 1; length < whole.length - 2; length++) {
            byte[] body = new byte[length];
            System.arraycopy(whole, 2, body, 0, length);
            assertThat(ask(request(body))).as("length=%d", length).isEqualTo(CLOSED);
        }
        assertThat(ask(alive(""))).isEqualTo(CLOSED);
        assertServes();
    }

    @Test
    void alive_req_too_large() throws Exception {
        byte[] name = "large".getBytes(StandardCharsets.UTF_8);
        assertThat(ask(alive(name, name.length, new byte[20], 10, 6))).matches(REGISTERED);
        assertServes();
    }

    @Test
    void buffer_overrun_1_and_2() throws Exception {
        byte[] name = "overrun".getBytes(StandardCharsets.UTF_8);
        for (int length : new int[] {8, 200, 1000, 65535}) {
            assertThat(ask(alive(name, length, new byte[0], 0, 6)))
                    .as("name=%d", length)
                    .isEqualTo(CLOSED);
            assertThat(ask(alive(name, name.length, new byte[0], length, 6)))
                    .as("extra=%d", length)
                    .isEqualTo(CLOSED);
        }
        assertThat(ask(alive(name, name.length, new byte[1021], 1021, 6))).isEqualTo(REFUSED);
        assertServes();
    }

    @Test
    void returns_valid_empty_extra() throws Exception {
        register(alive("plain"));
        assertThat(lookup("plain")).endsWith("0000");
        assertFound("plain");
    }

    @Test
    void returns_valid_populated_extra_with_nulls() throws Exception {
        for (int length : new int[] {1, 7, 255, 256, 1020}) {
            byte[] extra = new byte[length];
            extra[length - 1] = 9;
            register(alive("extra" + length, extra));
            assertThat(lookup("extra" + length))
                    .startsWith("7700")
                    .endsWith(HexFormat.of().toHexDigits((short) length)
                            + HexFormat.of().formatHex(extra));
        }
    }

    @Test
    void dump() throws Exception {
        register(alive("dumped"));
        byte[] answer = HexFormat.of().parseHex(ask(request("d")));
        String text = new String(answer, 4, answer.length - 4, StandardCharsets.UTF_8);
        assertThat(text).matches("(?s)active name     <dumped> at port 4711, fd = \\d+\n.*");
    }

    @Test
    void no_live_killing() throws Exception {
        register(alive("alive"));
        assertThat(ask(request("k"))).isEqualTo("4e4f");
        assertFound("alive");
    }

    @Test
    void registration_that_says_more_ends() throws Exception {
        Socket chatty = register(alive("chatty"));
        Sockets.send(chatty, request("n"));
        assertThat(Sockets.readToEnd(chatty)).isEqualTo(CLOSED);
        Sockets.waitUntil("the name is free", () -> lookup("chatty").equals("7701"));
    }

    @Test
    void wait_for_close_of_many_at_once() throws Exception {
        for (int i = 0; i < 300; i++) {
            Sockets.send(connect(), new byte[] {0});
        }
        register(alive("beside"));
        assertFound("beside");
    }
}
