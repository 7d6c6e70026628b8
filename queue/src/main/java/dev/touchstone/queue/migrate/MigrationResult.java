package dev.touchstone.queue.migrate;

import java.util.List;

/**
 * A summary of what a migration copied and what it left out. Immutable.
 *
 * @param format layout of the source's files; never {@link Format#AUTO}
 * @param payloadLayout layout of the payload in each record; never {@link PayloadLayout#AUTO}
 * @param records number of records copied
 * @param payloadBytes number of payload bytes copied
 * @param duplicates number of popout's records, or batches, that stand in two files and were copied from one
 * @param damagedPlaces number of places left out that may have held records
 * @param harmlessPlaces number of places left out that held no record, such as the remains of a killed process
 * @param skipped the first {@value DamageLog#MAX_PLACES} of both kinds of places, in the order of the source
 */
public record MigrationResult(
        Format format,
        PayloadLayout payloadLayout,
        long records,
        long payloadBytes,
        long duplicates,
        long damagedPlaces,
        long harmlessPlaces,
        List<SkippedPlace> skipped) {

    /** Creates a summary with a copy of the list. */
    public MigrationResult {
        skipped = List.copyOf(skipped);
    }
}
