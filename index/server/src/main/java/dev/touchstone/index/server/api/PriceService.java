package dev.touchstone.index.server.api;

import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** The service of the prices of an index: the index, the way in which it is updated, and what all handlers of requests share. Thread-safe. */
public final class PriceService {
    private final PriceIndex index;
    private final Updater updater;
    private final Limits limits;
    private final Metrics metrics;
    private volatile boolean isReady = true;
    private volatile BooleanSupplier isCurrent = () -> true;

    /** The way in which batches become versions of the index. Thread-safe. */
    @FunctionalInterface
    public interface Updater {
        /**
         * Applies all changes of a batch in order, and publishes them together.
         *
         * @param batch changes
         * @return number of the new version
         * @throws dev.touchstone.index.IndexException if the index cannot have one of the prices; nothing has changed then
         * @throws IOException if the batch could not be stored; nothing is visible then
         */
        long update(PriceBatch batch) throws IOException;
    }

    /**
     * Creates a service whose updates last as long as the index is in memory.
     *
     * @param index index of the prices, not null
     * @param limits limits of one request
     */
    public PriceService(PriceIndex index, Limits limits) {
        this(index, index::update, limits);
    }

    /**
     * Creates a service.
     *
     * @param index index of the prices, not null
     * @param updater what updates the index, such as a {@link dev.touchstone.index.server.store.PriceStore}; not null
     * @param limits limits of one request
     */
    public PriceService(PriceIndex index, Updater updater, Limits limits) {
        this.index = Objects.requireNonNull(index, "index");
        this.updater = Objects.requireNonNull(updater, "updater");
        this.limits = limits;
        metrics = new Metrics(index);
    }

    /**
     * Returns the index that answers all routes.
     *
     * @return index
     */
    public PriceIndex index() {
        return index;
    }

    /**
     * Returns the limits of one request.
     *
     * @return limits
     */
    public Limits limits() {
        return limits;
    }

    /**
     * Returns the metrics of the requests.
     *
     * @return metrics
     */
    public Metrics metrics() {
        return metrics;
    }

    /**
     * Returns whether {@code /ready} answers that new requests should come, and {@code /health} that the service does not drain.
     *
     * @return false once {@link #stopping} was called
     */
    public boolean isReady() {
        return isReady;
    }

    /**
     * Returns whether the index has the latest prices, as far as this process knows; {@code /ready} answers that no new requests should come if it has not.
     *
     * @return false while the index waits for others, by the condition of {@link #currentWhile}
     */
    public boolean isCurrent() {
        return isCurrent.getAsBoolean();
    }

    /**
     * Sets the condition of {@link #isCurrent}, which always holds if not set.
     *
     * @param condition returns whether the index has the latest prices; must not block
     */
    public void currentWhile(BooleanSupplier condition) {
        isCurrent = condition;
    }

    /** Makes {@code /ready} answer from now on that no new requests should come. */
    public void stopping() {
        isReady = false;
    }

    /**
     * Applies all changes of a batch in order, and publishes them together.
     *
     * @param batch changes, not null
     * @return number of the new version
     * @throws dev.touchstone.index.IndexException if the index cannot have one of the prices; nothing has changed then
     * @throws IOException if the batch could not be stored; nothing is visible then
     */
    public long update(PriceBatch batch) throws IOException {
        return updater.update(batch);
    }
}
