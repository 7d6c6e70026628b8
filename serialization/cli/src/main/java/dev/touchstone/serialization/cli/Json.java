package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.LockChange;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import dev.touchstone.serialization.schema.Violation;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** The parts of JSON answers. Nothing is closed: the writer is the console's. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory()
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

    private Json() {}

    static JsonGenerator pretty(Writer out) throws IOException {
        return FACTORY.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter());
    }

    /** The members of a descriptor, in an object that is open. */
    static void descriptor(JsonGenerator json, TypeDescriptor descriptor) throws IOException {
        Schema schema = descriptor.schema();
        json.writeStringField("type", schema.typeName());
        json.writeStringField("id", Texts.id(schema.id()));
        json.writeArrayFieldStart("fields");
        for (FieldDescriptor field : schema.fields()) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("kind", field.kind().name());
            FieldMeaning meaning = descriptor.meaning(field.name());
            if (!meaning.equals(FieldMeaning.PLAIN)) {
                meaning(json, meaning);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void meaning(JsonGenerator json, FieldMeaning meaning) throws IOException {
        json.writeStringField("format", meaning.format());
        json.writeArrayFieldStart("values");
        for (String value : meaning.values()) {
            json.writeString(value);
        }
        json.writeEndArray();
        json.writeStringField("missing", meaning.missing().orElse(null));
    }

    static void violations(JsonGenerator json, List<Violation> violations) throws IOException {
        json.writeArrayFieldStart("violations");
        for (Violation each : violations) {
            json.writeStartObject();
            json.writeStringField("rule", each.rule().name());
            json.writeStringField("type", each.typeName());
            json.writeStringField("field", each.fieldName());
            json.writeStringField("old", each.oldKind().map(Enum::name).orElse(null));
            json.writeStringField("new", each.newKind().map(Enum::name).orElse(null));
            json.writeStringField("reason", each.rule().reason());
            json.writeStringField("detail", each.detail());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The members of a report, in an object that is open. */
    static void report(JsonGenerator json, LockReport report) throws IOException {
        json.writeBooleanField("compatible", report.isCompatible());
        json.writeBooleanField("accepted", report.isAccepted());
        violations(json, report.violations());
        json.writeArrayFieldStart("changes");
        for (LockChange each : report.changes()) {
            json.writeStartObject();
            json.writeStringField("change", each.kind().name());
            json.writeStringField("type", each.schema().typeName());
            json.writeStringField("id", Texts.id(each.schema().id()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
