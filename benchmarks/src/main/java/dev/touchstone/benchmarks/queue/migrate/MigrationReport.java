package dev.touchstone.benchmarks.queue.migrate;

import dev.touchstone.queue.migrate.Format;
import dev.touchstone.queue.migrate.MigrationResult;
import dev.touchstone.queue.migrate.PayloadLayout;
import dev.touchstone.queue.migrate.SkippedPlace;
import java.nio.file.Path;
import java.util.List;

/**
 * The report of {@code migrate} about a finished copy, as text or as JSON; paths are as typed.
 *
 * @param duplicates number of blocks found in two of popout's files
 * @param skipped the first places that were left out
 */
record MigrationReport(
        String from,
        String to,
        Format format,
        PayloadLayout payloadLayout,
        long records,
        long payloadBytes,
        long duplicates,
        long damagedPlaces,
        long harmlessPlaces,
        List<Place> skipped) {

    /** A place that was left out. */
    record Place(String file, long offset, boolean damage, String reason) {
        private static Place of(SkippedPlace skipped) {
            return new Place(skipped.file().toString(), skipped.offset(), skipped.damage(), skipped.reason());
        }

        private String line() {
            return damage ? "  damaged: " + reason : "  harmless: " + file + " at " + offset + ": " + reason;
        }
    }

    static MigrationReport of(MigrationResult result, Path from, Path to) {
        return new MigrationReport(
                from.toString(),
                to.toString(),
                result.format(),
                result.payloadLayout(),
                result.records(),
                result.payloadBytes(),
                result.duplicates(),
                result.damagedPlaces(),
                result.harmlessPlaces(),
                result.skipped().stream().map(Place::of).toList());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        String layout = format == Format.TAPE ? "" : ", payload layout " + payloadLayout;
        text.append(format + layout + ": copied " + records + " records (" + payloadBytes + " bytes) to " + to + "\n");
        text.append("left out: " + duplicates + " found twice, " + damagedPlaces + " damaged, " + harmlessPlaces
                + " harmless\n");
        skipped.forEach(place -> text.append(place.line()).append('\n'));
        long more = damagedPlaces + harmlessPlaces - skipped.size();
        if (more > 0) {
            text.append("  and " + more + " more\n");
        }
        return text.toString();
    }
}
