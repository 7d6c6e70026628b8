package dev.touchstone.builds.origin;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import org.java_websocket.WebSocket;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.drafts.Draft;
import org.java_websocket.exceptions.InvalidDataException;
import org.java_websocket.framing.CloseFrame;
import org.java_websocket.framing.Framedata;
import org.java_websocket.handshake.ClientHandshake;
import org.java_websocket.handshake.ServerHandshakeBuilder;
import org.java_websocket.server.WebSocketServer;
import org.jspecify.annotations.Nullable;

/** The listener of the WebSocket library, which hands on what connections say. Its threads call; they must not wait. */
final class OriginServer extends WebSocketServer {
    /*
     * Who calls:  threads of the library the methods that begin with `on`; the gateway's clock `isListening` and `shutdown`, and whoever closes the
     *             gateway `shutdown`.
     * Failure:    a listener that has failed is never used again: the gateway makes another server.
     */
    /** The header of a handshake that has the token. */
    static final String TOKEN = "X-Meeko-Token";

    /** The header of a handshake that has the sender's name. */
    static final String IDENTITY = "X-Meeko-Identity";

    private static final Logger LOG = System.getLogger(OriginServer.class.getName());
    private static final int MAX_PONGS = 64; // answers to frames of a guest that does not read

    private final ServerSocketChannel listener;
    private final OriginGateway gateway;
    private volatile boolean isBroken;

    OriginServer(ServerSocketChannel listener, OriginDoor door, OriginGateway gateway) {
        super(listener);
        this.listener = listener;
        this.gateway = gateway;
        setWebSocketFactory(door);
        setConnectionLostTimeout(0); // the gateway looks itself, at handshakes too
        setTcpNoDelay(true);
        setDaemon(true);
    }

    /** Returns whether it accepts connections: the library closes the listener for good if accepting fails once. */
    boolean isListening() {
        return !isBroken && listener.isOpen();
    }

    @Override
    public ServerHandshakeBuilder onWebsocketHandshakeReceivedAsServer(
            WebSocket socket, Draft draft, ClientHandshake request) throws InvalidDataException {
        OriginPeer peer =
                gateway.admit((WebSocketImpl) socket, request.getFieldValue(TOKEN), request.getFieldValue(IDENTITY));
        if (peer == null) {
            throw new InvalidDataException(CloseFrame.POLICY_VALIDATION, "token is not the master's");
        }
        return super.onWebsocketHandshakeReceivedAsServer(socket, draft, request);
    }

    private static @Nullable OriginPeer peer(WebSocket socket) {
        return ((WebSocketImpl) socket).getChannel() instanceof GuestChannel guest ? guest.peer() : null;
    }

    @Override
    public void onOpen(WebSocket socket, ClientHandshake handshake) {
        OriginPeer peer = peer(socket);
        if (peer != null) {
            LOG.log(Logger.Level.DEBUG, "guest of the origin: {0}", peer);
        }
    }

    @Override
    public void onMessage(WebSocket socket, ByteBuffer message) {
        OriginPeer peer = peer(socket);
        if (peer == null) {
            return;
        }
        try {
            peer.take(OriginMessage.decode(message));
        } catch (MalformedMessageException e) {
            gateway.complain("message is malformed", String.valueOf(e.getMessage()));
            socket.close(CloseFrame.PROTOCOL_ERROR, e.getMessage());
        }
    }

    @Override
    public void onMessage(WebSocket socket, String message) {
        gateway.complain("message is malformed", "is text");
        socket.close(CloseFrame.REFUSE, "messages are binary");
    }

    @Override
    public void onWebsocketPing(WebSocket socket, Framedata ping) {
        if (((WebSocketImpl) socket).outQueue.size() < MAX_PONGS) {
            super.onWebsocketPing(socket, ping);
        }
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason, boolean isRemote) {
        // its channel says so, also of a connection that was never open
    }

    @Override
    public void onError(@Nullable WebSocket socket, Exception cause) {
        if (socket == null) {
            isBroken = true;
            LOG.log(Logger.Level.ERROR, "listener for the origin's programs has failed, and is opened again", cause);
        }
    }

    @Override
    public void onStart() {
        // nothing to do: the socket is bound already
    }

    /** Closes the listener and all connections; waits for the library's thread, for some time. */
    void shutdown() {
        try {
            stop(1000);
            listener.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, "listener is not closed", e);
        }
    }
}
