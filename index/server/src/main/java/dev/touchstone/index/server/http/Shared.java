package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Room;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** The state that all connections of a server share. Thread-safe. */
final class Shared implements Room {
    final PriceService service;
    final HttpOptions options;
    final ExecutorService workers;
    private final AtomicLong buffered = new AtomicLong();
    private volatile boolean isClosing;

    Shared(PriceService service, HttpOptions options, ExecutorService workers) {
        this.service = service;
        this.options = options;
        this.workers = workers;
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
        if (buffered.addAndGet(bytes) > options.bufferedBytes()) {
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
