package dev.touchstone.messaging.databind;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark of a record that is a map, whose keys are the names of its components, as atoms. Keys that the record does not have are passed
 * over, unless {@link UnknownKeys#FAIL} was asked for; a missing key is an empty {@code Optional}, or refused for any other component.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ErlangMap {}
