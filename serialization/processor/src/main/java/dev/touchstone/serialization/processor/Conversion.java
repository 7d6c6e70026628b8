package dev.touchstone.serialization.processor;

/**
 * How a Java value becomes that of a field's kind, and back: two expressions in which {@code $v} is the value and {@code $f} are the schema and
 * the index of the field. Classes stand as {@link ClassRef#token}.
 */
record Conversion(String to, String from) {
    /** The Java value is that of the kind. */
    static final Conversion NONE = new Conversion("$v", "$v");

    private static final String ENCODINGS = "{dev.touchstone.serialization/Encodings}";

    /** A conversion by two methods of {@code Encodings}. */
    static Conversion methods(String to, String from) {
        return new Conversion(ENCODINGS + "." + to, ENCODINGS + "." + from);
    }

    /** To a text by a method of {@code Encodings}, and back by an expression that is a function. */
    static Conversion text(String to, String parser) {
        return methods(to + "($v)", "parsed($f, $v, " + parser + ")");
    }

    /** As {@link #text} for arrays of a class. */
    static Conversion texts(String to, String item, String parser) {
        return methods(to + "($v)", "parsedAll($f, $v, " + item + "[]::new, " + parser + ")");
    }

    /** This conversion for what another makes of a value. */
    Conversion behind(Conversion outer) {
        return new Conversion(to.replace("$v", outer.to), outer.from.replace("$v", from));
    }
}
