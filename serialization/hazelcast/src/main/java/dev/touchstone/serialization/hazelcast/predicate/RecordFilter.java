package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.RecordView;

/** Tests records of one schema. */
@FunctionalInterface
interface RecordFilter {
    /**
     * Returns whether a record passes.
     *
     * @param view laid over the record
     * @throws dev.touchstone.serialization.exception.CompactException if the record is damaged
     */
    boolean matches(RecordView view, byte[] record);
}
