package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with as many connections as there may be: whom a further one takes the place of. */
@Timeout(60)
class CrowdedServerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String HALF =
            "POST /v2/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                    + "content-length: 9\r\n\r\n{";

    private final PriceService service =
            new PriceService(SamplePrices.index(), new Limits(1000, 100_000, 1000, 16, 16));
    private final List<Client> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each test that needs one starts one
    private HttpServer server;

    private void start(int loops, int connections) throws IOException {
        server = HttpServer.start(
                service,
                HttpOptions.DEFAULT
                        .withAddress("127.0.0.1", 0)
                        .withEventLoops(loops)
                        .withTimes(new HttpOptions.Times(LONG, LONG, Duration.ZERO, Duration.ZERO))
                        .withLimits(connections, 1 << 20));
    }

    @AfterEach
    void stop() throws IOException {
        for (Client client : clients) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Client client() throws IOException {
        Client client = new Client(server.address());
        clients.add(client);
        return client;
    }

    /** Requests without an end, of a known route and of none, and connections whose last answer was sent. */
    @ParameterizedTest
    @ValueSource(strings = {"half", "refused", "ended"})
    void clientsThatWereHeard_giveWayToOthers(String kind) throws IOException {
        start(1, 3);
        for (int i = 0; i < 3; i++) {
            Client client = client();
            switch (kind) {
                case "half" -> client.send(HALF);
                case "refused" -> client.send(HALF.replace("/v2/search", "/nowhere"));
                default ->
                    assertThat(client.ask(get("/health").replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"))
                                    .status())
                            .isEqualTo(200);
            }
        }
        for (int i = 0; i < 3; i++) {
            assertThat(client().ask(get("/health")).status()).isEqualTo(200);
        }
    }

    @Test
    void clientInTheMiddleOfARequest_staysLongerThanTheOthers() throws IOException {
        start(1, 3);
        Client half = client();
        assertThat(half.ask(HALF.replace("\r\n\r\n{", "\r\nexpect: 100-continue\r\n\r\n"))
                        .status())
                .isEqualTo(100);
        Client known = client();
        assertThat(known.ask(get("/health")).status()).isEqualTo(200);
        for (int i = 0; i < 10; i++) {
            assertThat(client().ask(get("/health")).status()).isEqualTo(200);
        }
        assertThat(known.isAtEnd()).isTrue();
        assertThat(half.ask("{       }").status()).isEqualTo(409); // many prices match
    }

    @Test
    void clientsOfOneEventLoop_giveWayToThoseOfOthers() throws IOException {
        int loops = 8;
        start(loops, loops);
        List<Client> silent = new ArrayList<>();
        for (int i = 0; silent.size() < loops; i++) { // event loops take connections in turn
            long before = service.metrics().connections();
            Client client = client();
            while (service.metrics().connections() == before) {
                LockSupport.parkNanos(100_000);
            }
            if (i % loops == 0) {
                silent.add(client);
            } else {
                client.close();
                while (service.metrics().connections() > before) {
                    LockSupport.parkNanos(100_000);
                }
            }
        }
        assertThat(service.metrics().connections()).isEqualTo(loops);
        assertThat(client().read().status()).isEqualTo(503); // nobody waits on this event loop
        assertThat(silent.get(0).isAtEnd()).isTrue();
        while (service.metrics().connections() >= loops) { // it is counted a little longer
            LockSupport.parkNanos(100_000);
        }
        assertThat(client().ask(get("/health")).status()).isEqualTo(200);
    }

    /** A channel without a socket, which may refuse to send. */
    private static final class SlowChannel extends EmbeddedChannel {
        private boolean isSending = true;
        private int bytes; // that are sent of the next answer where no whole one is

        @Override
        protected void doWrite(ChannelOutboundBuffer in) throws Exception {
            if (isSending) {
                super.doWrite(in);
            } else {
                in.progress(bytes);
            }
        }
    }

    private SlowChannel channel(Shared shared, Loop loop) {
        SlowChannel channel = new SlowChannel();
        Connection connection = new Connection(shared, loop, new RequestDecoder(shared));
        channel.pipeline().addLast(connection);
        loop.add(channel, connection);
        return channel;
    }

    private static DefaultFullHttpRequest health() {
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/health");
        request.headers().set(HttpHeaderNames.HOST, "localhost");
        return request;
    }

    private static String sent(EmbeddedChannel channel) {
        ByteBuf bytes = Objects.requireNonNull(channel.readOutbound(), "bytes");
        try {
            return bytes.toString(StandardCharsets.US_ASCII);
        } finally {
            bytes.release();
        }
    }

    @Test
    void closeWaiting_betweenAnAnswerAndItsFlush_sendsTheAnswer() {
        Shared shared = new Shared(service, HttpOptions.DEFAULT, new HandlerFactory(service)::handler);
        try {
            Loop loop = new Loop(new HandlerFactory(service), shared);
            SlowChannel channel = channel(shared, loop);
            Connection connection = channel.pipeline().get(Connection.class);
            connection.channelRead(channel.pipeline().context(connection), health());
            connection.channelReadComplete(channel.pipeline().context(connection));
            assertThat(channel.outboundMessages()).isEmpty();
            assertThat(loop.closeWaiting(1)).isTrue();
            assertThat(channel.isOpen()).isFalse();
            assertThat(sent(channel)).startsWith("HTTP/1.1 200");
        } finally {
            shared.stopWorkers();
        }
    }

    @Test
    void closeWaiting_whileAnAnswerIsSent_closesAnother() {
        Shared shared = new Shared(service, HttpOptions.DEFAULT, new HandlerFactory(service)::handler);
        try {
            Loop loop = new Loop(new HandlerFactory(service), shared);
            SlowChannel slow = channel(shared, loop);
            slow.isSending = false;
            slow.writeInbound(health());
            SlowChannel other = channel(shared, loop);
            other.writeInbound(health());
            assertThat(loop.closeWaiting(1)).isTrue();
            assertThat(other.isOpen()).isFalse();
            assertThat(loop.closeWaiting(1)).isFalse();
            slow.isSending = true;
            slow.flushOutbound();
            assertThat(sent(slow)).startsWith("HTTP/1.1 200");
            assertThat(loop.closeWaiting(1)).isTrue();
            assertThat(slow.isOpen()).isFalse();
            other.finishAndReleaseAll();
        } finally {
            shared.stopWorkers();
        }
    }

    @Test
    void closeWaiting_whereAllClientsReadNothing_closesThoseThatHaveNotForSomeTime() {
        Shared shared = new Shared(service, HttpOptions.DEFAULT, new HandlerFactory(service)::handler);
        try {
            Loop loop = new Loop(new HandlerFactory(service), shared);
            SlowChannel slow = channel(shared, loop);
            slow.isSending = false;
            slow.writeInbound(health());
            long begin = System.nanoTime();
            long time = Loop.MAX_UNREAD_NANOS;
            assertThat(loop.closeWaiting(1, begin)).isFalse();
            assertThat(loop.closeWaiting(1, begin + time)).isFalse();
            slow.bytes = 1; // of the first answer
            slow.writeInbound(health()); // another answer, which is not read either
            assertThat(loop.closeWaiting(1, begin + time + 1)).isFalse();
            slow.bytes = 0;
            slow.writeInbound(health());
            assertThat(loop.closeWaiting(1, begin + 2 * time + 1)).isFalse();
            SlowChannel other = channel(shared, loop);
            other.writeInbound(health());
            assertThat(loop.closeWaiting(1, begin + 2 * time + 2)).isTrue();
            assertThat(other.isOpen()).isFalse();
            assertThat(slow.isOpen()).isTrue();
            assertThat(loop.closeWaiting(1, begin + 2 * time + 2)).isTrue();
            assertThat(slow.isOpen()).isFalse();
            other.finishAndReleaseAll();
            slow.finishAndReleaseAll();
        } finally {
            shared.stopWorkers();
        }
    }
}
