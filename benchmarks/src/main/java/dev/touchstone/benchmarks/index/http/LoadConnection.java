package dev.touchstone.benchmarks.index.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection with at most one request on its way. For one thread. */
final class LoadConnection implements Closeable {
    private static final int IN_BYTES = 64 << 10;

    private final InetSocketAddress server;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private AnswerReader reader = new AnswerReader();
    private SocketChannel channel;
    private SelectionKey key;
    private ByteBuffer request = ByteBuffer.allocate(0);
    private long begunNanos;
    private boolean isBusy;

    LoadConnection(InetSocketAddress server, Selector selector) throws IOException {
        this.server = server;
        this.selector = selector;
        channel = connect();
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    private SocketChannel connect() throws IOException {
        SocketChannel opened = SocketChannel.open();
        try {
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.connect(server);
            opened.configureBlocking(false);
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    /** Returns whether a request is on its way. */
    boolean isBusy() {
        return isBusy;
    }

    /** When the request on its way began, or the last one. */
    long begunNanos() {
        return begunNanos;
    }

    int status() {
        return reader.status();
    }

    long bodyBytes() {
        return reader.bodyBytes();
    }

    /** Begins a request; of the buffer, what is between position and limit, which are left as they are. */
    void send(ByteBuffer next, long beginNanos) throws IOException {
        if (!channel.isOpen()) {
            reconnect();
        }
        request = next.duplicate();
        begunNanos = beginNanos;
        isBusy = true;
        write();
    }

    private void reconnect() throws IOException {
        in.clear();
        reader = new AnswerReader();
        channel = connect();
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    private void write() throws IOException {
        channel.write(request);
        int wanted = request.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /** Does what the selector has found possible; whether the answer is there. */
    boolean goOn() throws IOException {
        if (key.isWritable() && request.hasRemaining()) {
            write();
        }
        if (!key.isReadable()) {
            return false;
        }
        int count = channel.read(in);
        if (count < 0) {
            throw new IOException("the server has closed a connection");
        }
        in.flip();
        boolean isEnd = reader.read(in);
        if (isEnd && (!isBusy || in.hasRemaining() || request.hasRemaining())) {
            throw new IOException("an answer that nobody has asked for: status=" + reader.status());
        }
        in.clear();
        if (isEnd) {
            isBusy = false;
            if (reader.isLast()) {
                channel.close();
            }
        }
        return isEnd;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
