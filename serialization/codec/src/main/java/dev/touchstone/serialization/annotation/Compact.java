package dev.touchstone.serialization.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type for which the annotation processor generates a codec. The type {@code X} may be
 *
 * <ul>
 *   <li>a record: its components are the fields;
 *   <li>a class with a constructor without parameters: the fields are those of the class and its superclasses, without static and
 *       transient ones. A private field needs a getter ({@code getA}, {@code isA} or {@code a}) and a setter ({@code setA} or {@code a}); other fields are
 *       read and set directly;
 *   <li>a class with a constructor whose parameters have the names and types of all fields, in any order: the fields are the
 *       same as above, and need no setters;
 *   <li>a class with a builder, which a static method {@code builder()} or {@code newBuilder()} returns, or a nested static class whose name ends
 *       in {@code Builder}: the builder has {@code build()}, and for each field {@code a} a method {@code a}, {@code setA} or {@code withA};
 *   <li>an enum: its record has the field {@code name}. A field of another type holds the constant as STRING;
 *   <li>a sealed interface or abstract class, all of whose permitted types are marked too: a field holds the record of the type that the
 *       value has, and the schema of that record tells the type when the field is read. The sealed type has no schema of its own, and
 *       arrays of it are not supported, because Hazelcast refuses arrays whose items differ in type.
 * </ul>
 *
 * <p>The processor generates the following beside the type, with {@code Outer_X} as the name of a nested one:
 *
 * <ul>
 *   <li>{@code XCodec}: writes and reads X. Fields are written in the order of their declaration; a constant {@code A_INDEX} has the index of
 *       the field {@code a}. The codec of a sealed type has {@code CODECS}, the codecs of all permitted types, which a serialization
 *       needs;
 *   <li>{@code XView}: reads single fields from the bytes of a record;
 *   <li>{@code XCompactSerializer}: writes and reads X in a Hazelcast member or client; generated if Hazelcast 5.2 or later is on the class path;
 *   <li>{@code META-INF/compact/<class name>.schema}: the schema and the meanings of fields, the text of a {@code TypeDescriptor}.
 * </ul>
 *
 * <p>A record of another version is read by the names of its fields. A field that the record lacks gets the value of {@link
 * CompactField#missing}; without one, the value that the constructor of the class has set; and otherwise null or zero. A field of another
 * kind is refused.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface Compact {
    /**
     * Returns the name of the type in its schema. Not allowed for sealed types.
     *
     * @return name of the type; if empty, the name of the class is used, as Hazelcast does
     */
    String value() default "";

    /**
     * Returns the encodings that fields of this type may use for types without a kind of field.
     *
     * @return encodings
     */
    Encoding[] encode() default {};
}
