package dev.touchstone.messaging.databind;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Makes a record the tuple {@code {tag, F1, F2, ...}}; without a tag, and without this annotation, it is {@code {F1, F2, ...}}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ErlangRecord {
    /** The leading atom; empty for none. */
    String tag() default "";
}
