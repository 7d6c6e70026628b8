package dev.touchstone.serialization.schema;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The 64-bit Rabin fingerprint that stands for a schema in a record's bytes.
 *
 * <pre>
 *   string   length in bytes: int32 | UTF-8
 *   schema   type name: string | number of fields: int32 | for each field by name, its name: string | its kind's number: int32
 * </pre>
 *
 * <p>Only here are integers little-endian. The polynomial is that of Avro's CRC-64-AVRO, and also the initial value. Different schemas have
 * different fingerprints with high probability, but somebody who wants two of them to be equal can construct them.
 */
final class SchemaFingerprint {
    private static final long POLYNOMIAL = 0xc15d213aa4d7a795L;
    private static final long[] TABLE = table();

    private long value = POLYNOMIAL;

    private SchemaFingerprint() {}

    private static long[] table() {
        long[] table = new long[1 << Byte.SIZE];
        for (int octet = 0; octet < table.length; octet++) {
            long remainder = octet;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                long lowest = remainder & 1;
                remainder = (remainder >>> 1) ^ (lowest == 0 ? 0 : POLYNOMIAL);
            }
            table[octet] = remainder;
        }
        return table;
    }

    /** Returns the fingerprint of a type with fields that are sorted by name. */
    static long of(String typeName, List<FieldDescriptor> fields) {
        SchemaFingerprint fingerprint = new SchemaFingerprint();
        fingerprint.add(typeName);
        fingerprint.add(fields.size());
        for (FieldDescriptor field : fields) {
            fingerprint.add(field.name());
            fingerprint.add(field.kind().id());
        }
        return fingerprint.value;
    }

    /** Returns the fingerprint of plain bytes, without a length in front of them. */
    static long of(byte[] bytes) {
        SchemaFingerprint fingerprint = new SchemaFingerprint();
        fingerprint.add(bytes);
        return fingerprint.value;
    }

    private void add(String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        add(utf8.length);
        add(utf8);
    }

    private void add(int number) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            add((byte) (number >>> shift));
        }
    }

    private void add(byte[] bytes) {
        for (byte octet : bytes) {
            add(octet);
        }
    }

    private void add(byte octet) {
        value = (value >>> Byte.SIZE) ^ TABLE[(int) (value ^ octet) & 0xff];
    }
}
