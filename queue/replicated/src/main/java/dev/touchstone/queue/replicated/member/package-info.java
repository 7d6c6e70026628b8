/**
 * A member of a group: {@code JraftGroup} joins a node of jraft, between which and the machine stands {@code MachineAdapter}, with the links to the
 * other members.
 */
@NullMarked
package dev.touchstone.queue.replicated.member;

import org.jspecify.annotations.NullMarked;
