/**
 * Requests and answers of the service, independent of HTTP: a handler takes bytes, and gives a status and bytes.
 *
 * <p>A {@link dev.touchstone.index.server.api.PriceService} makes a {@link dev.touchstone.index.server.api.Handler} for each
 * {@link dev.touchstone.index.server.api.Route}. This package opens no sockets, and does not use Netty.
 */
@NullMarked
package dev.touchstone.index.server.api;

import org.jspecify.annotations.NullMarked;
