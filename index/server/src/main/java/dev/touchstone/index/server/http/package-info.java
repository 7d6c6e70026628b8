/**
 * HTTP/1.1 server over Netty. This is the only package that uses sockets.
 *
 * <p>{@link dev.touchstone.index.server.http.HttpServer} is the entry point.
 */
@NullMarked
package dev.touchstone.index.server.http;

import org.jspecify.annotations.NullMarked;
