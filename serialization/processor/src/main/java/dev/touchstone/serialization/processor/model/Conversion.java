package dev.touchstone.serialization.processor.model;

/**
 * A conversion of a Java value to that of a field's kind, and back: two expressions in which {@code #v} is the value and {@code #f} are the
 * schema and the index of the field. Classes stand as {@link ClassRef#token}.
 *
 * @param to makes the value of the kind
 * @param from makes the Java value
 */
public record Conversion(String to, String from) {
    /** The conversion of a Java value that is that of the kind. */
    public static final Conversion NONE = new Conversion("#v", "#v");

    private static final String ENCODINGS = "{dev.touchstone.serialization/Encodings}";

    /** Returns a conversion by two methods of {@code Encodings}. */
    public static Conversion methods(String to, String from) {
        return new Conversion(ENCODINGS + "." + to, ENCODINGS + "." + from);
    }

    /** Returns the conversion to a text by a method of {@code Encodings}, and back by an expression that is a function. */
    public static Conversion text(String to, String parser) {
        return methods(to + "(#v)", "parsed(#f, #v, " + parser + ")");
    }

    /** Returns the conversion of arrays of a class, item by item as {@link #text} does. */
    public static Conversion texts(String to, String item, String parser) {
        return methods(to + "(#v)", "parsedAll(#f, #v, " + item + "[]::new, " + parser + ")");
    }

    /** Returns this conversion applied to the results of another one. */
    public Conversion behind(Conversion outer) {
        return new Conversion(to.replace("#v", outer.to), outer.from.replace("#v", from));
    }
}
