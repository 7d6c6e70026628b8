package dev.touchstone.benchmarks.serialization;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.peer.FlatbuffersCodecAdapter;
import dev.touchstone.benchmarks.serialization.peer.HazelcastCodecAdapter;
import dev.touchstone.benchmarks.serialization.peer.HazelcastMapAdapter;
import dev.touchstone.benchmarks.serialization.peer.LibraryCodecAdapter;
import dev.touchstone.benchmarks.serialization.peer.MapUnderTest;
import dev.touchstone.benchmarks.serialization.peer.OursCodecAdapter;
import dev.touchstone.benchmarks.serialization.peer.OursMapAdapter;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The subjects of the serialization benchmarks, by the value of their parameter {@code subject}. */
public enum SerializationType {
    OURS("all limits on", OursCodecAdapter::of, OursMapAdapter::of),
    COMPACT("Compact, with envelope", HazelcastCodecAdapter::compact, HazelcastMapAdapter::compact),
    COMPACT_RECORD("Compact, with envelope", HazelcastCodecAdapter::compactRecord, null),
    COMPACT_GENERIC("Compact, with envelope", HazelcastCodecAdapter::compactGeneric, null),
    PORTABLE("Portable, with envelope", HazelcastCodecAdapter::portable, HazelcastMapAdapter::portable),
    IDENTIFIED("no schema, with envelope", HazelcastCodecAdapter::identified, HazelcastMapAdapter::identified),
    BYTE_ARRAY("envelope only", HazelcastCodecAdapter::byteArray, HazelcastMapAdapter::byteArray),
    KRYO("no schema, no envelope", LibraryCodecAdapter::kryo, null),
    FORY("no schema, no envelope", LibraryCodecAdapter::fory, null),
    PROTOBUF("schema, no envelope", LibraryCodecAdapter::protobuf, null),
    FLATBUFFERS("schema, no envelope", FlatbuffersCodecAdapter::of, null),
    SMILE("field names in the bytes", LibraryCodecAdapter::smile, null),
    JDK("classes in the bytes", LibraryCodecAdapter::jdk, null),
    CEILING_FALSE("compares nothing", null, HazelcastMapAdapter::noMatch);

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // method references
    private final @Nullable CodecFactory codec;

    @SuppressWarnings("ImmutableEnumChecker")
    private final @Nullable MapFactory map;

    SerializationType(String level, @Nullable CodecFactory codec, @Nullable MapFactory map) {
        this.level = level;
        this.codec = codec;
        this.map = map;
    }

    /** What the subject does, where that differs between subjects. */
    public String level() {
        return level;
    }

    /** Whether this is a physical limit. */
    public boolean ceiling() {
        return this == CEILING_FALSE;
    }

    /** Whether single fields can be asked for: bytes have none. */
    public boolean hasFields() {
        return this != BYTE_ARRAY;
    }

    /**
     * Makes a codec.
     *
     * @param wanted the string to compare fields with
     */
    CodecUnderTest makeCodec(List<Object> records, String wanted) throws IOException {
        if (codec == null) {
            throw new UnsupportedOperationException(this + " has no codec");
        }
        return SubjectWrappers.wrapped(this, CodecUnderTest.class, codec.make(records, wanted));
    }

    /** Makes a way to put records into a map. */
    MapUnderTest makeMap(HazelcastInstance hazelcast, IMap<Integer, Object> values, RecordSize size) {
        if (map == null) {
            throw new UnsupportedOperationException(this + " has no values of a map");
        }
        return SubjectWrappers.wrapped(this, MapUnderTest.class, map.make(hazelcast, values, size));
    }

    @FunctionalInterface
    private interface CodecFactory {
        CodecUnderTest make(List<Object> records, String wanted) throws IOException;
    }

    @FunctionalInterface
    private interface MapFactory {
        MapUnderTest make(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size);
    }
}
