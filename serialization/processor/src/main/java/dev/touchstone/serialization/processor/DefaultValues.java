package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.annotation.CompactField;
import dev.touchstone.serialization.processor.model.MemberModel.Missing;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** Reads {@link CompactField#missing}, so that a text that is no value is refused when it is compiled. */
final class DefaultValues {
    private static final Map<String, Function<String, Object>> CONSTANTS = Map.ofEntries(
            Map.entry("boolean", DefaultValues::bool),
            Map.entry("char", DefaultValues::character),
            Map.entry("java.lang.Character", DefaultValues::character),
            Map.entry("byte", Byte::valueOf),
            Map.entry("short", Short::valueOf),
            Map.entry("int", Integer::valueOf),
            Map.entry("long", Long::valueOf),
            Map.entry("float", Float::valueOf),
            Map.entry("double", Double::valueOf),
            Map.entry("java.lang.Boolean", DefaultValues::bool),
            Map.entry("java.lang.Byte", Byte::valueOf),
            Map.entry("java.lang.Short", Short::valueOf),
            Map.entry("java.lang.Integer", Integer::valueOf),
            Map.entry("java.lang.Long", Long::valueOf),
            Map.entry("java.lang.Float", Float::valueOf),
            Map.entry("java.lang.Double", Double::valueOf),
            Map.entry("java.lang.String", text -> text));

    private static final Map<String, Function<String, Object>> PARSED = Map.of(
            "java.math.BigDecimal", BigDecimal::new,
            "java.time.LocalTime", LocalTime::parse,
            "java.time.LocalDate", LocalDate::parse,
            "java.time.LocalDateTime", LocalDateTime::parse,
            "java.time.OffsetDateTime", OffsetDateTime::parse,
            "java.time.Instant", Instant::parse,
            "java.time.Duration", Duration::parse,
            "java.util.UUID", UUID::fromString);

    private DefaultValues() {}

    private static Boolean bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return text.charAt(0);
    }

    /** Returns the value of a member where a record lacks it. */
    static Missing of(Element member, TypeMirror type, @Nullable CompactField field) throws Problem {
        if (field == null || field.missing().length == 0) {
            return new Missing(Optional.empty(), zero(type), "");
        }
        if (field.missing().length != 1) {
            throw new Problem(member, "missing must be one value: field=" + member.getSimpleName());
        }
        String text = field.missing()[0];
        try {
            return new Missing(Optional.of(text), template(type), literal(type, text));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new Problem(
                    member,
                    "missing is no value of the field: field=" + member.getSimpleName() + " type="
                            + JavaTypes.shown(type) + " missing=" + text + "; " + e.getMessage());
        }
    }

    private static String zero(TypeMirror type) {
        return switch (type.getKind()) {
            case BOOLEAN -> "false";
            case CHAR -> "(char) 0";
            case DECLARED -> qualified(type).equals("java.util.Optional") ? "{java.util/Optional}.empty()" : "null";
            case BYTE, SHORT, INT -> "0";
            case LONG -> "0L";
            case FLOAT -> "0.0F";
            case DOUBLE -> "0.0";
            default -> "null";
        };
    }

    private static String template(TypeMirror type) {
        String token = JavaTypes.token(type);
        if (type.getKind().isPrimitive() || token.equals("{java.lang/String}")) {
            return "#v";
        }
        String name = qualified(type);
        if (CONSTANTS.containsKey(name)) {
            return token + ".valueOf(#v)";
        }
        return switch (name) {
            case "java.math.BigDecimal" -> "new " + token + "(#v)";
            case "java.util.UUID" -> token + ".fromString(#v)";
            default -> token + (PARSED.containsKey(name) ? ".parse(#v)" : ".#v");
        };
    }

    private static String qualified(TypeMirror type) {
        TypeElement element = JavaTypes.element(type);
        return element == null
                ? JavaTypes.token(type)
                : element.getQualifiedName().toString();
    }

    private static String literal(TypeMirror type, String text) {
        TypeElement element = JavaTypes.element(type);
        String name = qualified(type);
        Function<String, Object> constant = CONSTANTS.get(name);
        if (constant != null) {
            return literal(constant.apply(text));
        }
        Function<String, Object> parser = PARSED.get(name);
        if (parser != null) {
            requireNonNull(parser.apply(text));
            return Expressions.quoted(text);
        }
        if (element == null || element.getKind() != ElementKind.ENUM) {
            throw new IllegalArgumentException("a field of this type has none");
        }
        boolean isConstant = element.getEnclosedElements().stream()
                .anyMatch(e -> e.getKind() == ElementKind.ENUM_CONSTANT
                        && e.getSimpleName().contentEquals(text));
        if (!isConstant) {
            throw new IllegalArgumentException("no such constant");
        }
        return text;
    }

    private static String special(double number) {
        return Double.isNaN(number) ? "(0.0 / 0.0)" : number > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)";
    }

    /** Returns a constant in sources; the compilers' own {@code getConstantExpression} differ, and that of Eclipse quotes no quotes. */
    private static String literal(Object value) {
        if (value instanceof Byte) {
            return "(byte) " + value;
        }
        if (value instanceof Short) {
            return "(short) " + value;
        }
        if (value instanceof Long) {
            return value + "L";
        }
        if (value instanceof Float number) {
            return Float.isFinite(number) ? number + "F" : "(float) " + special(number);
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number.toString() : special(number);
        }
        if (value instanceof Character character) {
            String quoted = Expressions.quoted(character.toString());
            return character == '\'' ? "'\\''" : "'" + quoted.substring(1, quoted.length() - 1) + "'";
        }
        return value instanceof String text ? Expressions.quoted(text) : value.toString();
    }
}
