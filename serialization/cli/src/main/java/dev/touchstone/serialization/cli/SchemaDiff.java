package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.schema.EvolutionRule;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.LockChange;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.LockedVersion;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import dev.touchstone.serialization.schema.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Each field in which schemas differ from the newest accepted ones, with the rule that it breaks, if any. */
record SchemaDiff(List<Line> lines) {
    /** A difference: of a type where the field's name is empty. */
    record Line(
            String typeName,
            String fieldName,
            Optional<FieldKind> oldKind,
            Optional<FieldKind> newKind,
            Optional<EvolutionRule> rule,
            String note,
            String detail) {
        static Line ofType(String typeName, String note) {
            return new Line(typeName, "", Optional.empty(), Optional.empty(), Optional.empty(), note, "");
        }

        static Line of(Violation broken) {
            return new Line(
                    broken.typeName(),
                    broken.fieldName(),
                    broken.oldKind(),
                    broken.newKind(),
                    Optional.of(broken.rule()),
                    "",
                    broken.detail());
        }
    }

    static SchemaDiff of(SchemaLock lock, Collection<TypeDescriptor> descriptors, LockReport report) {
        List<Line> lines = new ArrayList<>();
        Set<Violation> left = new LinkedHashSet<>(report.violations());
        for (LockChange change : report.changes()) {
            String type = change.schema().typeName();
            switch (change.kind()) {
                case NEW_TYPE -> lines.add(Line.ofType(type, "new type"));
                case REMOVED_TYPE -> {
                    if (left.stream().noneMatch(each -> each.typeName().equals(type))) {
                        lines.add(Line.ofType(type, "type is gone"));
                    }
                }
                case NEW_VERSION, NEW_DETAILS -> {
                    TypeDescriptor after = descriptors.stream()
                            .filter(each -> each.typeName().equals(type))
                            .findFirst()
                            .orElseThrow();
                    compare(newest(lock, type), after, left, lines);
                }
            }
        }
        left.forEach(each -> lines.add(Line.of(each)));
        return new SchemaDiff(lines);
    }

    private static void compare(TypeDescriptor before, TypeDescriptor after, Set<Violation> left, List<Line> lines) {
        Set<String> names = new TreeSet<>();
        before.schema().fields().forEach(field -> names.add(field.name()));
        after.schema().fields().forEach(field -> names.add(field.name()));
        for (String name : names) {
            Optional<FieldKind> oldKind = before.schema().kindOf(name);
            Optional<FieldKind> newKind = after.schema().kindOf(name);
            List<Violation> broken = left.stream()
                    .filter(each -> each.typeName().equals(before.typeName())
                            && each.fieldName().equals(name)
                            && each.oldKind().equals(oldKind)
                            && each.newKind().equals(newKind))
                    .toList();
            broken.forEach(each -> {
                left.remove(each);
                lines.add(Line.of(each));
            });
            boolean isKept = oldKind.equals(newKind)
                    && (before.isBare()
                            || after.isBare()
                            || before.meaning(name).equals(after.meaning(name)));
            if (broken.isEmpty() && !isKept) {
                String note = oldKind.isEmpty() ? "added" : newKind.isEmpty() ? "removed" : "changed";
                String detail = String.valueOf(after.meaning(name));
                lines.add(new Line(before.typeName(), name, oldKind, newKind, Optional.empty(), note, detail));
            }
        }
    }

    private static TypeDescriptor newest(SchemaLock lock, String typeName) {
        List<LockedVersion> versions = lock.types().getOrDefault(typeName, List.of());
        return versions.get(versions.size() - 1).descriptor();
    }

    /** Returns the newest version of each type. */
    static List<TypeDescriptor> newest(SchemaLock lock) {
        return lock.types().keySet().stream().map(name -> newest(lock, name)).toList();
    }

    void print(PrintWriter out) {
        if (!lines.isEmpty()) {
            Table table = new Table("VERDICT", "TYPE", "FIELD", "OLD", "NEW", "DETAIL");
            for (Line line : lines) {
                String verdict = line.rule().map(EvolutionRule::name).orElse("ok: " + line.note());
                table.row(
                        verdict,
                        Texts.name(line.typeName()),
                        line.fieldName().isEmpty() ? "-" : Texts.name(line.fieldName()),
                        Texts.kind(line.oldKind()),
                        Texts.kind(line.newKind()),
                        Texts.detail(line.detail()));
            }
            out.print(table);
        }
    }

    void write(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("differences");
        for (Line line : lines) {
            json.writeStartObject();
            json.writeStringField("type", line.typeName());
            json.writeStringField("field", line.fieldName());
            json.writeStringField("old", line.oldKind().map(Enum::name).orElse(null));
            json.writeStringField("new", line.newKind().map(Enum::name).orElse(null));
            json.writeStringField("rule", line.rule().map(Enum::name).orElse(null));
            json.writeStringField("detail", line.detail());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
