package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * An EPMD inside this JVM: registers nodes for the lifetime of their connections, tells their ports, and lists them. Whoever sends
 * anything else loses its connection and does not disturb the others. It cannot be killed from outside. Thread-safe.
 */
public final class EpmdServer implements Closeable {
    /*
     * Who calls:      everything but start, close() and port() runs on the server's one thread, which owns the selector, the
     *                 connections and the registry. close() only sets `closed` and wakes it.
     * Invariants:     connections.size() <= mostConnections, the oldest first. A connection that is no registration ends at its
     *                 deadline at the latest, whatever its client does, and sooner where there are too many.
     * Failure:        an IOException on a connection ends that connection; one of the selector's ends the server; where no connection
     *                 can be accepted, as without file descriptors, the listener rests.
     */
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final int MAX_CONNECTIONS = 256;
    private static final int BACKLOG = 128;
    private static final long REST_MILLIS = 100;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final SelectionKey listening;
    private final int port;
    private final long idleNanos;
    private final int mostConnections;
    private final EpmdRegistry registry;
    private final Set<EpmdConnection> connections = new LinkedHashSet<>();
    private final Thread thread;
    private volatile boolean closed;

    private EpmdServer(
            ServerSocketChannel listener, Selector selector, Duration idle, int mostConnections, SecureRandom random)
            throws IOException {
        this.listener = listener;
        this.selector = selector;
        this.listening = listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        this.port = listener.socket().getLocalPort();
        this.idleNanos = idle.toNanos();
        this.mostConnections = mostConnections;
        this.registry = new EpmdRegistry(random);
        this.thread = new Thread(this::run, "epmd-" + port);
        thread.setDaemon(true);
    }

    /**
     * Listens on the loopback address.
     *
     * @param port 0 for any that is free
     */
    public static EpmdServer start(int port) throws IOException {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Listens on this address; only nodes of this machine may register.
     *
     * @throws IOException if it cannot, as where another EPMD does already
     */
    public static EpmdServer start(InetSocketAddress address) throws IOException {
        return start(address, IDLE, MAX_CONNECTIONS, new SecureRandom());
    }

    static EpmdServer start(InetSocketAddress address, Duration idle, int mostConnections, SecureRandom random)
            throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listener = null;
        try {
            listener = ServerSocketChannel.open();
            listener.bind(address, BACKLOG);
            EpmdServer server = new EpmdServer(listener, selector, idle, mostConnections, random);
            server.thread.start();
            return server;
        } catch (IOException | RuntimeException | Error e) {
            selector.close();
            if (listener != null) {
                listener.close();
            }
            throw e;
        }
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** Ends all registrations, and returns when they have ended. Later calls do nothing. */
    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup(); // ends the thread, which closes all
        boolean interrupted = false;
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (selector;
                listener) {
            while (!closed) {
                selector.select(waitMillis());
                listening.interestOps(SelectionKey.OP_ACCEPT);
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
                endOverdue();
            }
        } catch (IOException e) {
            // nothing can be served any more, which the clients see
        } finally {
            connections.forEach(EpmdServer::close);
        }
    }

    private void serve(SelectionKey key) {
        if (key.equals(listening)) {
            accept();
        } else if (key.isValid()) {
            EpmdConnection connection = (EpmdConnection) key.attachment();
            try {
                if (!connection.serve(key)) {
                    end(connection);
                }
            } catch (IOException e) {
                end(connection);
            }
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listener.accept();
            if (channel == null) {
                return;
            }
            EpmdConnection connection = new EpmdConnection(channel, registry, port, System.nanoTime() + idleNanos);
            if (!makeRoom()) {
                close(connection);
                return;
            }
            connections.add(connection);
            register(connection, channel);
        } catch (IOException e) {
            listening.interestOps(0);
        }
    }

    private void register(EpmdConnection connection, SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, connection);
        } catch (IOException e) {
            end(connection);
        }
    }

    /** Gives up the oldest connection that is no registration where there are too many. */
    private boolean makeRoom() {
        if (connections.size() < mostConnections) {
            return true;
        }
        for (EpmdConnection connection : connections) {
            if (!connection.isRegistration()) {
                end(connection);
                return true;
            }
        }
        return false;
    }

    private void endOverdue() {
        long now = System.nanoTime();
        List<EpmdConnection> overdue = connections.stream()
                .filter(c -> !c.isRegistration() && c.deadlineNanos() - now <= 0)
                .toList();
        overdue.forEach(this::end);
    }

    /** How long to wait for something to happen; 0 is for ever. */
    private long waitMillis() {
        if (listening.interestOps() == 0) {
            return REST_MILLIS;
        }
        for (EpmdConnection connection : connections) {
            if (!connection.isRegistration()) { // the oldest, whose deadline comes first
                return Math.max(1, TimeUnit.NANOSECONDS.toMillis(connection.deadlineNanos() - System.nanoTime()) + 1);
            }
        }
        return 0;
    }

    private void end(EpmdConnection connection) {
        connections.remove(connection);
        close(connection);
    }

    private static void close(EpmdConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // it is gone in any case
        }
    }
}
