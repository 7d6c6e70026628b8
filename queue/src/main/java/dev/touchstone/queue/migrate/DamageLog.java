package dev.touchstone.queue.migrate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was left out and why; throws at the first damage unless damage is to be skipped. */
final class DamageLog {
    static final int KEPT = 100;

    private final boolean skipDamaged;
    private final List<Skipped> first = new ArrayList<>();
    private long damaged;
    private long harmless;

    DamageLog(boolean skipDamaged) {
        this.skipDamaged = skipDamaged;
    }

    /** Counts damage, or throws it. {@code lost} says what is not copied for it. */
    void damage(CorruptSourceException found, String lost) throws CorruptSourceException {
        if (!skipDamaged) {
            throw found;
        }
        damaged++;
        keep(new Skipped(found.file(), found.offset(), true, found.getMessage() + "; " + lost));
    }

    /** Counts what is left out without a loss. */
    void harmless(Path file, long offset, String reason) {
        harmless++;
        keep(new Skipped(file, offset, false, reason));
    }

    long damaged() {
        return damaged;
    }

    long harmless() {
        return harmless;
    }

    List<Skipped> first() {
        return List.copyOf(first);
    }

    private void keep(Skipped place) {
        if (first.size() < KEPT) {
            first.add(place);
        }
    }
}
