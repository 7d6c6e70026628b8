package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.Optional;

/** Collects the components of a record from a map, in whatever order they stand. Immutable. */
final class MapFields {
    private final RecordComponent[] components;
    private final Atom[] keys;
    private final MethodHandle[] reads;

    /** @param reads {@code (TermReader)Object} of each component */
    MapFields(RecordComponent[] components, Atom[] keys, MethodHandle[] reads) {
        this.components = components;
        this.keys = keys;
        this.reads = reads;
    }

    /** The components in the record's order. */
    Object[] read(TermReader reader) throws Throwable {
        Object[] values = new Object[keys.length];
        int pairs = reader.readMapHeader();
        int next = 0; // maps that a record was written to keep its order
        for (int pair = 0; pair < pairs; pair++) {
            int at = component(reader, next);
            if (at < 0) {
                reader.skip();
            } else if (values[at] == null) {
                values[at] = reads[at].invokeExact(reader);
                next = at + 1;
            } else {
                throw new DatabindException(where(at) + ": key stands twice");
            }
        }
        complete(values);
        return values;
    }

    /** The component whose key is read, or -1; the search begins at {@code next}. */
    private int component(TermReader reader, int next) {
        if (!Scalars.isAtom(reader.peekTag())) {
            reader.skip();
            return -1;
        }
        Atom key = reader.readAtom();
        for (int i = 0; i < keys.length; i++) {
            int at = next + i < keys.length ? next + i : next + i - keys.length;
            if (keys[at].equals(key)) {
                return at;
            }
        }
        return -1;
    }

    private void complete(Object[] values) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                if (components[i].getType() != Optional.class) {
                    throw new DatabindException(where(i) + ": missing key=" + keys[i]);
                }
                values[i] = Optional.empty();
            }
        }
    }

    private String where(int i) {
        return components[i].getDeclaringRecord().getSimpleName() + "." + components[i].getName();
    }
}
