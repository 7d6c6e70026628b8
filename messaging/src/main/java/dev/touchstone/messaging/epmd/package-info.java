/** Finding nodes: a client and a server of the Erlang port mapper (EPMD), and resolvers that need none. */
@NullMarked
package dev.touchstone.messaging.epmd;

import org.jspecify.annotations.NullMarked;
