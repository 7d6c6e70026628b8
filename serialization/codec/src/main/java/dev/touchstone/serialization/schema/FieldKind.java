package dev.touchstone.serialization.schema;

import java.util.Optional;

/**
 * What a field holds. Each kind has a number that goes into a schema's fingerprint. Kinds with a size stand in the fixed region and are
 * never null; all others may be null, and so may the items of an array whose items have no size.
 *
 * <p>Hazelcast numbers four more, for chars and Portable objects, which a Compact record cannot hold.
 */
public enum FieldKind {
    BOOLEAN(KindId.BOOLEAN, RecordLayout.BIT),
    ARRAY_OF_BOOLEAN(KindId.ARRAY_OF_BOOLEAN),
    INT8(KindId.INT8, 1),
    ARRAY_OF_INT8(KindId.ARRAY_OF_INT8),
    INT16(KindId.INT16, 2),
    ARRAY_OF_INT16(KindId.ARRAY_OF_INT16),
    INT32(KindId.INT32, 4),
    ARRAY_OF_INT32(KindId.ARRAY_OF_INT32),
    INT64(KindId.INT64, 8),
    ARRAY_OF_INT64(KindId.ARRAY_OF_INT64),
    FLOAT32(KindId.FLOAT32, 4),
    ARRAY_OF_FLOAT32(KindId.ARRAY_OF_FLOAT32),
    FLOAT64(KindId.FLOAT64, 8),
    ARRAY_OF_FLOAT64(KindId.ARRAY_OF_FLOAT64),
    STRING(KindId.STRING),
    ARRAY_OF_STRING(KindId.ARRAY_OF_STRING),
    DECIMAL(KindId.DECIMAL),
    ARRAY_OF_DECIMAL(KindId.ARRAY_OF_DECIMAL),
    TIME(KindId.TIME),
    ARRAY_OF_TIME(KindId.ARRAY_OF_TIME),
    DATE(KindId.DATE),
    ARRAY_OF_DATE(KindId.ARRAY_OF_DATE),
    TIMESTAMP(KindId.TIMESTAMP),
    ARRAY_OF_TIMESTAMP(KindId.ARRAY_OF_TIMESTAMP),
    TIMESTAMP_WITH_TIMEZONE(KindId.TIMESTAMP_WITH_TIMEZONE),
    ARRAY_OF_TIMESTAMP_WITH_TIMEZONE(KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE),
    COMPACT(KindId.COMPACT),
    ARRAY_OF_COMPACT(KindId.ARRAY_OF_COMPACT),
    NULLABLE_BOOLEAN(KindId.NULLABLE_BOOLEAN),
    ARRAY_OF_NULLABLE_BOOLEAN(KindId.ARRAY_OF_NULLABLE_BOOLEAN),
    NULLABLE_INT8(KindId.NULLABLE_INT8),
    ARRAY_OF_NULLABLE_INT8(KindId.ARRAY_OF_NULLABLE_INT8),
    NULLABLE_INT16(KindId.NULLABLE_INT16),
    ARRAY_OF_NULLABLE_INT16(KindId.ARRAY_OF_NULLABLE_INT16),
    NULLABLE_INT32(KindId.NULLABLE_INT32),
    ARRAY_OF_NULLABLE_INT32(KindId.ARRAY_OF_NULLABLE_INT32),
    NULLABLE_INT64(KindId.NULLABLE_INT64),
    ARRAY_OF_NULLABLE_INT64(KindId.ARRAY_OF_NULLABLE_INT64),
    NULLABLE_FLOAT32(KindId.NULLABLE_FLOAT32),
    ARRAY_OF_NULLABLE_FLOAT32(KindId.ARRAY_OF_NULLABLE_FLOAT32),
    NULLABLE_FLOAT64(KindId.NULLABLE_FLOAT64),
    ARRAY_OF_NULLABLE_FLOAT64(KindId.ARRAY_OF_NULLABLE_FLOAT64);

    private static final FieldKind[] BY_ID = byId();

    private final byte id;
    private final int fixedBytes;

    FieldKind(byte id) {
        this(id, RecordLayout.VARIABLE);
    }

    FieldKind(byte id, int fixedBytes) {
        this.id = id;
        this.fixedBytes = fixedBytes;
    }

    private static FieldKind[] byId() {
        FieldKind[] kinds = new FieldKind[KindId.ARRAY_OF_NULLABLE_FLOAT64 + 1];
        for (FieldKind kind : values()) {
            kinds[kind.id] = kind;
        }
        return kinds;
    }

    /** The kind of a number, or nothing where Compact has none. */
    public static Optional<FieldKind> ofId(int id) {
        return id < 0 || id >= BY_ID.length ? Optional.empty() : Optional.ofNullable(BY_ID[id]);
    }

    /** The number that stands for this kind. */
    public int id() {
        return id;
    }

    /** Whether a value stands in the fixed region: such fields are never null. */
    public boolean isFixed() {
        return fixedBytes != RecordLayout.VARIABLE;
    }

    /** Whether this is an array's kind. */
    public boolean isArray() {
        return (id & 1) == 0;
    }

    /**
     * Whether a reader that asks for {@code wanted} can be served from a field of this kind: the same, or one that differs only in
     * whether its values may be null. A null is then refused when it is met.
     */
    public boolean isReadableAs(FieldKind wanted) {
        return this == wanted || nullable() == wanted.nullable();
    }

    /** The kind with nulls of a kind without, and any other kind itself. */
    FieldKind nullable() {
        return switch (this) {
            case BOOLEAN -> NULLABLE_BOOLEAN;
            case INT8 -> NULLABLE_INT8;
            case INT16 -> NULLABLE_INT16;
            case INT32 -> NULLABLE_INT32;
            case INT64 -> NULLABLE_INT64;
            case FLOAT32 -> NULLABLE_FLOAT32;
            case FLOAT64 -> NULLABLE_FLOAT64;
            case ARRAY_OF_BOOLEAN -> ARRAY_OF_NULLABLE_BOOLEAN;
            case ARRAY_OF_INT8 -> ARRAY_OF_NULLABLE_INT8;
            case ARRAY_OF_INT16 -> ARRAY_OF_NULLABLE_INT16;
            case ARRAY_OF_INT32 -> ARRAY_OF_NULLABLE_INT32;
            case ARRAY_OF_INT64 -> ARRAY_OF_NULLABLE_INT64;
            case ARRAY_OF_FLOAT32 -> ARRAY_OF_NULLABLE_FLOAT32;
            case ARRAY_OF_FLOAT64 -> ARRAY_OF_NULLABLE_FLOAT64;
            default -> this;
        };
    }

    int fixedBytes() {
        return fixedBytes;
    }
}
