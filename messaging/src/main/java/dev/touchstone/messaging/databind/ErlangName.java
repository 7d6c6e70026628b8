package dev.touchstone.messaging.databind;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The atom that stands for a component of an {@link ErlangMap} or for a constant of an enum. Without this annotation, the atom is the
 * component's name as it is written, or the constant's name in lower case.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface ErlangName {
    /**
     * Returns the atom's text.
     *
     * @return at most 255 characters
     */
    String value();
}
