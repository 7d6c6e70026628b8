package dev.touchstone.builds.origin;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.java_websocket.client.WebSocketClient;
import org.java_websocket.handshake.ServerHandshake;

/** A client or a slave of the origin's, as far as its messages go. */
final class OriginProgram extends WebSocketClient implements AutoCloseable {
    private final BlockingQueue<OriginMessage> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();

    OriginProgram(int port, String token, String identity) {
        super(
                URI.create("ws://127.0.0.1:" + port + "/connect"),
                OriginDoor.draft(),
                Map.of("X-Meeko-Token", token, "X-Meeko-Identity", identity, "Origin", "http://localhost"),
                0);
        setConnectionLostTimeout(0);
    }

    /** Connects; returns whether the handshake was accepted. */
    boolean open() throws InterruptedException {
        return connectBlocking(30, TimeUnit.SECONDS);
    }

    void say(OriginMessage message) {
        send(message.encode());
    }

    /** Returns the next message, and fails after a minute without one. */
    <M extends OriginMessage> M next(Class<M> kind) throws InterruptedException {
        OriginMessage message = messages.poll(60, TimeUnit.SECONDS);
        if (!kind.isInstance(message)) {
            throw new AssertionError("expected=" + kind.getSimpleName() + " got=" + message + " ends=" + ends);
        }
        return kind.cast(message);
    }

    boolean isQuiet() {
        return messages.isEmpty();
    }

    /** Returns the close code of the connection's end, and fails after a minute without one. */
    int end() throws InterruptedException {
        Integer code = ends.poll(60, TimeUnit.SECONDS);
        if (code == null) {
            throw new AssertionError("connection has not ended");
        }
        return code;
    }

    /** Returns all output up to the reply to a call, which {@code output} gets, and the reply. */
    OriginMessage.Reply reply(int id, StringBuilder output) throws InterruptedException {
        while (true) {
            OriginMessage message = next(OriginMessage.class);
            if (message instanceof OriginMessage.StreamFrame frame) {
                output.append(StandardCharsets.UTF_8.decode(frame.payload().duplicate()));
            } else if (message instanceof OriginMessage.Reply reply && reply.id() == id) {
                return reply;
            } else {
                throw new AssertionError("neither output nor reply: " + message);
            }
        }
    }

    @Override
    public void onMessage(ByteBuffer bytes) {
        try {
            messages.add(OriginMessage.decode(bytes));
        } catch (MalformedMessageException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void onOpen(ServerHandshake handshake) {}

    @Override
    public void onMessage(String message) {
        throw new AssertionError("a text");
    }

    @Override
    public void onClose(int code, String reason, boolean isRemote) {
        ends.add(code);
    }

    @Override
    public void onError(Exception cause) {
        // the end says so
    }
}
