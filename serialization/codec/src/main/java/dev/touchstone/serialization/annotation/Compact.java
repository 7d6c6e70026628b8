package dev.touchstone.serialization.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type whose codec is generated when it is compiled. For a type {@code X} that is
 *
 * <ul>
 *   <li>a record: its components are the fields;
 *   <li>a class with a constructor without parameters: its fields are, and those of its superclasses, but for static and transient ones. A
 *       private field needs a getter ({@code getA}, {@code isA} or {@code a}) and a setter ({@code setA} or {@code a}); others are read and
 *       set directly;
 *   <li>a class with a constructor whose parameters have the names and types of all fields, in any order: as before, without setters;
 *   <li>an enum: a record with the field {@code name}. A field of another type holds it as STRING;
 *   <li>a sealed interface or abstract class, all of whose permitted types are so marked: a field holds the record of the type that the
 *       value has, and its schema says when it is read which that is. It has no schema of its own, and there are no arrays of it, for
 *       Hazelcast refuses arrays whose items differ in type.
 * </ul>
 *
 * these are generated beside it, with {@code Outer_X} for a nested one:
 *
 * <ul>
 *   <li>{@code XCodec}: writes and reads X. Fields are written in the order of their declaration; for each there is its index, {@code
 *       A_INDEX}. That of a sealed type has {@code CODECS}, those of all permitted types, for a serialization to be built with;
 *   <li>{@code XView}: reads single fields of a record's bytes;
 *   <li>{@code XCompactSerializer}: the same for a Hazelcast member or client, where Hazelcast 5.2 or later is on the class path;
 *   <li>{@code META-INF/compact/<class name>.schema}: the schema and the meanings of fields, the text of a {@code TypeDescriptor}.
 * </ul>
 *
 * <p>A record of another version is read by the names of its fields. A field that it lacks is {@link CompactField#missing}, or else what a
 * class's constructor has set, or else null or zero. A field of another kind is refused.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface Compact {
    /** The name of the type in its schema; if empty, the name of the class, as Hazelcast has it. Not for sealed types. */
    String value() default "";

    /** Types that no kind of field is for, and that fields of this type may have nevertheless. */
    Encoding[] encode() default {};
}
