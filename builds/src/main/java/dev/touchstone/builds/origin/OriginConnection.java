package dev.touchstone.builds.origin;

import dev.touchstone.builds.Token;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.java_websocket.WebSocket;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.client.WebSocketClient;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.java_websocket.framing.CloseFrame;
import org.java_websocket.framing.Framedata;
import org.java_websocket.handshake.ServerHandshake;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a master that speaks the origin's protocol, be it ours or the original. Thread-safe. Its listener is called by one thread of the WebSocket
 * library, and may make it wait: nothing is read meanwhile.
 */
final class OriginConnection extends WebSocketClient {
    /*
     * Who calls:  threads of the library the methods that begin with `on`, with messages one of them alone; `clock` looks after silence; any thread
     *             `say`, `hasRoom` and `stop`.
     * Ordering:   `heardNanos` is written before `isBusy` ends, so that the time that a listener has taken never counts as silence.
     * Failure:    `end` is completed once, with the first reason that is known, and the listener told then.
     */
    private static final int MAX_QUEUE = 8; // messages on their way, above which a stream pauses
    private static final int PATIENCE = 4; // times the heartbeat

    private final Listener listener;
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final boolean isOwnTrust;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "builds-origin-heartbeat");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean isBusy; // the listener has the thread, and may wait
    private volatile @Nullable String problem;

    /** Takes what the master says. */
    interface Listener {
        /** Takes a message. */
        void said(OriginMessage message);

        /** Notes that the connection has ended, and why. Called once, and only if it was open. */
        void ended(String reason);
    }

    private OriginConnection(URI master, Token token, String identity, Optional<SSLContext> tls, Listener listener) {
        super(
                master,
                OriginDoor.draft(),
                Map.of(OriginServer.TOKEN, token.text(), OriginServer.IDENTITY, identity, "Origin", "http://localhost"),
                0);
        this.listener = listener;
        this.isOwnTrust = tls.isPresent() && master.getScheme().equals("wss");
        if (isOwnTrust) {
            setSocketFactory(tls.get().getSocketFactory());
        }
        setConnectionLostTimeout(0); // the clock looks itself: a listener that waits is no silent master
        setDaemon(true);
        setTcpNoDelay(true);
    }

    /**
     * Connects.
     *
     * @param master where the master listens; not null
     * @param token that it wants; not null
     * @param identity of this end; not null
     * @param tls for {@code wss}, in place of the JVM's own; not null
     * @param tick heartbeat; after four of these without a byte the connection counts as lost; not null
     * @param timeout for connecting; not null
     * @param listener takes what the master says; not null
     * @return an open connection, which the caller closes
     * @throws IOException if the master is not reached, or refuses
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    static OriginConnection open(
            OriginAddress master,
            Token token,
            String identity,
            Optional<SSLContext> tls,
            Duration tick,
            Duration timeout,
            Listener listener)
            throws IOException, InterruptedException {
        OriginConnection connection = new OriginConnection(master.uri(), token, identity, tls, listener);
        boolean isOpen = false;
        try {
            isOpen = connection.connectBlocking(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!isOpen) {
                connection.stop();
            }
        }
        if (!isOpen) {
            String why = connection.problem == null ? "no answer in time" : connection.problem;
            throw new IOException("master is not reached, or refuses the token: master=" + master + " cause=" + why);
        }
        long half = Math.max(1, tick.toMillis() / 2);
        long patience = PATIENCE * tick.toNanos();
        var unused = connection.clock.scheduleWithFixedDelay(
                () -> connection.look(patience), half, half, TimeUnit.MILLISECONDS);
        return connection;
    }

    @Override
    protected void onSetSSLParameters(SSLParameters parameters) {
        if (!isOwnTrust) { // else each end trusts the other's own certificate, whatever the host's name
            super.onSetSSLParameters(parameters);
        }
    }

    private void look(long patience) {
        if (!isBusy && System.nanoTime() - heardNanos > patience) {
            end("master is silent");
        } else if (isOpen()) {
            try {
                sendPing();
            } catch (WebsocketNotConnectedException e) {
                // onClose follows
            }
        }
    }

    /** Sends a message; nothing happens if the connection has ended. */
    void say(OriginMessage message) {
        try {
            send(message.encode());
        } catch (WebsocketNotConnectedException e) {
            // onClose has been called, or will be
        }
    }

    /** Returns whether a stream may send more. */
    boolean hasRoom() {
        return !(getConnection() instanceof WebSocketImpl socket) || socket.outQueue.size() < MAX_QUEUE;
    }

    private void end(String reason) {
        problem = reason;
        closeConnection(CloseFrame.ABNORMAL_CLOSE, reason);
    }

    @Override
    public void onOpen(ServerHandshake handshake) {
        heardNanos = System.nanoTime();
    }

    @Override
    public void onMessage(ByteBuffer message) {
        isBusy = true;
        try {
            OriginMessage read = OriginMessage.decode(message);
            if (read instanceof OriginMessage.Ping) {
                say(new OriginMessage.Pong());
            } else {
                listener.said(read);
            }
        } catch (MalformedMessageException e) {
            end("master says what it may not: " + e.getMessage());
        } finally {
            heardNanos = System.nanoTime();
            isBusy = false;
        }
    }

    @Override
    public void onMessage(String message) {
        end("master says what it may not: a text");
    }

    @Override
    public void onWebsocketPing(WebSocket socket, Framedata ping) {
        heardNanos = System.nanoTime();
        super.onWebsocketPing(socket, ping);
    }

    @Override
    public void onWebsocketPong(WebSocket socket, Framedata pong) {
        heardNanos = System.nanoTime();
    }

    @Override
    public void onClose(int code, String reason, boolean isRemote) {
        String known = problem;
        if (known == null) {
            known = reason == null || reason.isEmpty() ? "connection was closed" : reason;
            problem = known;
        }
        if (end.complete(known)) {
            listener.ended(known);
        }
    }

    @Override
    public void onError(Exception cause) {
        if (problem == null) {
            problem = String.valueOf(cause.getMessage());
        }
    }

    /** Disconnects, without waiting for the other end. */
    void stop() {
        clock.shutdownNow();
        close();
        closeConnection(CloseFrame.NORMAL, "");
    }
}
