/** The door of the master: streams of guests, and the inboxes of the threads that deal with them. It knows no jobs. */
@NullMarked
package dev.touchstone.builds.master.rpc;

import org.jspecify.annotations.NullMarked;
