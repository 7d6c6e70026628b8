package dev.touchstone.index.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.access.TestIdentity;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.MemoryBudget;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what connections hold while their handshakes wait, and in which order these are computed. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // embedded channels close at once
class TlsHandshakesTest {
    private static final int ROOM_BYTES = 100_000;

    private final AtomicInteger taken = new AtomicInteger();

    @TempDir
    Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private Tls tls;

    /** A room for few bytes. */
    private final class SmallRoom implements MemoryBudget {
        @Override
        public boolean take(int bytes) {
            if (taken.addAndGet(bytes) > ROOM_BYTES) {
                taken.addAndGet(-bytes);
                return false;
            }
            return true;
        }

        @Override
        public void give(int bytes) {
            taken.addAndGet(-bytes);
        }
    }

    @BeforeEach
    void start() throws Exception {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        TestIdentity files = TestIdentity.create(folder, "EC");
        tls = new Tls(TlsIdentity.fromFiles(files.certificate(), files.key()), new SmallRoom(), 60_000, 1);
    }

    @AfterEach
    void stop() {
        if (tls != null) { // else the test was left out
            tls.stop();
        }
    }

    private EmbeddedChannel connection() {
        PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);
        Shared shared = new Shared(service, HttpOptions.DEFAULT, new HandlerFactory(service)::handler);
        EmbeddedChannel channel = new EmbeddedChannel();
        tls.addTo(channel, new RequestDecoder(shared));
        return channel;
    }

    /** Returns the begin of a record of some length. */
    private static ByteBuf bytes(int count) {
        ByteBuf bytes = Unpooled.buffer(count).writeZero(count);
        return count < 5
                ? bytes
                : bytes.setByte(0, 0x16).setByte(1, 3).setByte(2, 1).setShort(3, 0xFFF0);
    }

    @Test
    void connection_thatSendsMuchBeforeItsHandshake_isNotReadUntilItHasEnded() {
        EmbeddedChannel channel = connection();
        AtomicInteger reads = new AtomicInteger();
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext ctx) {
                reads.incrementAndGet();
                ctx.read();
            }
        });
        channel.config().setAutoRead(false); // so that the handler of TLS asks for each read
        channel.writeInbound(bytes(30_000));
        int before = reads.get();
        assertThat(before).isPositive();
        assertThat(taken).hasValue(30_000);
        channel.config().setAutoRead(true);
        before = reads.get();
        channel.writeInbound(bytes(10_000));
        assertThat(channel.config().isAutoRead()).isFalse();
        channel.writeInbound(bytes(1));
        assertThat(reads).hasValue(before);
        assertThat(taken).hasValue(40_001);
        channel.pipeline().remove(Tls.Handshake.class); // as at its end
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(reads).hasValueGreaterThan(before);
        assertThat(taken).hasValue(0);
        channel.close();
        assertThat(taken).hasValue(0);
    }

    @Test
    void connection_forWhichThereIsNoMemory_isClosed() {
        EmbeddedChannel first = connection();
        first.writeInbound(bytes(60_000));
        EmbeddedChannel second = connection();
        ByteBuf tooMuch = bytes(60_000);
        second.writeInbound(tooMuch);
        assertThat(second.isOpen()).isFalse();
        assertThat(tooMuch.refCnt()).isZero();
        assertThat(first.isOpen()).isTrue();
        assertThat(taken).hasValue(60_000);
        first.close();
        assertThat(taken).hasValue(0);
    }

    @Test
    void execute_whileHandshakesWait_takesTheNewestFirstAndNoneOfAClosedConnection() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        List<String> order = new ArrayList<>();
        EmbeddedChannel open = connection();
        EmbeddedChannel closed = connection();
        tls.execute(open, () -> {
            began.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        began.await();
        tls.execute(open, () -> {
            order.add("first");
            done.countDown();
        });
        tls.execute(closed, () -> order.add("closed"));
        tls.execute(open, () -> order.add("second"));
        tls.execute(open, () -> order.add("third"));
        closed.close();
        tls.execute(closed, () -> order.add("after its end"));
        go.countDown();
        done.await();
        assertThat(order).containsExactly("third", "second", "first");
    }

    /** A task that fails after its connection was closed has nobody to tell: the library would log it with its stack, once for each such client. */
    @Test
    void failure_behindTheEndOfTheConnection_isNotReported() throws Exception {
        EmbeddedChannel channel = connection();
        SslHandler records = channel.pipeline().get(SslHandler.class);
        ChannelHandlerContext ctx = channel.pipeline().context(records);
        records.exceptionCaught(ctx, new IOException("in time"));
        assertThatCode(channel::checkException).hasMessage("in time");
        channel.close();
        records.exceptionCaught(ctx, new IOException("late"));
        assertThatCode(channel::checkException).doesNotThrowAnyException();
    }
}
