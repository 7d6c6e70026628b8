package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.query.Predicate;

/** Records as values of one kind in a Hazelcast map with {@code int} keys. Thread-safe. */
public interface MapUnderTest {
    /** The object that a user of this kind would hold of a record, to be made outside of what is measured. */
    Object prepare(Object record);

    /** What is put into the map of such an object. */
    Object value(Object prepared);

    /** Reads an entry and makes an object of it, which {@link PlainRecords} understands. */
    Object get(int key);

    /** A predicate of the older query engine: the entries whose {@code stringField} is this. */
    Predicate<Integer, Object> equalTo(String string);

    /** The options of an SQL mapping that say how values are read. */
    String sqlFormat();
}
