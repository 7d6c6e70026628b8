package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A client's connection to EPMD, all of whose waits together last no longer than the timeout. For one thread at a time. */
final class EpmdSocket implements Closeable {
    private final SocketChannel channel;
    private final InputStream in;
    private final long deadlineNanos;

    private EpmdSocket(SocketChannel channel, long deadlineNanos) throws IOException {
        this.channel = channel;
        this.in = channel.socket().getInputStream();
        this.deadlineNanos = deadlineNanos;
    }

    /** Connects and sends a request. */
    static EpmdSocket request(InetSocketAddress epmd, Duration timeout, byte[] request) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(epmd, remainingMillis(deadlineNanos));
            EpmdSocket socket = new EpmdSocket(channel, deadlineNanos);
            ByteBuffer bytes =
                    ByteBuffer.wrap(request); // fits into the send buffer of a new connection, so writing does not wait
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return socket;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    SocketChannel channel() {
        return channel;
    }

    int read() throws IOException {
        return read(1)[0] & 0xff;
    }

    byte[] read(int length) throws IOException {
        byte[] bytes = new byte[length];
        int got = fill(bytes);
        if (got < length) {
            throw new EOFException("connection is closed: expected=" + length + " bytes got=" + got);
        }
        return bytes;
    }

    /** Reads all bytes up to the end of the connection. */
    byte[] readToEnd(int most) throws IOException {
        byte[] bytes = new byte[1024];
        int got = 0;
        while (true) {
            int read = readSome(bytes, got);
            if (read < 0) {
                return Arrays.copyOf(bytes, got);
            }
            got += read;
            if (got > most) {
                throw new EpmdException.Malformed("answer", "at most " + most + " bytes", "more");
            }
            if (got == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * got);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private int fill(byte[] bytes) throws IOException {
        int got = 0;
        while (got < bytes.length) {
            int read = readSome(bytes, got);
            if (read < 0) {
                return got;
            }
            got += read;
        }
        return got;
    }

    private int readSome(byte[] bytes, int at) throws IOException {
        channel.socket().setSoTimeout(remainingMillis(deadlineNanos));
        return in.read(bytes, at, bytes.length - at);
    }

    private static int remainingMillis(long deadlineNanos) throws SocketTimeoutException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (millis <= 0) {
            throw new SocketTimeoutException("time is up");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
