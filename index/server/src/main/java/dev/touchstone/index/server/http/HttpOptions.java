package dev.touchstone.index.server.http;

import java.time.Duration;

/**
 * Where a server listens, and what it bears with. Immutable.
 *
 * @param host an address or name of this machine
 * @param port 0 is one that is free
 * @param eventLoops threads that read, answer and write; 0 is one for each processor
 * @param maxConnections at the same time; further ones are told 503
 * @param maxLineBytes of a request's first line
 * @param maxHeaderBytes of all headers of a request
 * @param bufferedBytes that all connections together hold: bodies while they arrive and are answered, long answers while they are made and read,
 *     heads that are not complete, and what was sent behind a request that is not answered yet; beyond it requests are told 503, or end with
 *     their connection
 * @param requestTimeout from a request's first byte to its last; and the longest that a client may not read
 * @param idleTimeout of a connection without a request
 * @param drain for how long a server that stops takes new connections and requests, while {@code /ready} says 503
 * @param grace for how long after that it waits for requests that have begun
 */
public record HttpOptions(
        String host,
        int port,
        int eventLoops,
        int maxConnections,
        int maxLineBytes,
        int maxHeaderBytes,
        int bufferedBytes,
        Duration requestTimeout,
        Duration idleTimeout,
        Duration drain,
        Duration grace) {
    /** Port 8080 of the loopback address. */
    public static final HttpOptions DEFAULT = new HttpOptions(
            "127.0.0.1",
            8080,
            0,
            4096,
            8 << 10,
            16 << 10,
            32 << 20,
            Duration.ofSeconds(15),
            Duration.ofSeconds(75),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20));

    public HttpOptions {
        check("port", port, 0, 65_535);
        check("eventLoops", eventLoops, 0, Integer.MAX_VALUE);
        check("maxConnections", maxConnections, 1, Integer.MAX_VALUE);
        check("maxLineBytes", maxLineBytes, 64, Integer.MAX_VALUE);
        check("maxHeaderBytes", maxHeaderBytes, 64, Integer.MAX_VALUE);
        check("bufferedBytes", bufferedBytes, 1, Integer.MAX_VALUE);
        check("requestTimeout in ns", requestTimeout.toNanos(), 1, Long.MAX_VALUE);
        check("idleTimeout in ns", idleTimeout.toNanos(), 1, Long.MAX_VALUE);
        check("drain in ns", drain.toNanos(), 0, Long.MAX_VALUE);
        check("grace in ns", grace.toNanos(), 0, Long.MAX_VALUE);
    }

    /** The shortest time after which something must end, but not so short that looking for it is all there is to do. */
    long shortestNanos() {
        return Math.max(Duration.ofMillis(40).toNanos(), Math.min(requestTimeout.toNanos(), idleTimeout.toNanos()));
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " expected=" + min + ".." + max);
        }
    }

    /** As this, at another address. */
    public HttpOptions withAddress(String otherHost, int otherPort) {
        return new HttpOptions(
                otherHost,
                otherPort,
                eventLoops,
                maxConnections,
                maxLineBytes,
                maxHeaderBytes,
                bufferedBytes,
                requestTimeout,
                idleTimeout,
                drain,
                grace);
    }

    /** As this, with another number of event loops. */
    public HttpOptions withEventLoops(int loops) {
        return new HttpOptions(
                host,
                port,
                loops,
                maxConnections,
                maxLineBytes,
                maxHeaderBytes,
                bufferedBytes,
                requestTimeout,
                idleTimeout,
                drain,
                grace);
    }

    /** As this, with other limits of what all clients together may hold. */
    public HttpOptions withLimits(int connections, int bodyBytes) {
        return new HttpOptions(
                host,
                port,
                eventLoops,
                connections,
                maxLineBytes,
                maxHeaderBytes,
                bodyBytes,
                requestTimeout,
                idleTimeout,
                drain,
                grace);
    }

    /** As this, with other times. */
    public HttpOptions withTimes(Duration request, Duration idle, Duration draining, Duration waiting) {
        return new HttpOptions(
                host,
                port,
                eventLoops,
                maxConnections,
                maxLineBytes,
                maxHeaderBytes,
                bufferedBytes,
                request,
                idle,
                draining,
                waiting);
    }
}
