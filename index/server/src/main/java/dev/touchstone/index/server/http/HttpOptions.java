package dev.touchstone.index.server.http;

import java.time.Duration;

/**
 * Options of a server: its address, limits and times. Immutable.
 *
 * @param host address or name of this machine
 * @param port port to listen on, from 0 to 65,535; 0 takes a free one
 * @param eventLoops number of threads that read, answer and write; 0 is one for each processor
 * @param maxConnections maximum number of open connections, at least 1; further ones are answered 503
 * @param maxLineBytes maximum length of the first line of a request in bytes, at least 64
 * @param maxHeaderBytes maximum length of all headers of a request in bytes, at least 64
 * @param bufferedBytes maximum memory of all connections together in bytes, at least 1: for bodies while they arrive and are answered, long answers
 *     while they are made and sent, incomplete heads, and requests behind one that is not answered yet. Beyond this limit requests are answered 503,
 *     or their connections are closed
 * @param requestTimeout maximum time from the first byte of a request to its last, and for which a client may not read; positive
 * @param idleTimeout maximum time of a connection without a request; positive
 * @param drain time for which a server that stops accepts new connections and requests, while {@code /ready} answers 503; at least 0
 * @param grace maximum time after that for requests that have begun; at least 0
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
    /**
     * The default options: port 8080 of the loopback address, 4,096 connections, 32 MiB of buffers, a request timeout of 15 s, an idle timeout of 75
     * s, 1 s to drain and 20 s of grace.
     */
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

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a value is outside its range
     */
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

    /** Returns the shortest of the timeouts in nanoseconds, but at least 40 ms, so that checking the timeouts does not keep the event loops busy. */
    long shortestNanos() {
        return Math.max(Duration.ofMillis(40).toNanos(), Math.min(requestTimeout.toNanos(), idleTimeout.toNanos()));
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

    /**
     * Returns these options with another number of event loops.
     *
     * @param loops number of threads; 0 is one for each processor
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
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

    /**
     * Returns these options with other limits of connections and buffers.
     *
     * @param connections maximum number of open connections, at least 1
     * @param bodyBytes maximum memory of all connections together in bytes, at least 1
     * @return new options
     * @throws IllegalArgumentException if a limit is below 1
     */
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

    /**
     * Returns these options with other times.
     *
     * @param request maximum time from the first byte of a request to its last, and for which a client may not read; positive
     * @param idle maximum time of a connection without a request; positive
     * @param draining time for which a server that stops accepts new connections and requests; at least 0
     * @param waiting maximum time after that for requests that have begun; at least 0
     * @return new options
     * @throws IllegalArgumentException if a time is outside its range
     */
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
