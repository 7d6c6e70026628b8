package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The components of a record, or the fields of a class, that are read from a map in whatever order they stand. Immutable. */
final class MapFields {
    private final String type;
    private final String[] names;
    private final Class<?>[] types;
    private final Atom[] keys;
    private final MethodHandle[] reads;
    private final UnknownKeys unknown;

    /**
     * Creates the fields of one type.
     *
     * @param type for messages
     * @param names for messages: {@code Type.component}
     * @param reads {@code (TermReader)Object} of each component
     */
    MapFields(String type, String[] names, Class<?>[] types, Atom[] keys, MethodHandle[] reads, UnknownKeys unknown) {
        this.type = type;
        this.names = names;
        this.types = types;
        this.keys = keys;
        this.reads = reads;
        this.unknown = unknown;
    }

    /** Returns the components in the record's order. */
    Object[] read(TermReader reader) throws Throwable {
        @Nullable Object[] values = readPresent(reader);
        Object[] complete = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null) {
                if (types[i] != Optional.class) {
                    throw new DatabindException(names[i] + ": missing key=" + keys[i]);
                }
                value = Optional.empty();
            }
            complete[i] = value;
        }
        return complete;
    }

    /** Returns the values in the order of the keys that this was made with; null where the map does not have the key. */
    @Nullable
    Object[] readPresent(TermReader reader) throws Throwable {
        @Nullable Object[] values = new @Nullable Object[keys.length];
        int pairs = reader.readMapHeader();
        int next = 0; // maps written from a record keep its order
        for (int pair = 0; pair < pairs; pair++) {
            int at = component(reader, next);
            if (at < 0) {
                reader.skip();
            } else if (values[at] == null) {
                values[at] = reads[at].invokeExact(reader);
                next = at + 1;
            } else {
                throw new DatabindException(names[at] + ": key stands twice");
            }
        }
        return values;
    }

    /** Reads a key; returns its component, or -1 if there is none. The search begins at {@code next}. */
    private int component(TermReader reader, int next) {
        if (!Scalars.isAtom(reader.peekTag())) {
            if (unknown == UnknownKeys.FAIL) {
                throw new DatabindException(type + ": expected keys=atoms got=" + Kinds.of(reader.read()));
            }
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
        if (unknown == UnknownKeys.FAIL) {
            throw new DatabindException(type + ": unknown key=" + key);
        }
        return -1;
    }
}
