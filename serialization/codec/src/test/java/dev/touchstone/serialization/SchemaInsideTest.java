package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.schema.RecordLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hazelcast's records that bring their schema along are refused by name. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchemaInsideTest {
    @Test
    void decode_ofARecordWithItsSchemaInside_saysSo() {
        DefaultSerializationServiceBuilder builder = new DefaultSerializationServiceBuilder();
        InternalSerializationService service =
                builder.setConfig(new SerializationConfig()).build();
        GenericRecord small = GenericRecordBuilder.compact("small")
                .setFloat64("doubleField", -420.42)
                .setInt32("intField", 42)
                .setInt64("longField", 1234567890)
                .setString("stringField", Small.LOREM)
                .build();
        byte[] bytes = service.toDataWithSchema(small).toByteArray();
        assertThat(BigEndian.int32(bytes, RecordLayout.TYPE_AT)).isEqualTo(RecordLayout.TYPE_COMPACT_WITH_SCHEMA);
        CompactSerialization serialization =
                CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();
        assertThatThrownBy(() -> serialization.decode(bytes))
                .isInstanceOfSatisfying(
                        CompactFormatException.class,
                        e -> assertThat(e.offset()).isEqualTo(RecordLayout.TYPE_AT))
                .hasMessageContaining("record with its schema inside: kind=-56");
        assertThatThrownBy(() -> serialization.view(bytes)).isInstanceOf(CompactFormatException.class);
    }
}
