package dev.touchstone.serialization.schema;

import dev.touchstone.serialization.exception.CompactSchemaException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The format of a schema as bytes, for the head of a file or for the wire: Hazelcast's bytes of a schema, without their header.
 *
 * <pre>
 *   string   length in bytes: int32 | UTF-8
 *   schema   type name: string | number of fields: int32 | for each field by name, its name: string | its kind's number: int32
 * </pre>
 *
 * <p>All numbers are big-endian, unlike those that go into the fingerprint.
 */
public final class SchemaFormat {
    private static final int FIELD_BYTES = 2 * Integer.BYTES;

    private final byte[] bytes;
    private int position;

    private SchemaFormat(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Encodes a schema.
     *
     * @param schema schema, not null
     * @return bytes in a new array
     */
    public static byte[] encode(Schema schema) {
        List<byte[]> names = new ArrayList<>();
        names.add(schema.typeName().getBytes(StandardCharsets.UTF_8));
        int size = Integer.BYTES;
        for (FieldDescriptor field : schema.fields()) {
            names.add(field.name().getBytes(StandardCharsets.UTF_8));
            size += Integer.BYTES;
        }
        for (byte[] name : names) {
            size += Integer.BYTES + name.length;
        }
        SchemaFormat out = new SchemaFormat(new byte[size]);
        out.putString(names.get(0));
        out.putInt32(schema.fields().size());
        for (int i = 0; i < schema.fields().size(); i++) {
            out.putString(names.get(i + 1));
            out.putInt32(schema.field(i).kind().id());
        }
        return out.bytes;
    }

    /**
     * Decodes a schema, and checks that it has the fingerprint that somebody else claims.
     *
     * @param bytes bytes of the schema; nothing may stand behind them
     * @param id fingerprint that the schema must have
     * @return schema
     * @throws CompactSchemaException if the bytes are not a schema, or its fingerprint is another one
     */
    public static Schema decode(byte[] bytes, long id) {
        return decode(bytes).requireId(id);
    }

    /**
     * Decodes a schema.
     *
     * @param bytes bytes of the schema; nothing may stand behind them
     * @return schema
     * @throws CompactSchemaException if the bytes are not a schema, or two fields have the same name
     */
    public static Schema decode(byte[] bytes) {
        SchemaFormat in = new SchemaFormat(bytes);
        String typeName = in.string();
        int at = in.position;
        int count = in.int32();
        if (count < 0 || count > (bytes.length - in.position) / FIELD_BYTES) {
            throw CompactSchemaException.malformed("more fields than bytes: count=" + count, at);
        }
        List<FieldDescriptor> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(in.field());
        }
        if (in.position != bytes.length) {
            throw CompactSchemaException.malformed(
                    "bytes behind it: left=" + (bytes.length - in.position), in.position);
        }
        return Schema.of(typeName, fields);
    }

    private FieldDescriptor field() {
        String name = string();
        int at = position;
        int kind = int32();
        return new FieldDescriptor(
                name,
                FieldKind.ofId(kind).orElseThrow(() -> CompactSchemaException.malformed("no kind: id=" + kind, at)));
    }

    private String string() {
        int length = int32();
        int at = position;
        if (length < 0 || length > bytes.length - at) {
            throw CompactSchemaException.malformed(
                    "string longer than the bytes: length=" + length, at - Integer.BYTES);
        }
        position = at + length;
        String value = new String(bytes, at, length, StandardCharsets.UTF_8);
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (!Arrays.equals(utf8, 0, utf8.length, bytes, at, position)) {
            throw CompactSchemaException.malformed("not UTF-8", at);
        }
        return value;
    }

    private int int32() {
        int at = position;
        if (Integer.BYTES > bytes.length - at) {
            throw CompactSchemaException.malformed("cut off", at);
        }
        position = at + Integer.BYTES;
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private void putString(byte[] utf8) {
        putInt32(utf8.length);
        System.arraycopy(utf8, 0, bytes, position, utf8.length);
        position += utf8.length;
    }

    private void putInt32(int value) {
        ByteBuffer.wrap(bytes).putInt(position, value);
        position += Integer.BYTES;
    }
}
