/** The handlers of version 2: searches, counts, explanations, updates, and the pages that describe the service. */
@NullMarked
package dev.touchstone.index.server.api.v2;

import org.jspecify.annotations.NullMarked;
