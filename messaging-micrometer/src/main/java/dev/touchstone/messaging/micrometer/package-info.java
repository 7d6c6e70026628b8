/** Meters of nodes in a Micrometer registry: {@link dev.touchstone.messaging.micrometer.MessagingMetrics} binds them. */
@NullMarked
package dev.touchstone.messaging.micrometer;

import org.jspecify.annotations.NullMarked;
