package dev.touchstone.queue.cli;

/** The kinds of records that {@code dump} shows. */
enum RecordKind {
    /** An element that is handed out at once. */
    ELEMENT,
    /** An element that is not handed out before a time. */
    DELAYED,
    /** A cursor's removals and deliveries. */
    CONSUMPTION
}
