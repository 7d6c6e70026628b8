package dev.touchstone.serialization;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The real Hazelcast, without a cluster: its serialization service with a serializer for samples of one type. */
final class HazelcastPeer {
    private final Map<Long, Schema> schemas = new HashMap<>();
    private final SampleCodec codec;
    private final InternalSerializationService service;

    HazelcastPeer(SampleCodec codec) {
        this.codec = codec;
        SerializationConfig config = new SerializationConfig();
        config.getCompactSerializationConfig().addSerializer(new Serializer());
        DefaultSerializationServiceBuilder builder = new DefaultSerializationServiceBuilder();
        builder.setConfig(config);
        builder.setSchemaService(new Schemas());
        service = builder.build();
    }

    /** By its serializer, in the order of the codec. */
    byte[] encode(Sample sample) {
        return service.toData(sample).toByteArray();
    }

    /** As a generic record, which is written by name. */
    byte[] encodeGeneric(Sample sample) {
        return service.toData(generic(sample, codec)).toByteArray();
    }

    Sample decode(byte[] bytes) {
        return service.toObject(new HeapData(bytes));
    }

    /** The schemas it made of what it has written, by their ids. */
    Map<Long, Schema> schemas() {
        return schemas;
    }

    private static GenericRecord generic(Sample sample, SampleCodec codec) {
        GenericRecordBuilder builder = GenericRecordBuilder.compact(sample.schema.typeName());
        for (int i = 0; i < sample.values.length; i++) {
            FieldDescriptor field = sample.schema.field(i);
            HazelcastValues.set(builder, field.name(), field.kind(), outward(sample.values[i], codec, i));
        }
        return builder.build();
    }

    private static @Nullable Object outward(@Nullable Object value, SampleCodec codec, int field) {
        if (value instanceof Sample sample) {
            return generic(sample, codec.inside(field));
        }
        if (value instanceof Sample[] samples) {
            @Nullable GenericRecord[] records = new @Nullable GenericRecord[samples.length];
            for (int i = 0; i < records.length; i++) {
                Sample sample = samples[i];
                records[i] = sample == null ? null : generic(sample, codec.inside(field));
            }
            return records;
        }
        return value;
    }

    private static Sample sample(GenericRecord record, SampleCodec codec) {
        @Nullable Object[] values = new @Nullable Object[codec.schema().fields().size()];
        for (int i = 0; i < values.length; i++) {
            FieldDescriptor field = codec.schema().field(i);
            values[i] = inward(HazelcastValues.get(record, field.name(), field.kind()), codec, i);
        }
        return new Sample(codec.schema(), values);
    }

    private static @Nullable Object inward(@Nullable Object value, SampleCodec codec, int field) {
        if (value instanceof GenericRecord record) {
            return sample(record, codec.inside(field));
        }
        if (value instanceof GenericRecord[] records) {
            @Nullable Sample[] samples = new @Nullable Sample[records.length];
            for (int i = 0; i < samples.length; i++) {
                GenericRecord record = records[i];
                samples[i] = record == null ? null : sample(record, codec.inside(field));
            }
            return samples;
        }
        return value;
    }

    private final class Serializer implements CompactSerializer<Sample> {
        @Override
        public String getTypeName() {
            return codec.schema().typeName();
        }

        @Override
        public Class<Sample> getCompactClass() {
            return Sample.class;
        }

        @Override
        public void write(CompactWriter writer, Sample sample) {
            for (int i : codec.order()) {
                FieldDescriptor field = codec.schema().field(i);
                HazelcastValues.write(writer, field.name(), field.kind(), outward(sample.values[i], codec, i));
            }
        }

        @Override
        public Sample read(CompactReader reader) {
            @Nullable Object[] values = new @Nullable Object[codec.order().length];
            for (int i : codec.order()) {
                FieldDescriptor field = codec.schema().field(i);
                FieldKind kind = field.kind();
                values[i] = inward(HazelcastValues.read(reader, field.name(), kind), codec, i);
            }
            return new Sample(codec.schema(), values);
        }
    }

    private final class Schemas implements SchemaService {
        @Override
        public @Nullable Schema get(long schemaId) {
            return schemas.get(schemaId);
        }

        @Override
        public void put(Schema schema) {
            schemas.put(schema.getSchemaId(), schema);
        }

        @Override
        public void putLocal(Schema schema) {
            put(schema);
        }
    }
}
