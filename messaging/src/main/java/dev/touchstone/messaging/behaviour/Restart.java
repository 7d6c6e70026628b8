package dev.touchstone.messaging.behaviour;

/** A rule for starting a child again that has ended. */
public enum Restart {
    /** Always. */
    PERMANENT,
    /** If its reason is none of {@code normal}, {@code shutdown} and {@code {shutdown, Why}}. */
    TRANSIENT,
    /** Never; its specification is forgotten. */
    TEMPORARY
}
