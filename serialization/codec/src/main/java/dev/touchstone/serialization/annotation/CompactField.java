package dev.touchstone.serialization.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Settings of a field of a {@link Compact} type that its declaration does not tell. */
@Documented
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.CLASS)
public @interface CompactField {
    /**
     * Returns the name of the field in the schema.
     *
     * @return name of the field; if empty, the name of its declaration is used
     */
    String value() default "";

    /**
     * Returns the value of the field for records of another version that lack it, as one text: that of a number, a boolean, a string, a constant of
     * an enum, or a text that the {@code parse} method of the type accepts.
     *
     * @return one text, or none if there is no such value
     */
    String[] missing() default {};

    /**
     * Returns the encodings that this field may use in addition to those of {@link Compact#encode}.
     *
     * @return encodings
     */
    Encoding[] encode() default {};
}
