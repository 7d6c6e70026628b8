/** Log lines, events of the flight recorder and the record of ended connections, by which a node tells its operators. Not exported. */
@NullMarked
package dev.touchstone.messaging.report;

import org.jspecify.annotations.NullMarked;
