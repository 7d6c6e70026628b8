package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import java.io.IOException;

/** Thrown to carry damage out of a cursor's lock, so that user code can judge it. */
final class DamagedRecord extends IOException {
    private static final long serialVersionUID = 1;

    private final transient CorruptLogException damage;
    private final long sequence;

    /**
     * Creates the exception.
     *
     * @param sequence sequence of the record that cannot be read
     */
    DamagedRecord(CorruptLogException damage, long sequence) {
        super(damage);
        this.damage = damage;
        this.sequence = sequence;
    }

    CorruptLogException damage() {
        return damage;
    }

    long sequence() {
        return sequence;
    }
}
