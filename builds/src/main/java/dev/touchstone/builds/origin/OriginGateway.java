package dev.touchstone.builds.origin;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.framing.CloseFrame;
import org.jspecify.annotations.Nullable;

/**
 * The door of a master for the origin's programs: their clients submit builds, and their slaves run builds, over WebSocket. To the master the gateway is a client
 * and an agent like any other, with the token that each guest has shown, so that nothing here decides what a token may do. Thread-safe.
 */
public final class OriginGateway implements AutoCloseable {
    /*
     * Who calls:   the WebSocket library's threads, with handshakes, messages and ends of connections; they hand on and never wait. `clock`, one thread, looks
     *              after silence, revoked tokens and streams that have room again. `work` does what may take time: disconnecting agents.
     * Bounds:      OriginDoor has those of connections and messages, OriginPeer that of what a guest does not read, ClientCalls that of calls, SlaveRuns that
     *              of methods and logs.
     * Failure:     a listener that has failed is opened again; a guest's failure ends that guest.
     */
    private static final Logger LOG = System.getLogger(OriginGateway.class.getName());
    private static final long LOOK_MILLIS = 250;
    private static final int MAX_IDENTITY = OriginMessage.MAX_NAME;
    private static final int CLIENTS_PATIENCE = 10; // times the heartbeat; a person may pause the output of a build
    private static final int SLAVES_PATIENCE = 2;

    private final OriginOptions options;
    private final SharedClients clients;
    private final OriginDoor door = new OriginDoor(this::complain);
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "builds-origin"));
    private final ExecutorService work = Executors.newCachedThreadPool(task -> daemon(task, "builds-origin-work"));
    private final Map<String, AtomicLong> complaints = new ConcurrentHashMap<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong unreadBytes = new AtomicLong();
    private volatile OriginServer server;
    private final int port;
    private long pingedNanos = System.nanoTime(); // the clock's

    private OriginGateway(OriginOptions options) throws IOException {
        this.options = options;
        this.clients = new SharedClients(options);
        empty(OwnerOnly.folder(options.folder()));
        this.server = listen(options.address());
        this.port = server.getPort();
        server.start();
        var unused = clock.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Opens the door.
     *
     * @param options its settings; not null
     * @return the gateway, which the caller closes before the master
     * @throws IOException if it cannot listen, or cannot use its folder
     */
    public static OriginGateway start(OriginOptions options) throws IOException {
        return new OriginGateway(options);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : List.copyOf(files.toList())) {
                Files.delete(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private OriginServer listen(InetSocketAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(address);
            return new OriginServer(listener, door, this);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    /** Returns the TCP port that it listens on. */
    public int port() {
        return port;
    }

    OriginOptions options() {
        return options;
    }

    SharedClients clients() {
        return clients;
    }

    /** Returns the bytes of arguments that all guests together wait for. */
    AtomicLong heldBytes() {
        return heldBytes;
    }

    /** Returns the bytes of messages that guests do not read, of all guests, as each {@link OriginDoor.Allowance} counts them. */
    AtomicLong unreadBytes() {
        return unreadBytes;
    }

    /** Lets a guest in; returns null if its token is nobody's, or it has no name. */
    @Nullable
    OriginPeer admit(WebSocketImpl socket, String shown, String identity) {
        Caller caller = options.admission().access().find(shown);
        if (caller == null) {
            complain("token is nobody's", "");
            return null;
        }
        if (identity.isEmpty()
                || identity.length() > MAX_IDENTITY
                || !(socket.getChannel() instanceof GuestChannel guest)) {
            complain("guest has no name", "characters=" + identity.length());
            return null;
        }
        OriginPeer peer = new OriginPeer(socket, this, caller, Token.of(shown), identity);
        guest.admitted(peer);
        return peer;
    }

    /** Counts what guests do that they may not; the log has the first, the second, the fourth and so on of each kind. */
    void complain(String what, String detail) {
        long count =
                complaints.computeIfAbsent(what, unused -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(Logger.Level.WARNING, "guest of the origin: " + what + " so far=" + count + " " + detail);
        }
    }

    /** Runs a task, which must not wait, on the gateway's own thread. */
    void soon(Runnable task) {
        run(clock, task);
    }

    /** Runs a task on the gateway's own thread, after some time. */
    void later(Runnable task, long millis) {
        try {
            var unused = clock.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    /** Runs a task that may wait. */
    void work(Runnable task) {
        run(work, task);
    }

    private static void run(ExecutorService threads, Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    /** Ends guests that are silent, whose handshake takes too long, or whose token is revoked, and opens a listener that has failed. */
    private void look() {
        try {
            long now = System.nanoTime();
            long tick = options.admission().tick().toNanos();
            boolean isTimeToPing = now - pingedNanos > tick / 2;
            if (isTimeToPing) {
                pingedNanos = now;
            }
            door.guests().forEach((guest, socket) -> lookOrEnd(guest, socket, now, isTimeToPing));
            if (!server.isListening()) {
                server.shutdown();
                server = listen(new InetSocketAddress(options.address().getAddress(), port));
                server.start();
            }
        } catch (IOException | RuntimeException | Error e) { // else this would have been the last look
            LOG.log(Logger.Level.ERROR, "gateway for the origin's programs is tried again: port=" + port, e);
        }
    }

    /** Looks after a guest, and ends it if that fails: those behind it are to be looked after, too. */
    private void lookOrEnd(GuestChannel guest, WebSocketImpl socket, long now, boolean isTimeToPing) {
        try {
            look(guest, socket, now, isTimeToPing);
        } catch (RuntimeException | Error e) {
            LOG.log(Logger.Level.ERROR, "guest of the origin is ended, as looking after it failed: " + guest.peer(), e);
            socket.closeConnection(CloseFrame.UNEXPECTED_CONDITION, "master has failed");
        }
    }

    private void look(GuestChannel guest, WebSocketImpl socket, long now, boolean isTimeToPing) {
        OriginPeer peer = guest.peer();
        long tick = options.admission().tick().toNanos();
        long patience = peer == null ? tick : tick * (peer.isSlave() ? SLAVES_PATIENCE : CLIENTS_PATIENCE);
        if (now - guest.heardNanos() > patience) {
            complain(peer == null ? "handshake takes too long" : "guest is silent", "");
            socket.closeConnection(CloseFrame.ABNORMAL_CLOSE, "silent");
        } else if (socket.getDraft() instanceof GuestDraft draft && draft.isSlow(now, tick)) {
            complain("message takes too long", "");
            socket.closeConnection(CloseFrame.ABNORMAL_CLOSE, "message takes too long");
        } else if (peer != null && !options.admission().access().isValid(peer.caller())) {
            socket.closeConnection(CloseFrame.POLICY_VALIDATION, "token is revoked");
        } else if (peer != null) {
            peer.tick();
            if (isTimeToPing && socket.isOpen()) {
                socket.sendPing();
            }
        }
    }

    /** Ends all connections. Builds of clients go on; those that slaves run are given to others. */
    @Override
    public void close() {
        clock.shutdownNow();
        server.shutdown();
        door.guests().forEach((guest, socket) -> socket.closeConnection(CloseFrame.GOING_AWAY, "master is closed"));
        clients.close();
        work.shutdown();
    }
}
