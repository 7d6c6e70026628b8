package dev.touchstone.messaging.databind;

/** A policy for keys in a received map that the record or class does not have. */
public enum UnknownKeys {
    /** They are passed over, with their values: a newer sender may add keys. */
    IGNORE,
    /** They are refused, with a {@link DatabindException} that names the first. */
    FAIL
}
