/** Files and streams that hold records together with the schemas that reading them needs, which a cluster keeps elsewhere. */
@NullMarked
package dev.touchstone.serialization.container;

import org.jspecify.annotations.NullMarked;
