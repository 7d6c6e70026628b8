package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Site;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.wire.MasterAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guests of the gateway that have the token and take as much of the master's memory as they can: the others are served. */
@Timeout(300)
class OriginFloodTest {
    private static final String TOKEN = Site.TOKEN.text();

    @TempDir
    Path folder;

    private OriginGateway gateway(Site site, Duration tick) throws IOException {
        return site.with(OriginGateway.start(new OriginOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new MasterAddress("127.0.0.1", site.port()),
                new Admission(Access.of(Site.TOKEN), Optional.empty(), tick),
                folder.resolve("origin"),
                2)));
    }

    private OriginGateway gateway(Site site) throws IOException {
        return gateway(site, Duration.ofSeconds(8));
    }

    private static OriginProgram client(Site site, OriginGateway gateway) throws Exception {
        OriginProgram client = site.with(new OriginProgram(gateway.port(), TOKEN, "cider#1"));
        assertThat(client.open()).isTrue();
        return client;
    }

    private static OriginMessage.Request call(String method, Map<String, String> environment) {
        BuildArguments arguments =
                new BuildArguments("git+file:///repository#develop", "scripts/build", environment, false);
        return new OriginMessage.Request("", 1, method, arguments.encode(), 2, 2);
    }

    /** Answers to a guest that reads none of them must not fill the heap, nor keep others from theirs. */
    @Test
    void answers_thatAreNotRead_endTheirGuest() throws Exception {
        byte[] call = Handshakes.masked(
                new OriginMessage.Request("", 1, "no method", StandardCharsets.UTF_8.encode("x"), 1, 1).encode());
        ByteBuffer many = ByteBuffer.allocate(1_000 * call.length);
        while (many.hasRemaining()) {
            many.put(call);
        }
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("x".repeat(1_000_000));
                return 0;
            })));
            OriginGateway gateway = gateway(site);
            OriginProgram client = client(site, gateway);
            try (Socket deaf = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                deaf.setReceiveBufferSize(4096);
                Handshakes.open(deaf, TOKEN, "deaf");
                Handshakes.writeUntilClosed(deaf, many.array());
            }
            client.say(call("cider.any.bash", Map.of()));
            StringBuilder output = new StringBuilder();
            assertThat(client.reply(1, output).code()).isZero();
            assertThat(output).hasSize(1_000_000);
            Until.isTrue("nothing is held", () -> gateway.unreadBytes().get() == 0);
        }
    }

    /** The library keeps each part of a message as an object, however small it is. */
    @Test
    void message_ofEndlessParts_endsItsGuest() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site);
            try (Socket guest = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                Handshakes.open(guest, TOKEN, "endless");
                guest.getOutputStream().write(new byte[] {0x02, (byte) 0x80, 0, 0, 0, 0}); // begins a message
                byte[] part = {0x00, (byte) 0x80, 0, 0, 0, 0};
                for (int i = 1; i < GuestDraft.MAX_PARTS; i++) {
                    guest.getOutputStream().write(part);
                }
                guest.getOutputStream().write(new byte[] {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0}); // a ping between
                assertThat(guest.getInputStream().read()).isEqualTo(0x8a);
                assertThat(guest.getInputStream().read()).isZero();
                Handshakes.writeUntilClosed(guest, part);
            }
            OriginProgram client = client(site, gateway);
            client.say(new OriginMessage.Ping());
            client.next(OriginMessage.Pong.class);
        }
    }

    @Test
    void messages_moreThanOneMayHaveParts_areTaken() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram client = client(site, gateway(site));
            for (int i = 0; i <= GuestDraft.MAX_PARTS; i++) {
                client.say(new OriginMessage.Ping());
            }
            for (int i = 0; i <= GuestDraft.MAX_PARTS; i++) {
                client.next(OriginMessage.Pong.class);
            }
        }
    }

    /** The library takes memory for a message when its length is announced. */
    @Test
    void messages_thatAreAnnouncedOnly_holdLittleAndNotForLong() throws Exception {
        byte[] head = ByteBuffer.allocate(14)
                .put((byte) 0x82)
                .put((byte) 0xff)
                .putLong(OriginDoor.MAX_MESSAGE - 1)
                .putInt(0)
                .array();
        int count = (int) (OriginDoor.Allowance.MAX_SHARED_BYTES / OriginDoor.MAX_MESSAGE) + 8;
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, Duration.ofSeconds(2));
            List<Socket> guests = new ArrayList<>();
            try {
                for (int i = 0; i < count; i++) {
                    Socket guest = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                    guests.add(guest);
                    Handshakes.open(guest, TOKEN, "large-" + i);
                    guest.getOutputStream().write(head);
                }
                OriginProgram client = client(site, gateway);
                client.say(new OriginMessage.Ping());
                client.next(OriginMessage.Pong.class);
                Socket last = guests.get(count - 1);
                assertThat(Handshakes.readToEnd(last)).isNotNegative();
                for (Socket guest : guests) {
                    Handshakes.writeUntilClosed(guest, new byte[1]); // which would come whole after a mebibyte
                }
                client.say(call("cider.nobodys.bash", Map.of("A", "x".repeat(200_000))));
                client.say(new OriginMessage.Ping());
                client.next(OriginMessage.Pong.class);
            } finally {
                for (Socket guest : guests) {
                    guest.close();
                }
            }
        }
    }
}
