package dev.touchstone.queue.replicated.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A handler of one connection, behind that of TLS: keeps the reason for which TLS failed, which nobody else tells, and logs it once for each other side
 * until that succeeds.
 */
final class TlsWatch extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<String> FAILURE = AttributeKey.valueOf(TlsWatch.class, "failure");

    private final boolean isServer;
    private final Log log;
    private boolean hasFailed;

    /** The failures that a member has logged. Thread-safe. */
    static final class Log {
        private static final int MAX_SIDES = 256;

        private final LimitedLog log = new LimitedLog(System.getLogger(TlsWatch.class.getName()));
        private final Map<String, String> reasons = new ConcurrentHashMap<>(); // of each other side, the last one

        private void fail(String other, String reason) {
            if (reasons.size() >= MAX_SIDES) {
                reasons.clear();
            }
            if (!reason.equals(reasons.put(other, reason))) {
                log.warn(other + ": " + reason, null);
            }
        }

        private void succeed(String other) {
            reasons.remove(other);
        }
    }

    /** Creates the handler of one connection of a member. */
    TlsWatch(boolean isServer, Log log) {
        this.isServer = isServer;
        this.log = log;
    }

    /** Returns why TLS does not work on a connection; null if it does, or is not used. */
    static @Nullable String failure(Channel channel) {
        return channel.attr(FAILURE).get();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.channel().attr(FAILURE).set("TLS: the handshake has not ended: the other side may not use TLS");
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                context.channel().attr(FAILURE).set(null);
                if (isServer) {
                    log.succeed(otherSide(context)); // a client learns later whether the server takes its certificate
                }
            } else {
                fail(context, done.cause());
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                fail(context, each);
                break;
            }
        }
        context.fireExceptionCaught(cause);
    }

    private void fail(ChannelHandlerContext context, Throwable cause) {
        if (hasFailed) {
            return;
        }
        hasFailed = true;
        boolean isClosed = cause instanceof ClosedChannelException;
        String reason =
                "TLS failed: " + (isClosed ? "the connection was closed before the handshake ended" : of(cause));
        context.channel().attr(FAILURE).set(reason);
        if (isServer && isClosed) {
            return; // by anybody who looks whether something listens
        }
        log.fail(otherSide(context), reason);
    }

    private static String of(Throwable cause) {
        return cause instanceof NotSslRecordException
                ? "the other side does not use TLS"
                : Reasons.shown(Reasons.of(cause, ""));
    }

    /** Returns the address of a server, or the host of a client, whose port is another one each time. */
    private String otherSide(ChannelHandlerContext context) {
        SocketAddress remote = context.channel().remoteAddress();
        return isServer && remote instanceof InetSocketAddress address
                ? "connection from " + address.getAddress().getHostAddress()
                : "connection to " + String.valueOf(remote).replaceFirst("^/", "");
    }
}
