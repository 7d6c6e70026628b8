package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;

/** The dictionaries of a snapshot; snapshots share one for as long as no update brings a new string. Immutable and thread-safe. */
final class Codes {
    final Dictionary offerings;
    final Dictionary[] byField; // by ordinal; empty for ordered ones

    /** Takes the array over. */
    Codes(Dictionary offerings, Dictionary[] byField) {
        this.offerings = offerings;
        this.byField = byField;
    }
}
