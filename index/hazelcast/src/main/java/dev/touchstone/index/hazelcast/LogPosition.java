package dev.touchstone.index.hazelcast;

import java.util.UUID;

/**
 * A place in the log of a replicated index: the last entry that a replica has applied or passed over. Immutable.
 *
 * @param epoch epoch that the replica follows
 * @param sequence sequence of the entry
 * @param entry id of the entry, by which another entry that has got its sequence is noticed
 */
record LogPosition(UUID epoch, long sequence, UUID entry) {}
