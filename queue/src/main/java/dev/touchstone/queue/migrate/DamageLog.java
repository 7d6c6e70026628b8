package dev.touchstone.queue.migrate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A record of the places left out, with reasons; throws at the first damage unless damage is skipped. Belongs to one thread. */
final class DamageLog {
    static final int MAX_PLACES = 100;

    private final boolean skipDamaged;
    private final List<SkippedPlace> first = new ArrayList<>();
    private long damaged;
    private long harmless;

    DamageLog(boolean skipDamaged) {
        this.skipDamaged = skipDamaged;
    }

    /** Returns an empty log that treats damage as this one does. */
    DamageLog empty() {
        return new DamageLog(skipDamaged);
    }

    /** Counts damage, or throws it; {@code lost} names the records that are not copied because of it. */
    void damage(CorruptSourceException found, String lost) throws CorruptSourceException {
        if (!skipDamaged) {
            throw found;
        }
        damaged++;
        keep(new SkippedPlace(found.file(), found.offset(), true, found.getMessage() + "; " + lost));
    }

    /** Counts a place that is left out without a loss. */
    void harmless(Path file, long offset, String reason) {
        harmless++;
        keep(new SkippedPlace(file, offset, false, reason));
    }

    long damaged() {
        return damaged;
    }

    long harmless() {
        return harmless;
    }

    /** Returns the first places, {@value #MAX_PLACES} at most, in the order of the source. */
    List<SkippedPlace> first() {
        return List.copyOf(first);
    }

    private void keep(SkippedPlace place) {
        if (first.size() < MAX_PLACES) {
            first.add(place);
        }
    }
}
