package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import org.jspecify.annotations.Nullable;

/** The tags and arities that stand before the components of a record. */
final class Headers {
    private Headers() {}

    static void readTuple(String record, int arity, @Nullable Atom tag, TermReader reader) {
        int got = reader.readTupleHeader();
        if (got != arity) {
            throw new DatabindException(record + ": expected arity=" + arity + " got=" + got);
        }
        if (tag != null) {
            Atom first = reader.readAtom();
            if (!first.equals(tag)) {
                throw new DatabindException(record + ": expected tag=" + tag + " got=" + first);
            }
        }
    }

    static void writeTuple(int arity, @Nullable Atom tag, TermWriter writer) {
        writer.writeTupleHeader(arity);
        if (tag != null) {
            writer.writeAtom(tag);
        }
    }

    static void writeMap(int size, TermWriter writer) {
        writer.writeMapHeader(size);
    }

    static void writeKey(Atom key, TermWriter writer) {
        writer.writeAtom(key);
    }
}
