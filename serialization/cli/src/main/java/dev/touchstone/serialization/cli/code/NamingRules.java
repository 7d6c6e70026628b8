package dev.touchstone.serialization.cli.code;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The identifiers of a language, and how names become some. */
enum NamingRules {
    /** Attributes in lower case with underscores; no name is a keyword, nor one that annotations or enums need. */
    PYTHON,
    /** Attributes as they are; a keyword may be one, but not a name that every object has. */
    TYPESCRIPT;

    private static final Pattern QUALIFIER = Pattern.compile("[.$]");
    private static final Pattern WORD_END =
            Pattern.compile("(?<=[\\p{Ll}\\p{Nd}])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");
    /** The one letter of Unicode that identifiers cannot have: it is kept for the syntax of patterns. */
    private static final int VERTICAL_TILDE = 0x2E2F;

    private static final String UNDERSCORE = "_";
    private static final String NO_CLASS = "Type";
    private static final String NO_FIELD = "field";
    private static final String NO_MEMBER = "CONSTANT";

    Set<String> reservedTypes() {
        return this == PYTHON ? ReservedWords.PYTHON_TYPES : ReservedWords.TYPESCRIPT_TYPES;
    }

    Set<String> reservedAttributes() {
        return this == PYTHON ? ReservedWords.PYTHON_ATTRIBUTES : ReservedWords.TYPESCRIPT_ATTRIBUTES;
    }

    /** Returns names that members of enums cannot have; in TypeScript there are no members. */
    Set<String> reservedMembers() {
        return this == PYTHON ? ReservedWords.PYTHON_MEMBERS : Set.of();
    }

    /** Returns the attribute of a field. */
    String attribute(String field) {
        String name = withoutUnderscores(identifier(this == PYTHON ? snakeCase(field) : field));
        return startingWithALetter(name, NO_FIELD);
    }

    /** Returns the class of a type by the last part of its name. */
    static String simpleClassName(String type) {
        String[] parts = QUALIFIER.split(type, -1);
        return className(parts[parts.length - 1]);
    }

    /** Returns the class of a name: all its words together, each with a capital first letter. */
    static String className(String name) {
        StringBuilder all = new StringBuilder();
        for (String word : identifier(name).split(UNDERSCORE, -1)) {
            int first = word.isEmpty() ? 0 : Character.charCount(word.codePointAt(0));
            all.append(word.substring(0, first).toUpperCase(Locale.ROOT)).append(word.substring(first));
        }
        String joined = identifier(all.toString());
        boolean isClass = !joined.isEmpty() && Character.isUpperCase(joined.codePointAt(0));
        return isClass ? joined : NO_CLASS + joined;
    }

    /** Returns the member of an enum for a constant. */
    static String member(String constant) {
        return startingWithALetter(withoutUnderscores(identifier(constant)), NO_MEMBER);
    }

    private static String snakeCase(String name) {
        return WORD_END.matcher(name).replaceAll(UNDERSCORE).toLowerCase(Locale.ROOT);
    }

    /** Replaces all but letters and digits, which all languages take, in the form that Python gives them. */
    private static String identifier(String name) {
        StringBuilder text = new StringBuilder();
        Normalizer.normalize(name, Normalizer.Form.NFKC)
                .codePoints()
                .forEach(each -> text.appendCodePoint(isPart(each) ? each : '_'));
        return text.toString();
    }

    private static boolean isPart(int codePoint) {
        return (Character.isLetter(codePoint) && codePoint != VERTICAL_TILDE) || Character.isDigit(codePoint);
    }

    /** Underscores in front hide names in Python. */
    private static String withoutUnderscores(String name) {
        int start = 0;
        while (start < name.length() && name.charAt(start) == '_') {
            start++;
        }
        return name.substring(start);
    }

    private static String startingWithALetter(String name, String otherwise) {
        if (name.isEmpty()) {
            return otherwise;
        }
        return Character.isLetter(name.codePointAt(0)) ? name : otherwise + UNDERSCORE + name;
    }
}
