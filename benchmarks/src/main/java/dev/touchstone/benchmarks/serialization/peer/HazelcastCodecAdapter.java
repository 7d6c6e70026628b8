package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.query.impl.getters.Extractors;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Hazelcast's serialization service, with the envelope that a value in a map has. A field is read as predicates and indexes read it: in place
 * from Compact and Portable, from a whole object of anything else.
 */
public final class HazelcastCodecAdapter implements CodecUnderTest {
    private static final String FIELD = "stringField";

    private final InternalSerializationService service;
    private final Extractors extractors;
    private final Object[] objects;
    private final Data[] written;
    private final String wanted;

    private HazelcastCodecAdapter(
            InternalSerializationService service, List<Object> records, String wanted, UnaryOperator<Object> form) {
        this.service = service;
        extractors = Extractors.newBuilder(service).build();
        objects = records.stream().map(form).toArray();
        written = records.stream().map(form).map(service::<Data>toData).toArray(Data[]::new);
        this.wanted = wanted;
    }

    /** Compact format by serializers that are written by hand. */
    public static CodecUnderTest compact(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standalone(true), records, wanted, UnaryOperator.identity());
    }

    /** Compact format as {@link #compact}, in the machine's order of bytes by {@code Unsafe}. */
    public static CodecUnderTest compactNative(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standaloneNative(), records, wanted, UnaryOperator.identity());
    }

    /** Objects that write themselves, in the machine's order of bytes by {@code Unsafe}. */
    public static CodecUnderTest identifiedNative(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standaloneNative(), records, wanted, HazelcastObjects::identified);
    }

    /** Portable format in the machine's order of bytes by {@code Unsafe}. */
    public static CodecUnderTest portableNative(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standaloneNative(), records, wanted, HazelcastObjects::portable);
    }

    /** Compact format of records that Hazelcast was told nothing of. */
    public static CodecUnderTest compactRecord(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standalone(false), records, wanted, UnaryOperator.identity());
    }

    /** Compact format of generic records, built before, read as generic records. */
    public static CodecUnderTest compactGeneric(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(HazelcastSerialization.standalone(false), records, wanted, GenericRecords::of);
    }

    /** Portable format. */
    public static CodecUnderTest portable(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standalone(true), records, wanted, HazelcastObjects::portable);
    }

    /** Objects that write themselves. */
    public static CodecUnderTest identified(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standalone(true), records, wanted, HazelcastObjects::identified);
    }

    /** Bytes that are there already: the envelope alone. Their fields cannot be read. */
    public static CodecUnderTest byteArray(List<Object> records, String wanted) {
        return new HazelcastCodecAdapter(
                HazelcastSerialization.standalone(true), records, wanted, HazelcastObjects.bytes());
    }

    @Override
    public byte[] encode(int record) {
        return service.<Data>toData(objects[record]).toByteArray();
    }

    @Override
    public Object decode(int record) {
        return service.toObject(written[record]);
    }

    @Override
    public Object read(byte[] bytes) {
        return service.toObject(new HeapData(bytes));
    }

    @Override
    public String readString(int record) {
        return (String) extractors.extract(written[record], FIELD, null);
    }

    @Override
    public boolean stringEquals(int record) {
        return wanted.equals(extractors.extract(written[record], FIELD, null));
    }
}
