/**
 * The way in which requests come: HTTP/1.1 over Netty. The only package that knows sockets.
 *
 * <p>{@link dev.touchstone.index.server.http.HttpServer} is where to begin.
 */
@NullMarked
package dev.touchstone.index.server.http;

import org.jspecify.annotations.NullMarked;
