/**
 * Access rules of the service: tokens and their roles, names of the service, and origins of pages.
 *
 * <p>{@link dev.touchstone.index.server.access.Access} is the entry point. This package knows no socket.
 */
@NullMarked
package dev.touchstone.index.server.access;

import org.jspecify.annotations.NullMarked;
