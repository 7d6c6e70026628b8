/** Java records to and from terms, with no terms in between. */
@NullMarked
package dev.touchstone.messaging.databind;

import org.jspecify.annotations.NullMarked;
