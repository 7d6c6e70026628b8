/** Files and streams that hold records with the schemas they need: what a cluster would otherwise keep. */
@NullMarked
package dev.touchstone.serialization.container;

import org.jspecify.annotations.NullMarked;
