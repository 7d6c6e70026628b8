package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.java_websocket.WebSocket;
import org.java_websocket.WebSocketAdapter;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.framing.Framedata;
import org.java_websocket.handshake.Handshakedata;
import org.junit.jupiter.api.Test;

/** Tests which frames count as parts of a message that has not come whole. */
class GuestDraftTest {
    private static final int BYTES = 125; // of a ping at most

    private final AtomicLong all = new AtomicLong();
    private final GuestDraft draft = new GuestDraft(all);
    private final WebSocketImpl socket = new WebSocketImpl(new Silent(), List.of(draft));

    private void receive(int opcode) throws Exception {
        ByteBuffer frame = ByteBuffer.allocate(6 + BYTES);
        frame.put((byte) (0x80 | opcode)).put((byte) (0x80 | BYTES)); // final, masked
        frame.rewind();
        for (Framedata part : draft.translateFrame(frame)) {
            draft.processFrame(socket, part);
        }
    }

    /** A guest that has nothing to say for days, but pings. */
    @Test
    void pingsAndPongs_areNoPartsOfAMessage() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            receive(9);
            receive(10);
        }
        assertThat(draft.isSlow(System.nanoTime(), -1)).isFalse();
        assertThat(all).hasValue(0);
    }

    private static final class Silent extends WebSocketAdapter {
        @Override
        public void onWebsocketPing(WebSocket guest, Framedata frame) {
            // answers nothing
        }

        @Override
        public void onWebsocketMessage(WebSocket guest, String message) {}

        @Override
        public void onWebsocketMessage(WebSocket guest, ByteBuffer message) {}

        @Override
        public void onWebsocketOpen(WebSocket guest, Handshakedata handshake) {}

        @Override
        public void onWebsocketClose(WebSocket guest, int code, String reason, boolean isRemote) {}

        @Override
        public void onWebsocketClosing(WebSocket guest, int code, String reason, boolean isRemote) {}

        @Override
        public void onWebsocketCloseInitiated(WebSocket guest, int code, String reason) {}

        @Override
        public void onWebsocketError(WebSocket guest, Exception failure) {}

        @Override
        public void onWriteDemand(WebSocket guest) {}

        @Override
        public InetSocketAddress getLocalSocketAddress(WebSocket guest) {
            throw new UnsupportedOperationException();
        }

        @Override
        public InetSocketAddress getRemoteSocketAddress(WebSocket guest) {
            throw new UnsupportedOperationException();
        }
    }
}
