/**
 * The bridge into a Hazelcast cluster: maps whose values this project's codecs write and read, while members, other clients and queries take
 * them for Hazelcast's own Compact records, which they are.
 *
 * <p>{@link dev.touchstone.serialization.hazelcast.CompactMap} needs its jar where it is used only. {@link
 * dev.touchstone.serialization.hazelcast.FieldPredicate} is evaluated by the members: this jar and the codec's must be on their class path.
 *
 * <p>Works with Hazelcast 5.4 to 5.7, which it expects to be there.
 *
 * <p>{@code docs/dev/serialization.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.serialization.hazelcast;

import org.jspecify.annotations.NullMarked;
