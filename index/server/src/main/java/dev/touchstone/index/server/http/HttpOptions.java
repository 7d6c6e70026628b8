package dev.touchstone.index.server.http;

import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.api.Route;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a server: its address, limits and times. Immutable.
 *
 * @param host address or name of this machine
 * @param port port to listen on, from 0 to 65,535; 0 takes a free one
 * @param eventLoops number of threads that read, answer and write; 0 is one for each processor
 * @param sizes limits of connections and their memory
 * @param times times for which requests, connections and the end of the server may last
 * @param workers threads and queue of each pool
 * @param access rules by which requests are accepted
 * @param tls certificate and key, or null for a server without TLS
 */
public record HttpOptions(
        String host,
        int port,
        int eventLoops,
        Sizes sizes,
        Times times,
        Map<Route.Pool, Workers> workers,
        Access access,
        @Nullable TlsIdentity tls) {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /**
     * Limits of connections and their memory. Immutable.
     *
     * @param connections maximum number of open connections, at least 1; a further one takes the place of one that waits for its client, or is answered 503
     * @param lineBytes maximum length of the first line of a request in bytes, at least 64
     * @param headerBytes maximum length of all headers of a request in bytes, at least 64
     * @param bufferedBytes maximum memory of all connections together in bytes, at least 1: for bodies while they arrive and are answered, long answers
     *     while they are made and sent, incomplete heads, and requests behind one that is not answered yet. Beyond this limit requests are answered 503,
     *     or their connections are closed
     */
    public record Sizes(int connections, int lineBytes, int headerBytes, int bufferedBytes) {
        /**
         * Creates limits.
         *
         * @throws IllegalArgumentException if a limit is outside its range
         */
        public Sizes {
            check("connections", connections, 1, Integer.MAX_VALUE);
            check("lineBytes", lineBytes, 64, Integer.MAX_VALUE);
            check("headerBytes", headerBytes, 64, Integer.MAX_VALUE);
            check("bufferedBytes", bufferedBytes, 1, Integer.MAX_VALUE);
        }
    }

    /**
     * Times for which requests, connections and the end of the server may last. Immutable.
     *
     * @param request maximum time from the first byte of a request to its last, and for which a client may not read; positive
     * @param idle maximum time of a connection without a request; positive
     * @param drain time for which a server that stops accepts new connections and requests, while {@code /ready} answers 503; at least 0
     * @param grace maximum time after that for requests that have begun; at least 0
     */
    public record Times(Duration request, Duration idle, Duration drain, Duration grace) {
        /**
         * Creates times.
         *
         * @throws IllegalArgumentException if a time is outside its range
         */
        public Times {
            check("request in ns", request.toNanos(), 1, Long.MAX_VALUE);
            check("idle in ns", idle.toNanos(), 1, Long.MAX_VALUE);
            check("drain in ns", drain.toNanos(), 0, Long.MAX_VALUE);
            check("grace in ns", grace.toNanos(), 0, Long.MAX_VALUE);
        }

        /** Returns the shorter timeout in nanoseconds, but at least 40 ms, so that checking the timeouts does not keep the event loops busy. */
        long shortestNanos() {
            return Math.max(Duration.ofMillis(40).toNanos(), Math.min(request.toNanos(), idle.toNanos()));
        }
    }

    /**
     * The threads and the queue of one pool of workers. Immutable.
     *
     * @param threads number of threads, at least 1
     * @param queue maximum number of requests that wait for a thread, at least 0; further ones are answered 429
     * @param deadline maximum time from the last byte of a request to the end of its work, positive; later the request is answered 503. Each further
     *     part of an answer in parts has as much time; later the connection is closed
     */
    public record Workers(int threads, int queue, Duration deadline) {
        /**
         * Creates options.
         *
         * @throws IllegalArgumentException if a value is outside its range
         */
        public Workers {
            check("threads", threads, 1, Short.MAX_VALUE);
            check("queue", queue, 0, Short.MAX_VALUE);
            check("deadline in ns", deadline.toNanos(), 1, Long.MAX_VALUE);
        }
    }

    /**
     * The default options: port 8080 of the loopback address, 4,096 connections, 32 MiB of buffers, a request timeout of 15 s, an idle timeout of 75
     * s, 1 s to drain and 20 s of grace. Searches have a thread for each processor and a queue of 1,024 requests, explanations half as many threads and
     * 16 requests, updates one thread and 64 requests, management one thread and 16 requests; the deadline is 10 s, and 30 s for updates.
     */
    public static final HttpOptions DEFAULT = new HttpOptions(
            "127.0.0.1",
            8080,
            0,
            new Sizes(4096, 8 << 10, 16 << 10, 32 << 20),
            new Times(Duration.ofSeconds(15), Duration.ofSeconds(75), Duration.ofSeconds(1), Duration.ofSeconds(20)),
            defaultWorkers(),
            Access.DEFAULT,
            null);

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a value is outside its range, or a pool has no workers
     */
    public HttpOptions {
        check("port", port, 0, 65_535);
        check("eventLoops", eventLoops, 0, Integer.MAX_VALUE);
        workers = Map.copyOf(workers);
        for (Route.Pool pool : Route.Pool.values()) {
            if (!workers.containsKey(pool)) {
                throw new IllegalArgumentException("no workers: pool=" + pool + " known=" + workers.keySet());
            }
        }
    }

    private static Map<Route.Pool, Workers> defaultWorkers() {
        int processors = Runtime.getRuntime().availableProcessors();
        Map<Route.Pool, Workers> workers = new EnumMap<>(Route.Pool.class);
        workers.put(Route.Pool.SEARCH, new Workers(processors, 1024, DEADLINE));
        workers.put(Route.Pool.EXPLAIN, new Workers(Math.max(1, processors / 2), 16, DEADLINE));
        workers.put(Route.Pool.UPDATE, new Workers(1, 64, DEADLINE.multipliedBy(3)));
        workers.put(Route.Pool.MANAGEMENT, new Workers(1, 16, DEADLINE));
        return workers;
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " expected=" + min + ".." + max);
        }
    }

    /**
     * Returns these options with another address.
     *
     * @param otherHost address or name of this machine
     * @param otherPort port to listen on, from 0 to 65,535; 0 takes a free one
     * @return new options
     * @throws IllegalArgumentException if the port is outside its range
     */
    public HttpOptions withAddress(String otherHost, int otherPort) {
        return new HttpOptions(otherHost, otherPort, eventLoops, sizes, times, workers, access, tls);
    }

    /**
     * Returns these options with another number of event loops.
     *
     * @param loops number of threads; 0 is one for each processor
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
    public HttpOptions withEventLoops(int loops) {
        return new HttpOptions(host, port, loops, sizes, times, workers, access, tls);
    }

    /**
     * Returns these options with other limits of connections and buffers.
     *
     * @param connections maximum number of open connections, at least 1
     * @param bufferedBytes maximum memory of all connections together in bytes, at least 1
     * @return new options
     * @throws IllegalArgumentException if a limit is below 1
     */
    public HttpOptions withLimits(int connections, int bufferedBytes) {
        Sizes others = new Sizes(connections, sizes.lineBytes, sizes.headerBytes, bufferedBytes);
        return new HttpOptions(host, port, eventLoops, others, times, workers, access, tls);
    }

    /**
     * Returns these options with other times.
     *
     * @param others times for which requests, connections and the end of the server may last
     * @return new options
     */
    public HttpOptions withTimes(Times others) {
        return new HttpOptions(host, port, eventLoops, sizes, others, workers, access, tls);
    }

    /**
     * Returns these options with another time to drain.
     *
     * @param drain time for which a server that stops accepts new connections and requests; at least 0
     * @return new options
     * @throws IllegalArgumentException if the time is negative
     */
    public HttpOptions withDrain(Duration drain) {
        return withTimes(new Times(times.request, times.idle, drain, times.grace));
    }

    /**
     * Returns these options with other rules of access.
     *
     * @param others rules by which requests are accepted
     * @return new options
     */
    public HttpOptions withAccess(Access others) {
        return new HttpOptions(host, port, eventLoops, sizes, times, workers, others, tls);
    }

    /**
     * Returns these options with another identity.
     *
     * @param other certificate and key, or null for a server without TLS
     * @return new options
     */
    public HttpOptions withTls(@Nullable TlsIdentity other) {
        return new HttpOptions(host, port, eventLoops, sizes, times, workers, access, other);
    }

    /**
     * Checks that a server with these options may listen at its address, as {@link HttpServer#start} does.
     *
     * @throws IllegalArgumentException if the address is beyond this machine, and tokens or TLS are missing
     */
    public void checkAddress() {
        access.checkAddress(host, tls != null);
    }

    /**
     * Returns these options with other workers of one pool.
     *
     * @param pool pool of the workers
     * @param others threads, queue and deadline
     * @return new options
     */
    public HttpOptions withWorkers(Route.Pool pool, Workers others) {
        Map<Route.Pool, Workers> changed = new EnumMap<>(workers);
        changed.put(pool, others);
        return new HttpOptions(host, port, eventLoops, sizes, times, changed, access, tls);
    }
}
