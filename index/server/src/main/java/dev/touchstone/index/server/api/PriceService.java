package dev.touchstone.index.server.api;

import dev.touchstone.index.EngineType;
import dev.touchstone.index.PriceBatch;
import dev.touchstone.index.PriceIndex;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The prices of a service, and what answers requests for them. Thread-safe; it gives each thread handlers of its own.
 *
 * <p>The index is from now on changed through this only, so that the view for {@link EngineType#MAP}, which is made when it is first asked for, holds the
 * same prices.
 */
public final class PriceService {
    private final PriceIndex index;
    private final Limits limits;
    private final Json json;
    private final Metrics metrics;
    private final Object updating = new Object();
    private volatile @Nullable PriceIndex map; // of the current prices
    private volatile boolean isReady = true;

    public PriceService(PriceIndex index, Limits limits) {
        this.index = Objects.requireNonNull(index, "index");
        this.limits = limits;
        json = new Json(limits);
        metrics = new Metrics(index);
    }

    /** The index that answers all but the routes of the map. */
    public PriceIndex index() {
        return index;
    }

    public Limits limits() {
        return limits;
    }

    /** What counts the requests. */
    public Metrics metrics() {
        return metrics;
    }

    Json json() {
        return json;
    }

    /** Whether {@code /ready} says so. */
    public boolean isReady() {
        return isReady;
    }

    /** {@code /ready} says from now on that no new requests should come. */
    public void stopping() {
        isReady = false;
    }

    /** The same prices, searched by {@link EngineType#MAP}. */
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

    /** As {@link #handler}, but it {@linkplain Answer#isDeferred defers} requests that may take long. */
    public Handler quickHandler(Route route) {
        return route == Route.SEARCH ? new SearchHandler(this, true) : handler(route);
    }

    /** A handler of a route, for one thread. */
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
            case HEALTH -> Fixed.text(200, "up");
            case READY -> new ReadyHandler(this);
            case METRICS -> metrics;
            case OPEN_API -> Fixed.resource(ContentType.JSON, "openapi.json");
            case PAGE -> new PageHandler();
        };
    }
}
