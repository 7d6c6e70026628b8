package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogOptions.Leases;
import dev.touchstone.queue.log.LogOptions.Limits;
import dev.touchstone.queue.log.LogOptions.WhenFull;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The settings of a caller's member, by which its calls are carried out at all members. Immutable. 30 bytes: limits of elements and bytes
 * (8 each), policy, most leases (4), nanoseconds of a lease (8), whether only named cursors consume.
 */
record CallSettings(Limits limits, Leases leases, boolean namedCursorsOnly) {
    static final int BYTES = 30;

    static CallSettings of(LogOptions options) {
        return new CallSettings(options.limits(), options.leases(), options.namedCursorsOnly());
    }

    void put(ByteBuffer target) {
        target.putLong(limits.records()).putLong(limits.bytes()).put(code(limits.whenFull()));
        target.putInt(leases.most()).putLong(leases.timeout().toNanos()).put((byte) (namedCursorsOnly ? 1 : 0));
    }

    static CallSettings read(ByteBuffer source) {
        Limits limits = new Limits(source.getLong(), source.getLong(), 0, policy(source.get()));
        Leases leases = new Leases(source.getInt(), Duration.ofNanos(source.getLong()));
        return new CallSettings(limits, leases, source.get() != 0);
    }

    /** Returns whether settings that were read can be applied. */
    boolean isValid() {
        return limits.records() > 0
                && limits.bytes() > 0
                && leases.most() > 0
                && leases.timeout().toNanos() > 0;
    }

    private static byte code(WhenFull policy) {
        return switch (policy) {
            case WAIT -> 0;
            case REFUSE -> 1;
            case DROP_OLDEST -> 2;
        };
    }

    private static WhenFull policy(byte code) {
        return switch (code) {
            case 0 -> WhenFull.WAIT;
            case 1 -> WhenFull.REFUSE;
            default -> WhenFull.DROP_OLDEST;
        };
    }
}
