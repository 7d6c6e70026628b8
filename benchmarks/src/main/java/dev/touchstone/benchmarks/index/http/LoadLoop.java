package dev.touchstone.benchmarks.index.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connections with one request each, served in turn by one thread. Not thread-safe.
 *
 * <p>Without a rate each connection sends its next request when it has its answer. With one, requests have times to begin at: one that finds no connection
 * free waits for it, and that counts, as it would for a user.
 */
final class LoadLoop implements Closeable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_MILLIS = 100;
    private static final double NANOS = 1e9;

    private final Selector selector;
    private final List<LoadConnection> connections = new ArrayList<>();
    private final Deque<LoadConnection> idle = new ArrayDeque<>();
    private final ByteBuffer[] requests;
    private final double periodNanos; // 0 without a rate
    private Iterator<SelectionKey> ready = List.<SelectionKey>of().iterator();
    private int nextRequest;
    private long rateBegan;
    private long sent; // since then
    private boolean isSending;
    private int status;
    private long bodyBytes;

    /**
     * Opens the connections.
     *
     * @param requests whole HTTP requests, sent in turn
     * @param firstRequest index of the first request to send
     * @param perSecond requests to begin in a second; 0 sends as fast as answers come
     */
    LoadLoop(InetSocketAddress server, int connections, List<ByteBuffer> requests, int firstRequest, double perSecond)
            throws IOException {
        selector = Selector.open();
        this.requests = requests.toArray(ByteBuffer[]::new);
        nextRequest = firstRequest % this.requests.length;
        periodNanos = perSecond == 0 ? 0 : NANOS / perSecond;
        try {
            for (int i = 0; i < connections; i++) {
                LoadConnection made = new LoadConnection(server, selector);
                this.connections.add(made);
                idle.add(made);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Status of the answer that {@link #next} waited for. */
    int status() {
        return status;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    /** Waits for an answer; how many nanoseconds it took from when its request was to begin. */
    long next() throws IOException {
        if (!isSending) {
            isSending = true;
            rateBegan = System.nanoTime();
            sent = 0;
        }
        return await();
    }

    /** Waits until no request is on its way any more, without beginning new ones. */
    void drain() throws IOException {
        isSending = false;
        while (idle.size() < connections.size()) {
            await();
        }
    }

    private long await() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            long now = System.nanoTime();
            begin(now);
            while (ready.hasNext()) {
                LoadConnection connection = (LoadConnection) ready.next().attachment();
                ready.remove();
                if (connection.goOn()) {
                    return ended(connection);
                }
            }
            if (now - deadline > 0) {
                throw new IOException("no answer within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s");
            }
            select(now);
        }
    }

    private long ended(LoadConnection connection) {
        long nanos = System.nanoTime() - connection.begunNanos();
        status = connection.status();
        bodyBytes = connection.bodyBytes();
        idle.add(connection);
        return nanos;
    }

    /** Begins the requests whose time has come, as far as connections are free. */
    private void begin(long now) throws IOException {
        while (isSending && !idle.isEmpty()) {
            long due = periodNanos == 0 ? now : due();
            if (due - now > 0) {
                return;
            }
            LoadConnection connection = idle.remove();
            ByteBuffer request = requests[nextRequest];
            nextRequest = nextRequest + 1 == requests.length ? 0 : nextRequest + 1;
            sent++;
            connection.send(request, periodNanos == 0 ? System.nanoTime() : due);
        }
    }

    private long due() {
        return rateBegan + (long) (sent * periodNanos);
    }

    private void select(long now) throws IOException {
        long millis = LOOK_MILLIS;
        if (isSending && periodNanos > 0 && !idle.isEmpty()) {
            millis = Math.min(LOOK_MILLIS, TimeUnit.NANOSECONDS.toMillis(due() - now));
        }
        if (millis > 0) {
            selector.select(millis);
        } else {
            selector.selectNow(); // too near for the selector's clock
        }
        ready = selector.selectedKeys().iterator();
    }

    @Override
    public void close() throws IOException {
        for (LoadConnection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
