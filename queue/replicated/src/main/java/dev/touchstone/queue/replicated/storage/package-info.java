/**
 * Storage of a member: {@code SegmentLogStorage} keeps the entries of the consensus library in segment files, which {@code SegmentLog} writes and
 * {@code StorageRecovery} reads after a start; {@code VoteStorage} keeps its term and vote, and {@code SealedSnapshots} its snapshots.
 */
@NullMarked
package dev.touchstone.queue.replicated.storage;

import org.jspecify.annotations.NullMarked;
