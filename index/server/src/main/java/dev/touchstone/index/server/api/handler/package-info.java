/** The factory of handlers: the one type that knows the handlers of all routes. */
@NullMarked
package dev.touchstone.index.server.api.handler;

import org.jspecify.annotations.NullMarked;
