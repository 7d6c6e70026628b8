package dev.touchstone.messaging.stats;

/**
 * The bytes and frames that went over one connection or several.
 *
 * @param bytesIn bytes read, without those of the handshake
 * @param bytesOut bytes written, without those of the handshake
 * @param framesIn frames read that hold a message or a signal, or a fragment of one
 * @param framesOut frames added for writing that hold a message or a signal, or a fragment of one
 * @param ticksIn empty frames read, which a peer sends as a sign of life
 * @param ticksOut empty frames added for writing
 */
public record Traffic(long bytesIn, long bytesOut, long framesIn, long framesOut, long ticksIn, long ticksOut) {
    /** No bytes and no frames. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0);

    /**
     * Returns the sum of two amounts.
     *
     * @param other amount to add
     * @return sum of each figure
     */
    public Traffic plus(Traffic other) {
        return new Traffic(
                bytesIn + other.bytesIn,
                bytesOut + other.bytesOut,
                framesIn + other.framesIn,
                framesOut + other.framesOut,
                ticksIn + other.ticksIn,
                ticksOut + other.ticksOut);
    }
}
