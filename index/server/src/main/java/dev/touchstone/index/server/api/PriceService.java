package dev.touchstone.index.server.api;

import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.Objects;

/**
 * The service of the prices of an index, which makes the handlers of requests. Thread-safe; each thread needs handlers of its own.
 */
public final class PriceService {
    private final PriceIndex index;
    private final Updater updater;
    private final Limits limits;
    private final Json json;
    private final Metrics metrics;
    private volatile boolean isReady = true;

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
        json = new Json(limits);
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

    Json json() {
        return json;
    }

    /**
     * Returns whether {@code /ready} answers that new requests should come, and {@code /health} that the service does not drain.
     *
     * @return false once {@link #stopping} was called
     */
    public boolean isReady() {
        return isReady;
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

    /**
     * Returns a handler like {@link #handler}, which {@linkplain Answer#isDeferred defers} requests that may take long.
     *
     * @param route route of the requests
     * @return a handler for one thread
     */
    public Handler quickHandler(Route route) {
        return route == Route.SEARCH ? new SearchHandler(this, true) : handler(route);
    }

    /**
     * Returns a handler of a route.
     *
     * @param route route of the requests
     * @return a handler for one thread
     */
    public Handler handler(Route route) {
        return switch (route) {
            case V1_BITMAP, V1_MAP -> new V1Search(this);
            case V2_BITMAP_BULK, V4_BITMAP_BULK, V4_MAP_BULK -> new V1BulkHandler(new V1Search(this), this);
            case V5_BITMAP_BULK -> new V1LinesHandler(new V1Search(this), this);
            case SEARCH -> new SearchHandler(this, false);
            case SEARCH_BULK -> SearchHandler.bulk(this);
            case SEARCH_ALL -> new SearchAllHandler(this);
            case SEARCH_PAGE -> new SearchPageHandler(this);
            case COUNT -> new CountHandler(this);
            case EXPLAIN -> new ExplainHandler(this);
            case EXPLAIN_BULK -> ExplainHandler.bulk(this);
            case UPDATE -> new UpdateHandler(this);
            case PRICE -> new Results(index)::get;
            case INDEX -> new IndexHandler(this);
            case HEALTH -> ReadyHandler.health(this);
            case READY -> ReadyHandler.ready(this);
            case METRICS -> metrics;
            case OPEN_API -> new OpenApiHandler(this);
            case PAGE -> new PageHandler();
        };
    }
}
