/** The identity of nodes: their names, and the secret that proves that they belong together. */
@NullMarked
package dev.touchstone.messaging.identity;

import org.jspecify.annotations.NullMarked;
