package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;

/** Conversion of the values that subjects return to plain records. */
public final class PlainRecords {
    private static final InternalSerializationService SERVICE = HazelcastSerialization.standalone(true);

    private PlainRecords() {}

    /** The record with the values of an object. @throws IllegalArgumentException if no subject has such objects */
    public static Object of(Object object) {
        if (object instanceof SmallRecord || object instanceof LargeRecord) {
            return object;
        } else if (object instanceof SmallBean bean) {
            return bean.toRecord();
        } else if (object instanceof LargeBean bean) {
            return bean.toRecord();
        } else if (object instanceof GenericRecord) {
            return GenericRecords.toRecord(object);
        } else if (object instanceof byte[] bytes) {
            return of(identified(bytes));
        }
        throw new IllegalArgumentException("no record: " + object.getClass());
    }

    private static Object identified(byte[] bytes) {
        return SERVICE.toObject(new HeapData(HazelcastObjects.withHeader(bytes)));
    }
}
