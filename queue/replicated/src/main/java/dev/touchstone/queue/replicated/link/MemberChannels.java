package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.ExtendedNettyChannelHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of a new connection to another member, put before bolt's.
 *
 * <p>Bolt refuses a message where more than the high-water mark waits to be sent, and jraft sets that to 512 KiB. A few large entries reach it, and then
 * heartbeats are refused as well, so that the leader takes its followers for dead; and jraft sends all entries that are on their way again. What waits is
 * bounded by the number of requests that jraft has on their way, so the mark is higher than that.
 *
 * <p>Bolt closes a connection whose other end leaves three of its heartbeats unanswered, and sends one where nothing was sent or received for 15 s. A
 * path that loses all packets for a while, and then none, may leave a connection silent for longer than that, and what is sent over it is lost meanwhile. So
 * a heartbeat is sent where nothing was received for two seconds, and such a connection ends after eight.
 *
 * @param tls encryption; null for none
 */
record MemberChannels(@Nullable TlsContexts tls) implements ExtendedNettyChannelHandler {
    private static final int HIGH_WATER_BYTES = 512 << 20;
    private static final int SILENT_SECONDS = 2;
    private static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;

    @Override
    public List<ChannelHandler> frontChannelHandlers() {
        List<ChannelHandler> handlers = new ArrayList<>();
        handlers.add(new WaterMarks());
        handlers.add(new SilenceProbe());
        if (tls != null) {
            handlers.addAll(tls.clientHandlers());
        }
        return handlers;
    }

    @Override
    public List<ChannelHandler> backChannelHandlers() {
        return List.of();
    }

    /** Has bolt send a heartbeat where nothing was received for a while. */
    private static final class SilenceProbe extends IdleStateHandler {
        private SilenceProbe() {
            super(SILENT_SECONDS, 0, 0);
        }

        @Override
        protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
            context.fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT); // the one that bolt knows
        }
    }

    /** Sets the marks of its channel when it is added. */
    private static final class WaterMarks extends ChannelInboundHandlerAdapter {
        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            context.channel()
                    .config()
                    .setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
        }
    }
}
