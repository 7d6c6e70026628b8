/** Connected clients: what they submit and ask, and what they are told; viewers of logs. */
@NullMarked
package dev.touchstone.builds.master.client;

import org.jspecify.annotations.NullMarked;
