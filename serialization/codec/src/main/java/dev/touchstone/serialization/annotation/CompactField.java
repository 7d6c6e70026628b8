package dev.touchstone.serialization.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a field of a {@link Compact} type what its declaration does not. */
@Documented
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.CLASS)
public @interface CompactField {
    /** The name of the field in the schema; if empty, that of the declaration. */
    String value() default "";

    /**
     * The value where a record of another version lacks the field: one text, that of a number, a boolean, a string, a constant of an enum, or
     * what the type's {@code parse} takes.
     */
    String[] missing() default {};

    /** Adds to {@link Compact#encode} for this field. */
    Encoding[] encode() default {};
}
