package dev.touchstone.messaging.databind;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark of a record that is the tuple {@code {tag, F1, F2, ...}}; without a tag, and without this annotation, it is
 * {@code {F1, F2, ...}}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ErlangRecord {
    /**
     * Returns the text of the leading atom.
     *
     * @return at most 255 characters; empty for no leading atom
     */
    String tag() default "";
}
