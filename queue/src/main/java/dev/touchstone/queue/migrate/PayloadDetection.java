package dev.touchstone.queue.migrate;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Detection of a popout queue's payload layout by the rules of {@link PayloadLayout#AUTO}. */
final class PayloadDetection {
    private boolean zeros; // records that are four zero bytes: prefixed, but integers may look like that
    private @Nullable String prefixed; // place of the first record that is prefixed and longer
    private @Nullable String other; // place of the first record that is not prefixed

    private PayloadDetection() {}

    /**
     * Reads the lengths of all records that the migration would copy.
     *
     * @throws IllegalArgumentException if the records fit no layout, or several
     */
    static PayloadLayout detect(PopoutQueue queue) throws IOException {
        PayloadDetection found = new PayloadDetection();
        try {
            found.readAll(queue);
        } catch (CorruptSourceException e) {
            // The migration throws at the same place, so only the records before it count.
        }
        return found.layout();
    }

    private void readAll(PopoutQueue queue) throws IOException {
        for (SourceRecord record = queue.next(); record != null; record = queue.next()) {
            if (!record.isPrefixed()) {
                other = other == null ? record.place() : other;
            } else if (record.length() > SourceRecord.PREFIX_BYTES) {
                prefixed = prefixed == null ? record.place() : prefixed;
            } else {
                zeros = true;
            }
            if (prefixed != null && other != null) {
                return;
            }
        }
    }

    private PayloadLayout layout() {
        if (prefixed != null && other != null) {
            throw new IllegalArgumentException("payload layout not detected: the record at " + prefixed
                    + " begins with the number of its other bytes, the record at " + other
                    + " does not; choose LENGTH_PREFIXED or PLAIN");
        }
        if (zeros && prefixed == null && other == null) {
            throw new IllegalArgumentException("payload layout not detected: all records are four zero bytes; choose"
                    + " LENGTH_PREFIXED if they are empty strings or arrays, PLAIN if they are integers");
        }
        return prefixed == null ? PayloadLayout.PLAIN : PayloadLayout.LENGTH_PREFIXED;
    }
}
