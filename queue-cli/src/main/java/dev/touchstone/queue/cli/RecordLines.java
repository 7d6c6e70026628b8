package dev.touchstone.queue.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.queue.inspect.FoundDamage;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;

/** Prints records, a line each, up to a limit; damaged places go to standard error. */
final class RecordLines implements QueueFolder.LogVisitor {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Console console;
    private final ElementFormat format;
    private final Set<RecordKind> kinds;
    private final long limit;
    private long shown;
    private boolean damaged;

    RecordLines(Console console, ElementFormat format, Set<RecordKind> kinds, long limit) {
        this.console = console;
        this.format = format;
        this.kinds = kinds;
        this.limit = limit;
    }

    /** Writes the fields of a JSON object. */
    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns whether a damaged place was met. */
    boolean isDamaged() {
        return damaged;
    }

    @Override
    public boolean element(long sequence, long notBeforeMillis, byte[] element) {
        RecordKind kind = notBeforeMillis == 0 ? RecordKind.ELEMENT : RecordKind.DELAYED;
        Instant notBefore = Instant.ofEpochMilli(notBeforeMillis);
        if (format == ElementFormat.JSON) {
            print(kind, json(kind, fields -> {
                fields.writeNumberField("sequence", sequence);
                if (notBeforeMillis != 0) {
                    fields.writeStringField("notBefore", notBefore.toString());
                }
                fields.writeStringField(
                        ElementFormat.decoded(element) == null ? "base64" : "text", format.text(element));
            }));
        } else {
            print(
                    kind,
                    sequence + " " + name(kind) + " " + (notBeforeMillis == 0 ? "" : notBefore + " ")
                            + format.text(element));
        }
        return shown < limit && !console.out().checkError();
    }

    @Override
    public void consumed(long cursor, long first, long end) {
        String line = format == ElementFormat.JSON
                ? json(RecordKind.CONSUMPTION, fields -> {
                    fields.writeNumberField("cursor", cursor);
                    fields.writeNumberField("first", first);
                    fields.writeNumberField("end", end);
                })
                : "- consumption cursor=" + cursor + " consumed from " + first + " to " + (end - 1);
        print(RecordKind.CONSUMPTION, line);
    }

    @Override
    public void attempted(long cursor, long sequence, int deliveries, long notBeforeMillis) {
        String line = format == ElementFormat.JSON
                ? json(RecordKind.CONSUMPTION, fields -> {
                    fields.writeNumberField("cursor", cursor);
                    fields.writeNumberField("sequence", sequence);
                    fields.writeNumberField("deliveries", deliveries);
                    fields.writeNumberField("notBeforeMillis", notBeforeMillis);
                })
                : "- consumption cursor=" + cursor + " delivered " + sequence + " times=" + deliveries;
        print(RecordKind.CONSUMPTION, line);
    }

    @Override
    public void damaged(FoundDamage damage) {
        damaged = true;
        console.err().println(Reports.line(damage));
    }

    private void print(RecordKind kind, String line) {
        if (shown < limit && kinds.contains(kind)) {
            shown++;
            console.out().print(line + System.lineSeparator()); // flushed by the end, not by the line
        }
    }

    private static String name(RecordKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String json(RecordKind kind, Fields fields) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("kind", name(kind));
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }
}
