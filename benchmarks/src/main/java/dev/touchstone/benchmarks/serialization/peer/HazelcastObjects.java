package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.internal.serialization.InternalSerializationService;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Records in the forms that Hazelcast's serializations work on. */
final class HazelcastObjects {
    private static final int HEADER_BYTES = 8;

    private HazelcastObjects() {}

    static Object portable(Object record) {
        return record instanceof SmallRecord small
                ? new SmallPortable().fill(small)
                : new LargePortable().fill((LargeRecord) record, SmallPortable::new);
    }

    static Object identified(Object record) {
        return record instanceof SmallRecord small
                ? new SmallIdentified().fill(small)
                : new LargeIdentified().fill((LargeRecord) record, SmallIdentified::new);
    }

    /** Makes of a record the bytes that Hazelcast would write of it as IdentifiedDataSerializable, without its header. */
    static UnaryOperator<Object> bytes() {
        InternalSerializationService service = HazelcastSerialization.standalone(true);
        return record -> {
            byte[] data = service.toData(identified(record)).toByteArray();
            return Arrays.copyOfRange(data, HEADER_BYTES, data.length);
        };
    }

    /** The bytes with the header that was cut off: no partition hash, and the type id of what can write itself. */
    static byte[] withHeader(byte[] bytes) {
        byte[] data = new byte[HEADER_BYTES + bytes.length];
        Arrays.fill(data, Integer.BYTES, HEADER_BYTES - 1, (byte) -1);
        data[HEADER_BYTES - 1] = -2;
        System.arraycopy(bytes, 0, data, HEADER_BYTES, bytes.length);
        return data;
    }
}
