/**
 * The search service as a process of its own, and what puts load on it.
 *
 * <p>The service runs with Netty 4.2, which would clash with the Netty 4.1 of other peers: {@link
 * dev.touchstone.benchmarks.index.http.ServerClassPath} keeps the two apart.
 */
@NullMarked
package dev.touchstone.benchmarks.index.http;

import org.jspecify.annotations.NullMarked;
