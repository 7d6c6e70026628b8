package dev.touchstone.serialization.schema;

/**
 * Where the fields of one schema stand. Immutable; the arrays are shared and must not be written.
 *
 * <pre>
 *   record            schema id: int64 | data length: int32, only where there is a variable field | data | offset table
 *   data              fixed region | variable region
 *   fixed region      fields of 8 bytes, of 4, of 2, of 1, each by name, then booleans by name, 8 to a byte, the least significant bit first
 *   variable region   the values that are not null, in the order in which they were written, without gaps
 *   offset table      for each variable field by name, where its value begins in the data
 * </pre>
 *
 * <p>In front of the outermost record stand 8 bytes, see {@link #HEADER_BYTES}. All numbers are big-endian.
 */
public final class RecordLayout {
    /** A partition's hash, 0 in values, and the number that says that a record follows. */
    public static final int HEADER_BYTES = 8;

    public static final int TYPE_AT = 4;
    public static final int TYPE_COMPACT = -55;
    /** A record whose schema stands in it, as an object of Hazelcast's: known so that it can be refused by name. */
    public static final int TYPE_COMPACT_WITH_SCHEMA = -56;

    public static final long TYPE_MASK = 0xffff_ffffL;
    public static final int SCHEMA_ID_BYTES = 8;
    public static final int LENGTH_BYTES = 4;

    /** Sizes that are no number of bytes. */
    public static final int BIT = 0;

    public static final int VARIABLE = -1;

    private static final int LARGEST = 8;
    private static final int BITS_SHIFT = 3;
    private static final int BITS_MASK = 7;

    /** For each field by name its {@link KindId}. */
    public final byte[] kinds;

    /** For each field its offset in the fixed region, that offset times 8 plus the bit, or its number among the variable ones. */
    public final int[] places;

    /** The fields that have an entry in the offset table, in its order. */
    public final int[] variableFields;

    public final int fixedBytes;

    /** Where in the fixed region the bytes of the booleans begin. */
    public final int booleansAt;

    /**
     * Lays fields out.
     *
     * @param kinds of the fields, which are sorted by name
     * @param sizes of the fields in bytes, or {@link #BIT} or {@link #VARIABLE}
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

    /** Where the byte of a boolean is, given its place. */
    public static int byteOf(int place) {
        return place >> BITS_SHIFT;
    }

    /** Its bit in that byte. */
    public static int bitOf(int place) {
        return place & BITS_MASK;
    }
}
