package dev.touchstone.index.server.api;

import dev.touchstone.index.PriceIndex;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The metrics of a service, and the handler of {@code /metrics}. Thread-safe. A request costs three additions; names and texts are made when the
 * metrics are asked for.
 */
public final class Metrics implements Handler {
    /** Number of classes of a status by its first digit; class 0 is for statuses that are not valid. */
    private static final int CLASSES = 6;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Route, RouteCounts> counts = new EnumMap<>(Route.class); // complete from the start
    private final LongAdder refused = new LongAdder();
    private final AtomicLong connections = new AtomicLong();

    /** The counters of one route. */
    private static final class RouteCounts {
        final LongAdder[] byClass = new LongAdder[CLASSES];
        final LongAdder requests = new LongAdder();
        final LongAdder nanos = new LongAdder();

        RouteCounts() {
            for (int i = 0; i < CLASSES; i++) {
                byClass[i] = new LongAdder();
            }
        }
    }

    Metrics(PriceIndex index) {
        for (Route route : Route.values()) {
            counts.put(route, register(route, new RouteCounts()));
        }
        FunctionCounter.builder("touchstone.index.refused", refused, LongAdder::sum)
                .description("Requests for no route, and what was no request")
                .register(registry);
        Gauge.builder("touchstone.index.connections", connections, AtomicLong::get)
                .description("Connections that are open")
                .register(registry);
        Gauge.builder("touchstone.index.prices", index, i -> i.stats().prices())
                .description("Prices in the index")
                .register(registry);
        Gauge.builder("touchstone.index.offerings", index, i -> i.stats().offerings())
                .description("Offerings that have prices")
                .register(registry);
        Gauge.builder("touchstone.index.version", index, i -> i.stats().version())
                .description("Version of the index; counts updates")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    private RouteCounts register(Route route, RouteCounts of) {
        for (int i = 1; i < CLASSES; i++) {
            FunctionCounter.builder("touchstone.index.requests", of.byClass[i], LongAdder::sum)
                    .description("Requests by route and class of the answer's status")
                    .tag("route", route.path())
                    .tag("status", i + "xx")
                    .register(registry);
        }
        FunctionTimer.builder(
                        "touchstone.index.handling",
                        of,
                        counted -> counted.requests.sum(),
                        counted -> (double) counted.nanos.sum(),
                        TimeUnit.NANOSECONDS)
                .description("Time from a request's last byte to its answer's first")
                .tag("route", route.path())
                .register(registry);
        return of;
    }

    /**
     * Counts an answer.
     *
     * @param route route of the request
     * @param status HTTP status of the answer
     * @param nanos time from the last byte of the request to the first byte of the answer, in nanoseconds
     */
    public void answered(Route route, int status, long nanos) {
        RouteCounts of = Objects.requireNonNull(counts.get(route), "route");
        of.byClass[status / 100 % CLASSES].increment();
        of.requests.increment();
        of.nanos.add(nanos);
    }

    /** Counts a request that did not reach a handler. */
    public void refused() {
        refused.increment();
    }

    /**
     * Counts a connection that was opened.
     *
     * @return number of open connections, with this one
     */
    public long opened() {
        return connections.incrementAndGet();
    }

    /** Counts a connection that was closed. */
    public void closed() {
        connections.decrementAndGet();
    }

    /**
     * Returns the number of open connections.
     *
     * @return number of connections
     */
    public long connections() {
        return connections.get();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        answer.type(ContentType.METRICS);
        answer.put(registry.scrape().getBytes(StandardCharsets.UTF_8));
    }
}
