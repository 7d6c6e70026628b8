/**
 * Requests and answers of the service, independent of HTTP: a handler takes bytes, and gives a status and bytes.
 *
 * <p>A {@link dev.touchstone.index.server.api.handler.HandlerFactory} makes a {@link dev.touchstone.index.server.api.Handler} for each {@link
 * dev.touchstone.index.server.api.Route} of a {@link dev.touchstone.index.server.api.PriceService}. Neither this package nor one below it opens sockets
 * or uses Netty.
 */
@NullMarked
package dev.touchstone.index.server.api;

import org.jspecify.annotations.NullMarked;
