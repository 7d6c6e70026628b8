package dev.touchstone.benchmarks.serialization.records;

import java.io.Serializable;

/** {@link SmallRecord} with fields to be set: for libraries that do so, and for those whose objects write themselves. */
@SuppressWarnings("NullAway.Init") // filled after it is made
public class SmallBean implements Serializable {
    public int intField;
    public double doubleField;
    public long longField;
    public String stringField;

    /** An object to be filled. */
    public SmallBean() {}

    /** Takes the values of a record, and returns this. */
    public SmallBean fill(SmallRecord from) {
        intField = from.intField();
        doubleField = from.doubleField();
        longField = from.longField();
        stringField = from.stringField();
        return this;
    }

    /** The record with the same values. */
    public SmallRecord toRecord() {
        return new SmallRecord(intField, doubleField, longField, stringField);
    }
}
