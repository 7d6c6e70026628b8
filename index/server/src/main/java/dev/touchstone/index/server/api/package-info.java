/**
 * What the service answers, without the way in which requests come: bytes in, status and bytes out.
 *
 * <p>A {@link dev.touchstone.index.server.api.PriceService} makes a {@link dev.touchstone.index.server.api.Handler} for each
 * {@link dev.touchstone.index.server.api.Route}. No socket is opened here, and nothing here knows Netty.
 */
@NullMarked
package dev.touchstone.index.server.api;

import org.jspecify.annotations.NullMarked;
