package dev.touchstone.index.server.api;

import dev.touchstone.index.price.PriceIndex;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The metrics of a service, and the handler of {@code /metrics}. Thread-safe. Names and texts are made when the metrics are asked for.
 */
public final class Metrics implements Handler {
    /** Number of classes of a status by its first digit; class 0 is for statuses that are not valid. */
    private static final int CLASSES = 6;

    /**
     * Upper ends of the buckets of latencies in microseconds: those that OpenTelemetry advises for durations of HTTP requests, from 5 ms to 10 s, and five
     * below.
     */
    private static final long[] BUCKETS = {
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        75_000,
        100_000,
        250_000,
        500_000,
        750_000,
        1_000_000,
        2_500_000,
        5_000_000,
        7_500_000,
        10_000_000
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Route, RouteCounts> counts = new EnumMap<>(Route.class); // complete from the start
    private final Map<Route.Pool, Map<Refusal, LongAdder>> refusals = new EnumMap<>(Route.Pool.class); // complete too
    private final LongAdder refused = new LongAdder();
    private final AtomicLong connections = new AtomicLong();

    /** Reasons for which a pool of workers does not answer a request. */
    public enum Refusal {
        /** The maximum number of requests waits already. */
        FULL,
        /** The deadline has passed. */
        LATE,
        /** The server stops. */
        STOPPING
    }

    /** The counters of one route. */
    private static final class RouteCounts {
        final LongAdder[] byClass = new LongAdder[CLASSES];
        final Timer handling;

        RouteCounts(Timer handling) {
            this.handling = handling;
            for (int i = 0; i < CLASSES; i++) {
                byClass[i] = new LongAdder();
            }
        }
    }

    Metrics(PriceIndex index) {
        for (Route route : Route.values()) {
            counts.put(route, register(route));
        }
        for (Route.Pool pool : Route.Pool.values()) {
            refusals.put(pool, register(pool));
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

    private RouteCounts register(Route route) {
        RouteCounts of = new RouteCounts(Timer.builder("touchstone.index.handling")
                .description("Time from a request's last byte to its answer's first")
                .tag("route", route.path())
                .serviceLevelObjectives(Arrays.stream(BUCKETS)
                        .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
                        .toArray(Duration[]::new))
                .register(registry));
        for (int i = 1; i < CLASSES; i++) {
            FunctionCounter.builder("touchstone.index.requests", of.byClass[i], LongAdder::sum)
                    .description("Requests by route and class of the answer's status")
                    .tag("route", route.path())
                    .tag("status", i + "xx")
                    .register(registry);
        }
        return of;
    }

    private Map<Refusal, LongAdder> register(Route.Pool pool) {
        Map<Refusal, LongAdder> of = new EnumMap<>(Refusal.class);
        for (Refusal refusal : Refusal.values()) {
            LongAdder count = new LongAdder();
            of.put(refusal, count);
            FunctionCounter.builder("touchstone.index.pool.refused", count, LongAdder::sum)
                    .description("Requests that a pool of workers did not answer, by reason")
                    .tag("pool", pool.label())
                    .tag("reason", refusal.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        return of;
    }

    /**
     * Shows the requests of a pool of workers. Of several servers over one service, only the pools of the first are shown.
     *
     * @param pool pool of the workers
     * @param waiting returns the number of requests that wait for a worker
     * @param running returns the number of workers that make an answer
     */
    public void watch(Route.Pool pool, IntSupplier waiting, IntSupplier running) {
        Gauge.builder("touchstone.index.pool.waiting", waiting::getAsInt)
                .description("Requests that wait for a worker")
                .tag("pool", pool.label())
                .register(registry);
        Gauge.builder("touchstone.index.pool.running", running::getAsInt)
                .description("Workers that make an answer")
                .tag("pool", pool.label())
                .register(registry);
    }

    /**
     * Counts a request that a pool of workers does not answer.
     *
     * @param pool pool of the workers
     * @param reason reason for which they do not
     */
    public void refused(Route.Pool pool, Refusal reason) {
        Objects.requireNonNull(
                        Objects.requireNonNull(refusals.get(pool), "pool").get(reason), "reason")
                .increment();
    }

    /**
     * Adds a gauge of something beside the requests.
     *
     * @param name name with dots between its words
     * @param description description, for people
     * @param value returns the value each time that the metrics are asked for
     */
    public void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
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
        of.handling.record(nanos, TimeUnit.NANOSECONDS);
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
    public void handle(byte[] bytes, int from, int to, Response answer) {
        answer.type(ContentType.METRICS);
        answer.put(registry.scrape().getBytes(StandardCharsets.UTF_8));
    }
}
