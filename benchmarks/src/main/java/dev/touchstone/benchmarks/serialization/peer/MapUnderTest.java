package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.query.Predicate;
import java.util.Map;

/** Records as values of one kind in a Hazelcast map with {@code int} keys. Thread-safe. */
public interface MapUnderTest {
    /** Returns the object that a user of this kind holds in place of a record; made outside of what is measured. */
    Object prepare(Object record);

    /**
     * Sets an entry.
     *
     * @param prepared made by {@link #prepare}
     */
    void set(int key, Object prepared);

    /**
     * Sets several entries.
     *
     * @param prepared values that {@link #prepare} made, by key
     */
    void setAll(Map<Integer, Object> prepared);

    /** Reads an entry that exists, and returns its value as an object that {@link PlainRecords} understands. */
    Object get(int key);

    /** Returns a predicate of the older query engine: the entries whose {@code stringField} equals a string. */
    Predicate<Integer, Object> equalTo(String string);

    /** Returns the options of an SQL mapping that say how values are read. */
    String sqlFormat();
}
