package dev.touchstone.serialization.cli.code;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Names that generated code cannot give, by language and scope. */
final class ReservedWords {
    static final Set<String> PYTHON_TYPES = Set.of("False", "None", "True");

    private static final List<String> PYTHON_KEYWORDS = List.of(
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "class",
            "continue",
            "def",
            "del",
            "elif",
            "else",
            "except",
            "finally",
            "for",
            "from",
            "global",
            "if",
            "import",
            "in",
            "is",
            "lambda",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "return",
            "try",
            "while",
            "with",
            "yield");

    /** Keywords, and the built-in types that annotations of other attributes name. */
    static final Set<String> PYTHON_ATTRIBUTES = and("bool", "float", "int", "str");

    /** Keywords, and names with a meaning of their own in an enum. */
    static final Set<String> PYTHON_MEMBERS = and("False", "None", "True", "mro", "name", "value");

    /** Names that are imported, or that the generated code uses. */
    static final Set<String> TYPESCRIPT_TYPES = Set.of(
            "Array",
            "BigDecimal",
            "BigInt",
            "Buffer",
            "CompactReader",
            "CompactSerializer",
            "CompactWriter",
            "FieldKind",
            "Function",
            "Infinity",
            "LocalDate",
            "LocalDateTime",
            "LocalTime",
            "Long",
            "NaN",
            "Number",
            "Object",
            "OffsetDateTime",
            "Partial",
            "RangeError",
            "String");

    /** Names that every object has. */
    static final Set<String> TYPESCRIPT_ATTRIBUTES = Set.of(
            "constructor",
            "hasOwnProperty",
            "isPrototypeOf",
            "propertyIsEnumerable",
            "toLocaleString",
            "toString",
            "valueOf");

    private ReservedWords() {}

    private static Set<String> and(String... more) {
        Set<String> words = new HashSet<>(PYTHON_KEYWORDS);
        words.addAll(List.of(more));
        return Set.copyOf(words);
    }
}
