/**
 * A member of a group: {@code JraftGroup} joins a node of jraft, between which and the machine stands {@code MachineAdapter}, with the links to the
 * other members. Entries go in by {@code Proposals} and are applied early by {@code CommitNotices}. Members come by {@code MemberFolder} and
 * {@code Admission} at their own side, and by {@code Addition} and {@code Candidacy} at the leader's and the added one's; {@code Standing} says what keeps
 * a member from working, and {@code Verification} compares all.
 */
@NullMarked
package dev.touchstone.queue.replicated.member;

import org.jspecify.annotations.NullMarked;
