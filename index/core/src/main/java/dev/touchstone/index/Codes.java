package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;

/** The dictionaries of a snapshot. Snapshots share them until an update brings a new string. Immutable and thread-safe. */
final class Codes {
    final Dictionary offerings;
    final Dictionary[] byField; // by ordinal; empty for ordered ones

    /** Creates the dictionaries of a snapshot. The caller must not change the array. */
    Codes(Dictionary offerings, Dictionary[] byField) {
        this.offerings = offerings;
        this.byField = byField;
    }
}
