package dev.touchstone.index.server.http;

import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.MemoryBudget;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import io.netty.buffer.ByteBufHolder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The state that all connections of a server share. Thread-safe. */
final class Shared implements MemoryBudget {
    /** Approximate size of a message that waits in bytes, without its content. Clients may send many small requests at once. */
    private static final int MESSAGE_BYTES = 1 << 10;

    final PriceService service;
    final HttpOptions options;
    final Access access;
    private final Function<Route, Handler> handlers;
    private final Map<Route.Pool, WorkerPool> pools = new EnumMap<>(Route.Pool.class); // complete from the start
    private final AtomicLong buffered = new AtomicLong();
    private volatile boolean isClosing;

    /**
     * Creates the state of a server.
     *
     * @param handlers makes a handler for one request that a worker answers; called on threads of workers
     */
    Shared(PriceService service, HttpOptions options, Function<Route, Handler> handlers) {
        this.service = service;
        this.options = options;
        this.handlers = handlers;
        access = options.access().alsoAt(options.host());
        options.workers().forEach((pool, workers) -> {
            WorkerPool made = new WorkerPool(pool, workers);
            pools.put(pool, made);
            service.metrics().watch(pool, made::waiting, made::running);
        });
    }

    /** Returns a new handler of a route, for a worker. */
    Handler handler(Route route) {
        return handlers.apply(route);
    }

    /** Returns the workers for requests of a route. */
    WorkerPool pool(Route route) {
        return Objects.requireNonNull(pools.get(route.pool()), "pool");
    }

    /** Returns the memory that a message occupies while it waits, in bytes. */
    static int bytes(Object message) {
        return MESSAGE_BYTES
                + (message instanceof ByteBufHolder holder ? holder.content().readableBytes() : 0);
    }

    /** Returns the scheme of the addresses of the service. */
    String scheme() {
        return options.tls() == null ? "http" : "https";
    }

    /** Stops all workers. */
    void stopWorkers() {
        pools.values().forEach(WorkerPool::stop);
    }

    /** Returns whether no further request may begin. */
    boolean isClosing() {
        return isClosing;
    }

    void close() {
        isClosing = true;
    }

    @Override
    public boolean take(int bytes) {
        if (buffered.addAndGet(bytes) > options.sizes().bufferedBytes()) {
            buffered.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    @Override
    public void give(int bytes) {
        buffered.addAndGet(-bytes);
    }
}
