package dev.touchstone.queue.migrate;

import java.util.List;

/**
 * What a migration has copied, and what it has left out. Immutable.
 *
 * @param format of the source; never {@link Format#AUTO}
 * @param records copied
 * @param payloadBytes copied
 * @param duplicates records, or batches of popout's, found in two files and copied from one
 * @param damagedPlaces places left out that may have held records
 * @param harmlessPlaces places left out that a killed process leaves and that held nothing
 * @param skipped the first {@value DamageLog#KEPT} of both, in the order of the source
 */
public record MigrationResult(
        Format format,
        long records,
        long payloadBytes,
        long duplicates,
        long damagedPlaces,
        long harmlessPlaces,
        List<Skipped> skipped) {

    /** Copies the list. */
    public MigrationResult {
        skipped = List.copyOf(skipped);
    }
}
