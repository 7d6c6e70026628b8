/** The engine behind predicates on fields: expressions, their form on the wire, and how they are evaluated inside the bytes of a record. */
@NullMarked
package dev.touchstone.serialization.hazelcast.predicate;

import org.jspecify.annotations.NullMarked;
