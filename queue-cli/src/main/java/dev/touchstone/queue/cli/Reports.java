package dev.touchstone.queue.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.touchstone.queue.inspect.FolderReport;
import dev.touchstone.queue.inspect.FoundCursor;
import dev.touchstone.queue.inspect.FoundDamage;
import dev.touchstone.queue.inspect.FoundSegment;
import java.io.IOException;
import java.io.PrintWriter;

/** Reports as text and as JSON. */
final class Reports {
    private static final JsonFactory FACTORY = new JsonFactory()
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

    private Reports() {}

    static void printSummary(PrintWriter out, FolderReport report) {
        out.println("elements on disk: " + report.elements());
        out.println("oldest sequence:  " + report.oldestSequence());
        out.println("next sequence:    " + report.nextSequence());
        out.println("log files:        " + report.segments().size() + ", spare " + report.spareFiles() + ", set aside "
                + report.setAsideFiles());
        out.println("bytes on disk:    " + report.diskBytes() + ", behind the last element " + report.tailBytes());
        for (FoundCursor cursor : report.cursors()) {
            out.println((cursor.name().isEmpty() ? "the queue itself" : "cursor " + cursor.name()) + ": floor "
                    + cursor.floor() + ", unconsumed " + cursor.unconsumed() + ", gaps " + cursor.gaps()
                    + ", handed out before " + cursor.attempted());
        }
    }

    static void printSegments(PrintWriter out, FolderReport report) {
        for (FoundSegment segment : report.segments()) {
            out.println(segment.file() + ": bytes " + segment.bytes() + ", from sequence " + segment.firstSequence()
                    + ", elements " + segment.elements() + (segment.compressed() ? ", compressed" : ""));
        }
    }

    static void printDamages(PrintWriter out, FolderReport report) {
        report.damages().forEach(damage -> out.println(line(damage)));
        out.println(
                report.isDamaged()
                        ? "damaged; elements lost: " + report.lost()
                        : report.damages().isEmpty() ? "no damage" : "no damage that matters");
    }

    static String line(FoundDamage damage) {
        String loss = damage.lost() > 0
                ? "; lost " + damage.lost() + " element(s) with sequences from " + damage.first() + " to "
                        + (damage.end() - 1)
                : damage.harmless() ? "; harmless, all cursors are behind it" : "";
        return "damage: file=" + damage.file() + " offset=" + damage.offset() + " " + damage.what() + " expected="
                + damage.expected() + " got=" + damage.got() + loss;
    }

    static void printJson(PrintWriter out, FolderReport report) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter())) {
            json.writeStartObject();
            json.writeBooleanField("damaged", report.isDamaged());
            json.writeNumberField("lost", report.lost());
            json.writeNumberField("elements", report.elements());
            json.writeNumberField("oldestSequence", report.oldestSequence());
            json.writeNumberField("nextSequence", report.nextSequence());
            json.writeNumberField("tailBytes", report.tailBytes());
            json.writeNumberField("diskBytes", report.diskBytes());
            json.writeNumberField("spareFiles", report.spareFiles());
            json.writeNumberField("setAsideFiles", report.setAsideFiles());
            json.writeArrayFieldStart("cursors");
            for (FoundCursor cursor : report.cursors()) {
                json.writeStartObject();
                json.writeStringField("name", cursor.name());
                json.writeNumberField("floor", cursor.floor());
                json.writeNumberField("gaps", cursor.gaps());
                json.writeNumberField("unconsumed", cursor.unconsumed());
                json.writeNumberField("attempted", cursor.attempted());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("segments");
            for (FoundSegment segment : report.segments()) {
                json.writeStartObject();
                json.writeStringField("file", segment.file());
                json.writeNumberField("bytes", segment.bytes());
                json.writeNumberField("firstSequence", segment.firstSequence());
                json.writeNumberField("elements", segment.elements());
                json.writeBooleanField("compressed", segment.compressed());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("damages");
            for (FoundDamage damage : report.damages()) {
                json.writeStartObject();
                json.writeStringField("file", damage.file());
                json.writeNumberField("offset", damage.offset());
                json.writeStringField("what", damage.what());
                json.writeStringField("expected", damage.expected());
                json.writeStringField("got", damage.got());
                json.writeNumberField("first", damage.first());
                json.writeNumberField("end", damage.end());
                json.writeNumberField("lost", damage.lost());
                json.writeBooleanField("harmless", damage.harmless());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
    }
}
