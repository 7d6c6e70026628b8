package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactSchemaException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SchemaFormatTest {
    private static final Schema SCHEMA = Schema.builder("t\u00e9")
            .field("b", FieldKind.ARRAY_OF_NULLABLE_FLOAT64)
            .field("a", FieldKind.BOOLEAN)
            .build();

    @Test
    void encode_givesNamesAndKindsByName() {
        assertThat(HexFormat.of().formatHex(SchemaFormat.encode(SCHEMA)))
                .isEqualTo("0000000374c3a9" + "00000002" + "0000000161" + "00000001" + "0000000162" + "0000002e");
    }

    @Test
    void decode_ofWhatWasEncoded_givesAnEqualSchema() {
        byte[] bytes = SchemaFormat.encode(SCHEMA);
        assertThat(SchemaFormat.decode(bytes, SCHEMA.id())).isEqualTo(SCHEMA);
        Schema empty = Schema.builder("").build();
        assertThat(SchemaFormat.decode(SchemaFormat.encode(empty))).isEqualTo(empty);
    }

    @Test
    void decode_ofAForgedId_isRefused() {
        byte[] bytes = SchemaFormat.encode(SCHEMA);
        assertThatThrownBy(() -> SchemaFormat.decode(bytes, 1)).isInstanceOf(CompactSchemaException.class);
    }

    @Test
    void decode_ofCutBytes_isRefusedAtEveryLength() {
        byte[] bytes = SchemaFormat.encode(SCHEMA);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> SchemaFormat.decode(cut))
                    .isInstanceOf(CompactSchemaException.class)
                    .hasMessageContaining("offset=");
        }
        assertThatThrownBy(() -> SchemaFormat.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(CompactSchemaException.class);
    }

    @Test
    void decode_ofChangedBytes_isASchemaOrRefused() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = SchemaFormat.encode(SCHEMA);
        for (int i = 0; i < 100_000; i++) {
            byte[] changed = bytes.clone();
            changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
            changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(SchemaFormat.decode(changed).typeName()).isNotNull();
            } catch (CompactSchemaException e) {
                assertThat(e).hasMessageContaining("=");
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "seed=" + seed + " bytes=" + HexFormat.of().formatHex(changed), e);
            }
        }
    }
}
