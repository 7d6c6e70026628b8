package dev.touchstone.index.server.api;

import dev.touchstone.index.EngineType;
import dev.touchstone.index.PriceBatch;
import dev.touchstone.index.PriceIndex;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The service of the prices of an index, which makes the handlers of requests. Thread-safe; each thread needs handlers of its own.
 *
 * <p>Once the service is created, the index must be changed through the service only: the view for {@link EngineType#MAP}, which is made when it is
 * first needed, then holds the same prices.
 */
public final class PriceService {
    private final PriceIndex index;
    private final Limits limits;
    private final Json json;
    private final Metrics metrics;
    private final Object updating = new Object();
    private volatile @Nullable PriceIndex map; // view of the current prices, or null
    private volatile boolean isReady = true;

    /**
     * Creates a service.
     *
     * @param index index of the prices, not null
     * @param limits limits of one request
     */
    public PriceService(PriceIndex index, Limits limits) {
        this.index = Objects.requireNonNull(index, "index");
        this.limits = limits;
        json = new Json(limits);
        metrics = new Metrics(index);
    }

    /**
     * Returns the index that answers all routes except those of {@link EngineType#MAP}.
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

    /** Returns an index of the same prices that searches by {@link EngineType#MAP}. */
    PriceIndex map() {
        PriceIndex found = map;
        if (found != null) {
            return found;
        }
        synchronized (updating) {
            found = map;
            if (found == null) {
                found = index.with(EngineType.MAP);
                map = found;
            }
            return found;
        }
    }

    long update(PriceBatch batch) {
        synchronized (updating) {
            long version = index.update(batch);
            map = null;
            return version;
        }
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
            case V1_BITMAP -> new V1Handler(new V1Search(this, this::index));
            case V1_MAP -> new V1Handler(new V1Search(this, this::map));
            case V2_BITMAP_BULK, V4_BITMAP_BULK -> new V1BulkHandler(new V1Search(this, this::index), this);
            case V4_MAP_BULK -> new V1BulkHandler(new V1Search(this, this::map), this);
            case V5_BITMAP_BULK -> new V1LinesHandler(new V1Search(this, this::index), this);
            case SEARCH -> new SearchHandler(this, false);
            case SEARCH_BULK -> new SearchBulkHandler(this);
            case EXPLAIN -> new ExplainHandler(this);
            case UPDATE -> new UpdateHandler(this);
            case INDEX -> new IndexHandler(this);
            case HEALTH -> ReadyHandler.health(this);
            case READY -> ReadyHandler.ready(this);
            case METRICS -> metrics;
            case OPEN_API -> new OpenApiHandler(this);
            case PAGE -> new PageHandler();
        };
    }
}
