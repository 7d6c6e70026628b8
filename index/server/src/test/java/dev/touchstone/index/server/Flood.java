package dev.touchstone.index.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections that send what they are told, as fast as the server takes it or bit by bit, and read nothing. */
final class Flood implements Closeable {
    private final List<SocketChannel> channels = new ArrayList<>();
    private final List<ByteBuffer> left = new ArrayList<>();
    private final String text;
    private final int pieceBytes;

    /**
     * Connects.
     *
     * @param text what each connection sends
     * @param pieceBytes what it sends at most at a time
     */
    Flood(InetSocketAddress server, int connections, String text, int pieceBytes) throws IOException {
        this.text = text;
        this.pieceBytes = pieceBytes;
        ByteBuffer all = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try {
            for (int i = 0; i < connections; i++) {
                SocketChannel channel = SocketChannel.open(server);
                channel.configureBlocking(false);
                channels.add(channel);
                left.add(all.duplicate());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Sends for a time, each connection in turn. */
    void send(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            for (int i = 0; i < channels.size(); i++) {
                send(i);
            }
        }
    }

    private void send(int i) {
        ByteBuffer rest = left.get(i);
        if (!channels.get(i).isOpen() || !rest.hasRemaining()) {
            return;
        }
        int limit = rest.limit();
        rest.limit(Math.min(limit, rest.position() + pieceBytes));
        try {
            channels.get(i).write(rest);
        } catch (IOException e) {
            rest.position(rest.limit()); // the server has had enough of it
        }
        rest.limit(limit);
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    @Override
    public String toString() {
        return channels.size() + " connections, " + text.length() + " bytes each";
    }
}
