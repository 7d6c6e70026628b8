/** The handlers of the legacy routes, {@code /v1} to {@code /v5}, whose requests have conditions of strings only. */
@NullMarked
package dev.touchstone.index.server.api.v1;

import org.jspecify.annotations.NullMarked;
