package dev.touchstone.queue.migrate;

/**
 * Layouts of the payload in a popout record. popout puts each record's length in front of the bytes that the queue's serializer wrote.
 * Some serializers write a length of their own there, which the reader of a migrated queue does not want.
 */
public enum PayloadLayout {
    /**
     * Detected from all records of the queue before the first one is copied. A record is <i>prefixed</i> if its first four bytes are
     * the number of bytes after them, big-endian:
     *
     * <ul>
     *   <li>All records are prefixed: {@link #LENGTH_PREFIXED}.
     *   <li>No record is prefixed, other than records that are four zero bytes: {@link #PLAIN}. The same holds for a queue without
     *       records.
     *   <li>All records are four zero bytes, which are empty strings or the integer 0: refused.
     *   <li>Some records of more than four bytes are prefixed and others are not: refused. One damaged length is enough for that.
     * </ul>
     *
     * <p>A refused migration throws {@link IllegalArgumentException} and copies nothing; choose one of the other constants then. Choose
     * {@link #PLAIN} as well for a serializer without a length whose bytes look prefixed in every record: a custom one, or popout's for
     * long numbers if all of them are in 17,179,869,184 to 21,474,836,479, whose upper half is 4. Detection cannot tell these from
     * strings. Detection ends at the first damaged record unless damage is skipped, since nothing after it is copied.
     */
    AUTO,

    /**
     * Four bytes of length, then the payload: written by popout's {@code STRING}, {@code BYTE_ARRAY} and default serializers. The length
     * is left out, and a record that does not begin with it is damaged. The default serializer's payload is a Java serialization
     * stream, which is copied and never deserialized.
     */
    LENGTH_PREFIXED,

    /**
     * Nothing but the payload: written by popout's {@code INTEGER} and {@code LONG} serializers, as 4 or 8 big-endian bytes, and by
     * custom serializers. All bytes of the record are copied. Elements of tape always have this layout.
     */
    PLAIN
}
