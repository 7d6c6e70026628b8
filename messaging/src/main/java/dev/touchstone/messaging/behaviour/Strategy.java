package dev.touchstone.messaging.behaviour;

/** The children that a {@link Supervisor} restarts when one of them has ended. */
public enum Strategy {
    /** Only the child that has ended. */
    ONE_FOR_ONE,
    /** All children: the others are terminated, the last one first, and all are started in their order. */
    ONE_FOR_ALL,
    /** The child that has ended and those that were started after it. */
    REST_FOR_ONE,
    /** Only the child that has ended; all children are of one {@link ChildSpec}, and are started by {@code supervisor:start_child}. */
    SIMPLE_ONE_FOR_ONE
}
