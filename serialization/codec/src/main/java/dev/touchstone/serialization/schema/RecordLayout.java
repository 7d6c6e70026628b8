package dev.touchstone.serialization.schema;

/**
 * The places of the fields of one schema in its records. Immutable; the arrays are shared and must not be written.
 *
 * <pre>
 *   record            schema id: int64 | data length: int32, only where there is a variable field | data | offset table
 *   data              fixed region | variable region
 *   fixed region      fields of 8 bytes, of 4, of 2, of 1, each group by name, then booleans by name, 8 to a byte, the least significant bit first
 *   variable region   the values that are not null, in the order in which they were written, without gaps
 *   offset table      for each variable field by name, the offset in the data at which its value begins
 * </pre>
 *
 * <p>A header of {@link #HEADER_BYTES} stands in front of the outermost record. All numbers are big-endian.
 */
public final class RecordLayout {
    /** Length of the header in bytes: hash of a partition (int32), which is 0 in values, and type of the data (int32). */
    public static final int HEADER_BYTES = 8;

    /** Offset of the type in the header, in bytes. */
    public static final int TYPE_AT = 4;

    /** Type of data that is a record. */
    public static final int TYPE_COMPACT = -55;

    /** Type of data that is a record with its schema inside: never written here, and refused by a message of its own. */
    public static final int TYPE_COMPACT_WITH_SCHEMA = -56;

    /** Mask that turns a type into the lower half of a header. */
    public static final long TYPE_MASK = 0xffff_ffffL;

    /** Length of the id of a schema, in bytes. */
    public static final int SCHEMA_ID_BYTES = 8;

    /** Length of the data length, in bytes. */
    public static final int LENGTH_BYTES = 4;

    /** Size of a field that takes one bit of the fixed region. */
    public static final int BIT = 0;

    /** Size of a field whose value stands in the variable region. */
    public static final int VARIABLE = -1;

    private static final int LARGEST = 8;
    private static final int BITS_SHIFT = 3;
    private static final int BITS_MASK = 7;

    /** {@link KindId} of each field, by name. */
    public final byte[] kinds;

    /**
     * Place of each field, by name: the offset in the fixed region; for a boolean, that offset times 8 plus the number of its bit; for a
     * variable field, its entry in the offset table.
     */
    public final int[] places;

    /** Indexes of the fields that have an entry in the offset table, in the order of the entries. */
    public final int[] variableFields;

    /** Length of the fixed region, in bytes. */
    public final int fixedBytes;

    /** Offset in the fixed region at which the bytes of the booleans begin. */
    public final int booleansAt;

    /**
     * Lays out the fields of a schema.
     *
     * @param kinds kinds of the fields, sorted by the names of the fields
     * @param sizes sizes of the fields in bytes: 1, 2, 4, 8, {@link #BIT} or {@link #VARIABLE}
     */
    public RecordLayout(byte[] kinds, int[] sizes) {
        this.kinds = kinds.clone();
        places = new int[sizes.length];
        int offset = 0;
        for (int size = LARGEST; size > BIT; size >>= 1) {
            offset = placeAll(sizes, size, offset, size);
        }
        booleansAt = offset;
        int bits = placeAll(sizes, BIT, offset << BITS_SHIFT, 1);
        fixedBytes = (bits + BITS_MASK) >> BITS_SHIFT;
        variableFields = new int[placeAll(sizes, VARIABLE, 0, 1)];
        for (int field = 0; field < sizes.length; field++) {
            if (sizes[field] == VARIABLE) {
                variableFields[places[field]] = field;
            }
        }
    }

    private int placeAll(int[] sizes, int size, int from, int step) {
        int place = from;
        for (int field = 0; field < sizes.length; field++) {
            if (sizes[field] == size) {
                places[field] = place;
                place += step;
            }
        }
        return place;
    }

    /**
     * Returns the offset of the byte that holds a boolean.
     *
     * @param place place of the field
     * @return offset in the fixed region
     */
    public static int byteOf(int place) {
        return place >> BITS_SHIFT;
    }

    /**
     * Returns the number of the bit that holds a boolean.
     *
     * @param place place of the field
     * @return number of the bit, from 0 for the least significant one to 7
     */
    public static int bitOf(int place) {
        return place & BITS_MASK;
    }
}
