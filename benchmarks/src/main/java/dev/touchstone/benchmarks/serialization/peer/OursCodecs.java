package dev.touchstone.benchmarks.serialization.peer;

import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.LargeRecordCodec;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecordCodec;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.schema.Schema;

/** The codecs that ours is measured with: those that the processor generates. */
final class OursCodecs {
    static final CompactCodec<SmallRecord> SMALL = SmallRecordCodec.INSTANCE;
    static final CompactCodec<LargeRecord> LARGE = LargeRecordCodec.INSTANCE;

    private OursCodecs() {}

    static Schema schema(RecordSize size) {
        return size == RecordSize.SMALL ? SMALL.schema() : LARGE.schema();
    }

    /** Returns a serialization that finds the codec by an object's class and by a record's schema. */
    static CompactSerialization serialization() {
        return builder().build();
    }

    /** Returns a builder that has the codecs of all records. */
    static CompactSerialization.Builder builder() {
        return CompactSerialization.builder().codec(SMALL).codec(LARGE);
    }
}
