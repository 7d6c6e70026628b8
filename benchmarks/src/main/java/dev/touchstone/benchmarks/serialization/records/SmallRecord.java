package dev.touchstone.benchmarks.serialization.records;

import dev.touchstone.serialization.annotation.Compact;

/** The seed's small object. No field is ever null. */
@Compact("small")
public record SmallRecord(int intField, double doubleField, long longField, String stringField) {

    /** The same with another string. */
    public SmallRecord withString(String string) {
        return new SmallRecord(intField, doubleField, longField, string);
    }
}
