package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.FaultLog;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket, of TCP or of the Unix domain, that shakes hands with each node that connects in a thread of its own, so that a
 * silent one holds up nobody. Where too many do not get on, one of the address that has most of them makes room. Thread-safe.
 */
public final class Listener implements Closeable {
    /*
     * Who calls:      one thread accepts; each connection has a thread for its handshake; close() comes from any thread.
     * Invariants:     at most MAX_HALF_OPEN connections are in `halfOpen`. Whoever removes a connection from it decides on it: its own
     *                 thread goes on, and the accepting thread ends it.
     * Ordering:       `halfOpen` has the oldest first. A connection is in it before its handshake begins.
     * Failure:        an exception of a handshake ends that connection. Without file descriptors the accepting thread pauses.
     */
    private static final int MAX_HALF_OPEN = 64;
    private static final int BACKLOG = 128; // a Unix-domain socket refuses further connections at once
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final SocketAddress address;
    private final ServerSocketChannel server;
    private final Supplier<Attempt> attempts;
    private final Carrier.Wrapping wrapping;
    private final long timeoutNanos;
    private final Queue<HalfOpen> halfOpen = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;
    private volatile boolean closed;
    private volatile CompletableFuture<Void> accepting = CompletableFuture.completedFuture(null);

    /**
     * A connection whose handshake is not done.
     *
     * @param source the address that it comes from, without its port; empty for a Unix-domain socket
     */
    private record HalfOpen(SocketChannel channel, String source) {
        static HalfOpen of(SocketChannel channel) throws IOException {
            boolean isTcp = channel.getRemoteAddress() instanceof InetSocketAddress;
            return new HalfOpen(
                    channel,
                    isTcp
                            ? ((InetSocketAddress) channel.getRemoteAddress())
                                    .getAddress()
                                    .toString()
                            : "");
        }
    }

    /** The course of one accepted connection, from its handshake on. */
    public interface Attempt {
        /**
         * Returns the acceptor's side of the handshake.
         *
         * @return the handshake, at its start
         */
        Handshake handshake();

        /**
         * Takes a peer that has proved itself, before it is told that the handshake is done.
         *
         * @param peer the other node
         * @throws IOException if its connection is not wanted
         */
        void prove(NodeName peer) throws IOException;

        /**
         * Takes the connection whose handshake is done.
         *
         * @param carrier carries its bytes
         * @param result outcome of the handshake
         * @throws IOException if the connection cannot be used
         */
        void accept(Carrier carrier, HandshakeResult result) throws IOException;

        /**
         * Takes the failure of the handshake, or of {@link #accept}.
         *
         * @param remote address that connected, for messages
         * @param cause the failure
         */
        default void failed(String remote, Exception cause) {}

        /** Takes the end of the attempt, whether it succeeded or failed. */
        void ended();
    }

    /**
     * Listens; connections wait until {@link #start}.
     *
     * @param name name of the threads
     * @param address address to listen at, of TCP or of a Unix-domain socket
     * @param wrapping puts another carrier around each connection, as of TLS
     * @param timeoutNanos longest time for a handshake
     * @param attempts makes the attempt of each connection
     * @throws IOException if the address is in use, or a Unix-domain socket's file is no socket
     */
    public Listener(
            String name,
            SocketAddress address,
            Carrier.Wrapping wrapping,
            long timeoutNanos,
            Supplier<Attempt> attempts)
            throws IOException {
        this.wrapping = wrapping;
        this.timeoutNanos = timeoutNanos;
        this.attempts = attempts;
        this.address = address;
        this.server = open(address);
        this.threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private static ServerSocketChannel open(SocketAddress address) throws IOException {
        if (!(address instanceof UnixDomainSocketAddress socket)) {
            return bind(ServerSocketChannel.open(), address);
        }
        SocketFile.clear(socket);
        ServerSocketChannel server = bind(ServerSocketChannel.open(StandardProtocolFamily.UNIX), address);
        try {
            SocketFile.restrict(socket);
            return server;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            Files.deleteIfExists(socket.getPath());
            throw e;
        }
    }

    private static ServerSocketChannel bind(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            return server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw new IOException("cannot listen: address=" + address + " cause=" + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Begins to accept. */
    public void start() {
        accepting = CompletableFuture.runAsync(this::acceptAll, threads);
    }

    /**
     * Runs work that may block, in a thread of its own. Does nothing once the listener is closed.
     *
     * @param work the work
     */
    public void execute(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            // the listener is closed
        }
    }

    /**
     * Returns the port of TCP.
     *
     * @return the port, 0 for a Unix-domain socket
     * @throws IOException if the socket is closed
     */
    public int port() throws IOException {
        return server.getLocalAddress() instanceof InetSocketAddress tcp ? tcp.getPort() : 0;
    }

    private void acceptAll() {
        Throwable fault = null;
        while (!closed) {
            try {
                if (fault != null) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    FaultLog.report("connection not accepted: address=", address, fault);
                    fault = null;
                }
                acceptOne();
            } catch (ClosedChannelException | RejectedExecutionException e) {
                break;
            } catch (IOException e) {
                LockSupport.parkNanos(PAUSE_NANOS); // no descriptor is free: it may be later
            } catch (Throwable e) { // as no memory, or no thread: there may be later, also for the report
                fault = e;
            }
        }
        halfOpen.forEach(each -> close(each.channel())); // that of the last accept too
    }

    /** Accepts a connection, and closes it where no thread can shake hands with it. */
    private void acceptOne() throws IOException {
        SocketChannel channel = server.accept();
        boolean isHandedOver = false;
        try {
            makeRoom();
            HalfOpen accepted = HalfOpen.of(channel);
            halfOpen.add(accepted);
            threads.execute(() -> shake(accepted));
            isHandedOver = true;
        } finally {
            if (!isHandedOver) {
                close(channel);
                halfOpen.removeIf(each -> each.channel().equals(channel));
            }
        }
    }

    private void makeRoom() {
        HalfOpen oldest = halfOpen.size() < MAX_HALF_OPEN ? null : oldestOfMost();
        if (oldest != null && halfOpen.remove(oldest)) {
            try {
                oldest.channel().shutdownInput(); // its thread, which waits for input, closes it
            } catch (IOException e) {
                // it has ended meanwhile
            }
        }
    }

    /** Returns the oldest one of the source that has most, so that one source does not end the handshakes of the others. */
    private @Nullable HalfOpen oldestOfMost() {
        Map<String, Integer> counts = new HashMap<>();
        halfOpen.forEach(each -> counts.merge(each.source(), 1, Integer::sum));
        HalfOpen found = null;
        for (HalfOpen each : halfOpen) {
            if (found == null || counts.getOrDefault(each.source(), 0) > counts.getOrDefault(found.source(), 0)) {
                found = each;
            }
        }
        return found;
    }

    private void shake(HalfOpen accepted) {
        SocketChannel channel = accepted.channel();
        Closeable ends = channel;
        Attempt attempt = null;
        String remote = "unknown";
        try {
            Attempt made = attempts.get();
            attempt = made;
            remote = String.valueOf(channel.getRemoteAddress());
            Carrier carrier = wrapping.wrap(new ChannelCarrier(channel), null);
            ends = carrier; // over TLS that tells the other end why
            HandshakeDriver driver = new HandshakeDriver(carrier, made.handshake(), timeoutNanos, peer -> {
                carrier.checkPeer(peer);
                made.prove(peer);
            });
            HandshakeResult result = driver.run();
            if (!halfOpen.remove(accepted)) {
                throw new IOException("handshake took too long while many others wait: peer=" + result.peer());
            }
            made.accept(carrier, result);
        } catch (IOException | RuntimeException failed) {
            close(ends);
            if (!closed && attempt != null) {
                attempt.failed(remote, failed);
            }
        } catch (Throwable failed) {
            close(ends);
            FaultLog.report("handshake ended by a fault of this node: address=", address, failed);
        } finally {
            halfOpen.remove(accepted);
            if (attempt != null) {
                attempt.ended();
            }
        }
    }

    private static void close(Closeable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // it is not used any more
        }
    }

    /** Ends accepting and the handshakes under way, and deletes a Unix-domain socket's file. The port is free afterwards. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            if (address instanceof UnixDomainSocketAddress socket) {
                // while it is still listened at: afterwards it may be the next listener's
                Files.deleteIfExists(socket.getPath());
            }
        } finally {
            server.close();
            halfOpen.forEach(each -> close(each.channel()));
            threads.shutdownNow();
            accepting.exceptionally(fault -> null).join(); // the port is in use as long as a thread accepts there
        }
    }
}
