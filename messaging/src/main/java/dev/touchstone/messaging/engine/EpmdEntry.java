package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.epmd.EpmdClient;
import dev.touchstone.messaging.epmd.EpmdException;
import dev.touchstone.messaging.epmd.EpmdNode;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.epmd.Registration;
import dev.touchstone.messaging.report.FaultLog;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A node's entry at its port mapper, made again when it is lost; where no port mapper answers the node may be it. Thread-safe. */
final class EpmdEntry implements Closeable {
    /*
     * Who calls:      the node makes it once, before it starts; then its beat looks whether it is lost, without waiting, and has
     *                 another thread make it again.
     * Invariants:     one thread at a time makes it. Nothing is kept that is made after close().
     * Ordering:       `closed` is set before the entry ends, and read after an entry is found lost: the end by close() is no loss, and
     *                 nobody makes the entry again while a later node of the name may want it.
     * Creation:       the node keeps that of its first entry: its pids live on, as those of an Erlang node do.
     */
    private final InetSocketAddress epmd;
    private final boolean embedded;
    private final EpmdClient client;
    private final EpmdNode node;
    private final AtomicBoolean making = new AtomicBoolean();
    private volatile @Nullable Registration registration; // written under this object's lock

    private volatile @Nullable EpmdServer server; // written under this object's lock

    private volatile boolean closed; // written under this object's lock

    EpmdEntry(NodeOptions options, int port) {
        this.epmd = options.epmd();
        this.embedded = options.embeddedEpmd();
        this.client = new EpmdClient(epmd, options.connectTimeout());
        this.node = EpmdNode.of(options.name().alive(), port, options.hidden());
    }

    /** Makes the entry; returns the creation that the port mapper gives. */
    int make() throws IOException {
        Registration made = register();
        if (!keep(made)) {
            made.close();
            throw new MessagingException.Closed("entry at the port mapper: name=" + node.name());
        }
        return made.creation();
    }

    private synchronized boolean keep(Registration made) {
        if (!closed) {
            registration = made;
        }
        return !closed;
    }

    private Registration register() throws IOException {
        forgetDeadServer();
        try {
            return client.register(node);
        } catch (EpmdException.Unreachable e) {
            if (!embedded) {
                throw e;
            }
            serve();
            return client.register(node);
        }
    }

    private synchronized void serve() throws IOException {
        if (closed) {
            return;
        }
        try {
            EpmdServer started = EpmdServer.start(epmd);
            close(server); // null, or one that ended since register() looked
            server = started;
        } catch (BindException e) {
            // another node serves the address since
        }
    }

    private synchronized void forgetDeadServer() throws IOException {
        EpmdServer served = server;
        if (served != null && !served.isAlive()) {
            server = null;
            close(registration); // the entry that it had
        }
    }

    /** Returns whether the port mapper has the entry. */
    boolean isMade() {
        Registration now = registration;
        EpmdServer served = server;
        return now != null
                && !now.isLost()
                && (served == null || served.isAlive()); // without its thread a socket tells nothing
    }

    /** Has {@code threads} make a lost entry again. Does not wait; where that fails the next call tries again. */
    void renew(Executor threads) {
        if (isMade() || closed || !making.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.execute(this::tryToMake);
        } catch (Throwable e) { // as no thread: the next call tries again
            making.set(false);
            throw e;
        }
    }

    private void tryToMake() {
        try {
            int unused = make();
        } catch (IOException | MessagingException e) {
            // the port mapper is still gone, or knows another node of this name
        } catch (Throwable e) { // as no memory: the next call tries again
            FaultLog.report("entry at the port mapper not made: name=", node.name(), e);
        } finally {
            making.set(false);
        }
    }

    @Override
    public void close() throws IOException {
        Registration last;
        EpmdServer served;
        synchronized (this) {
            closed = true;
            last = registration;
            served = server;
        }
        close(last);
        close(served);
    }

    private static void close(@Nullable Closeable resource) throws IOException {
        if (resource != null) {
            resource.close();
        }
    }
}
