package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An EPMD inside this JVM: registers nodes for the lifetime of their connections, tells their ports, and lists them. A client that sends
 * anything else loses its connection and does not disturb the others. It cannot be killed or told to forget a node from outside.
 * Thread-safe.
 */
public final class EpmdServer implements Closeable {
    /*
     * Who calls:      everything but start, close() and port() runs on the server's one thread, which owns the selector, the
     *                 connections and the registry. close() only sets `closed` and wakes it.
     * Invariants:     a connection is in `waiting` or in `registrations`; together they are at most `maxConnections`. One in `waiting`
     *                 ends when its client says nothing for `idleNanos`, or MAX_IDLES times that after it began, and sooner where there
     *                 are too many; a registration ends with its connection only.
     * Ordering:       `waiting` has first the connection that has been silent for longest.
     * Failure:        whatever is thrown on a connection ends that connection; an IOException of the selector ends the server; any other
     *                 Error or exception, as without memory, is logged after a rest, and the server goes on. Where no connection can be
     *                 accepted, as without file descriptors, the one silent for longest ends and the listeners rest. An end without
     *                 memory is tried again, since a server must not leave a port that listens and answers nobody.
     */
    private static final Logger LOG = System.getLogger(EpmdServer.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final int MAX_IDLES = 12;
    private static final int MAX_CONNECTIONS = 4096;
    private static final int BACKLOG = 1024;
    private static final long REST_MILLIS = 100;
    private static final int MAX_ATTEMPTS = 100; // to close everything, with a rest between two

    private final List<ServerSocketChannel> listeners;
    private final Selector selector;
    private final int port;
    private final long idleNanos;
    private final int maxConnections;
    private final LongSupplier clock;
    private final EpmdRegistry registry;
    private final Set<EpmdConnection> waiting = new LinkedHashSet<>();
    private final Set<EpmdConnection> registrations = new HashSet<>();
    private final Thread thread;
    private boolean resting; // the thread's
    private volatile boolean closed;

    private EpmdServer(
            List<ServerSocketChannel> listeners,
            Selector selector,
            Duration idle,
            int maxConnections,
            SecureRandom random,
            LongSupplier clock)
            throws IOException {
        this.listeners = listeners;
        this.selector = selector;
        this.port = listeners.get(0).socket().getLocalPort();
        this.idleNanos = idle.toNanos();
        this.maxConnections = maxConnections;
        this.clock = clock;
        this.registry = new EpmdRegistry(random);
        this.thread = new Thread(this::run, "epmd-" + port);
        thread.setDaemon(true);
        for (ServerSocketChannel listener : listeners) {
            listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        }
    }

    /**
     * Listens on the loopback addresses of IPv4 and IPv6.
     *
     * @param port 0 for any that is free
     * @return the server, which runs
     * @throws IOException if it cannot listen, as where another EPMD does already
     */
    public static EpmdServer start(int port) throws IOException {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Listens on these addresses; only nodes of this machine may register. With the loopback address of IPv4 or IPv6 alone it listens
     * on the other's too, where this machine has that and the port is free there.
     *
     * @param address where it must listen; its port may be 0 for any that is free
     * @param others where it must listen too, each at the port of the first, whatever port they have
     * @return the server, which runs
     * @throws IOException if it cannot listen, as where another EPMD does already
     */
    public static EpmdServer start(InetSocketAddress address, InetSocketAddress... others) throws IOException {
        List<InetSocketAddress> addresses = new ArrayList<>(List.of(others));
        addresses.add(0, address);
        return start(addresses, IDLE, MAX_CONNECTIONS, new SecureRandom(), System::nanoTime);
    }

    static EpmdServer start(
            List<InetSocketAddress> addresses,
            Duration idle,
            int maxConnections,
            SecureRandom random,
            LongSupplier clock)
            throws IOException {
        Selector selector = Selector.open();
        List<ServerSocketChannel> listeners = new ArrayList<>();
        try {
            listen(addresses, listeners);
            EpmdServer server = new EpmdServer(listeners, selector, idle, maxConnections, random, clock);
            server.thread.start();
            return server;
        } catch (IOException | RuntimeException | Error e) {
            selector.close();
            for (ServerSocketChannel listener : listeners) {
                listener.close();
            }
            throw e;
        }
    }

    private static void listen(List<InetSocketAddress> addresses, List<ServerSocketChannel> listeners)
            throws IOException {
        int port = addresses.get(0).getPort();
        for (InetSocketAddress address : addresses) {
            listeners.add(bind(new InetSocketAddress(resolved(address), port)));
            port = listeners.get(0).socket().getLocalPort();
        }
        InetAddress other = addresses.size() > 1 ? null : otherLoopback(resolved(addresses.get(0)));
        if (other != null) {
            try {
                listeners.add(bind(new InetSocketAddress(other, port)));
            } catch (IOException e) {
                // this machine has no such address, or somebody else listens there
            }
        }
    }

    private static InetAddress resolved(InetSocketAddress address) throws UnknownHostException {
        return address.isUnresolved() ? InetAddress.getByName(address.getHostString()) : address.getAddress();
    }

    private static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            return listener.bind(address, BACKLOG);
        } catch (IOException | RuntimeException | Error e) {
            listener.close();
            throw e;
        }
    }

    private static @Nullable InetAddress otherLoopback(InetAddress address) throws UnknownHostException {
        InetAddress four = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetAddress six = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        if (address.equals(four)) {
            return six;
        }
        return address.equals(six) ? four : null;
    }

    /**
     * Returns the port at which it listens.
     *
     * @return the port, the same on all its addresses
     */
    public int port() {
        return port;
    }

    /**
     * Returns whether it serves.
     *
     * @return false once it has ended, by {@link #close} or by a failure of the network
     */
    public boolean isAlive() {
        return thread.isAlive();
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
        Throwable fault = null;
        boolean logged = false; // once for failures that follow each other
        while (!closed) {
            try {
                if (fault != null) {
                    pause();
                    logged = logged || log("port mapper goes on after a failure: port=", fault);
                    fault = null;
                }
                serveReady();
                logged = false;
            } catch (IOException e) { // nothing can be served any more
                boolean unused = log("port mapper ends: port=", e);
                closed = true;
            } catch (Throwable e) {
                fault = e; // logged in the next round, when there may be memory for it
                resting = true; // has the next round ask for new connections again, whatever was interrupted
            }
        }
        for (int i = 0; i < MAX_ATTEMPTS && !closeAll(); i++) {
            pause();
        }
    }

    private void serveReady() throws IOException {
        selector.select(waitMillis());
        rest(false);
        for (SelectionKey key : selector.selectedKeys()) {
            serve(key);
        }
        selector.selectedKeys().clear(); // after a fault the keys are served once more, which does no harm
        endOverdue();
    }

    /** Logs a failure; returns false where even that fails, as without memory. */
    private boolean log(String what, Throwable failure) {
        try {
            LOG.log(Level.ERROR, what.concat(Integer.toString(port)), failure);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private void pause() {
        LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(REST_MILLIS));
    }

    /** Closes the listeners, the connections and the selector; returns whether nothing is left to be closed. */
    private boolean closeAll() {
        try {
            for (SelectionKey key : selector.keys()) {
                close(key.channel());
                key.cancel(); // its channel, once closed, does not repeat this where it failed
            }
            selector.selectNow(); // frees the ports, which no later step may prevent
            selector.close();
            return true;
        } catch (Throwable e) {
            boolean unused = log("port mapper is not closed yet: port=", e);
            return !selector.isOpen();
        }
    }

    private void rest(boolean value) {
        if (resting != value) {
            listeners.forEach(each -> each.keyFor(selector).interestOps(value ? 0 : SelectionKey.OP_ACCEPT));
            resting = value; // after the change, so that a failed one is made again
        }
    }

    private void serve(SelectionKey key) {
        if (key.channel() instanceof ServerSocketChannel listener) {
            accept(listener);
        } else if (key.isValid()) {
            EpmdConnection connection = (EpmdConnection) key.attachment();
            try {
                serve(key, connection);
            } catch (IOException | RuntimeException | Error e) {
                end(connection); // its client sees the end; without memory too, so that the others are served on
                key.cancel(); // where an earlier end did not come so far
            }
        }
    }

    private void serve(SelectionKey key, EpmdConnection connection) throws IOException {
        long now = clock.getAsLong();
        boolean isNew = waiting.remove(connection);
        boolean goesOn = connection.serve(key, now);
        if (!goesOn || (isNew && !connection.isRegistration() && isTooOld(connection, now))) {
            end(connection);
        } else if (isNew) {
            (connection.isRegistration() ? registrations : waiting).add(connection);
        }
    }

    private boolean isTooOld(EpmdConnection connection, long nowNanos) {
        return nowNanos - connection.startNanos() > MAX_IDLES * idleNanos;
    }

    private void accept(ServerSocketChannel listener) {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                add(channel);
            }
        } catch (IOException e) {
            boolean unused = makeRoom();
            rest(true);
        }
    }

    private void add(SocketChannel channel) {
        try {
            EpmdConnection connection = new EpmdConnection(channel, registry, port, clock.getAsLong());
            if (waiting.size() + registrations.size() >= maxConnections && !makeRoom()) {
                close(channel);
                return;
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, connection);
            waiting.add(connection);
        } catch (IOException | RuntimeException | Error e) {
            close(channel); // its client sees the end
        }
    }

    /** Ends the connection that has been silent for longest and is no registration; returns false where all are registrations. */
    private boolean makeRoom() {
        boolean canMake = !waiting.isEmpty();
        if (canMake) {
            end(waiting.iterator().next());
        }
        return canMake;
    }

    private void endOverdue() {
        long now = clock.getAsLong();
        while (!waiting.isEmpty()) {
            EpmdConnection first = waiting.iterator().next();
            if (now - first.lastNanos() < idleNanos) {
                return;
            }
            end(first);
        }
    }

    /** Returns how long to wait for something to happen; 0 is for ever. */
    private long waitMillis() {
        if (resting) {
            return REST_MILLIS;
        }
        if (waiting.isEmpty()) {
            return 0;
        }
        long left = waiting.iterator().next().lastNanos() + idleNanos - clock.getAsLong();
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    private void end(EpmdConnection connection) {
        waiting.remove(connection);
        registrations.remove(connection);
        close(connection);
    }

    private static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // it is gone in any case
        }
    }
}
