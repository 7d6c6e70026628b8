package dev.touchstone.messaging.databind;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark of a {@code String} that is a list of code points, as Erlang's own strings are; without the mark, the string is a binary of
 * UTF-8.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface ErlangString {}
