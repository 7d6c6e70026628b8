package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;

/** A reader and writer of one type. Thread-safe. */
interface RecordAccess {
    Object read(TermReader reader) throws Throwable;

    void write(TermWriter writer, Object value) throws Throwable;
}
